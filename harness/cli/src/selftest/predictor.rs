//! Measures the cost of a misprediction, and checks that repeated outcomes are not mispredicted.
//!
//! A branch on fresh random bits is mispredicted every second time, so its extra cost over a branch on alternating
//! bits is half the penalty. Two other answers follow from the penalty. If a quarter of the bits is set, a quarter of
//! the branches is mispredicted, because the predictor always predicts the common outcome. A short sequence that
//! repeats is not mispredicted at all. If both answers are right, mispredictions can be derived from time alone.
//!
//! The penalty is that of this loop: refill, plus one load and three simple instructions until the
//! next branch is resolved. A generator whose branches wait for longer chains pays more for each.

use raywalk_core::random::SplitMix;
use raywalk_results::schema::{ExpectedRange, Per, Quantity, Trial, Unit};

use super::kernels::{AnyKernels, Bits, WITHOUT};
use super::trial::{Cost, Costs, KnownAnswer, found, rounds, time};
use raywalk_measure::clock::Clock;

/// Branches of one sample, about 0.1 ms if half of them are mispredicted.
const BRANCHES: u64 = 1 << 15;
/// Length of the repeated sequence, far below the capacity of any current predictor.
const PERIOD: u64 = 1 << 10;
/// Untimed passes over it; eight were enough on the machines tried.
const LEARNING: u64 = 24;

/// From 5 cycles, a very short pipeline, to 60, three times the usual penalty.
const PENALTY: KnownAnswer<'static> = KnownAnswer {
    instrument: "misprediction cost",
    kernel: "a branch on fresh random bits, mispredicted every second time, against alternating bits",
    expected: ExpectedRange::between(5.0, 60.0),
    if_wrong: "No processor has such a penalty, so mispredictions cannot be derived from time here.",
};
/// The upper end allows for predictors that find spurious patterns: they miss slightly more often.
const QUARTER: KnownAnswer<'static> = KnownAnswer {
    instrument: "mispredictions, fresh",
    kernel: "a branch on fresh random bits, a quarter of them set",
    expected: ExpectedRange::between(0.22, 0.32),
    if_wrong: "Time does not grow with mispredictions, so they cannot be derived from it here.",
};
const REPLAYED: KnownAnswer<'static> = KnownAnswer {
    instrument: "mispredictions, replayed",
    kernel: "a branch on 1,024 random bits after 24 untimed passes over them",
    expected: ExpectedRange::between(-0.05, 0.05),
    if_wrong: "This processor does not learn repeated outcomes, or the measured penalty is wrong.",
};

/// The samples of one round. `known` is the branch on alternating bits.
struct Round {
    fresh: Cost,
    quarter: Cost,
    replayed: Cost,
    known: Cost,
}

/// Penalty, fresh and replayed mispredictions, within `seconds`.
pub(crate) fn test<C: Clock>(
    clock: &C,
    kernels: Option<&mut AnyKernels>,
    random: &mut SplitMix,
    seconds: f64,
) -> Vec<Trial> {
    let Some(kernels) = kernels else {
        return [PENALTY, QUARTER, REPLAYED].map(|known| known.missing(WITHOUT)).into();
    };
    let mut sample = |bits: &Bits, learning: u64| {
        kernels.branches(bits, learning);
        time(clock, || kernels.branches(bits, BRANCHES))
    };
    let samples = rounds(clock, seconds, |_| Round {
        fresh: sample(&Bits::random(BRANCHES, 1, random), 0),
        quarter: sample(&Bits::random(BRANCHES, 2, random), 0),
        replayed: sample(&Bits::random(PERIOD, 1, random), PERIOD * LEARNING),
        known: sample(&Bits::alternating(), PERIOD),
    });
    let penalties: Vec<Cost> =
        samples.iter().map(|round| twice(&round.fresh, &round.known)).collect();
    let misses = |kernel: fn(&Round) -> &Cost| -> Vec<f64> {
        let miss = |(round, penalty): (&Round, &Cost)| {
            (kernel(round).ticks - round.known.ticks) / penalty.ticks
        };
        samples.iter().zip(&penalties).map(miss).collect()
    };
    let judged = |known: KnownAnswer<'_>, misses: &[f64]| {
        known.judge(found(misses, Unit::per(Quantity::Misses, Per::Branch)).into_iter().collect())
    };
    vec![
        PENALTY.judge(Costs::of(clock, &penalties, BRANCHES).found(Per::Miss)),
        judged(QUARTER, &misses(|round| &round.quarter)),
        judged(REPLAYED, &misses(|round| &round.replayed)),
    ]
}

/// Twice the difference: the extra cost if all branches were mispredicted instead of half of them.
fn twice(half: &Cost, none: &Cost) -> Cost {
    Cost {
        ticks: 2.0 * (half.ticks - none.ticks),
        cycles: half.cycles.zip(none.cycles).map(|(half, none)| 2.0 * (half - none)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selftest::fake::FakeKernels;
    use raywalk_results::schema::Grade;

    fn trials(change: impl Fn(&mut FakeKernels)) -> Vec<Trial> {
        let (clock, mut kernels) = FakeKernels::with_clock();
        change(&mut kernels);
        test(&clock, Some(&mut kernels), &mut SplitMix(1), 0.01)
    }

    fn grades(trials: &[Trial]) -> Vec<Grade> {
        trials.iter().map(|trial| trial.grade).collect()
    }

    use Grade::{NotUsable, Usable};

    #[test]
    fn the_penalty_of_the_fake_is_measured_in_cycles_and_in_nanoseconds() {
        let trials = trials(|kernels| kernels.penalty = 21.0);
        assert_eq!(grades(&trials), [Usable; 3]);
        let [cycles, nanoseconds] = &trials[0].found[..] else { panic!("{:?}", trials[0]) };
        assert!(
            (cycles.value - 21.0).abs() < 0.3 && cycles.unit.to_string() == "cycles/miss",
            "{cycles:?}"
        );
        assert!((nanoseconds.value - 10.5).abs() < 0.15, "{nanoseconds:?}");
        assert!((trials[1].found[0].value - 0.25).abs() < 0.01);
        assert!(trials[2].found[0].value.abs() < 0.01);
    }

    #[test]
    fn a_predictor_that_never_learns_fails_only_the_replay() {
        assert_eq!(grades(&trials(|kernels| kernels.capacity = 0)), [Usable, Usable, NotUsable]);
    }

    #[test]
    fn a_processor_without_a_penalty_fails() {
        let trials = trials(|kernels| kernels.penalty = 0.5);
        assert!(trials[0].failed() && trials[0].grade == NotUsable);
    }
}
