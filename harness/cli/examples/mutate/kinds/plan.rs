//! Plan files. An accepted plan is written as a plan file and read again, and must be the same plan. What
//! `raywalk run --dry-run` computes from it must be finite.

use raywalk_measure::plan::Plan;

use super::{Answer, Checked, refused};
use crate::mutation::Corpus;

/// The page that documents plan files ends with an example that has every key.
const PAGE: &str = include_str!("../../../../../docs/plan-file.md");

pub(super) fn plans() -> Corpus {
    let example = PAGE.split("```toml\n").nth(1).and_then(|text| text.split("```").next());
    let mut seeds = vec![example.expect("an example in docs/plan-file.md").to_owned(); 3];
    seeds.extend([Plan::quick(), Plan::full(160)].map(|plan| plan.to_toml()));
    let panel = "[[panels]]\nworkload = \"ab4\"\n";
    for top in ["rounds = 7\nmargin-percent = 4.35\nbatch-ms = 0.37\n", "seconds = 12.5\n", ""] {
        for more in [
            "",
            "regime = \"cold\"\n",
            "regime = { cold = 65536 }\n",
            "regime = { pressure = \"32 KiB\" }\nscope = \"sliders\"\n",
            "stages = [\"captures\", \"quiets\"]\nheadline = true\n",
            "\n[[panels]]\nworkload = \"cycle-256\"\nregime = { replay = 16 }\n",
        ] {
            seeds.push(format!("{top}{panel}{more}"));
        }
    }
    let seeds = seeds.into_iter().map(String::into_bytes).collect();
    Corpus { seeds, words: WORDS }
}

#[rustfmt::skip]
const WORDS: &[&str] = &[
    "seed", "seconds", "rounds", "least-rounds", "most-rounds", "batch-ms", "processes",
    "margin-percent", "designs", "baseline", "panels", "workload", "stages", "headline", "regime",
    "scope", "[[panels]]\n", "[panels]\n", "panels.regime", "\"ab4\"", "\"game\"", "\"cycle-16\"",
    "\"max-218\"", "\"cold\"", "\"stream\"", "\"replay\"", "\"pressure\"", "{ replay = 16 }",
    "{ cold = 1 }", "{ pressure = [\"0\", \"2 GiB\"] }", "{ pressure = \"3 GiB\" }", "\"sliders\"",
    "\"whole\"", "[\"all\"]", "\"captures\"", "=", " = ", ".", ",", "[", "]", "{", "}", "\"", "'",
    "\"\"\"", "'''", "#", "\n", "true", "false", "inf", "-inf", "+nan", "0x10", "0o7", "0b1",
    "1_000", "1979-05-27T07:32:00Z", "07:32:00", "\\u001b", "\\uD800", "\\U0010ffff", "\\x1b",
    "\"\\u001b\\n\"", "<img src=x>",
];

pub(super) fn read(input: &[u8], _number: u64) -> Checked {
    let text = String::from_utf8_lossy(input);
    match Plan::parse(&text, "mutated", "mutated.toml") {
        Ok(plan) => {
            check_round_trip(&plan)?;
            check_estimate(&plan)?;
            Ok(Answer::Accepted)
        }
        Err(error) => refused(&error.into()),
    }
}

fn check_round_trip(plan: &Plan) -> Result<(), String> {
    let text = plan.to_toml();
    let again = Plan::parse(&text, &plan.name, "written.toml")
        .map_err(|error| format!("written as a plan file, then refused: {error}"))?;
    if let Some(difference) = plan.difference(&again) {
        let (what, one, other) = (difference.what, difference.one, difference.other);
        return Err(format!("written and read again, {what} is {other} instead of {one}"));
    }
    if again.panels != plan.panels {
        return Err("written and read again, the panels differ".to_owned());
    }
    if again.to_toml() != text {
        return Err("written twice, the texts differ".to_owned());
    }
    Ok(())
}

fn check_estimate(plan: &Plan) -> Result<(), String> {
    let estimate = plan.estimate(80);
    if estimate.panels.len() != plan.panels.len() || estimate.time.is_zero() {
        return Err(format!("the estimate does not fit the plan: {estimate:?}"));
    }
    let headline = plan.headline();
    if plan.shares() == 0 || !plan.panels.iter().any(|panel| panel.id() == headline) {
        return Err(format!("{} shares, headline {headline}", plan.shares()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_that_does_not_survive_being_written_is_found() {
        let mut plan = Plan::quick();
        assert_eq!(check_round_trip(&plan), Ok(()));
        assert_eq!(check_estimate(&plan), Ok(()));
        plan.layouts.push(1); // not part of a plan file
        let error = check_round_trip(&plan).expect_err("a property that is not written");
        assert!(error.contains("layouts is [] instead of [1]"), "{error}");
    }

    #[test]
    fn a_plan_without_panels_has_no_headline() {
        let plan = Plan { panels: Vec::new(), ..Plan::quick() };
        assert!(check_estimate(&plan).is_err());
    }
}
