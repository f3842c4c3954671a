//! What a comparison is worth: equal work must be called equal, and unequal work unequal.
//!
//! Six subjects do the same kind of work in the balanced order of a session. Three do exactly the
//! same: the baseline, its twin that tells the floor, and one more that is judged. Three do 0.1,
//! 0.5 and 2 % more, by construction. They go through the statistics of the report: paired log
//! ratios, a median with its interval, the floor of the A/A pair, a verdict.
//!
//! This shows that the order and the statistics are sound on this machine now. It does not show
//! how far two designs differ for being placed at other addresses: all six run the same code.

use std::hint::black_box;

use raywalk_reports::schema::{Band, Found, Grade, Trial};
use raywalk_reports::statistics::{
    Confidence, Floor, Interval, TooFew, Verdict, log_ratios, median_interval,
};

use super::trial::{Known, rounds, ticks};
use crate::measure::clock::Clock;
use crate::measure::schedule::{Schedule, mix};

/// Thousandths by which the subjects do more than the baseline: the baseline, its twin, one more of
/// the same, and those that truly differ.
const MORE: [u64; 6] = [0, 0, 0, 1, 5, 20];
/// The place of the twin, which tells the floor and is not judged.
const TWIN: usize = 1;
/// A sample is at least so many steps of the clock: 0.02 % each.
const LEAST_STEPS: u64 = 5_000;
/// And at least so long. Short samples resolve more: on a busy machine the middle half of the
/// ratios was 0.2 % wide for samples of 50 µs, and 0.9 % for samples of 200 µs, of which there are
/// fewer besides.
const LEAST_SECONDS: f64 = 50e-6;
/// A sample that is longer is cut by the scheduler too often.
const MOST_SECONDS: f64 = 1e-3;
/// Steps of work that a sample is a multiple of, so that a thousandth is a whole number.
const UNIT: u64 = 1_000;

/// The judged subjects, within `seconds`. `work` does so many equal steps.
pub fn test<C: Clock>(clock: &C, mut work: impl FnMut(u64), seed: u64, seconds: f64) -> Vec<Trial> {
    let units = units(clock, &mut work);
    let schedule = Schedule::new(MORE.len(), seed);
    // Rounds that are not kept: they warm the code up.
    let mut round = |number: u64| {
        let mut took = [0.0; MORE.len()];
        for subject in schedule.order(number) {
            took[subject] = ticks(clock, || work(units * (UNIT + MORE[subject])));
        }
        took
    };
    for number in 0..schedule.square() {
        round(number);
    }
    let samples = rounds(clock, seconds, round);
    let length = samples.iter().map(|took| took[0]).fold(f64::INFINITY, f64::min);
    // A step of the clock at each end: no two samples are known to differ by less.
    let resolution = 2.0 * clock.facts().step as f64 / length;
    let judged = (TWIN + 1..MORE.len()).collect::<Vec<_>>();
    let confidence = Confidence::NINETY_FIVE.shared_by(judged.len());
    let against = |subject: usize, confidence| {
        let pairs = samples.iter().map(|took| (took[subject], took[0]));
        median_interval(&log_ratios(pairs), confidence)
    };
    let floor = against(TWIN, Confidence::NINETY_FIVE).map(Floor::of);
    judged
        .into_iter()
        .map(|subject| judge(MORE[subject], against(subject, confidence), floor, resolution))
        .collect()
}

/// Steps in thousands, so that a sample has the length it should.
fn units<C: Clock>(clock: &C, work: &mut impl FnMut(u64)) -> u64 {
    let facts = clock.facts();
    let wanted = (LEAST_SECONDS * facts.hertz)
        .max((LEAST_STEPS * facts.step) as f64)
        .min(MOST_SECONDS * facts.hertz);
    let trials = [4, 4, 4].map(|units| ticks(clock, || work(units * UNIT)) / units as f64);
    (wanted / trials.into_iter().fold(f64::INFINITY, f64::min)).ceil() as u64
}

/// What was found of a subject that does `more` thousandths more than the baseline.
fn judge(
    more: u64,
    log_ratio: Result<Interval, TooFew>,
    floor: Result<Floor, TooFew>,
    resolution: f64,
) -> Trial {
    let percent = more as f64 / 10.0;
    let instrument = match more {
        0 => "A/A".to_owned(),
        _ => format!("A/B {percent} %"),
    };
    let kernel = match more {
        0 => "the same chain of N steps, run as another subject".to_owned(),
        _ => format!("a chain of {} N steps against one of N", 1.0 + percent / 100.0),
    };
    let known =
        |expected| Known { instrument: &instrument, kernel: &kernel, expected, otherwise: "" };
    let (Ok(log_ratio), Ok(floor)) = (log_ratio, floor) else {
        let why = "Too few rounds could be made for an interval.";
        return known(Band::default()).missing(why);
    };
    let verdict = Verdict::of(log_ratio, floor, resolution);
    let ratio = log_ratio.exp();
    let [value, low, high] = [ratio.middle, ratio.low, ratio.high].map(|r| 100.0 * (r - 1.0));
    // Equal work has to stay within the floor, and a true difference to be right within a half.
    let floor = 100.0 * floor.share().max(resolution);
    let expected = match more {
        0 => Band::between(-floor, floor),
        _ => Band::between(0.5 * percent, 1.5 * percent),
    };
    let wrong = match (more, verdict) {
        (0, Verdict::Equal { .. } | Verdict::NotResolved) => "",
        (0, _) => "A difference was found where there is none.",
        (_, Verdict::Slower(_)) if expected.holds(value) => "",
        (_, Verdict::Slower(_)) => "The difference was found, but its size is wrong by half.",
        (_, Verdict::Faster(_)) => "The difference was found with the wrong sign.",
        (_, _) => "The difference is there and was not found.",
    };
    let grade = if wrong.is_empty() { Grade::Usable } else { Grade::NotUsable };
    known(expected).graded(vec![Found { value, low, high, unit: "%".to_owned() }], grade, wrong)
}

/// A chain of `count` steps of which each needs the one before. The compiler has no shorter way.
#[inline(never)]
pub fn steps(count: u64) {
    let mut word = black_box(1);
    for _ in 0..count {
        word = mix(word);
    }
    black_box(word);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::fake::{FakeClock, Time};
    use crate::measure::schedule::SplitMix;

    /// Steps of ten ticks on virtual time, disturbed by `noise` (number of the call, its ticks).
    fn trials(mut noise: impl FnMut(u64, u64) -> u64) -> Vec<Trial> {
        let now = Time::default();
        let clock = FakeClock::new(&now);
        let mut call = 0;
        let work = |steps: u64| {
            now.set(now.get() + noise(call, 10 * steps));
            call += 1;
        };
        test(&clock, work, 1, 0.2)
    }

    fn grades(trials: &[Trial]) -> Vec<(Grade, &str)> {
        trials.iter().map(|trial| (trial.grade, trial.why.as_str())).collect()
    }

    const RIGHT: (Grade, &str) = (Grade::Usable, "");

    #[test]
    fn true_differences_are_found_at_their_size_and_equal_work_is_equal() {
        let trials = trials(|_, ticks| ticks);
        assert_eq!(grades(&trials), [RIGHT; 4]);
        let values: Vec<_> =
            trials.iter().map(|trial| (trial.found[0].value * 1e6).round() / 1e6).collect();
        assert_eq!(values, [0.0, 0.1, 0.5, 2.0]);
        let names: Vec<_> = trials.iter().map(|trial| trial.instrument.as_str()).collect();
        assert_eq!(names, ["A/A", "A/B 0.1 %", "A/B 0.5 %", "A/B 2 %"]);
    }

    #[test]
    fn a_wandering_clock_and_interruptions_hide_nothing() {
        let mut random = SplitMix(4);
        let found = trials(|call, ticks| {
            let drift = 1.0 + 0.03 * (call as f64 / 200.0).sin();
            let jitter = 1.0 + 0.0005 * (random.below(1_000) as f64 / 1_000.0);
            let interrupted = if random.below(10) == 0 { 3_000_000 } else { 0 };
            (ticks as f64 * drift * jitter) as u64 + interrupted
        });
        assert_eq!(grades(&found), [RIGHT; 4], "{found:?}");
    }

    #[test]
    fn noise_larger_than_a_difference_leaves_it_not_found_and_says_so() {
        let mut random = SplitMix(4);
        let found = trials(|_, ticks| ticks + random.below(ticks as usize / 5) as u64);
        let why = "The difference is there and was not found.";
        assert_eq!(grades(&found)[1], (Grade::NotUsable, why));
        assert!(found[1].failed());
        assert_eq!(grades(&found)[0], RIGHT, "noise alone is no difference");
    }

    #[test]
    fn a_cost_that_grows_too_fast_has_the_right_sign_and_the_wrong_size() {
        let found = trials(|_, ticks| (ticks as f64).powi(3) as u64 / 10_000_000_000);
        let why = "The difference was found, but its size is wrong by half.";
        assert_eq!(
            grades(&found),
            [RIGHT, (Grade::NotUsable, why), (Grade::NotUsable, why), (Grade::NotUsable, why)]
        );
    }

    #[test]
    fn work_that_shrinks_as_it_grows_has_the_wrong_sign() {
        let found = trials(|_, ticks| 1_000_000_000_000 / ticks);
        let why = "The difference was found with the wrong sign.";
        assert_eq!(grades(&found)[1..], [(Grade::NotUsable, why); 3]);
    }
}
