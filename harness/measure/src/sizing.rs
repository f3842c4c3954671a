//! Sizes of a session: passes of a timed replay, and rounds of a panel.
//!
//! Batches of streams have a fixed number of positions. Those of replays are whole passes over the same
//! positions, and the plan's target time determines how many.
//!
//! All designs of a round make the same passes, so one number must suit a design that takes
//! 30 ns per position and one that takes 400. The median design should take at most the plan's target time.
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
    /// The rounds that fit into the time of the whole plan, shared among the panels by their weight.
    Budget {
        /// Time for measuring; building corpora and verifying designs come on top.
        time: Duration,
        /// Upper bound on the time from the verification to the last round, without building peers and corpora, if
        /// there is one: what comes before the first round takes its time from the rounds.
        total: Option<Duration>,
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

    /// The seconds for measuring that are left when so many have been spent before the first round. The rest of the
    /// total has room for the [`DELAYS`].
    pub(crate) fn time_after(self, spent: f64) -> Option<f64> {
        let time = self.time()?;
        let Rounds::Budget { total: Some(total), .. } = self else { return Some(time) };
        Some(time.min((total.as_secs_f64() - spent).max(0.0) / (1.0 + DELAYS)))
    }
}

/// Upper bound on the delays because the machine is slow, as a fraction of the time for measuring.
pub(crate) const DELAYS: f64 = 0.2;

/// Positions for which each design is timed before the passes of a replay are counted.
pub(crate) const TRIAL: usize = 512;

/// The limits of a batch, in ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Limits {
    /// Upper bound for the median design.
    pub target: f64,
    /// Upper bound for the slowest design.
    pub longest: f64,
    /// Lower bound for the fastest design.
    pub least: f64,
}

/// Positions of a batch for designs of these costs, in ticks per position.
fn batch(costs: &[f64], limits: &Limits) -> usize {
    // A cost of 0 means that the clock did not advance. It must not lead to an endless batch.
    let costs: Vec<f64> = costs.iter().map(|&cost| cost.max(1e-3)).collect();
    let slowest = costs.iter().copied().fold(1e-3, f64::max);
    let fastest = costs.iter().copied().fold(f64::INFINITY, f64::min).min(slowest);
    let median = median(&costs).unwrap_or(fastest).max(fastest);
    let most = limits.longest / slowest;
    // The last bound wins: the resolution of the clock takes precedence.
    let wanted = (limits.target / median).min(most).max(limits.least / fastest).ceil();
    (wanted as usize).max(1)
}

/// Passes over this number of boards, at least 1, in a batch for designs of these costs.
///
/// It is a power of two: the times of two sessions would otherwise often lead to two numbers, and a design that still
/// learns in a long replay would have two costs.
pub(crate) fn passes(boards: usize, costs: &[f64], limits: &Limits) -> usize {
    let positions = batch(costs, limits);
    let passes = 1 << (positions / boards).max(1).ilog2();
    let fastest = costs.iter().copied().fold(f64::INFINITY, f64::min);
    let is_coarse = (passes * boards) as f64 * fastest < limits.least;
    if is_coarse { 2 * passes } else { passes }
}

/// Number of blocks that a replay is cut into: [`BLOCKS`], or fewer if the clock is too coarse to time a
/// block of a design that is three times as fast as the median one.
pub(crate) fn blocks(limits: &Limits) -> usize {
    ((limits.target / (3.0 * limits.least)) as usize).clamp(1, BLOCKS)
}

/// Seconds that a panel takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cost {
    /// Seconds in which all designs are prepared for a turn.
    pub turn: f64,
    /// Seconds of each of its rounds.
    pub round: f64,
    /// Rounds of a turn, at most.
    pub length: u64,
    /// Rounds of the panel for each round of a panel of weight 1.
    pub weight: u64,
}

impl Cost {
    /// Seconds of so many rounds of the panel, cut into `shares`.
    pub(crate) fn of(&self, rounds: u64, shares: u64) -> f64 {
        let of_share = |rounds: u64| {
            rounds.div_ceil(self.length) as f64 * self.turn + rounds as f64 * self.round
        };
        // Some shares have one round more than the others.
        let (each, more) = (rounds / shares, rounds % shares);
        (shares - more) as f64 * of_share(each) + more as f64 * of_share(each + 1)
    }
}

/// Rounds for panels of these costs, with `time` seconds for all of them and their rounds cut into
/// `shares`.
///
/// With a time budget, all panels of one weight get the same number of rounds, so that a ratio is known equally well in
/// each, as far as `most` allows. The time that is left would not suffice for one round more of every share of all
/// panels. It is given away in passes over the panels, heavier ones first, then cheaper ones: each pass gives a panel
/// one round of every share, if that fits. Cheap panels may therefore get some rounds more. All shares have the same
/// number of rounds.
pub(crate) fn allot(rounds: Rounds, costs: &[Cost], time: Option<f64>, shares: u64) -> Vec<u64> {
    let (Rounds::Budget { least, most, .. }, Some(time)) = (rounds, time) else {
        let Rounds::Fixed(rounds) = rounds else { return vec![1; costs.len()] };
        return vec![rounds; costs.len()];
    };
    let least = least.next_multiple_of(shares);
    let most = (most / shares * shares).max(least);
    let of_panel = |cost: &Cost, even: u64| (even * cost.weight).clamp(least, most);
    let all =
        |even: u64| -> f64 { costs.iter().map(|cost| cost.of(of_panel(cost, even), shares)).sum() };
    let fits = |of_share: &u64| all(of_share * shares) <= time;
    let even = shares * (1..=most / shares).take_while(fits).last().unwrap_or(0);
    let mut found: Vec<u64> = costs.iter().map(|cost| of_panel(cost, even)).collect();
    let spent = costs.iter().zip(&found).map(|(cost, &rounds)| cost.of(rounds, shares));
    let mut left = time - spent.sum::<f64>();
    let mut order: Vec<usize> = (0..costs.len()).collect();
    order.sort_by(|&one, &other| {
        let heavier = costs[other].weight.cmp(&costs[one].weight);
        let seconds = |place: usize| costs[place].turn + costs[place].round;
        heavier.then(seconds(one).total_cmp(&seconds(other)))
    });
    // A panel whose next rounds do not fit gets no more: the time that is left only becomes shorter.
    while !order.is_empty() {
        order.retain(|&place| {
            let of = |rounds| costs[place].of(rounds, shares);
            let more = of(found[place] + shares) - of(found[place]);
            let fits = found[place] < most && more <= left;
            if fits {
                found[place] += shares;
                left -= more;
            }
            fits
        });
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
        assert_eq!(batch(&[50.0, 100.0, 150.0], &LIMITS), 10_000);
    }

    #[test]
    fn the_slowest_design_stays_below_the_limit() {
        assert_eq!(batch(&[50.0, 100.0, 400.0], &LIMITS), 5_000);
    }

    #[test]
    fn the_fastest_design_runs_long_enough_for_the_clock() {
        let positions = batch(&[1.0, 100.0, 400.0], &LIMITS);
        assert_eq!(positions, 10_000, "4 ms for the slowest, because resolution wins");
    }

    #[test]
    fn passes_are_a_power_of_two_and_at_least_one() {
        let of = |boards| passes(boards, &[50.0, 100.0, 150.0], &LIMITS);
        assert_eq!([1, 1_000, 1_250, 2_000, 4_000, 20_000].map(of), [8_192, 8, 8, 4, 2, 1]);
        // The fastest design needs 10,000 positions, and the slowest would be interrupted within 5,000.
        assert_eq!(passes(1_000, &[1.0, 100.0, 400.0], &LIMITS), 16);
    }

    #[test]
    fn a_batch_is_cut_into_as_many_blocks_as_the_clock_allows() {
        let of = |least| blocks(&Limits { least, ..LIMITS });
        assert_eq!((of(1e4), of(5e4), of(1e6)), (16, 6, 1));
    }

    #[test]
    fn panels_have_equal_rounds_and_the_rest_of_the_time_goes_to_cheap_ones() {
        let budget = Rounds::Budget { time: Duration::ZERO, total: None, least: 12, most: 60 };
        let cost = |&round: &f64| Cost { turn: 0.0, round, length: 1, weight: 1 };
        let rounds = |costs: &[f64], time| {
            allot(budget, &costs.iter().map(cost).collect::<Vec<_>>(), Some(time), 4)
        };
        // 0.2 s for a round of both panels.
        assert_eq!(rounds(&[0.1, 0.1], 8.01), [40, 40]);
        assert_eq!(rounds(&[0.1, 0.1], 8.45), [44, 40], "four more rounds of one panel take 0.4 s");
        assert_eq!(rounds(&[0.1, 0.1], 2.0), [12, 12]);
        assert_eq!(
            rounds(&[0.2, 0.01], 8.45),
            [40, 44],
            "the rest of the time has room for 0.04 s"
        );
        assert_eq!(rounds(&[0.1, 0.1], 100.0), [60, 60], "the upper bound, even with time left");
        assert_eq!(rounds(&[1.0], 0.0), [12], "the lower bound, even without time");
        let one = [cost(&1.0)];
        assert_eq!(allot(budget, &one, Some(0.0), 5), [15], "the same number in each share");
        assert_eq!(allot(Rounds::Fixed(7), &[one[0]; 2], None, 4), [7, 7]);
        // One round of the first panel and two of the second take 0.5 s; 1 s is left of 85.
        let weights = [(0.1, 1), (0.2, 2)].map(|(round, weight)| Cost { weight, ..cost(&round) });
        let budget = Rounds::Budget { time: Duration::ZERO, total: None, least: 12, most: 400 };
        assert_eq!(
            allot(budget, &weights, Some(85.0), 4),
            [168, 340],
            "the rest goes to the heavier"
        );
    }

    #[test]
    fn rounds_beyond_the_upper_bound_take_no_time_from_other_panels() {
        let budget = Rounds::Budget { time: Duration::ZERO, total: None, least: 4, most: 40 };
        let costs = [1, 3].map(|weight| Cost { turn: 0.0, round: 0.1, length: 1, weight });
        let rounds = |time| allot(budget, &costs, Some(time), 4);
        assert_eq!(rounds(4.81), [12, 36]);
        assert_eq!(rounds(6.01), [20, 40], "4 s of the heavier, which has its upper bound");
        assert_eq!(rounds(8.01), [40, 40]);
        // Rounds below the lower bound take the time of that bound.
        let budget = Rounds::Budget { time: Duration::ZERO, total: None, least: 20, most: 40 };
        assert_eq!(allot(budget, &costs, Some(5.01), 4), [20, 28]);
    }

    #[test]
    fn the_rest_of_the_time_is_given_away_until_nothing_fits() {
        let budget = Rounds::Budget { time: Duration::ZERO, total: None, least: 4, most: 400 };
        let costs = [1.0, 0.1, 0.01].map(|round| Cost { turn: 0.0, round, length: 1, weight: 1 });
        // Eight rounds of all leave 0.93 s. Four rounds of the others take 0.4 s and 0.04 s.
        assert_eq!(allot(budget, &costs, Some(9.81), 4), [8, 16, 20]);
    }

    #[test]
    fn turns_that_are_not_full_take_as_long_to_prepare() {
        let cost = Cost { turn: 1.0, round: 0.25, length: 4, weight: 1 };
        assert_eq!([0, 3, 12, 24].map(|rounds| cost.of(rounds, 3)), [0.0, 3.75, 6.0, 12.0]);
        assert_eq!(cost.of(13, 3), 2.0 * 2.0 + (2.0 + 5.0 * 0.25), "a share of five has two turns");
        let budget = Rounds::Budget { time: Duration::ZERO, total: None, least: 3, most: 60 };
        let rounds = |time| allot(budget, &[cost], Some(time), 3)[0];
        assert_eq!([3.75, 5.9, 6.0, 9.7, 9.75, 12.0].map(rounds), [3, 9, 12, 12, 15, 24]);
    }

    #[test]
    fn what_comes_before_the_rounds_takes_time_from_them_only_if_the_whole_is_bounded() {
        let time = Duration::from_secs(24);
        let of = |total: Option<u64>, spent| {
            let total = total.map(Duration::from_secs);
            Rounds::Budget { time, total, least: 12, most: 60 }.time_after(spent)
        };
        assert_eq!(of(None, 100.0), Some(24.0));
        assert_eq!(of(Some(50), 10.0), Some(24.0), "33 s are left");
        assert_eq!(
            of(Some(50), 32.0),
            Some(15.0),
            "18 s are left, of which delays may take a fifth of the rest"
        );
        assert_eq!(of(Some(50), 60.0), Some(0.0));
        assert_eq!(Rounds::Fixed(7).time_after(0.0), None);
    }

    #[test]
    fn a_clock_that_did_not_advance_leads_to_no_endless_batch() {
        assert!(batch(&[0.0], &LIMITS) <= 2_000_000_000);
        assert!(batch(&[], &LIMITS) >= 1);
    }
}
