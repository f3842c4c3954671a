//! Results of the self-test as text, the same in the terminal and on the page.

use raywalk_results::schema::{ExpectedRange, Found, Grade, Knee, Selftest, Trial};

use crate::format::{NONE, grouped, plural, rate};

/// The outcome in one sentence: how many instruments gave the known answer.
pub fn verdict(selftest: &Selftest) -> String {
    let count = |of: fn(&Trial) -> bool| selftest.trials.iter().filter(|trial| of(trial)).count();
    let right = count(|trial| trial.grade == Grade::Usable);
    let wrong = count(Trial::failed);
    let absent = selftest.trials.len() - right - wrong;
    format!(
        "{} gave the known answer, {wrong} gave another, {absent} could not run, in {:.1} s.",
        plural(right, "trial"),
        selftest.seconds,
    )
}

/// The capacity of the branch predictor in one sentence.
pub fn format_knee(knee: &Knee) -> String {
    format!(
        "The branch predictor memorises about {} random outcomes ({} to {}): a branch costs {} ns \
         once learnt and {} ns fresh.",
        grouped(knee.branches.round() as u64),
        grouped(knee.low.round() as u64),
        grouped(knee.high.round() as u64),
        rate(knee.learnt_ns),
        rate(knee.fresh_ns),
    )
}

/// The width of the core in one sentence.
pub fn format_width(width: f64) -> String {
    format!("The core makes {} independent additions per cycle.", rate(width))
}

/// The grade in a table. An instrument that could not run is not called wrong.
pub fn grade(trial: &Trial) -> &'static str {
    match (trial.grade, trial.failed()) {
        (Grade::Usable, _) => "usable",
        (Grade::NotUsable, true) => "not usable",
        (Grade::NotUsable, false) => "not available",
    }
}

/// The range of correct answers, with its unit.
pub fn expected(trial: &Trial) -> String {
    let ExpectedRange { low, high } = trial.expected;
    let unit = trial.found.first().map_or(String::new(), |found| found.unit.to_string());
    let text = match (low, high) {
        (Some(low), Some(high)) if low == -high => format!("0 ± {}", end(high)),
        (Some(low), Some(high)) => format!("{} to {}", end(low), end(high)),
        (Some(low), None) => format!("at least {}", end(low)),
        (None, Some(high)) => format!("at most {}", end(high)),
        (None, None) => return NONE.to_owned(),
    };
    format!("{text} {unit}").trim_end().to_owned()
}

/// The measured values, one in each unit. The first value, which is judged, has its interval.
pub fn found(trial: &Trial) -> String {
    let format = |(index, found): (usize, &Found)| match index {
        0 => format!(
            "{} {} ({} to {})",
            value(found.value),
            found.unit,
            value(found.low),
            value(found.high)
        ),
        _ => format!("{} {}", value(found.value), found.unit),
    };
    match trial.found.is_empty() {
        true => NONE.to_owned(),
        false => trial.found.iter().enumerate().map(format).collect::<Vec<_>>().join("; "),
    }
}

/// About three digits; from a thousand on a whole number in groups.
fn value(number: f64) -> String {
    let sign = if number < 0.0 { "-" } else { "" };
    match number.abs() {
        large if large >= 1_000.0 => format!("{sign}{}", grouped(large.round() as u64)),
        small => format!("{sign}{}", rate(small)),
    }
}

/// The end of a range, without trailing zeros.
fn end(number: f64) -> String {
    let text = value(number);
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raywalk_results::schema::{Quantity, Unit};

    #[test]
    fn a_range_around_zero_is_written_with_a_sign() {
        let format = |expected_range| {
            let unit = Unit::of(Quantity::Percent);
            expected(&Trial {
                instrument: "ruler".to_owned(),
                kernel: "a metre".to_owned(),
                expected: expected_range,
                found: vec![Found { value: 0.0, low: 0.0, high: 0.0, unit }],
                grade: Grade::Usable,
                why: String::new(),
            })
        };
        assert_eq!(format(ExpectedRange::between(-0.02, 0.02)), "0 ± 0.02 %");
        assert_eq!(format(ExpectedRange::between(-0.5, 1.0)), "-0.5 to 1 %");
        assert_eq!(format(ExpectedRange { low: Some(1.0), high: None }), "at least 1 %");
        assert_eq!(format(ExpectedRange::default()), NONE);
    }
}
