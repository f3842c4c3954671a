//! What a mispredicted branch costs, and that repeated outcomes are not mispredicted.
//!
//! Nobody can predict a fair coin, so a branch on fresh random bits is mispredicted every second
//! time, and what it costs above a branch that everybody can predict is half the penalty. With that
//! penalty two other answers are known: bits of which a quarter is set are mispredicted a quarter
//! of the time, by always guessing the common outcome, and a short sequence that comes again and
//! again is not mispredicted at all. If the two come out right, time alone tells mispredictions.
//!
//! The penalty is that of this loop: refill plus one load and three simple instructions until the
//! next branch is resolved. A generator whose branches wait for longer chains pays more for each.

use raywalk_reports::schema::{Band, Trial};

use super::kernels::{AnyKernels, Bits, WITHOUT};
use super::trial::{Cost, Costs, Known, found, rounds, time};
use crate::measure::clock::Clock;
use crate::measure::schedule::SplitMix;

/// Branches of one sample: about 0.1 ms where half are mispredicted.
const BRANCHES: u64 = 1 << 15;
/// Length of the sequence that is learnt, far below what any predictor of today holds.
const PERIOD: u64 = 1 << 10;
/// Times that it is passed over before it is timed; eight were seen to be enough.
const LEARNING: u64 = 24;

/// From 5 cycles, a very short pipeline, to 60, three times what is usual.
const PENALTY: Known<'static> = Known {
    instrument: "misprediction cost",
    kernel: "a branch on fresh random bits, mispredicted every second time, against bits in turn",
    expected: Band::between(5.0, 60.0),
    otherwise: "No processor has such a penalty, so mispredictions cannot be told from time here.",
};
/// A predictor that looks for a pattern where there is none does a little worse than a quarter.
const QUARTER: Known<'static> = Known {
    instrument: "mispredictions, fresh",
    kernel: "a branch on fresh random bits, a quarter of them set",
    expected: Band::between(0.22, 0.32),
    otherwise: "Time does not grow with mispredictions, so they cannot be told from it here.",
};
const REPLAYED: Known<'static> = Known {
    instrument: "mispredictions, replayed",
    kernel: "a branch on 1,024 random bits that were passed over 24 times before",
    expected: Band::between(-0.05, 0.05),
    otherwise: "This processor does not learn what it sees again, or its time is not what it was \
                taken for.",
};

/// The four kernels of one round, per branch.
struct Round {
    fresh: Cost,
    quarter: Cost,
    replayed: Cost,
    known: Cost,
}

/// All three, within `seconds`.
pub fn test<C: Clock>(
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
    let judged = |known: Known<'_>, misses: &[f64]| {
        known.judge(found(misses, "misses/branch").into_iter().collect())
    };
    vec![
        PENALTY.judge(Costs::of(clock, &penalties, BRANCHES).found("miss")),
        judged(QUARTER, &misses(|round| &round.quarter)),
        judged(REPLAYED, &misses(|round| &round.replayed)),
    ]
}

/// Twice the difference: what every branch would cost more if all were mispredicted.
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
    use raywalk_reports::schema::Grade;

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
    fn the_penalty_of_the_fake_is_found_in_cycles_and_in_nanoseconds() {
        let trials = trials(|kernels| kernels.penalty = 21.0);
        assert_eq!(grades(&trials), [Usable; 3]);
        let [cycles, nanoseconds] = &trials[0].found[..] else { panic!("{:?}", trials[0]) };
        assert!((cycles.value - 21.0).abs() < 0.3 && cycles.unit == "cycles/miss", "{cycles:?}");
        assert!((nanoseconds.value - 10.5).abs() < 0.15, "{nanoseconds:?}");
        assert!((trials[1].found[0].value - 0.25).abs() < 0.01);
        assert!(trials[2].found[0].value.abs() < 0.01);
    }

    #[test]
    fn a_predictor_that_never_learns_fails_the_replay_alone() {
        assert_eq!(grades(&trials(|kernels| kernels.capacity = 0)), [Usable, Usable, NotUsable]);
    }

    #[test]
    fn a_processor_without_a_penalty_fails() {
        let trials = trials(|kernels| kernels.penalty = 0.5);
        assert!(trials[0].failed() && trials[0].grade == NotUsable);
    }
}
