//! How many positions a timed batch holds, and how many rounds a panel gets.
//!
//! All designs of a round work on the same positions, so one batch size must suit a design that takes
//! 30 ns per position and one that takes 400. The median design should take the plan's target time.
//! The slowest must stay below the time after which schedulers interrupt. The fastest must run long
//! enough for the clock's resolution. If the last two conflict (designs more than two hundred times
//! apart on a clock of 10 ns), resolution wins, because an interruption is marked and a coarse reading
//! is not.

use std::time::Duration;

use raywalk_results::statistics::median;

use crate::source::BLOCKS;

/// The number of rounds of each panel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rounds {
    /// The same number for each panel.
    Fixed(u64),
    /// The rounds that fit into the time of the whole plan, shared evenly among the panels.
    Budget {
        /// Time for measuring; building corpora and verifying designs come on top.
        time: Duration,
        /// Lower bound for each panel, even if the time is exceeded.
        least: u64,
        /// Upper bound for each panel, even if time is left.
        most: u64,
    },
}

impl Rounds {
    pub(crate) fn time(self) -> Option<f64> {
        match self {
            Rounds::Fixed(_) => None,
            Rounds::Budget { time, .. } => Some(time.as_secs_f64()),
        }
    }
}

/// Warm-up rounds of a share: the fewest that can show a trend.
pub(crate) const WARM_UP: u64 = 2;
/// Positions for which each design is timed before the batch is sized.
pub(crate) const TRIAL: usize = 512;
/// Calls that a disturbance is timed over before the batch is sized; fewer, because one may take long.
pub(crate) const DISTURBED_TRIAL: usize = 32;
/// Lower bound on the calls of a disturbed batch. Each call is timed by itself, and a step of the
/// clock may be as long as a tenth of it.
pub(crate) const FEWEST_CALLS: usize = 128;

/// The limits of a batch, in ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Limits {
    /// Time of the median design.
    pub target: f64,
    /// Upper bound for the slowest design.
    pub longest: f64,
    /// Lower bound for the fastest design.
    pub least: f64,
}

/// The size of a batch, in positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    /// The preferred size.
    pub positions: usize,
    /// The largest size that keeps the slowest design below its limit, or `positions` if that is larger.
    pub most: usize,
}

/// The size of a batch for designs of these costs, in ticks per position.
pub(crate) fn batch(costs: &[f64], limits: &Limits) -> Size {
    // A cost of 0 means that the clock did not advance. It must not lead to an endless batch.
    let costs: Vec<f64> = costs.iter().map(|&cost| cost.max(1e-3)).collect();
    let slowest = costs.iter().copied().fold(1e-3, f64::max);
    let fastest = costs.iter().copied().fold(f64::INFINITY, f64::min).min(slowest);
    let median = median(&costs).unwrap_or(fastest).max(fastest);
    let most = limits.longest / slowest;
    let wanted = (limits.target / median).min(most).max(limits.least / fastest).ceil();
    let positions = (wanted as usize).max(1);
    Size { positions, most: positions.max(most as usize) }
}

/// Number of blocks that a batch is cut into: [`BLOCKS`], or fewer if the clock is too coarse to time a
/// block of a design that is three times as fast as the median one.
pub(crate) fn blocks(limits: &Limits) -> usize {
    ((limits.target / (3.0 * limits.least)) as usize).clamp(1, BLOCKS)
}

/// The size of a disturbed batch. `costs` are those of undisturbed calls, as for [`batch`]: a disturbed
/// call takes at least as long. `disturbance` is the time of one disturbance in ticks. It runs twice per
/// position, before the call and before the empty call, and is not part of the timed region, so the
/// batch may take longer than the limits.
pub(crate) fn disturbed_batch(costs: &[f64], disturbance: f64, limits: &Limits) -> Size {
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
/// A panel that needs less than an even part of the time leaves the rest to the others. Each share of
/// each panel is warmed up, which takes two rounds that are not kept. With a time budget, all shares
/// have the same number of rounds.
pub(crate) fn allot(rounds: Rounds, costs: &[f64], time: Option<f64>, shares: u64) -> Vec<u64> {
    let (Rounds::Budget { least, most, .. }, Some(time)) = (rounds, time) else {
        let Rounds::Fixed(rounds) = rounds else { return vec![1; costs.len()] };
        return vec![rounds; costs.len()];
    };
    let whole = |rounds: u64| (rounds / shares * shares).max(least.next_multiple_of(shares));
    let warm_up = |cost: f64| cost * (WARM_UP * shares) as f64;
    // Cheapest panels first: the time they leave is then known when the others get theirs.
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
    fn the_median_design_takes_the_target() {
        assert_eq!(batch(&[50.0, 100.0, 150.0], &LIMITS).positions, 10_000);
    }

    #[test]
    fn the_slowest_design_stays_below_the_limit() {
        let size = batch(&[50.0, 100.0, 400.0], &LIMITS);
        assert_eq!(size, Size { positions: 5_000, most: 5_000 });
    }

    #[test]
    fn the_fastest_design_runs_long_enough_for_the_clock() {
        let size = batch(&[1.0, 100.0, 400.0], &LIMITS);
        assert_eq!(size.positions, 10_000, "4 ms for the slowest, because resolution wins");
    }

    #[test]
    fn a_disturbed_batch_is_long_enough_for_the_clock_however_long_the_disturbance_takes() {
        let calls = |disturbance| disturbed_batch(&[50.0, 100.0, 400.0], disturbance, &LIMITS);
        assert_eq!(calls(50_000.0).positions, 200, "10 µs of the design of 50 ns");
        assert_eq!(calls(450.0).positions, 1_000, "100 + 2 × 450 ns for the median design");
        assert_eq!(disturbed_batch(&[900.0], 50_000.0, &LIMITS).positions, FEWEST_CALLS);
    }

    #[test]
    fn a_batch_is_cut_into_as_many_blocks_as_the_clock_allows() {
        let of = |least| blocks(&Limits { least, ..LIMITS });
        assert_eq!((of(1e4), of(5e4), of(1e6)), (16, 6, 1));
    }

    #[test]
    fn cheap_panels_leave_their_unused_time_to_the_others() {
        let budget = Rounds::Budget { time: Duration::ZERO, least: 12, most: 60 };
        let rounds = |costs: &[f64], time| allot(budget, costs, Some(time), 4);
        // 0.1 s per round: 4 s leave 2 s for each, less eight warm-up rounds.
        assert_eq!(rounds(&[0.1, 0.1], 4.0), [12, 12]);
        assert_eq!(rounds(&[0.1, 0.1], 8.0), [32, 32]);
        // The cheap panel needs 0.68 s for its upper bound of rounds.
        assert_eq!(rounds(&[0.1, 0.01], 8.0), [60, 60]);
        assert_eq!(rounds(&[0.2, 0.01], 8.0), [28, 60]);
        assert_eq!(rounds(&[1.0], 0.0), [12], "the lower bound, even without time");
        assert_eq!(allot(budget, &[1.0], Some(0.0), 5), [15], "the same number in each share");
        assert_eq!(allot(Rounds::Fixed(7), &[1.0, 2.0], None, 4), [7, 7]);
    }

    #[test]
    fn a_clock_that_did_not_advance_leads_to_no_endless_batch() {
        let size = batch(&[0.0], &LIMITS);
        assert!(size.positions <= 2_000_000_000);
        assert_eq!(batch(&[], &LIMITS).positions.max(1), batch(&[], &LIMITS).positions);
    }
}
