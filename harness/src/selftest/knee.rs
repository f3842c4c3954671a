//! How many random outcomes this machine's branch predictor memorises.
//!
//! A benchmark that repeats K positions repeats their branches. Up to some number of hard ones a
//! modern predictor knows them all by heart, and branchy code seems several times faster than it is
//! on positions it has not met. That number is the knee of a curve: the cost of one branch on
//! random bits that come again after a period of 2^8 to 2^18. Sequences far below it are free,
//! sequences far above it cost what fresh bits cost, and beside it two copies of the same code were
//! seen to differ by half of their time.

use raywalk_reports::schema::{Band, Knee, KneePoint, Trial};
use raywalk_reports::statistics::median;

use super::kernels::{AnyKernels, Bits, Kernels, WITHOUT};
use super::trial::{Known, found, rounds, ticks};
use crate::measure::clock::Clock;
use crate::measure::schedule::SplitMix;

/// Logarithms of the least and the greatest period.
const PERIODS: std::ops::RangeInclusive<u32> = 8..=18;
/// Times that a sequence is passed over before it is timed.
const LEARNING: u64 = 32;
/// Branches of a sample at least, so that it is long against the steps of the clock.
const BRANCHES: u64 = 1 << 15;
/// Samples of each period, of which the middle one counts: long ones are often interrupted.
const SAMPLES: usize = 3;

const KNEE: Known<'static> = Known {
    instrument: "predictor knee",
    kernel: "a branch on random bits that come again after 2^8 to 2^18 branches, learnt 32 times",
    expected: Band::between((1 << *PERIODS.start()) as f64, (1 << *PERIODS.end()) as f64),
    otherwise: "The knee lies outside the periods that were tried.",
};

/// The curve and its knee, within `seconds` but from nine curves at least, and what is to be said
/// of it.
pub fn test<C: Clock>(
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
    // One level for all curves: an interruption in one of them must not move what it is held to.
    let (learnt, fresh) = (middle(&Curve::learnt), middle(&|curve| curve.fresh));
    let level = f64::midpoint(learnt, fresh);
    let knees: Vec<f64> = curves.iter().map(|curve| crossing(&curve.costs, level)).collect();
    let in_nanoseconds = 1e9 / clock.facts().hertz;
    let Some(knee) = found(&knees, "branches") else {
        return (
            KNEE.missing("The predictor memorises more than was tried, or nothing at all."),
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

/// One curve.
struct Curve {
    /// Periods and ticks per branch, by rising period.
    costs: Vec<(u64, f64)>,
    /// Ticks per branch on bits that were never seen.
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

    /// The cost of a sequence that every predictor holds.
    fn learnt(&self) -> f64 {
        self.costs.first().map_or(f64::NAN, |&(_, cost)| cost)
    }
}

/// Ticks per branch of one sample.
fn cost<C: Clock>(clock: &C, kernels: &mut dyn Kernels, bits: &Bits) -> f64 {
    let branches = bits.period().max(BRANCHES);
    ticks(clock, || kernels.branches(bits, branches)) / branches as f64
}

/// The middle one of an odd number of samples.
fn middle<const N: usize>(mut samples: [f64; N]) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[N / 2]
}

/// The period at which the cost first reaches the level, between two periods by the logarithm; 0
/// if it begins there, infinite if it never gets there.
fn crossing(costs: &[(u64, f64)], level: f64) -> f64 {
    let Some(place) = costs.iter().position(|&(_, cost)| cost >= level) else {
        return f64::INFINITY;
    };
    let Some(before) = place.checked_sub(1) else { return 0.0 };
    let ((from, low), (to, high)) = (costs[before], costs[place]);
    let part = (level - low) / (high - low);
    from as f64 * (to as f64 / from as f64).powf(part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selftest::fake::FakeKernels;
    use raywalk_reports::schema::Grade;

    fn of(capacity: u64) -> (Trial, Option<Knee>) {
        let (clock, mut kernels) = FakeKernels::with_clock();
        kernels.capacity = capacity;
        test(&clock, Some(&mut kernels), &mut SplitMix(1), 0.0)
    }

    #[test]
    fn the_knee_of_the_fake_is_found_where_it_was_put() {
        for capacity in [1 << 10, 1 << 13, 1 << 16] {
            let (trial, knee) = of(capacity);
            let knee = knee.expect("there is one");
            // The fake knows a share of `capacity / period`: half of them at twice its capacity.
            let ratio = knee.branches / (2 * capacity) as f64;
            assert!((0.9..1.1).contains(&ratio), "{capacity}: {}", knee.branches);
            assert_eq!((trial.grade, trial.found[0].value), (Grade::Usable, knee.branches));
            assert!(knee.low <= knee.branches && knee.branches <= knee.high);
            assert_eq!(knee.curve.len(), 11);
            assert!(knee.curve[0].ns < 1.1 * knee.learnt_ns && knee.learnt_ns < knee.fresh_ns);
        }
    }

    #[test]
    fn a_predictor_without_a_knee_within_reach_has_none_and_fails_nothing() {
        let (trial, knee) = of(1 << 30);
        assert!(knee.is_none() && trial.grade == Grade::NotUsable && !trial.failed(), "{trial:?}");
    }

    #[test]
    fn a_crossing_lies_between_its_neighbours_on_the_scale_of_doublings() {
        let costs = [(256, 1.0), (512, 1.0), (1024, 3.0)];
        assert_eq!(crossing(&costs, 2.0), 512.0 * 2f64.sqrt());
        assert_eq!(crossing(&costs, 3.0), 1024.0);
        assert_eq!((crossing(&costs, 1.0), crossing(&costs, 9.0)), (0.0, f64::INFINITY));
    }
}
