//! Number of untimed passes over a replay, chosen so that the branch predictor has learnt it.
//!
//! All designs of a panel make the same number of passes, whatever time they take: a limit on the time
//! would give the slow designs fewer passes, and at the knee of the memorisation curve it decides the
//! result. Below [`KNEE`] the number is found once, when the panel is sized; from there on it is the upper bound, and
//! the search only tells which designs still learn. Each design runs until it has *settled*:
//! the fastest pass in the last quarter of its passes is no more than [`FALL`] faster than the fastest in
//! the quarter before. The fastest counts, because interruptions only make passes slower. Each design is
//! tried [`VISITS`] times, with the others in between, and the panel takes the largest number.
//!
//! Every sample makes all passes. The other designs of a round overwrite what a design has learnt: on a Zen 5 core,
//! the first passes cost as much on the fourth visit as on the first (K = 512, a list of blocked pointers: 404 ns
//! and 405 ns a position, 58 ns when learnt), and a linked list needed eight passes on the first visit and over
//! thirty on the fourth.
//!
//! Ten designs on that core had learnt 256 positions after 16 passes, and 512 after 16 to 40. At K = 1,024 bitboards
//! and lists need 16 to 32 passes, and the walks that no longer fit become 3 to 7 % faster between 32 and 256. At K =
//! 2,048 the walks are at their plateau after 16, and bitboards improve beyond 128. The number therefore has an upper
//! bound. It is counted in positions, because the time of a round depends on positions. The journal names the designs
//! that had not settled at the bound.

/// The fewest passes, if the upper bound allows them.
const LEAST_PASSES: usize = 16;
/// Lower bound on the positions of all passes: about half a millisecond, so that caches and clock rate have settled
/// too. Nearly all panels below [`KNEE`] settle within it, so sessions of one program rarely differ in the number.
const LEAST_POSITIONS: usize = 8_192;
/// From this K on every panel makes the most passes. Some design still learns there, and when it seems settled depends
/// on chance: sessions of one program made 16 or 24 passes at K = 1,024, and compared predictors in two states.
const KNEE: usize = 512;
/// Upper bound on the positions of all passes, unless fewer than [`FEWEST_PASSES`] would fit: a round of
/// eleven designs takes 0.06 s.
const MOST_POSITIONS: usize = 24_576;
/// Passes that every replay makes. At K = 4,096 the fastest of them was within 7 % of the
/// plateau.
const FEWEST_PASSES: usize = 8;
/// Times that each design is tried, with the others in between.
pub(crate) const VISITS: usize = 2;
/// A design whose passes become faster by more than this fraction from one quarter to the next still
/// learns.
const FALL: f64 = 0.01;

/// Passes and time until the cost of one design stays constant.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Learnt {
    /// Passes until it settled, or the upper bound.
    pub passes: usize,
    pub settled: bool,
    /// Ticks of the fastest pass of the last quarter.
    pub ticks: u64,
}

/// The fewest and the most passes over this number of boards, at least 1.
pub(crate) fn limits(boards: usize) -> (usize, usize) {
    let boards = boards.max(1);
    // Multiples of four have quarters.
    let most = (MOST_POSITIONS / boards).next_multiple_of(4).max(FEWEST_PASSES);
    let least = LEAST_POSITIONS.div_ceil(boards).next_multiple_of(4).max(LEAST_PASSES);
    (if boards < KNEE { least.min(most) } else { most }, most)
}

/// Positions of all learning passes in a usual panel, for estimates: as few as possible below the knee,
/// as many as allowed at it and above.
pub(crate) fn usual_positions(k: usize) -> usize {
    if k < KNEE { LEAST_POSITIONS } else { MOST_POSITIONS }
}

/// Runs passes over this number of boards until they settle. `pass` runs one and returns its ticks.
pub(crate) fn learn(boards: usize, mut pass: impl FnMut() -> u64) -> Learnt {
    let (least, most) = limits(boards);
    let (mut ticks, mut passes) = (Vec::new(), least);
    loop {
        while ticks.len() < passes {
            ticks.push(pass());
        }
        let quarter = passes / 4;
        let fastest = |end: usize| ticks[end - quarter..end].iter().copied().min().unwrap_or(0);
        let (before, last) = (fastest(passes - quarter), fastest(passes));
        let settled = last as f64 >= before as f64 * (1.0 - FALL);
        if settled || passes >= most {
            return Learnt { passes, settled, ticks: last };
        }
        passes = (2 * passes).min(most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A design whose passes over 256 boards take these ticks, the last of them for ever.
    fn of(ticks: impl IntoIterator<Item = u64>) -> Learnt {
        let mut ticks = ticks.into_iter();
        let mut last = 0;
        learn(256, || {
            last = ticks.next().unwrap_or(last);
            last
        })
    }

    #[test]
    fn the_number_of_passes_depends_on_the_boards_within_limits_in_positions() {
        assert_eq!(limits(16), (512, 1_536));
        assert_eq!(limits(256), (32, 96));
        assert_eq!(limits(512), (48, 48), "from here on the upper bound counts");
        assert_eq!(limits(1_024), (24, 24));
        assert_eq!(limits(2_048), (12, 12));
        assert_eq!(limits(4_096), (8, 8));
        assert_eq!(limits(8_192), (8, 8), "never fewer than eight");
        assert_eq!(limits(0), limits(1), "no division by zero");
        for boards in 1..9_000 {
            let (least, most) = limits(boards);
            assert!(least <= most && least % 4 == 0 && most % 4 == 0, "{boards}");
        }
    }

    #[test]
    fn passes_of_constant_time_are_learnt_at_once() {
        assert_eq!(of([700]), Learnt { passes: 32, settled: true, ticks: 700 });
        assert_eq!(of([0]), Learnt { passes: 32, settled: true, ticks: 0 }, "a clock that stands");
    }

    #[test]
    fn a_design_that_becomes_faster_goes_on_until_it_settles() {
        // 2 % faster with each pass until the fortieth: still falling at 32, settled at 64.
        let falling = (0..40).map(|n| (1e6 * 0.98f64.powi(n)) as u64);
        let learnt = of(falling);
        assert_eq!((learnt.passes, learnt.settled), (64, true));
        assert_eq!(learnt.ticks, (1e6 * 0.98f64.powi(39)) as u64);
    }

    #[test]
    fn a_design_that_never_settles_stops_at_the_upper_bound() {
        let learnt = of((0..10_000).map(|n| (1e9 * 0.99f64.powi(n)) as u64));
        assert_eq!((learnt.passes, learnt.settled), (96, false));
    }

    #[test]
    fn slow_passes_between_fast_ones_do_not_count() {
        // Three of four passes are interrupted, by ever less time: the fastest ones are alike.
        let noisy = (0..32).map(|n| if n % 4 == 1 { 1_000 } else { 9_000 - 200 * n });
        assert_eq!(of(noisy), Learnt { passes: 32, settled: true, ticks: 1_000 });
        let slower = (0..32).map(|n| 1_000 + 100 * n);
        assert!(of(slower).settled, "a machine that slows down");
    }
}
