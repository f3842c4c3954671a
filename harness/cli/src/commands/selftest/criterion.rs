//! The experiments of [`super::experiments`] with criterion's change detection.
//!
//! Criterion stores the times of a benchmark and compares them with those of the next run. One session is
//! two runs, first of the baseline and then of the other design. The answer is the sentence that criterion
//! prints after the second run. The benchmark is pinned to one processor and its noise threshold is zero, as
//! our equality margin is; it times the batches of our sessions, one after the other.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use raywalk_measure::machine::program::{self, Limits, Stderr};

use super::experiments::{Answer, Experiment, Found, WORKLOAD};
use crate::console::External;
use crate::{arguments, folders, workspace};

/// Limits of one run of the benchmark, which takes half a minute.
const LIMITS: Limits = Limits { time: Duration::from_secs(600), bytes: 16 << 20 };

/// Path of the compiled Criterion benchmark.
pub(super) struct Program(PathBuf);

impl Program {
    /// Builds the benchmark in the source tree.
    pub(super) fn build() -> Result<Program> {
        let root = workspace::find()?;
        let mut cargo = Command::new(workspace::cargo());
        cargo.args(["bench", "-p", "raywalk-bench-timing", "--bench", "change", "--no-run"]);
        cargo.args(["--message-format", "json"]).current_dir(root);
        let output = program::run(&mut cargo, workspace::BUILD, Stderr::Shown)
            .map_err(|failure| External(format!("cargo {failure}")))?;
        // Cargo has printed its reasons.
        let failed = || External("cargo cannot build the criterion benchmark".to_owned());
        ensure!(output.status.success(), failed());
        let program = workspace::executable(&String::from_utf8_lossy(&output.stdout), "change");
        let unnamed = || External("cargo does not name the benchmark that it built".to_owned());
        Ok(Program(program.ok_or_else(unnamed)?))
    }

    /// Runs one session of an experiment, or reads one that an earlier command ended. Criterion stores its times
    /// below `folder`, and what it printed stands beside them.
    pub(super) fn session(
        &self,
        experiment: &Experiment,
        number: u64,
        folder: &Path,
    ) -> Result<Found> {
        let begun = Instant::now();
        let home = folder.join(format!("criterion-{}-{number:02}", experiment.name));
        let printed = home.join("printed.txt");
        let ended = printed.exists();
        let text = if ended {
            arguments::text(&printed)?
        } else {
            let [one, other] = (experiment.designs)();
            self.run(&one, &home)?;
            self.run(&other, &home)?
        };
        let answer = answer(&text)?;
        let ratio = ratio(&home).map_err(|error| External(format!("{error:#}")))?;
        if !ended {
            folders::write(&printed, &text)?;
        }
        let seconds = (!ended).then(|| begun.elapsed().as_secs_f64());
        Ok(Found { answer, ratio, ours: None, seconds })
    }

    /// Runs the benchmark once and returns what it prints.
    fn run(&self, design: &str, home: &Path) -> Result<String> {
        let mut benchmark = Command::new(&self.0);
        benchmark.arg("--bench").env("CRITERION_HOME", std::path::absolute(home)?);
        benchmark.env("RAYWALK_SUBJECT", design).env("RAYWALK_WORKLOAD", WORKLOAD);
        let output = program::run(&mut benchmark, LIMITS, Stderr::Read)
            .map_err(|failure| External(format!("{} {failure}", self.0.display())))?;
        let words = String::from_utf8_lossy(&output.stderr);
        let failed = || External(format!("the criterion benchmark failed: {}", words.trim()));
        ensure!(output.status.success(), failed());
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

/// The answer in what criterion prints.
fn answer(text: &str) -> Result<Answer> {
    let printed = |sentence: &str| text.contains(sentence);
    if printed("Performance has regressed.") {
        Ok(Answer::Slower)
    } else if printed("Performance has improved.") {
        Ok(Answer::Faster)
    } else if printed("No change in performance detected.")
        || printed("Change within noise threshold.")
    {
        Ok(Answer::NoDifference)
    } else {
        bail!(External(
            "the output of criterion has no sentence that says whether performance changed"
                .to_owned()
        ))
    }
}

/// Time of the second run ÷ that of the first, as estimated by criterion.
fn ratio(home: &Path) -> Result<f64> {
    let path = home.join("change/change/change/estimates.json");
    let text = arguments::text(&path)?;
    let value: serde_json::Value =
        serde_json::from_str(&text).with_context(|| path.display().to_string())?;
    let change = value.pointer("/mean/point_estimate").and_then(serde_json::Value::as_f64);
    Ok(1.0 + change.context("criterion's estimates lack the mean")?)
}

#[cfg(test)]
mod tests {
    use super::super::experiments::EXPERIMENTS;
    use super::*;

    #[test]
    fn each_sentence_of_criterion_gives_an_answer() {
        for (text, expected) in [
            ("Performance has regressed.", Answer::Slower),
            ("Performance has improved.", Answer::Faster),
            ("No change in performance detected.", Answer::NoDifference),
            ("Change within noise threshold.", Answer::NoDifference),
        ] {
            assert_eq!(answer(&format!("change: [..]\n    {text}\n")).expect("known"), expected);
        }
        let error = answer("time: [1 ns 2 ns 3 ns]").expect_err("no answer");
        assert!(error.is::<External>(), "{error}");
    }

    #[test]
    fn a_session_that_has_ended_is_read_and_not_run_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let home = folder.path().join("criterion-steps-02");
        let estimates = home.join("change/change/change");
        std::fs::create_dir_all(&estimates).expect("folders");
        let estimate = r#"{"mean":{"point_estimate":0.25}}"#;
        folders::write(&estimates.join("estimates.json"), estimate).expect("written");
        let program = Program(PathBuf::from("/no/such/program"));
        let steps = EXPERIMENTS.iter().find(|one| one.name == "steps").expect("an experiment");
        assert!(
            program.session(steps, 2, folder.path()).is_err_and(|error| error.is::<External>())
        );
        folders::write(&home.join("printed.txt"), "Performance has regressed.\n").expect("written");
        let found = program.session(steps, 2, folder.path()).expect("a session");
        let expected = Found { answer: Answer::Slower, ratio: 1.25, ours: None, seconds: None };
        assert_eq!(found, expected);
    }

    #[test]
    fn the_benchmark_is_found_in_the_messages_of_cargo() {
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
