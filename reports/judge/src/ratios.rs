//! The times of two designs, paired within rounds.
//!
//! The machine may drift by more between two rounds than two designs differ within one, so the times of
//! a round are kept together.

use raywalk_results::journal::{PanelRounds, Results};
use raywalk_results::schema::{Panel, Round, Sample};
use raywalk_results::statistics::interquartile_mean;

use crate::estimate::Pair;

/// A replay that passes over its positions this often is summarised by the mean of its middle half: its
/// blocks are passes over the same positions, and an interruption spoils one of them.
const MANY_PASSES: u64 = 4;

/// The rounds of two designs of a panel, in time order.
pub(crate) fn pairs(results: &Results, rounds: &PanelRounds, one: &str, other: &str) -> Vec<Pair> {
    rounds
        .rounds
        .iter()
        .filter_map(|round| pair(results, &rounds.panel, round, one, other))
        .collect()
}

fn pair(results: &Results, panel: &Panel, round: &Round, one: &str, other: &str) -> Option<Pair> {
    let sample = |id: &str| round.samples.iter().find(|sample| sample.design == id);
    let (one, other) = (sample(one)?, sample(other)?);
    let process = results.processes.iter().find(|process| process.number == round.process);
    Some(Pair {
        layout: process.and_then(|process| process.layout),
        process: round.process,
        root: round.root,
        batch: round.first,
        positions: one.positions / passes(panel, one.positions),
        disturbed: !round.marks.is_empty(),
        blocks: blocks(panel, one, other),
    })
}

/// How often a sample of so many positions passes over its batch.
pub(crate) fn passes(panel: &Panel, positions: u64) -> u64 {
    panel.regime.period.map_or(1, |k| (positions / k.max(1)).max(1))
}

/// The ticks of one pass of two samples of a round, block by block.
fn blocks(panel: &Panel, one: &Sample, other: &Sample) -> Vec<(f64, f64)> {
    let passes = passes(panel, one.positions);
    let ticks = |sample: &Sample| -> Vec<f64> {
        let many = passes >= MANY_PASSES && sample.blocks.len() > 1;
        if many {
            let blocks: Vec<f64> = sample.blocks.iter().map(|&ticks| ticks as f64).collect();
            vec![blocks.len() as f64 * interquartile_mean(blocks) / passes as f64]
        } else if passes > 1 || panel.regime.is_disturbed() || sample.blocks.is_empty() {
            // The ticks of a disturbed sample are a robust difference already.
            vec![sample.ticks as f64 / passes as f64]
        } else {
            sample.blocks.iter().map(|&ticks| ticks as f64).collect()
        }
    };
    let (one_blocks, other_blocks) = (ticks(one), ticks(other));
    // A block of zero ticks has no ratio.
    let unusable = |blocks: &[f64]| blocks.len() > 1 && blocks.contains(&0.0);
    if one_blocks.len() != other_blocks.len() || unusable(&one_blocks) || unusable(&other_blocks) {
        return vec![(one.ticks as f64 / passes as f64, other.ticks as f64 / passes as f64)];
    }
    one_blocks.into_iter().zip(other_blocks).collect()
}

/// ln(one ÷ other) of the times of two designs, one value per round in time order, for plots. A spoilt
/// block weighs nothing: the value is the interquartile mean of the blocks' log ratios.
pub fn by_round(results: &Results, rounds: &PanelRounds, one: &str, other: &str) -> Vec<f64> {
    let log = |pair: &Pair| {
        interquartile_mean(pair.blocks.iter().map(|(one, other)| (one / other).ln()).collect())
    };
    pairs(results, rounds, one, other).iter().map(log).collect()
}
