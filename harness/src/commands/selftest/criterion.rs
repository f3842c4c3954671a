//! The same experiments with criterion's change detection.
//!
//! Criterion keeps the numbers of a benchmark and compares them with those of its next run. One
//! session here is two runs, of the first subject and of the second, with criterion's own settings.
//! What it says of the second run is taken from its own sentence.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::machine::workspace;

use super::sessions::{Answer, Experiment, Found, Line, in_turn};

/// The compiled benchmark.
struct Program(PathBuf);

/// All sessions of both experiments. The benchmark is built in the workspace at `root`; criterion
/// keeps its numbers below `folder`.
pub(super) fn all(root: &Path, sessions: u64, folder: &Path) -> Result<Vec<Line>> {
    let program = Program::build(root)?;
    in_turn("criterion", sessions, |experiment, number| {
        let home = folder.join(format!("criterion-{}-{number:02}", experiment.name));
        program.session(experiment, &home)
    })
}

impl Program {
    fn build(root: &Path) -> Result<Program> {
        let output = Command::new(workspace::cargo())
            .args(["bench", "-p", "raywalk-bench-timing", "--bench", "change", "--no-run"])
            .args(["--message-format", "json"])
            .current_dir(root)
            .stderr(Stdio::inherit())
            .output()
            .context("cargo cannot be started")?;
        ensure!(output.status.success(), "the benchmark of criterion cannot be built");
        let program = workspace::executable(&String::from_utf8_lossy(&output.stdout), "change");
        Ok(Program(program.context("cargo names no benchmark that it built")?))
    }

    fn session(&self, experiment: &Experiment, home: &Path) -> Result<Found> {
        let [one, other] = experiment.subjects();
        self.run(experiment, &one, home)?;
        let text = self.run(experiment, &other, home)?;
        Ok(Found { answer: answer(&text)?, ratio: ratio(home)?, half_width: f64::NAN })
    }

    /// Runs the benchmark once and returns what it prints.
    fn run(&self, experiment: &Experiment, subject: &str, home: &Path) -> Result<String> {
        let output = Command::new(&self.0)
            .arg("--bench")
            .env("CRITERION_HOME", std::path::absolute(home)?)
            .env("RAYWALK_SUBJECT", subject)
            .env("RAYWALK_WORKLOAD", experiment.workload)
            .output()
            .context("the benchmark of criterion cannot be started")?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr).trim());
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

/// What criterion says of a change.
fn answer(text: &str) -> Result<Answer> {
    let says = |sentence: &str| text.contains(sentence);
    if says("Performance has regressed.") {
        Ok(Answer::Slower)
    } else if says("Performance has improved.") {
        Ok(Answer::Faster)
    } else if says("No change in performance detected.") || says("Change within noise threshold.") {
        Ok(Answer::NoDifference)
    } else {
        bail!("criterion says nothing of a change")
    }
}

/// The second run ÷ the first, by criterion's own estimate.
fn ratio(home: &Path) -> Result<f64> {
    let path = home.join("change/change/estimates.json");
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("cannot read {}", path.display()))?;
    let value: serde_json::Value = serde_json::from_str(&text)?;
    let change = value.pointer("/mean/point_estimate").and_then(serde_json::Value::as_f64);
    Ok(1.0 + change.context("criterion's estimates have no mean")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sentence_of_criterion_is_an_answer() {
        for (text, expected) in [
            ("Performance has regressed.", Answer::Slower),
            ("Performance has improved.", Answer::Faster),
            ("No change in performance detected.", Answer::NoDifference),
            ("Change within noise threshold.", Answer::NoDifference),
        ] {
            assert_eq!(answer(&format!("change: [..]\n    {text}\n")).expect("known"), expected);
        }
        assert!(answer("time: [1 ns 2 ns 3 ns]").is_err());
    }

    #[test]
    fn the_benchmark_is_found_in_what_cargo_says() {
        let line = |name: &str| {
            format!(
                r#"{{"reason":"compiler-artifact","target":{{"name":"{name}"}},"executable":"/x"}}"#
            )
        };
        assert_eq!(workspace::executable(&line("change"), "change"), Some(PathBuf::from("/x")));
        assert_eq!(workspace::executable(&line("timing"), "change"), None);
        assert_eq!(workspace::executable("not JSON", "change"), None);
    }
}
