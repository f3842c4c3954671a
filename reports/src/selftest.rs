//! The self-test as plain text, and the words that terminal and page share.

use std::fmt::{self, Write};

use crate::schema::{Band, Found, Grade, Knee, Selftest, Trial};
use crate::wording::{NONE, grouped, plural, rate};

/// Writes one line per trial, and the reason below it where an instrument cannot be used.
///
/// # Errors
/// Only those of `out`.
pub fn write(out: &mut dyn Write, selftest: &Selftest) -> fmt::Result {
    let mut lines = vec![["instrument", "grade", "expected", "found"].map(str::to_owned)];
    lines.extend(selftest.trials.iter().map(|trial| {
        let grade = grade(trial).to_owned();
        [trial.instrument.clone(), grade, expected(trial), found(trial)]
    }));
    let width = |column: usize| {
        let widths = lines.iter().map(|line| line[column].chars().count());
        widths.max().unwrap_or(0)
    };
    let [first, second, third] = [0, 1, 2].map(width);
    for (number, [instrument, grade, expected, found]) in lines.iter().enumerate() {
        writeln!(out, "{instrument:<first$}  {grade:<second$}  {expected:<third$}  {found}")?;
        if let Some(trial) = number.checked_sub(1).map(|place| &selftest.trials[place]) {
            writeln!(out, "{:<first$}  {}", "", trial.kernel)?;
            if !trial.why.is_empty() {
                writeln!(out, "{:<first$}  {}", "", trial.why)?;
            }
        }
    }
    writeln!(out)?;
    if let Some(knee) = &selftest.knee {
        writeln!(out, "{}", said_of_knee(knee))?;
        for point in &knee.curve {
            writeln!(
                out,
                "  period {:>9}  {:>6} ns/branch",
                grouped(point.period),
                rate(point.ns)
            )?;
        }
        writeln!(out)?;
    }
    writeln!(out, "{}", verdict(selftest))
}

/// The whole in one sentence.
pub fn verdict(selftest: &Selftest) -> String {
    let count = |of: fn(&Trial) -> bool| selftest.trials.iter().filter(|trial| of(trial)).count();
    let right = count(|trial| trial.grade == Grade::Usable);
    let wrong = count(Trial::failed);
    let absent = selftest.trials.len() - right - wrong;
    format!(
        "{} gave the known answer, {wrong} another one, {absent} not available, in {:.1} s.",
        plural(right, "trial"),
        selftest.seconds,
    )
}

/// What follows from the knee.
pub fn said_of_knee(knee: &Knee) -> String {
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

/// The grade, where an absent instrument is not called wrong.
pub fn grade(trial: &Trial) -> &'static str {
    match (trial.grade, trial.failed()) {
        (Grade::Usable, _) => "usable",
        (Grade::NotUsable, true) => "not usable",
        (Grade::NotUsable, false) => "not available",
    }
}

/// The band in which the answer should lie.
pub fn expected(trial: &Trial) -> String {
    let Band { low, high } = trial.expected;
    let unit = trial.found.first().map_or("", |found| &found.unit);
    let text = match (low, high) {
        (Some(low), Some(high)) if low == -high => format!("0 ± {}", end(high)),
        (Some(low), Some(high)) => format!("{} to {}", end(low), end(high)),
        (Some(low), None) => format!("at least {}", end(low)),
        (None, Some(high)) => format!("at most {}", end(high)),
        (None, None) => return NONE.to_owned(),
    };
    format!("{text} {unit}").trim_end().to_owned()
}

/// What was found in each unit, with the interval of what is judged.
pub fn found(trial: &Trial) -> String {
    let said = |(place, found): (usize, &Found)| match place {
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
        false => trial.found.iter().enumerate().map(said).collect::<Vec<_>>().join("; "),
    }
}

/// What was found: about three digits, from a thousand on all of them in groups.
fn value(number: f64) -> String {
    let sign = if number < 0.0 { "-" } else { "" };
    match number.abs() {
        large if large >= 1_000.0 => format!("{sign}{}", grouped(large.round() as u64)),
        small => format!("{sign}{}", rate(small)),
    }
}

/// The end of a band: without digits that say nothing.
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
    use crate::schema::KneePoint;

    fn trial(expected: Band, found: &[(f64, &str)], grade: Grade, why: &str) -> Trial {
        let found = found.iter().map(|&(value, unit)| Found {
            value,
            low: value * 0.99,
            high: value * 1.01,
            unit: unit.to_owned(),
        });
        Trial {
            instrument: "ruler".to_owned(),
            kernel: "a metre".to_owned(),
            expected,
            found: found.collect(),
            grade,
            why: why.to_owned(),
        }
    }

    #[test]
    fn the_text_tells_wrong_from_absent_and_why() {
        let selftest = Selftest {
            seconds: 1.25,
            trials: vec![
                trial(Band::between(3.0, 7.0), &[(4.0, "cycles"), (1.0, "ns")], Grade::Usable, ""),
                trial(Band::at_most(1.0), &[(2.5, "%")], Grade::NotUsable, "It is bent."),
                trial(Band::default(), &[], Grade::NotUsable, "There is none."),
            ],
            knee: Some(Knee {
                branches: 23_456.7,
                low: 20_000.0,
                high: 30_000.0,
                learnt_ns: 0.5,
                fresh_ns: 3.25,
                curve: vec![KneePoint { period: 1_024, ns: 0.5 }],
            }),
        };
        let mut text = String::new();
        write(&mut text, &selftest).expect("text can be written");
        insta::assert_snapshot!(text, @r"
        instrument  grade          expected       found
        ruler       usable         3 to 7 cycles  4.00 cycles (3.96 to 4.04); 1.00 ns
                    a metre
        ruler       not usable     at most 1 %    2.50 % (2.48 to 2.52)
                    a metre
                    It is bent.
        ruler       not available  –              –
                    a metre
                    There is none.

        The branch predictor memorises about 23,457 random outcomes (20,000 to 30,000): a branch costs 0.500 ns once learnt and 3.25 ns fresh.
          period     1,024   0.500 ns/branch

        1 trial gave the known answer, 1 another one, 1 not available, in 1.2 s.
        ");
    }

    #[test]
    fn a_band_around_nothing_is_said_with_a_sign() {
        let said = |band| expected(&trial(band, &[(0.0, "%")], Grade::Usable, ""));
        assert_eq!(said(Band::between(-0.02, 0.02)), "0 ± 0.02 %");
        assert_eq!(said(Band::between(-0.5, 1.0)), "-0.5 to 1 %");
        assert_eq!(said(Band { low: Some(1.0), high: None }), "at least 1 %");
        assert_eq!(said(Band::default()), NONE);
    }
}
