//! The clock and the core's clock, on chains of instructions of one and of three cycles.

use raywalk_reports::schema::{Band, Trial};

use super::kernels::{AnyKernels, WITHOUT};
use super::trial::{Known, found, rounds, ticks};
use crate::measure::clock::Clock;
use crate::measure::core_clock::Chain;

/// Cycles of the chain of one, about 10 µs.
const CYCLES: u64 = 192 * 240;
/// How much longer the long chain is.
const TIMES: u64 = 4;

const CLOCK: Known<'static> = Known {
    instrument: "clock",
    kernel: "4 N dependent additions against N",
    expected: Band::between(3.96, 4.04),
    otherwise: "Ticks do not grow with the work, so times cannot be compared.",
};
/// Three cycles against one, within the 3 % by which the ratio of ticks to cycles wanders.
const CORE: Known<'static> = Known {
    instrument: "core clock",
    kernel: "N dependent multiplications (3 cycles) against N additions (1 cycle)",
    expected: Band::between(2.91, 3.09),
    otherwise: "One of the chains does not have its usual latency here, so derived cycles are wrong.",
};

/// Both, within `seconds`.
pub fn test<C: Clock>(clock: &C, kernels: Option<&mut AnyKernels>, seconds: f64) -> Vec<Trial> {
    let Some(kernels) = kernels else {
        return vec![CLOCK.missing(WITHOUT), CORE.missing(WITHOUT)];
    };
    // The three follow each other within a tenth of a millisecond, on the same clock of the core.
    let samples = rounds(clock, seconds, |_| {
        let short = ticks(clock, || kernels.chain(Chain::Add, CYCLES));
        let long = ticks(clock, || kernels.chain(Chain::Add, CYCLES * TIMES));
        let multiply = ticks(clock, || kernels.chain(Chain::Multiply, CYCLES * TIMES));
        (short, long, multiply)
    });
    let of = |value: fn(&(f64, f64, f64)) -> f64| samples.iter().map(value).collect::<Vec<f64>>();
    // A chain of so many cycles has a third as many multiplications.
    let latency = of(|(_, long, multiply)| 3.0 * multiply / long);
    let hertz = clock.facts().hertz;
    let gigahertz: Vec<f64> =
        samples.iter().map(|(_, long, _)| (CYCLES * TIMES) as f64 * hertz / long / 1e9).collect();
    let linear = of(|(short, long, _)| long / short);
    vec![
        CLOCK.judge(found(&linear, "times").into_iter().collect()),
        CORE.judge(found(&latency, "times").into_iter().chain(found(&gigahertz, "GHz")).collect()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selftest::fake::FakeKernels;
    use raywalk_reports::schema::Grade;

    fn grades(change: impl Fn(&mut FakeKernels)) -> Vec<(Grade, bool)> {
        let (clock, mut kernels) = FakeKernels::with_clock();
        change(&mut kernels);
        let trials = test(&clock, Some(&mut kernels), 0.01);
        trials.iter().map(|trial| (trial.grade, trial.failed())).collect()
    }

    const RIGHT: (Grade, bool) = (Grade::Usable, false);
    const WRONG: (Grade, bool) = (Grade::NotUsable, true);

    #[test]
    fn chains_of_known_length_prove_both_clocks() {
        assert_eq!(grades(|_| ()), [RIGHT, RIGHT]);
    }

    #[test]
    fn a_multiplication_of_four_cycles_fails_the_core_clock_alone() {
        assert_eq!(grades(|kernels| kernels.multiply = 4.0), [RIGHT, WRONG]);
    }

    #[test]
    fn a_clock_that_is_slow_to_read_fails() {
        // 20 µs that belong to the clock and not to the work.
        assert_eq!(grades(|kernels| kernels.fixed = 20_000.0)[0], WRONG);
    }

    #[test]
    fn the_clock_of_the_core_is_told() {
        let (clock, mut kernels) = FakeKernels::with_clock();
        let trials = test(&clock, Some(&mut kernels), 0.0);
        let gigahertz = &trials[1].found[1];
        assert!((gigahertz.value - 2.0).abs() < 1e-3 && gigahertz.unit == "GHz", "{gigahertz:?}");
    }

    #[test]
    fn without_kernels_nothing_is_claimed_and_nothing_fails() {
        let (clock, _) = FakeKernels::with_clock();
        for trial in test(&clock, None, 0.0) {
            assert_eq!(
                (trial.grade, trial.failed(), trial.why.as_str()),
                (Grade::NotUsable, false, WITHOUT)
            );
        }
    }
}
