//! How a kernel is sampled, and how what was found is graded.

use std::hint::black_box;

use raywalk_reports::schema::{Band, Found, Grade, Trial};
use raywalk_reports::statistics::{Confidence, median_interval};

use crate::measure::clock::Clock;

/// Rounds that are made however little time there is: the least of which an interval leaves out a
/// member at each end.
pub const LEAST_ROUNDS: u64 = 9;
/// Rounds after which more would tell nothing.
pub const MOST_ROUNDS: u64 = 20_000;

/// What a kernel took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Ticks of the clock, the empty region subtracted.
    pub ticks: f64,
    /// Core cycles, derived; absent where the core's clock is not known.
    pub cycles: Option<f64>,
}

/// Times a piece of work, with the core's clock taken before and after.
pub fn time<C: Clock, T>(clock: &C, work: impl FnOnce() -> T) -> Cost {
    let before = clock.cycles_per_tick();
    let ticks = ticks(clock, work);
    let after = clock.cycles_per_tick();
    let rate = before.zip(after).map(|(before, after)| f64::midpoint(before, after));
    Cost { ticks, cycles: rate.map(|rate| ticks * rate) }
}

/// Times a piece of work in ticks alone, for what is compared with its neighbours.
pub fn ticks<C: Clock, T>(clock: &C, work: impl FnOnce() -> T) -> f64 {
    let start = clock.start();
    black_box(work());
    let ticks = clock.end().saturating_sub(start).saturating_sub(clock.facts().overhead);
    // A clock too coarse for the work must not make a zero to divide by.
    ticks.max(1) as f64
}

/// Repeats a round for so many seconds.
pub fn rounds<C: Clock, T>(clock: &C, seconds: f64, mut round: impl FnMut(u64) -> T) -> Vec<T> {
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

/// The costs of one kernel per operation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Costs {
    /// Nanoseconds, by round.
    pub nanoseconds: Vec<f64>,
    /// Core cycles, by round; empty where they are not known.
    pub cycles: Vec<f64>,
}

impl Costs {
    /// Of samples that did `operations` operations each.
    pub fn of<C: Clock>(clock: &C, samples: &[Cost], operations: u64) -> Costs {
        let each = 1e9 / clock.facts().hertz / operations as f64;
        let cycles = samples.iter().map(|sample| Some(sample.cycles? / operations as f64));
        Costs {
            nanoseconds: samples.iter().map(|sample| sample.ticks * each).collect(),
            cycles: cycles.collect::<Option<_>>().unwrap_or_default(),
        }
    }

    /// Cycles first if they are known, nanoseconds behind or alone; per what is said by `per`.
    pub fn found(&self, per: &str) -> Vec<Found> {
        let cycles = found(&self.cycles, &format!("cycles/{per}"));
        let nanoseconds = found(&self.nanoseconds, &format!("ns/{per}"));
        cycles.into_iter().chain(nanoseconds).collect()
    }
}

/// The median of the rounds with its interval; none of too few rounds or of what is no number.
pub fn found(values: &[f64], unit: &str) -> Option<Found> {
    let interval = median_interval(values, Confidence::NINETY_FIVE).ok()?;
    let found =
        Found { value: interval.middle, low: interval.low, high: interval.high, unit: unit.into() };
    [found.value, found.low, found.high].iter().all(|value| value.is_finite()).then_some(found)
}

/// What was tried, and what is known about it.
pub struct Known<'a> {
    /// The instrument.
    pub instrument: &'a str,
    /// The code.
    pub kernel: &'a str,
    /// Where the answer lies.
    pub expected: Band,
    /// What a wrong answer means, in one sentence.
    pub otherwise: &'a str,
}

impl Known<'_> {
    /// Graded: usable if the first value found lies in the band.
    pub fn judge(self, found: Vec<Found>) -> Trial {
        match found.first() {
            None => self.missing("Too few rounds could be made for an interval."),
            Some(first) if self.expected.holds(first.value) => {
                self.graded(found, Grade::Usable, "")
            }
            Some(_) => {
                let why = self.otherwise.to_owned();
                self.graded(found, Grade::NotUsable, &why)
            }
        }
    }

    /// There is no answer, for this reason.
    pub fn missing(self, why: &str) -> Trial {
        self.graded(Vec::new(), Grade::NotUsable, why)
    }

    /// With a grade that needs more than a band.
    pub fn graded(self, found: Vec<Found>, grade: Grade, why: &str) -> Trial {
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
    use crate::measure::fake::{FakeClock, Time};

    const KNOWN: Known<'static> = Known {
        instrument: "ruler",
        kernel: "a metre",
        expected: Band::between(0.99, 1.01),
        otherwise: "It is bent.",
    };

    fn judged(values: &[f64]) -> Trial {
        KNOWN.judge(found(values, "m").into_iter().collect())
    }

    #[test]
    fn the_known_answer_makes_an_instrument_usable_and_another_one_fails_it() {
        let right = judged(&[1.0; 12]);
        assert_eq!((right.grade, right.why.as_str(), right.failed()), (Grade::Usable, "", false));
        let wrong = judged(&[1.02; 12]);
        assert_eq!((wrong.grade, wrong.failed()), (Grade::NotUsable, true));
        assert_eq!((wrong.found[0].value, wrong.why.as_str()), (1.02, "It is bent."));
    }

    #[test]
    fn no_answer_is_not_usable_and_fails_nothing() {
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
    fn rounds_end_with_the_time_but_not_before_the_least() {
        let now = Time::default();
        let clock = FakeClock::new(&now);
        let made =
            |seconds, ticks| rounds(&clock, seconds, |_| now.set(now.get() + ticks)).len() as u64;
        assert_eq!(made(0.0, 1_000), LEAST_ROUNDS);
        assert_eq!(made(1.0, 10_000_000), 100);
        assert_eq!(made(1.0, 0), MOST_ROUNDS, "a clock that stands still");
    }

    #[test]
    fn a_cost_leaves_the_empty_region_out_and_is_never_zero() {
        let now = Time::default();
        let clock = FakeClock::new(&now).with_overhead(30).with_rates(&[1.5, 2.5]);
        let cost = time(&clock, || now.set(now.get() + 1_000));
        assert_eq!(cost, Cost { ticks: 1_000.0, cycles: Some(2_000.0) });
        assert_eq!(ticks(&clock, || ()), 1.0);
        let costs = Costs::of(&clock, &[cost], 100);
        assert_eq!((costs.nanoseconds, costs.cycles), (vec![10.0], vec![20.0]));
    }
}
