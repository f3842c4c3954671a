//! The self-test as plain text.

use raywalk_judge::format::{grouped, rate};
use raywalk_judge::selftest::{expected, format_knee, format_width, found, grade, verdict};
use raywalk_results::schema::{Grade, Selftest, Trial};

use super::screen::{Screen, Tone};
use super::text_table::{self, Cell, TextTable};

/// Writes one line per trial with its kernel, and the reason below it if the instrument cannot be
/// used; then the curve of the branch predictor and the outcome.
pub fn write(out: &mut Screen, selftest: &Selftest) {
    let columns = ["instrument", "grade", "expected", "found"].map(text_table::text);
    let mut table = TextTable::new(columns);
    for trial in &selftest.trials {
        let grade = Cell::toned(grade(trial), tone(trial));
        let [name, expected, found] =
            [trial.instrument.clone(), expected(trial), found(trial)].map(Cell::from);
        table.row([name, grade, expected, found]);
        table.note(&trial.kernel);
        if !trial.why.is_empty() {
            table.note(&trial.why);
        }
    }
    table.write(out);
    out.blank();
    if let Some(knee) = &selftest.knee {
        out.line(format_knee(knee));
        let columns = ["period in branches", "ns/branch"].map(text_table::number);
        let mut table = TextTable::new(columns).indented();
        for point in &knee.curve {
            table.row([grouped(point.period), rate(point.ns)]);
        }
        table.write(out);
        out.blank();
    }
    if let Some(width) = selftest.width {
        out.line(format_width(width));
    }
    let failed = selftest.failed().next().is_some();
    out.toned(verdict(selftest), if failed { Tone::Bad } else { Tone::Good });
}

fn tone(trial: &Trial) -> Tone {
    match (trial.grade, trial.failed()) {
        (Grade::Usable, _) => Tone::Good,
        (Grade::NotUsable, true) => Tone::Bad,
        (Grade::NotUsable, false) => Tone::Weak,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raywalk_results::schema::{
        ExpectedRange, Found, Grade, Knee, KneePoint, Quantity, Trial, Unit,
    };

    fn trial(expected: ExpectedRange, found: &[(f64, Quantity)], grade: Grade, why: &str) -> Trial {
        let found = found.iter().map(|&(value, quantity)| Found {
            value,
            low: value * 0.99,
            high: value * 1.01,
            unit: Unit::of(quantity),
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
    fn the_text_distinguishes_wrong_from_absent_and_gives_the_reason() {
        let both = [(4.0, Quantity::Cycles), (1.0, Quantity::Nanoseconds)];
        let selftest = Selftest {
            seconds: 1.25,
            trials: vec![
                trial(ExpectedRange::between(3.0, 7.0), &both, Grade::Usable, ""),
                trial(
                    ExpectedRange::at_most(1.0),
                    &[(2.5, Quantity::Percent)],
                    Grade::NotUsable,
                    "It is bent.",
                ),
                trial(ExpectedRange::default(), &[], Grade::NotUsable, "There is none."),
            ],
            knee: Some(Knee {
                branches: 23_456.7,
                low: 20_000.0,
                high: 30_000.0,
                learnt_ns: 0.5,
                fresh_ns: 3.25,
                curve: vec![KneePoint { period: 1_024, ns: 0.5 }],
            }),
            width: None,
        };
        let mut screen = Screen::new(100, false);
        write(&mut screen, &selftest);
        insta::assert_snapshot!(screen.as_str(), @r"
        instrument  grade          expected       found
        ruler       usable         3 to 7 cycles  4.00 cycles (3.96 to 4.04); 1.00 ns
                    a metre
        ruler       not usable     at most 1 %    2.50 % (2.48 to 2.52)
                    a metre
                    It is bent.
        ruler       not available  –              –
                    a metre
                    There is none.

        The branch predictor memorises about 23,457 random outcomes (20,000 to 30,000): a branch costs 0.500
          ns once learnt and 3.25 ns fresh.
          period in branches  ns/branch
                       1,024      0.500

        1 trial gave the known answer, 1 gave another, 1 could not run, in 1.2 s.
        ");
    }
}
