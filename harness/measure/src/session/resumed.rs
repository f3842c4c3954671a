//! Panels of a journal that is resumed.

use raywalk_results::journal::PanelRounds;

use crate::learning;
use crate::plan::Plan;
use crate::regime::rules;
use crate::sizing::Rounds;
use crate::source::BLOCKS;

/// Whether a panel can have been sized for this plan: a file may have been edited, and a batch of another size would be
/// mixed with those that are measured.
pub(super) fn is_possible(plan: &Plan, known: &PanelRounds) -> bool {
    let panel = &known.panel;
    let rounds = match plan.rounds {
        Rounds::Fixed(rounds) => panel.rounds == rounds,
        Rounds::Budget { least, most, .. } => {
            let most = most.max(least.next_multiple_of(plan.shares()));
            (1..=most).contains(&panel.rounds)
        }
    };
    // A position takes a nanosecond at least.
    let batch = 1..=Plan::LONGEST_BATCH.as_nanos() as u64;
    // Boards of a pass, if they stay loaded.
    let source = rules(panel.regime.kind).source(&panel.regime, panel.positions as usize);
    let source = source.ok().filter(|_| !panel.call.is_walk());
    let pass = source.and_then(|source| source.of_call(panel.call).pass());
    let passes = match (pass, &panel.learning) {
        (None, None) => true,
        (Some(boards), Some(learning)) => {
            panel.batch.is_multiple_of(boards as u64)
                && learning.passes <= learning::limits(boards).1 as u64
        }
        _ => false,
    };
    let mut samples = known.rounds.iter().flat_map(|round| &round.samples);
    let fits = |positions: u64| match pass.is_some() {
        true => positions == panel.batch,
        false => positions <= panel.batch,
    };
    rounds
        && batch.contains(&panel.batch)
        && (1..=BLOCKS as u64).contains(&panel.blocks)
        && passes
        && samples.all(|sample| fits(sample.positions))
}
