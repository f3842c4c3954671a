//! How many positions a timed batch holds.
//!
//! All designs of a round work on the same positions, so one number must suit a design that takes
//! 30 ns per position and one that takes 400. The middling design should take the plan's target;
//! the slowest must stay below the limit beyond which schedulers interrupt; the fastest must last
//! long enough for the clock. If the last two cannot both hold (designs more than two hundred times
//! apart on a clock of 10 ns), the clock wins: an interruption is marked, a coarse reading is not.

use super::feed::BLOCKS;
use crate::measure::plan::Rounds;

/// Rounds of a share that warm it up: the fewest with which a trend can be seen.
pub const WARM_UP: u64 = 2;
/// Positions for which each design is timed before the batch is sized.
pub const TRIAL: usize = 512;
/// The same for what happens before each call of a disturbed regime, which may take long.
pub const DISTURBED_TRIAL: usize = 32;
/// The fewest calls of a disturbed batch: each is timed by itself, in steps of a clock that may be as
/// long as a tenth of it.
const FEWEST_CALLS: usize = 128;

/// The limits of a batch, in ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// What the middling design should take.
    pub target: f64,
    /// What the slowest may take.
    pub longest: f64,
    /// What the fastest must take.
    pub least: f64,
}

/// Positions of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// As wanted.
    pub positions: usize,
    /// The most that keep the slowest design below its limit, or `positions` if that is more.
    pub most: usize,
}

/// The size of a batch for designs of these costs, in ticks per position.
pub fn batch(costs: &[f64], limits: &Limits) -> Size {
    // A cost of nothing is a clock that did not move; it must not ask for an endless batch.
    let costs: Vec<f64> = costs.iter().map(|&cost| cost.max(1e-3)).collect();
    let slowest = costs.iter().copied().fold(1e-3, f64::max);
    let fastest = costs.iter().copied().fold(f64::INFINITY, f64::min).min(slowest);
    let middling = crate::measure::clock::median(&costs).max(fastest);
    let most = limits.longest / slowest;
    let wanted = (limits.target / middling).min(most).max(limits.least / fastest).ceil();
    let positions = (wanted as usize).max(1);
    Size { positions, most: positions.max(most as usize) }
}

/// Into how many blocks a batch is cut: [`BLOCKS`], where the clock is fine enough for a block of a
/// design that is three times faster than the middling one.
pub fn blocks(limits: &Limits) -> usize {
    ((limits.target / (3.0 * limits.least)) as usize).clamp(1, BLOCKS)
}

/// The size of a disturbed batch. `costs` as for [`batch`], undisturbed: a disturbed call takes no
/// less. `disturbance` is what happens before each call, in ticks; it happens twice, before the call and
/// before the empty one, and is not in the time, so that the batch may be longer than the limits say.
pub fn disturbed_batch(costs: &[f64], disturbance: f64, limits: &Limits) -> Size {
    let whole: Vec<f64> = costs.iter().map(|cost| cost + 2.0 * disturbance).collect();
    let fastest = costs.iter().copied().fold(f64::INFINITY, f64::min).max(1e-3);
    let of_limits = batch(&whole, limits).positions;
    let of_clock = (limits.least / fastest).ceil() as usize;
    let positions = of_limits.max(of_clock).max(FEWEST_CALLS);
    Size { positions, most: positions }
}

/// Rounds for panels of these costs, in seconds per round, with `time` seconds for all of them and
/// their rounds cut into `shares`.
///
/// A panel that needs less than its even part of the time leaves the rest to the others. Each share
/// of each panel is warmed up, which takes two rounds that are not kept. Where the plan leaves a
/// choice all shares have equally many rounds.
pub fn allot(rounds: Rounds, costs: &[f64], time: Option<f64>, shares: u64) -> Vec<u64> {
    let (Rounds::Budget { least, most, .. }, Some(time)) = (rounds, time) else {
        let Rounds::Fixed(rounds) = rounds else { return vec![1; costs.len()] };
        return vec![rounds; costs.len()];
    };
    let whole = |rounds: u64| (rounds / shares * shares).max(least.next_multiple_of(shares));
    let warm_up = |cost: f64| cost * (WARM_UP * shares) as f64;
    // The cheapest first, so that what they leave is known when the others are asked.
    let mut order: Vec<usize> = (0..costs.len()).collect();
    order.sort_by(|&one, &other| costs[one].total_cmp(&costs[other]));
    let mut left = time;
    let mut found = vec![0; costs.len()];
    for (done, place) in order.into_iter().enumerate() {
        let cost = costs[place].max(1e-9);
        let part = left / (costs.len() - done) as f64;
        let fit = ((part - warm_up(cost)) / cost).max(0.0) as u64;
        found[place] = whole(fit.min(most.max(least)));
        left -= found[place] as f64 * cost + warm_up(cost);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// A clock of 1 GHz that moves every 10 ns.
    const LIMITS: Limits = Limits { target: 1e6, longest: 2e6, least: 1e4 };

    #[test]
    fn the_middling_design_takes_the_target() {
        assert_eq!(batch(&[50.0, 100.0, 150.0], &LIMITS).positions, 10_000);
    }

    #[test]
    fn the_slowest_design_stays_below_the_limit() {
        let size = batch(&[50.0, 100.0, 400.0], &LIMITS);
        assert_eq!(size, Size { positions: 5_000, most: 5_000 });
    }

    #[test]
    fn the_fastest_design_lasts_long_enough_for_the_clock() {
        let size = batch(&[1.0, 100.0, 400.0], &LIMITS);
        assert_eq!(size.positions, 10_000, "4 ms for the slowest, because the clock wins");
    }

    #[test]
    fn a_disturbed_batch_lasts_long_enough_for_the_clock_whatever_the_disturbance_takes() {
        let calls = |disturbance| disturbed_batch(&[50.0, 100.0, 400.0], disturbance, &LIMITS);
        assert_eq!(calls(50_000.0).positions, 200, "10 µs of the design of 50 ns");
        assert_eq!(calls(450.0).positions, 1_000, "100 + 2 × 450 ns for the middling design");
        assert_eq!(disturbed_batch(&[900.0], 50_000.0, &LIMITS).positions, FEWEST_CALLS);
    }

    #[test]
    fn a_batch_is_cut_as_far_as_the_clock_allows() {
        let of = |least| blocks(&Limits { least, ..LIMITS });
        assert_eq!((of(1e4), of(5e4), of(1e6)), (16, 6, 1));
    }

    #[test]
    fn panels_share_the_time_and_the_cheap_ones_leave_theirs_to_the_others() {
        let budget = Rounds::Budget { time: Duration::ZERO, least: 12, most: 60 };
        let rounds = |costs: &[f64], time| allot(budget, costs, Some(time), 4);
        // 0.1 s a round: of 4 s for both, 2 s for each less eight rounds that warm up.
        assert_eq!(rounds(&[0.1, 0.1], 4.0), [12, 12]);
        assert_eq!(rounds(&[0.1, 0.1], 8.0), [32, 32]);
        // The cheap one needs 0.68 s for the most that it may have.
        assert_eq!(rounds(&[0.1, 0.01], 8.0), [60, 60]);
        assert_eq!(rounds(&[0.2, 0.01], 8.0), [28, 60]);
        assert_eq!(rounds(&[1.0], 0.0), [12], "the least, whatever it takes");
        assert_eq!(allot(budget, &[1.0], Some(0.0), 5), [15], "equally many in each share");
        assert_eq!(allot(Rounds::Fixed(7), &[1.0, 2.0], None, 4), [7, 7]);
    }

    #[test]
    fn a_clock_that_did_not_move_asks_for_no_endless_batch() {
        let size = batch(&[0.0], &LIMITS);
        assert!(size.positions <= 2_000_000_000);
        assert_eq!(batch(&[], &LIMITS).positions.max(1), batch(&[], &LIMITS).positions);
    }
}
