//! Samples a kernel, and grades the result against its known answer.

use std::hint::black_box;

use raywalk_results::schema::{ExpectedRange, Found, Grade, Per, Quantity, Trial, Unit};
use raywalk_results::statistics::{Confidence, median_interval};

use raywalk_measure::clock::Clock;

/// Least number of rounds, however short the time: the smallest sample whose 95 % interval of the
/// median excludes one value at each end.
pub(crate) const LEAST_ROUNDS: u64 = 9;
/// Largest number of rounds; also the bound in case the clock does not advance.
pub(crate) const MOST_ROUNDS: u64 = 20_000;

/// The reason for trials without an interval.
pub(crate) const TOO_FEW_ROUNDS: &str = "There were too few rounds for an interval.";

/// The cost of one sample of a kernel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cost {
    /// Ticks of the clock, minus those of an empty region.
    pub ticks: f64,
    /// Core cycles, derived; absent if the clock rate of the core is unknown.
    pub cycles: Option<f64>,
}

/// Times a piece of work and derives its cycles from the clock rate before and after it.
pub(crate) fn time<C: Clock, T>(clock: &C, work: impl FnOnce() -> T) -> Cost {
    let before = clock.cycles_per_tick();
    let ticks = ticks(clock, work);
    let after = clock.cycles_per_tick();
    let rate = before.zip(after).map(|(before, after)| f64::midpoint(before, after));
    Cost { ticks, cycles: rate.map(|rate| ticks * rate) }
}

/// Times a piece of work in ticks alone, enough for a comparison within one round.
pub(crate) fn ticks<C: Clock, T>(clock: &C, work: impl FnOnce() -> T) -> f64 {
    let start = clock.start();
    black_box(work());
    let ticks = clock.end().saturating_sub(start).saturating_sub(clock.facts().overhead);
    // At least one tick, because results are divided by it and the clock may be coarse.
    ticks.max(1) as f64
}

/// Repeats a round for `seconds`, between [`LEAST_ROUNDS`] and [`MOST_ROUNDS`] times.
pub(crate) fn rounds<C: Clock, T>(
    clock: &C,
    seconds: f64,
    mut round: impl FnMut(u64) -> T,
) -> Vec<T> {
    let end = clock.seconds() + seconds;
    let mut made = Vec::new();
    for number in 0..MOST_ROUNDS {
        if number >= LEAST_ROUNDS && clock.seconds() >= end {
            break;
        }
        made.push(round(number));
    }
    made
}

/// Costs of one kernel per operation, by round.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Costs {
    /// Wall-clock time of an operation, one value for each round.
    pub nanoseconds: Vec<f64>,
    /// Core cycles; empty if the clock rate of the core is unknown.
    pub cycles: Vec<f64>,
}

impl Costs {
    /// Divides samples of `operations` operations each.
    pub(crate) fn of<C: Clock>(clock: &C, samples: &[Cost], operations: u64) -> Costs {
        let each = 1e9 / clock.facts().hertz / operations as f64;
        let cycles = samples.iter().map(|sample| Some(sample.cycles? / operations as f64));
        Costs {
            nanoseconds: samples.iter().map(|sample| sample.ticks * each).collect(),
            cycles: cycles.collect::<Option<_>>().unwrap_or_default(),
        }
    }

    /// Medians of the cycles, if known, and of the nanoseconds, labelled `per` operation.
    pub(crate) fn found(&self, per: Per) -> Vec<Found> {
        let cycles = found(&self.cycles, Unit::per(Quantity::Cycles, per));
        let nanoseconds = found(&self.nanoseconds, Unit::per(Quantity::Nanoseconds, per));
        cycles.into_iter().chain(nanoseconds).collect()
    }
}

/// The median of the rounds with its 95 % interval; `None` for too few rounds or infinite values.
pub(crate) fn found(values: &[f64], unit: Unit) -> Option<Found> {
    let interval = median_interval(values, Confidence::NINETY_FIVE).ok()?;
    let found = Found { value: interval.middle, low: interval.low, high: interval.high, unit };
    [found.value, found.low, found.high].iter().all(|value| value.is_finite()).then_some(found)
}

/// An instrument, the kernel it is tested on, and the known answer.
pub(crate) struct KnownAnswer<'a> {
    /// Name of the instrument in the journal.
    pub instrument: &'a str,
    /// Description of the kernel for readers, such as `dependent loads around a random ring`.
    pub kernel: &'a str,
    /// The range of correct answers.
    pub expected: ExpectedRange,
    /// Meaning of a wrong answer, in one sentence.
    pub if_wrong: &'a str,
}

impl KnownAnswer<'_> {
    /// Grades an answer: usable if its first value is in the expected range.
    pub(crate) fn judge(self, found: Vec<Found>) -> Trial {
        match found.first() {
            None => self.missing(TOO_FEW_ROUNDS),
            Some(first) if self.expected.holds(first.value) => {
                self.graded(found, Grade::Usable, "")
            }
            Some(_) => {
                let why = self.if_wrong.to_owned();
                self.graded(found, Grade::NotUsable, &why)
            }
        }
    }

    /// The trial of an instrument without an answer, with the reason as one sentence.
    pub(crate) fn missing(self, why: &str) -> Trial {
        self.graded(Vec::new(), Grade::NotUsable, why)
    }

    /// A trial whose grade does not follow from the band alone.
    pub(crate) fn graded(self, found: Vec<Found>, grade: Grade, why: &str) -> Trial {
        Trial {
            instrument: self.instrument.to_owned(),
            kernel: self.kernel.to_owned(),
            expected: self.expected,
            found,
            grade,
            why: why.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raywalk_measure::fake::{FakeClock, Time};

    const KNOWN: KnownAnswer<'static> = KnownAnswer {
        instrument: "ruler",
        kernel: "a metre",
        expected: ExpectedRange::between(0.99, 1.01),
        if_wrong: "It is bent.",
    };

    fn judged(values: &[f64]) -> Trial {
        KNOWN.judge(found(values, Unit::of(Quantity::Times)).into_iter().collect())
    }

    #[test]
    fn the_known_answer_makes_an_instrument_usable_and_any_other_fails_it() {
        let right = judged(&[1.0; 12]);
        assert_eq!((right.grade, right.why.as_str(), right.failed()), (Grade::Usable, "", false));
        let wrong = judged(&[1.02; 12]);
        assert_eq!((wrong.grade, wrong.failed()), (Grade::NotUsable, true));
        assert_eq!((wrong.found[0].value, wrong.why.as_str()), (1.02, "It is bent."));
    }

    #[test]
    fn a_missing_answer_is_not_usable_and_no_failure() {
        for values in [&[1.0; 5][..], &[f64::INFINITY; 12], &[f64::NAN; 12]] {
            let none = judged(values);
            assert_eq!((none.grade, none.failed()), (Grade::NotUsable, false), "{values:?}");
            assert!(none.why.ends_with('.'));
        }
    }

    #[test]
    fn a_third_of_the_rounds_may_be_disturbed() {
        let mut values = [1.0; 12];
        values[..4].fill(7.0);
        let disturbed = judged(&values);
        assert_eq!((disturbed.grade, disturbed.found[0].value), (Grade::Usable, 1.0));
    }

    #[test]
    fn rounds_end_with_the_time_but_not_before_the_least_number() {
        let now = Time::default();
        let clock = FakeClock::new(&now);
        let made =
            |seconds, ticks| rounds(&clock, seconds, |_| now.set(now.get() + ticks)).len() as u64;
        assert_eq!(made(0.0, 1_000), LEAST_ROUNDS);
        assert_eq!(made(1.0, 10_000_000), 100);
        assert_eq!(made(1.0, 0), MOST_ROUNDS, "a clock that does not advance");
    }

    #[test]
    fn a_cost_excludes_the_empty_region_and_is_never_zero() {
        let now = Time::default();
        let clock = FakeClock::new(&now).with_overhead(30).with_rates(&[1.5, 2.5]);
        let cost = time(&clock, || now.set(now.get() + 1_000));
        assert_eq!(cost, Cost { ticks: 1_000.0, cycles: Some(2_000.0) });
        assert_eq!(ticks(&clock, || ()), 1.0);
        let costs = Costs::of(&clock, &[cost], 100);
        assert_eq!((costs.nanoseconds, costs.cycles), (vec![10.0], vec![20.0]));
    }
}
