//! Tests the comparisons: equal work must be called equal, and unequal work unequal.
//!
//! Six chains of steps run in the balanced order of a session. Three have the same length: the
//! baseline, its A/A control, which determines the floor, and one that is judged. The other three are
//! 0.1, 0.5 and 2 % longer. Their times are compared by paired log ratios and an exact interval of the median; the
//! floor of the A/A pair and the verdict are those of the report.
//!
//! A pass shows that order and clock are sound on this machine at this time. `selftest --sessions` tests the
//! estimates of sessions. Neither shows how much the placement of code biases a comparison, because all six run the
//! same code.

use raywalk_results::schema::{ExpectedRange, Found, Grade, Quantity, Trial, Unit};
use raywalk_results::statistics::{
    Confidence, Floor, Interval, TooFew, Verdict, log_ratios, median_interval,
};

use super::trial::{KnownAnswer, TOO_FEW_ROUNDS, rounds, ticks};
use raywalk_measure::clock::Clock;
use raywalk_measure::schedule::Schedule;

/// Extra steps of each chain in thousandths: the baseline, its A/A control, a third equal chain, and
/// three longer ones.
const MORE: [u64; 6] = [0, 0, 0, 1, 5, 20];
/// Index of the A/A control, which determines the floor and is not judged.
const AA_CONTROL: usize = 1;
/// Least length of a sample in steps of the clock, so that one step is 0.02 %.
const LEAST_STEPS: u64 = 5_000;
/// Least length of a sample in seconds. Short samples resolve more: on a busy machine the middle half
/// of the ratios was 0.2 % wide for samples of 50 µs and 0.9 % wide for samples of 200 µs, and the
/// same time yields fewer long samples.
const LEAST_SECONDS: f64 = 50e-6;
/// Greatest length of a sample in seconds. The scheduler interrupts longer ones too often.
const MOST_SECONDS: f64 = 1e-3;
/// Chains are multiples of this many steps, so that a thousandth is a whole number of steps.
const UNIT: u64 = 1_000;

/// The trials of the judged chains, within `seconds`. `work` runs a chain of that many steps.
pub(crate) fn test<C: Clock>(
    clock: &C,
    mut work: impl FnMut(u64),
    seed: u64,
    seconds: f64,
) -> Vec<Trial> {
    let units = units(clock, &mut work);
    let schedule = Schedule::new(MORE.len(), seed);
    let mut round = |number: u64| {
        let mut took = [0.0; MORE.len()];
        for chain in schedule.order(number) {
            took[chain] = ticks(clock, || work(units * (UNIT + MORE[chain])));
        }
        took
    };
    // Warm-up rounds, discarded.
    for number in 0..schedule.square() {
        round(number);
    }
    let samples = rounds(clock, seconds, round);
    let length = samples.iter().map(|took| took[0]).fold(f64::INFINITY, f64::min);
    // The clock can be off by a step at each end, so smaller differences are not resolved.
    let resolution = 2.0 * clock.facts().step as f64 / length;
    let judged = (AA_CONTROL + 1..MORE.len()).collect::<Vec<_>>();
    let confidence = Confidence::NINETY_FIVE.shared_by(judged.len());
    let against_baseline = |chain: usize, confidence| {
        let pairs = samples.iter().map(|took| (took[chain], took[0]));
        median_interval(&log_ratios(pairs), confidence)
    };
    let floor = against_baseline(AA_CONTROL, Confidence::NINETY_FIVE).map(Floor::of);
    judged
        .into_iter()
        .map(|chain| judge(MORE[chain], against_baseline(chain, confidence), floor, resolution))
        .collect()
}

/// The number of steps, in thousands, that takes the wanted length of a sample.
fn units<C: Clock>(clock: &C, work: &mut impl FnMut(u64)) -> u64 {
    let facts = clock.facts();
    let wanted = (LEAST_SECONDS * facts.hertz)
        .max((LEAST_STEPS * facts.step) as f64)
        .min(MOST_SECONDS * facts.hertz);
    let trials = [4, 4, 4].map(|units| ticks(clock, || work(units * UNIT)) / units as f64);
    // The least trial counts, because an interruption only adds time.
    (wanted / trials.into_iter().fold(f64::INFINITY, f64::min)).ceil() as u64
}

/// Grades the comparison of the baseline with a chain that is longer by `more` thousandths.
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
        0 => "two chains of N steps each".to_owned(),
        _ => format!("a chain of {} N steps against one of N", 1.0 + percent / 100.0),
    };
    let known =
        |expected| KnownAnswer { instrument: &instrument, kernel: &kernel, expected, if_wrong: "" };
    let (Ok(log_ratio), Ok(floor)) = (log_ratio, floor) else {
        return known(ExpectedRange::default()).missing(TOO_FEW_ROUNDS);
    };
    let verdict = Verdict::of(log_ratio, floor, resolution);
    let ratio = log_ratio.exp();
    let [value, low, high] = [ratio.middle, ratio.low, ratio.high].map(|r| 100.0 * (r - 1.0));
    // Equal work must stay within the floor; a true difference must have the right size within 50 %.
    let floor = 100.0 * floor.fraction().max(resolution);
    let expected = match more {
        0 => ExpectedRange::between(-floor, floor),
        _ => ExpectedRange::between(0.5 * percent, 1.5 * percent),
    };
    let wrong = match (more, verdict) {
        (0, Verdict::Equal { .. } | Verdict::NotResolved) => "",
        (0, _) => "A difference between equal chains was found.",
        (_, Verdict::Slower(_)) if expected.holds(value) => "",
        (_, Verdict::Slower(_)) => {
            "The difference was found, but its size is off by more than half."
        }
        (_, Verdict::Faster(_)) => "The difference was found with the wrong sign.",
        (_, _) => "The difference was not found.",
    };
    let grade = if wrong.is_empty() { Grade::Usable } else { Grade::NotUsable };
    known(expected).graded(
        vec![Found { value, low, high, unit: Unit::of(Quantity::Percent) }],
        grade,
        wrong,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use raywalk_core::random::SplitMix;
    use raywalk_measure::fake::{FakeClock, Time};

    /// Runs the test with steps of ten ticks; `noise` maps the number of a call and its ticks to the
    /// disturbed ticks.
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
    fn drift_and_interruptions_hide_no_difference() {
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
    fn a_difference_smaller_than_the_noise_is_reported_as_not_found() {
        let mut random = SplitMix(4);
        let found = trials(|_, ticks| ticks + random.below(ticks as usize / 5) as u64);
        let why = "The difference was not found.";
        assert_eq!(grades(&found)[1], (Grade::NotUsable, why));
        assert!(found[1].failed());
        assert_eq!(grades(&found)[0], RIGHT, "noise alone makes no difference");
    }

    #[test]
    fn a_cost_that_grows_too_fast_fails_by_its_size() {
        let found = trials(|_, ticks| (ticks as f64).powi(3) as u64 / 10_000_000_000);
        let why = "The difference was found, but its size is off by more than half.";
        assert_eq!(
            grades(&found),
            [RIGHT, (Grade::NotUsable, why), (Grade::NotUsable, why), (Grade::NotUsable, why)]
        );
    }

    #[test]
    fn a_cost_that_falls_with_the_work_fails_by_its_sign() {
        let found = trials(|_, ticks| 1_000_000_000_000 / ticks);
        let why = "The difference was found with the wrong sign.";
        assert_eq!(grades(&found)[1..], [(Grade::NotUsable, why); 3]);
    }
}
