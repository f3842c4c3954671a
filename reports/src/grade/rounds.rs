//! What befell whole rounds: put off, disturbed from outside, or begun before the machine was warm.

use std::collections::BTreeMap;

use crate::journal::Results;
use crate::schema::{Round, WarmUp};

use super::{Letter, Reason, Warning, reason};

/// Rounds that were put off or marked, and panels that were not warm when they began.
pub fn reasons(results: &Results) -> Vec<Reason> {
    let rounds: Vec<&Round> = results.panels.iter().flat_map(|panel| &panel.rounds).collect();
    let share = |count: usize| count as f64 / rounds.len().max(1) as f64;
    let mut reasons = Vec::new();
    // A median bears a third of its rounds being wrong, but not much more.
    let marked = share(rounds.iter().filter(|round| !round.marks.is_empty()).count());
    let letter = Letter::of(marked, [0.02, 0.1, 0.3]);
    if letter > Letter::A {
        let mut marks = BTreeMap::new();
        for mark in rounds.iter().flat_map(|round| &round.marks) {
            *marks.entry(mark.clone()).or_insert(0) += 1;
        }
        let stolen = rounds.iter().filter_map(|round| round.steal_ms).sum();
        reasons.push(reason(letter, Warning::RoundsMarked { share: marked, marks, stolen }));
    }
    // Putting off is the cure; that it was needed often says what machine it was.
    let waited = share(rounds.iter().filter(|round| round.waited_ms > 0).count());
    if waited > 0.05 {
        let ms = rounds.iter().map(|round| round.waited_ms).sum();
        reasons.push(reason(Letter::B, Warning::RoundsPutOff { share: waited, ms }));
    }
    let cold = results.warm_ups.iter().filter(|warm_up| still_falls(warm_up)).count();
    let share = cold as f64 / results.warm_ups.len().max(1) as f64;
    // One of many happens where others work; the first rounds of a few panels move no median.
    let letter = Letter::of(share, [0.02, 0.3, f64::INFINITY]);
    if letter > Letter::A {
        reasons.push(reason(letter, Warning::NotWarm { cold, all: results.warm_ups.len() }));
    }
    reasons
}

/// Ended by its length and not by its levels.
fn still_falls(warm_up: &WarmUp) -> bool {
    warm_up.levels.len() >= WarmUp::MOST && WarmUp::falls(&warm_up.levels)
}
