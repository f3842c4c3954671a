//! Problems of whole rounds: delayed, disturbed from outside, or begun before the machine was warm.

use std::collections::HashSet;

use raywalk_results::journal::Results;
use raywalk_results::schema::{Round, WarmUp};

use super::reason::{Reason, Severity};
use super::warning::Warning;
use crate::ratios::{is_disturbed, turns};
use crate::summary::tally;

/// Warns of marked and delayed rounds, and of warm-ups that ended with a trend.
pub(crate) fn reasons(results: &Results) -> Vec<Reason> {
    let rounds: Vec<&Round> = results.panels.iter().flat_map(|panel| &panel.rounds).collect();
    let fraction = |count: usize| count as f64 / rounds.len().max(1) as f64;
    let mut reasons = Vec::new();
    let disturbed = || rounds.iter().filter(|round| is_disturbed(round));
    let marked = fraction(disturbed().count());
    let severity = Severity::of(marked, [0.02, 0.1, 0.3]);
    let marks = tally(disturbed().flat_map(|round| &round.marks));
    let stolen = total(rounds.iter().filter_map(|round| round.steal_ms));
    let warning = Warning::RoundsMarked { fraction: marked, marks, stolen };
    reasons.extend(Reason::if_limiting(severity, warning));
    // A delayed round is sound, but frequent delays show a machine that is not quiet.
    let delayed = fraction(results.panels.iter().map(|panel| delayed(&panel.rounds)).sum());
    if delayed > 0.05 {
        let ms = total(rounds.iter().map(|round| round.delayed_ms));
        let warning = Warning::RoundsDelayed { fraction: delayed, ms };
        reasons.push(Reason::new(Severity::Limit, warning));
    }
    let cold = results.warm_ups.iter().filter(|warm_up| still_falls(warm_up)).count();
    let fraction = cold as f64 / results.warm_ups.len().max(1) as f64;
    // The first rounds of a few panels do not move a ratio of totals.
    let severity = Severity::of(fraction, [0.02, 0.3, f64::INFINITY]);
    let all = results.warm_ups.len();
    reasons.extend(Reason::if_limiting(severity, Warning::NotWarm { cold, all }));
    reasons
}

/// Number of rounds in delayed turns. The first round of a turn records the delay of all.
fn delayed(rounds: &[Round]) -> usize {
    let turns = turns(rounds);
    let of_round = || rounds.iter().zip(&turns);
    let late: HashSet<u64> =
        of_round().filter(|(round, _)| round.delayed_ms > 0).map(|(_, &turn)| turn).collect();
    of_round().filter(|(_, turn)| late.contains(turn)).count()
}

/// Times of any length from a journal must not overflow.
fn total(milliseconds: impl Iterator<Item = u64>) -> u64 {
    milliseconds.fold(0, u64::saturating_add)
}

/// Whether a warm-up ended because of its length, while rounds still got faster.
fn still_falls(warm_up: &WarmUp) -> bool {
    warm_up.levels.len() >= WarmUp::MOST && WarmUp::falls(&warm_up.levels)
}
