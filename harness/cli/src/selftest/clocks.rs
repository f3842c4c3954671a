//! Tests the clock and the clock rate of the core with dependency chains.
//!
//! A chain four times as long must take four times the ticks, and a chain of multiplications, three
//! cycles each, three times as long as a chain of as many additions, one cycle each.

use raywalk_results::schema::{ExpectedRange, Quantity, Trial, Unit};

use super::kernels::{AnyKernels, WITHOUT};
use super::trial::{KnownAnswer, found, rounds, ticks};
use raywalk_measure::clock::Clock;
use raywalk_measure::core_clock::Chain;

const RATIO: Unit = Unit::of(Quantity::Times);
/// Cycles of the short chain, about 10 µs.
const CYCLES: u64 = 192 * 240;
/// Length of the long chain in short ones.
const TIMES: u64 = 4;

const CLOCK: KnownAnswer<'static> = KnownAnswer {
    instrument: "clock",
    kernel: "4 N dependent additions against N",
    expected: ExpectedRange::between(3.96, 4.04),
    if_wrong: "Ticks are not proportional to work, so times cannot be compared.",
};
/// Three cycles against one, within the 3 % by which the ratio of ticks to cycles varies.
const CORE: KnownAnswer<'static> = KnownAnswer {
    instrument: "core clock",
    kernel: "N dependent multiplications (3 cycles) against N additions (1 cycle)",
    expected: ExpectedRange::between(2.91, 3.09),
    if_wrong: "One of the chains does not have its usual latency here, so derived cycles are wrong.",
};

/// The trials of both clocks, within `seconds`.
pub(crate) fn test<C: Clock>(
    clock: &C,
    kernels: Option<&mut AnyKernels>,
    seconds: f64,
) -> Vec<Trial> {
    let Some(kernels) = kernels else {
        return vec![CLOCK.missing(WITHOUT), CORE.missing(WITHOUT)];
    };
    // The three chains run within a tenth of a millisecond, so they share one clock rate of the core.
    let samples = rounds(clock, seconds, |_| {
        let short = ticks(clock, || kernels.chain(Chain::Add, CYCLES));
        let long = ticks(clock, || kernels.chain(Chain::Add, CYCLES * TIMES));
        let multiply = ticks(clock, || kernels.chain(Chain::Multiply, CYCLES * TIMES));
        (short, long, multiply)
    });
    let of = |value: fn(&(f64, f64, f64)) -> f64| samples.iter().map(value).collect::<Vec<f64>>();
    // Both chains are sized in cycles, so the second has a third as many multiplications.
    let latency = of(|(_, long, multiply)| 3.0 * multiply / long);
    let hertz = clock.facts().hertz;
    let gigahertz: Vec<f64> =
        samples.iter().map(|(_, long, _)| (CYCLES * TIMES) as f64 * hertz / long / 1e9).collect();
    let linear = of(|(short, long, _)| long / short);
    vec![
        CLOCK.judge(found(&linear, RATIO).into_iter().collect()),
        CORE.judge(
            found(&latency, RATIO)
                .into_iter()
                .chain(found(&gigahertz, Unit::of(Quantity::Gigahertz)))
                .collect(),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selftest::fake::FakeKernels;
    use raywalk_results::schema::Grade;

    fn grades(change: impl Fn(&mut FakeKernels)) -> Vec<(Grade, bool)> {
        let (clock, mut kernels) = FakeKernels::with_clock();
        change(&mut kernels);
        let trials = test(&clock, Some(&mut kernels), 0.01);
        trials.iter().map(|trial| (trial.grade, trial.failed())).collect()
    }

    const RIGHT: (Grade, bool) = (Grade::Usable, false);
    const WRONG: (Grade, bool) = (Grade::NotUsable, true);

    #[test]
    fn chains_of_known_length_verify_both_clocks() {
        assert_eq!(grades(|_| ()), [RIGHT, RIGHT]);
    }

    #[test]
    fn a_multiplication_of_four_cycles_fails_the_core_clock_alone() {
        assert_eq!(grades(|kernels| kernels.multiply = 4.0), [RIGHT, WRONG]);
    }

    #[test]
    fn a_clock_that_is_slow_to_read_fails() {
        // 20,000 cycles of the fake, 10 µs, are spent in every call and not in the chain.
        assert_eq!(grades(|kernels| kernels.fixed = 20_000.0)[0], WRONG);
    }

    #[test]
    fn the_clock_rate_of_the_core_is_reported() {
        let (clock, mut kernels) = FakeKernels::with_clock();
        let trials = test(&clock, Some(&mut kernels), 0.0);
        let gigahertz = &trials[1].found[1];
        assert!(
            (gigahertz.value - 2.0).abs() < 1e-3 && gigahertz.unit == Unit::of(Quantity::Gigahertz),
            "{gigahertz:?}"
        );
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
