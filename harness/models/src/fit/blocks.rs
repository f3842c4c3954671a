//! Blocks of one stream: the variance that misses explain beyond instructions, with controls.
//!
//! The extra cost of a block may follow its misses only because longer blocks have more of everything. The partial R²
//! removes that: it is the share of the variance not explained by instructions that misses explain.
//!
//! # Interval
//! Neighbouring blocks of a tree resemble each other, so they are not independent. The bootstrap draws runs
//! of consecutive blocks, with wrap-around at the end, and takes the middle 95 % of the results.
//!
//! # Source
//! D. N. Politis and J. P. Romano, *A circular block-resampling procedure for stationary data*, in: Exploring
//! the Limits of Bootstrap, Wiley 1992.

use raywalk_core::random::SplitMix;

use raywalk_results::statistics::correlation;

use super::Line;

/// The squared correlation of the parts of y and x that a line over `given` leaves: (R² of both − R² of
/// `given`) ÷ (1 − R² of `given`). `None` if a part does not vary or a value is not finite.
///
/// # Panics
/// If the three are not of equal length.
pub fn partial_r_squared(y: &[f64], x: &[f64], given: &[f64]) -> Option<f64> {
    let (y, x) = (residuals(y, given)?, residuals(x, given)?);
    correlation(&y, &x).map(|correlation| correlation * correlation)
}

/// Residuals of the values from a line over `given`. `None` if they are rounding errors only.
fn residuals(values: &[f64], given: &[f64]) -> Option<Vec<f64>> {
    let line = Line::least_squares(given, values)?;
    let left: Vec<f64> = values.iter().zip(given).map(|(value, x)| value - line.at(*x)).collect();
    let greatest =
        |values: &[f64]| values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    (greatest(&left) > 1e-12 * greatest(values)).then_some(left)
}

/// Parameters of a bootstrap. The same values give the same interval on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bootstrap {
    /// Number of samples drawn.
    pub samples: usize,
    /// Consecutive blocks that are drawn together; 1 if blocks are independent.
    pub run: usize,
    /// Start of the random numbers.
    pub seed: u64,
}

impl Default for Bootstrap {
    /// 2,000 samples of runs of 8 blocks, which is 512 positions. The length of a run is a choice: it has to
    /// exceed the distance at which blocks resemble each other and leave many runs.
    fn default() -> Self {
        Bootstrap { samples: 2000, run: 8, seed: 1 }
    }
}

/// The middle 95 % of the bootstrap's results.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end: 2.5 % of the results are smaller.
    pub low: f64,
    /// Upper end: 2.5 % of the results are larger.
    pub high: f64,
}

impl Bootstrap {
    /// The interval of a statistic of `n` blocks, which is computed from the indices of the drawn blocks.
    /// `None` if it cannot be computed for more than one sample in twenty, or if there is nothing to draw.
    pub fn interval(
        &self,
        n: usize,
        statistic: impl Fn(&[usize]) -> Option<f64>,
    ) -> Option<Interval> {
        if n == 0 || self.run == 0 || self.samples == 0 {
            return None;
        }
        let mut random = SplitMix(self.seed);
        let mut drawn = Vec::with_capacity(n + self.run);
        let mut results: Vec<f64> = (0..self.samples)
            .filter_map(|_| {
                drawn.clear();
                while drawn.len() < n {
                    let start = random.below(n);
                    // Runs go round the end, so that each block is drawn equally often.
                    drawn.extend((start..start + self.run).map(|index| index % n));
                }
                drawn.truncate(n);
                statistic(&drawn)
            })
            .collect();
        if results.len() * 20 < self.samples * 19 {
            return None;
        }
        results.sort_by(f64::total_cmp);
        let cut = results.len() / 40;
        Some(Interval { low: results[cut], high: results[results.len() - 1 - cut] })
    }
}

/// The interval of [`partial_r_squared`].
///
/// # Panics
/// If the three are not of equal length.
pub fn partial_r_squared_interval(
    y: &[f64],
    x: &[f64],
    given: &[f64],
    bootstrap: Bootstrap,
) -> Option<Interval> {
    bootstrap.interval(y.len(), |drawn| {
        let [y, x, given] = [y, x, given]
            .map(|values| drawn.iter().map(|&index| values[index]).collect::<Vec<f64>>());
        partial_r_squared(&y, &x, &given)
    })
}

/// The mean R² of y over randomly permuted x: what chance alone explains, 1 ÷ (n − 1) on average.
///
/// # Panics
/// If there are not as many x as y.
pub fn permuted_r_squared(y: &[f64], x: &[f64], times: usize, seed: u64) -> Option<f64> {
    let mut random = SplitMix(seed);
    let shares = (0..times).map(|_| {
        let permuted: Vec<f64> = random.permutation(x.len()).into_iter().map(|i| x[i]).collect();
        correlation(&permuted, y).map(|correlation| correlation * correlation)
    });
    let sum: f64 = shares.sum::<Option<f64>>()?;
    (times > 0).then(|| sum / times as f64)
}

/// The highest R² that a perfect model can reach on one measurement of blocks: the correlation of two
/// measurements of the same blocks, if their noise is independent and equally large.
///
/// # Panics
/// If the two are not of equal length.
pub fn ceiling(first: &[f64], second: &[f64]) -> Option<f64> {
    correlation(first, second)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks with cycles = 2 × instructions + weight × misses + noise, where misses follow instructions in
    /// part. Given the instructions, misses vary by 1 and noise by 1, so the partial R² of the population
    /// is weight² ÷ (weight² + 1).
    fn blocks(n: usize, weight: f64, seed: u64) -> [Vec<f64>; 3] {
        let mut random = SplitMix(seed);
        let mut columns = [const { Vec::new() }; 3];
        for _ in 0..n {
            let instructions = 100.0 + 10.0 * random.normal();
            let misses = 0.5 * instructions + random.normal();
            let cycles = 2.0 * instructions + weight * misses + random.normal();
            for (column, value) in columns.iter_mut().zip([cycles, misses, instructions]) {
                column.push(value);
            }
        }
        columns
    }

    /// Least squares over two columns by Cramer's rule, about the means.
    fn r_squared_of_two(y: &[f64], a: &[f64], b: &[f64]) -> f64 {
        let centred = |values: &[f64]| {
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            values.iter().map(|value| value - mean).collect::<Vec<_>>()
        };
        let dot =
            |one: &[f64], other: &[f64]| -> f64 { one.iter().zip(other).map(|(x, y)| x * y).sum() };
        let (y, a, b) = (centred(y), centred(a), centred(b));
        let determinant = dot(&a, &a) * dot(&b, &b) - dot(&a, &b).powi(2);
        let slope_a = (dot(&a, &y) * dot(&b, &b) - dot(&b, &y) * dot(&a, &b)) / determinant;
        let slope_b = (dot(&b, &y) * dot(&a, &a) - dot(&a, &y) * dot(&a, &b)) / determinant;
        (slope_a * dot(&a, &y) + slope_b * dot(&b, &y)) / dot(&y, &y)
    }

    #[test]
    fn the_partial_share_equals_its_definition_by_two_regressions() {
        for seed in 0..20 {
            let [cycles, misses, instructions] = blocks(50, 0.7, seed);
            let both = r_squared_of_two(&cycles, &misses, &instructions);
            let alone = correlation(&cycles, &instructions).expect("a correlation").powi(2);
            let expected = (both - alone) / (1.0 - alone);
            let found = partial_r_squared(&cycles, &misses, &instructions).expect("a share");
            assert!((found - expected).abs() < 1e-9, "seed {seed}: {found} {expected}");
        }
    }

    #[test]
    fn misses_that_only_follow_instructions_explain_nothing_more() {
        let [cycles, misses, instructions] = blocks(2000, 0.0, 4);
        assert!(correlation(&cycles, &misses).is_some_and(|r| r > 0.9), "they correlate");
        let partial = partial_r_squared(&cycles, &misses, &instructions).expect("a share");
        assert!(partial < 0.005, "{partial}");
        let exact: Vec<f64> = instructions.iter().map(|value| 3.0 * value + 1.0).collect();
        assert_eq!(
            partial_r_squared(&cycles, &exact, &instructions),
            None,
            "nothing is left of them"
        );
    }

    #[test]
    fn the_interval_holds_the_true_share_about_95_times_in_100() {
        let (weight, truth) = (1.0, 0.5);
        let bootstrap = Bootstrap { samples: 300, run: 1, seed: 9 };
        let held = (0..200).filter(|&seed| {
            let [cycles, misses, instructions] = blocks(150, weight, 1000 + seed);
            partial_r_squared_interval(&cycles, &misses, &instructions, bootstrap)
                .is_some_and(|interval| interval.low <= truth && truth <= interval.high)
        });
        let held = held.count();
        assert!((178..=199).contains(&held), "{held} of 200");
    }

    #[test]
    fn the_interval_depends_on_the_seed_alone() {
        let [cycles, misses, instructions] = blocks(100, 1.0, 2);
        let interval = |seed| {
            let bootstrap = Bootstrap { seed, ..Bootstrap::default() };
            partial_r_squared_interval(&cycles, &misses, &instructions, bootstrap)
                .expect("an interval")
        };
        assert_eq!(interval(1), interval(1));
        assert_ne!(interval(1), interval(2));
    }

    #[test]
    fn runs_widen_the_interval_of_blocks_that_resemble_their_neighbours() {
        // Each value eight times in a row: eight times fewer independent blocks than it seems.
        let mut random = SplitMix(3);
        let values: Vec<f64> = (0..50).flat_map(|_| [random.normal(); 8]).collect();
        let width = |run| {
            let mean = |drawn: &[usize]| {
                Some(drawn.iter().map(|&index| values[index]).sum::<f64>() / drawn.len() as f64)
            };
            let bootstrap = Bootstrap { run, ..Bootstrap::default() };
            let interval = bootstrap.interval(values.len(), mean).expect("an interval");
            interval.high - interval.low
        };
        // By theory √8 = 2.8 times; runs that begin inside a group reduce it to about 2.3.
        assert!(width(8) > 1.8 * width(1), "{} {}", width(8), width(1));
    }

    #[test]
    fn permuted_blocks_explain_one_part_in_n_minus_one() {
        let [cycles, misses, _] = blocks(101, 2.0, 5);
        let share = permuted_r_squared(&cycles, &misses, 2000, 1).expect("a share");
        assert!((share - 0.01).abs() < 0.002, "{share}");
        assert_eq!(permuted_r_squared(&cycles, &misses, 0, 1), None);
    }

    #[test]
    fn a_perfect_model_reaches_the_ceiling_and_no_more() {
        // Signal and noise of equal variance: the ceiling is one half.
        let mut random = SplitMix(8);
        let signal: Vec<f64> = (0..20_000).map(|_| random.normal()).collect();
        let mut noisy = || signal.iter().map(|value| value + random.normal()).collect::<Vec<_>>();
        let (first, second) = (noisy(), noisy());
        let ceiling = ceiling(&first, &second).expect("a ceiling");
        let perfect = correlation(&first, &signal).expect("a correlation").powi(2);
        assert!(
            (ceiling - 0.5).abs() < 0.02 && (perfect - ceiling).abs() < 0.02,
            "{ceiling} {perfect}"
        );
    }

    #[test]
    fn every_block_is_drawn_equally_often() {
        let counts = std::cell::RefCell::new([0_u32; 10]);
        let bootstrap = Bootstrap { samples: 5000, run: 5, seed: 3 };
        bootstrap.interval(10, |drawn| {
            drawn.iter().for_each(|&index| counts.borrow_mut()[index] += 1);
            Some(0.0)
        });
        let counts = counts.into_inner();
        assert!(counts.iter().all(|count| (4700..5300).contains(count)), "{counts:?}");
    }

    #[test]
    fn nothing_to_draw_has_no_interval() {
        let bootstrap = Bootstrap::default();
        assert_eq!(bootstrap.interval(0, |_| Some(1.0)), None);
        assert_eq!(bootstrap.interval(10, |_| None), None);
        assert_eq!(Bootstrap { run: 0, ..bootstrap }.interval(10, |_| Some(1.0)), None);
    }
}
