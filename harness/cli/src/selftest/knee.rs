//! Measures how many random outcomes this machine's branch predictor memorises.
//!
//! A benchmark that repeats K positions repeats their branches. A modern predictor memorises up to a certain number
//! of unpredictable branches, and branchy code then appears several times faster than on new positions. That number
//! is the knee of a curve: the cost of one branch on random bits that repeat with a period of 2^8 to 2^18. Sequences
//! far below the knee are free, sequences far above it cost as much as fresh bits. Near the knee, two copies of the
//! same code differed by half of their time.

use raywalk_core::random::SplitMix;
use raywalk_results::schema::{ExpectedRange, Knee, KneePoint, Quantity, Trial, Unit};
use raywalk_results::statistics::{crossing, median};

use super::kernels::{AnyKernels, Bits, Kernels, WITHOUT};
use super::trial::{KnownAnswer, found, rounds, ticks};
use raywalk_measure::clock::Clock;
use raywalk_measure::memorised::LARGEST_KNEE;

/// Binary logarithms of the shortest and the longest period.
const PERIODS: std::ops::RangeInclusive<u32> = 8..=LARGEST_KNEE.ilog2();
/// Untimed passes over a sequence before it is timed.
const LEARNING: u64 = 32;
/// Least number of branches in a sample, so that it is long compared with a step of the clock.
const BRANCHES: u64 = 1 << 15;
/// Samples per period. Their median is used, because long samples are often interrupted.
const SAMPLES: usize = 3;

const KNEE: KnownAnswer<'static> = KnownAnswer {
    instrument: "predictor knee",
    kernel: "a branch on random bits that repeat after 2^8 to 2^18 branches, learnt in 32 passes",
    expected: ExpectedRange::between((1 << *PERIODS.start()) as f64, (1 << *PERIODS.end()) as f64),
    if_wrong: "The knee is outside the measured periods.",
};

/// Measures curves for `seconds`, at least nine, and returns the trial and the knee of their medians.
pub(crate) fn test<C: Clock>(
    clock: &C,
    kernels: Option<&mut AnyKernels>,
    random: &mut SplitMix,
    seconds: f64,
) -> (Trial, Option<Knee>) {
    let Some(kernels) = kernels else { return (KNEE.missing(WITHOUT), None) };
    let curves = rounds(clock, seconds, |_| Curve::measure(clock, kernels, random));
    let middle = |of: &dyn Fn(&Curve) -> f64| {
        let values: Vec<f64> = curves.iter().map(of).collect();
        median(&values).unwrap_or(f64::NAN)
    };
    // All curves use the same level, so an interruption in one curve does not change its own criterion.
    let (learnt, fresh) = (middle(&Curve::learnt), middle(&|curve| curve.fresh));
    let level = f64::midpoint(learnt, fresh);
    let knees: Vec<f64> = curves.iter().map(|curve| reached(&curve.costs, level)).collect();
    let in_nanoseconds = 1e9 / clock.facts().hertz;
    let Some(knee) = found(&knees, Unit::of(Quantity::Branches)) else {
        return (
            KNEE.missing("The predictor memorises more than the longest period, or nothing."),
            None,
        );
    };
    let curve = PERIODS.enumerate().map(|(place, log)| KneePoint {
        period: 1 << log,
        ns: middle(&|curve| curve.costs[place].1) * in_nanoseconds,
    });
    let record = Knee {
        branches: knee.value,
        low: knee.low,
        high: knee.high,
        learnt_ns: learnt * in_nanoseconds,
        fresh_ns: fresh * in_nanoseconds,
        curve: curve.collect(),
    };
    (KNEE.judge(vec![knee]), Some(record))
}

/// Cost of a branch by period, from one round.
struct Curve {
    /// Period and ticks per branch, in ascending order of periods.
    costs: Vec<(u64, f64)>,
    /// Ticks per branch on fresh bits.
    fresh: f64,
}

impl Curve {
    fn measure<C: Clock>(clock: &C, kernels: &mut dyn Kernels, random: &mut SplitMix) -> Curve {
        let fresh = [(); SAMPLES].map(|()| {
            let bits = Bits::random(BRANCHES, 1, random);
            cost(clock, kernels, &bits)
        });
        let costs = PERIODS.map(|log| {
            let bits = Bits::random(1 << log, 1, random);
            for _ in 0..LEARNING {
                kernels.branches(&bits, bits.period());
            }
            (1 << log, middle([(); SAMPLES].map(|()| cost(clock, kernels, &bits))))
        });
        Curve { costs: costs.collect(), fresh: middle(fresh) }
    }

    /// Ticks per branch in the shortest period, which every predictor memorises.
    fn learnt(&self) -> f64 {
        self.costs.first().map_or(f64::NAN, |&(_, cost)| cost)
    }
}

/// Takes one sample. Returns ticks per branch.
fn cost<C: Clock>(clock: &C, kernels: &mut dyn Kernels, bits: &Bits) -> f64 {
    let branches = bits.period().max(BRANCHES);
    ticks(clock, || kernels.branches(bits, branches)) / branches as f64
}

/// The median of an odd number of samples.
fn middle<const N: usize>(mut samples: [f64; N]) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[N / 2]
}

/// The period at which the cost first reaches the level. 0 if the first period costs that much already, infinite if no
/// period does.
fn reached(costs: &[(u64, f64)], level: f64) -> f64 {
    match costs.first() {
        Some(&(_, first)) if first >= level => 0.0,
        _ => crossing(costs, level).map_or(f64::INFINITY, |crossing| crossing.at),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selftest::fake::FakeKernels;
    use raywalk_results::schema::Grade;

    fn of(capacity: u64) -> (Trial, Option<Knee>) {
        let (clock, mut kernels) = FakeKernels::with_clock();
        kernels.capacity = capacity;
        test(&clock, Some(&mut kernels), &mut SplitMix(1), 0.0)
    }

    #[test]
    fn the_knee_of_the_fake_is_at_twice_its_capacity() {
        for capacity in [1 << 10, 1 << 13, 1 << 16] {
            let (trial, knee) = of(capacity);
            let knee = knee.expect("there is one");
            // The fake memorises `capacity / period` of the bits: half of them at twice its capacity.
            let ratio = knee.branches / (2 * capacity) as f64;
            assert!((0.9..1.1).contains(&ratio), "{capacity}: {}", knee.branches);
            assert_eq!((trial.grade, trial.found[0].value), (Grade::Usable, knee.branches));
            assert!(knee.low <= knee.branches && knee.branches <= knee.high);
            assert_eq!(knee.curve.len(), 11);
            assert!(knee.curve[0].ns < 1.1 * knee.learnt_ns && knee.learnt_ns < knee.fresh_ns);
        }
    }

    #[test]
    fn a_knee_beyond_the_longest_period_is_absent_and_no_failure() {
        let (trial, knee) = of(1 << 30);
        assert!(knee.is_none() && trial.grade == Grade::NotUsable && !trial.failed(), "{trial:?}");
    }

    #[test]
    fn a_crossing_is_interpolated_on_a_logarithmic_scale() {
        let costs = [(256, 1.0), (512, 1.0), (1024, 3.0)];
        assert_eq!(reached(&costs, 2.0), 512.0 * 2f64.sqrt());
        assert_eq!(reached(&costs, 3.0), 1024.0);
        assert_eq!((reached(&costs, 1.0), reached(&costs, 9.0)), (0.0, f64::INFINITY));
    }
}
