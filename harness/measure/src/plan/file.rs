//! Plans as TOML files.
//!
//! ```toml
//! seed = 1
//! seconds = 60            # or: rounds = 64
//! batch-ms = 1.0
//! processes = 4           # short processes that run the rounds
//! equal-percent = 1.0     # designs that differ by less are called equal
//! designs = ["bell", "bitboard/magic"]
//! baseline = "bell"
//!
//! [[panels]]
//! workload = "ab4"
//! stages = ["all", "captures"]
//! headline = true         # represents the session in summaries
//!
//! [[panels]]
//! workload = "cycle-4096"
//! regime = { replay = 1024 }  # only the first 1,024 positions of each 1,024
//!
//! [[panels]]
//! workload = "ab4"
//! regime = "cold"         # the branch predictor is overwritten before each call
//! scope = "sliders"       # the moves of bishops, rooks and queens only
//!
//! [[panels]]
//! workload = "ab4"
//! regime = { pressure = ["0", "256 KiB", "8 MiB"] }  # memory read between the calls
//! ```

use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Duration;

use raywalk_positions::Workload;
use raywalk_results::schema::{Call, RegimeKind, Scope, Stage};
use serde::Deserialize;

use super::{PanelPlan, Plan, Rounds, order_of, own_regime};
use crate::regime::rules;

/// Why a plan file cannot be used.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the sentence of each variant documents it")]
pub enum PlanError {
    #[error("plan file {path} cannot be read: {error}")]
    Unreadable { path: String, error: std::io::Error },
    #[error("plan file {path}: line {line}: {why}")]
    Malformed {
        path: String,
        /// Number of the line, from 1.
        line: usize,
        why: String,
    },
    #[error("plan file {path}: `{key}` {why}")]
    Value {
        path: String,
        key: String,
        /// The error, as the end of a sentence.
        why: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a plan")]
struct PlanFile {
    #[serde(default = "one")]
    seed: u64,
    rounds: Option<u64>,
    seconds: Option<f64>,
    batch_ms: Option<f64>,
    processes: Option<u64>,
    equal_percent: Option<f64>,
    #[serde(default)]
    designs: Vec<String>,
    baseline: Option<String>,
    panels: Vec<PanelFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a panel")]
struct PanelFile {
    workload: String,
    #[serde(default = "all")]
    stages: Vec<Stage>,
    scope: Option<Scope>,
    regime: Option<toml::Value>,
    #[serde(default)]
    headline: bool,
}

fn one() -> u64 {
    1
}

fn all() -> Vec<Stage> {
    vec![Stage::All]
}

impl Plan {
    /// Reads a plan file; its stem is the plan's name.
    ///
    /// # Errors
    /// [`PlanError`] names the file and the key.
    pub fn read(path: &Path) -> Result<Plan, PlanError> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| PlanError::Unreadable { path: name.clone(), error })?;
        let stem = path.file_stem().map_or_else(|| name.clone(), |s| s.to_string_lossy().into());
        Plan::parse(&text, &stem, &name)
    }

    /// Parses a plan. `path` is the name of the text in errors.
    pub(super) fn parse(text: &str, name: &str, path: &str) -> Result<Plan, PlanError> {
        let file: PlanFile = toml::from_str(text).map_err(|error| {
            let before = error.span().map_or("", |span| &text[..span.start.min(text.len())]);
            PlanError::Malformed {
                path: path.to_owned(),
                line: before.matches('\n').count() + 1,
                why: error.message().replace('\n', " "),
            }
        })?;
        let wrong = |key: &str, why: &str| PlanError::Value {
            path: path.to_owned(),
            key: key.to_owned(),
            why: why.to_owned(),
        };
        let within = |key: &str, value: f64, range: RangeInclusive<f64>, reason: &str| {
            let (least, most) = (range.start(), range.end());
            let why = || wrong(key, &format!("must lie between {least} and {most}{reason}"));
            // NaN lies in no range.
            range.contains(&value).then_some(value).ok_or_else(why)
        };
        let rounds = match (file.rounds, file.seconds) {
            (Some(_), Some(_)) => return Err(wrong("seconds", "conflicts with `rounds`")),
            (Some(0), None) => return Err(wrong("rounds", "is 0; a panel needs at least one")),
            (Some(rounds), None) => Rounds::Fixed(rounds),
            (None, seconds) => {
                let seconds = within("seconds", seconds.unwrap_or(60.0), 1.0..=1e6, "")?;
                Rounds::Budget { time: Duration::from_secs_f64(seconds), least: 12, most: 10_000 }
            }
        };
        let reason = ": longer batches are interrupted by the scheduler";
        let batch = within("batch-ms", file.batch_ms.unwrap_or(1.0), 0.01..=2.0, reason)?;
        let processes = file.processes.unwrap_or(Plan::PROCESSES);
        within("processes", processes as f64, 1.0..=Plan::MOST_PROCESSES as f64, "")?;
        let equal = file.equal_percent.unwrap_or(100.0 * Plan::MARGIN);
        let equal = within("equal-percent", equal, 0.0..=5.0, "")?;
        let mut panels: Vec<PanelPlan> = Vec::new();
        for (number, panel) in file.panels.into_iter().enumerate() {
            let plans = panel
                .plans()
                .map_err(|(key, why)| wrong(&format!("panels[{number}].{key}"), &why))?;
            for panel in plans {
                if panels.iter().any(|other| other.id() == panel.id()) {
                    let why = format!("duplicates panel {}", panel.id());
                    return Err(wrong(&format!("panels[{number}]"), &why));
                }
                panels.push(panel);
            }
        }
        if panels.is_empty() {
            return Err(wrong("panels", "is empty; there would be nothing to measure"));
        }
        Ok(Plan {
            seed: file.seed,
            designs: file.designs,
            baseline: file.baseline,
            batch: Duration::from_secs_f64(batch / 1e3),
            rounds,
            processes,
            margin: equal / 100.0,
            panels,
            ..Plan::empty(name)
        })
    }
}

/// A key, and the error in its value.
type Wrong = (&'static str, String);

impl PanelFile {
    /// One panel per regime and stage.
    fn plans(self) -> Result<Vec<PanelPlan>, Wrong> {
        let scope = self.scope.unwrap_or(Scope::Whole);
        if scope == Scope::Sliders && self.stages != [Stage::All] {
            return Err(("scope", "is `sliders`, which has no stage other than `all`".to_owned()));
        }
        let description = Workload::describe(&self.workload)
            .map_err(|error| ("workload", format!("is wrong: {error}")))?;
        let regimes = match &self.regime {
            None => vec![own_regime(description)],
            Some(value) => {
                let (kind, parameter) = regime_kind(value)?;
                rules(kind)
                    .parse(parameter, order_of(description))
                    .map_err(|why| ("regime", format!("`{kind}` {why}")))?
            }
        };
        let mut plans = Vec::new();
        for regime in regimes {
            for &stage in &self.stages {
                plans.push(PanelPlan {
                    workload: self.workload.clone(),
                    regime: regime.clone(),
                    call: Call::Generate { stage, scope },
                    headline: self.headline && plans.is_empty(),
                });
            }
        }
        Ok(plans)
    }
}

/// The regime of `"cold"` or `{ replay = 256 }`, with its parameter.
fn regime_kind(value: &toml::Value) -> Result<(RegimeKind, Option<&toml::Value>), Wrong> {
    let kind = |name: &str| {
        name.parse().map_err(|error: raywalk_results::UnknownName| ("regime", format!(": {error}")))
    };
    match value {
        toml::Value::String(name) => Ok((kind(name)?, None)),
        toml::Value::Table(table) if table.len() == 1 => {
            let (name, parameter) = table.iter().next().expect("one entry");
            Ok((kind(name)?, Some(parameter)))
        }
        _ => {
            let why = "must be a name, or one name with a value such as `{ replay = 256 }`";
            Err(("regime", why.to_owned()))
        }
    }
}
