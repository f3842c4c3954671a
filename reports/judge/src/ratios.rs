//! Log ratios of two designs, each formed within one round.
//!
//! The machine may drift by more between two rounds than two designs differ within one, so times of
//! different rounds are never divided by each other.

use raywalk_results::journal::PanelRounds;
use raywalk_results::schema::Sample;
use raywalk_results::statistics::{interquartile_mean, log_ratios};

/// ln(one ÷ other) of the time per position, one value per round in time order.
pub fn by_round(rounds: &PanelRounds, one: &str, other: &str) -> Vec<f64> {
    rounds
        .samples(one)
        .zip(rounds.samples(other))
        .map(|(one, other)| of_samples(one, other))
        .collect()
}

/// ln(one ÷ other) of the time per position of two samples of a round: the interquartile mean of the
/// log ratios of their blocks (J. W. Tukey, *Exploratory Data Analysis*, 1977, calls it the midmean),
/// or the ratio of the totals if they have no blocks. Up to a quarter of the blocks may be outliers
/// on either side.
pub(crate) fn of_samples(one: &Sample, other: &Sample) -> f64 {
    // A block of zero ticks has no logarithm.
    let usable = |sample: &Sample| sample.blocks.len() > 1 && !sample.blocks.contains(&0);
    if one.blocks.len() == other.blocks.len() && usable(one) && usable(other) {
        let pairs = one.blocks.iter().zip(&other.blocks).map(|(&a, &b)| (a as f64, b as f64));
        return interquartile_mean(log_ratios(pairs));
    }
    let per_position = |sample: &Sample| sample.ticks as f64 / sample.positions as f64;
    (per_position(one) / per_position(other)).ln()
}
