//! Plans as TOML files.
//!
//! ```toml
//! seed = 1
//! seconds = 60            # or: rounds = 64
//! batch-ms = 1.0
//! designs = ["bell", "bitboard/magic"]
//! baseline = "bell"
//!
//! [[panels]]
//! workload = "ab4"
//! stages = ["all", "captures"]
//!
//! [[panels]]
//! workload = "cycle-4096"
//! replay = 1024           # only the first 1,024 of them; or: order = "shuffled"
//! ```

use std::path::Path;
use std::time::Duration;

use raywalk_core::StageId;
use raywalk_reports::schema::Regime;
use serde::Deserialize;

use super::{PanelPlan, Plan, Rounds, regime_of};

/// Why a plan file is no plan.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// It cannot be read.
    #[error("plan file {path} cannot be read")]
    Unreadable {
        /// The file.
        path: String,
        /// What the file system says.
        source: std::io::Error,
    },
    /// It is not TOML, or has keys that no plan has.
    #[error("plan file {path}: line {line}: {why}")]
    Malformed {
        /// The file.
        path: String,
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong there, in one line.
        why: String,
    },
    /// A value that cannot be meant.
    #[error("plan file {path}: `{key}` {why}")]
    Value {
        /// The file.
        path: String,
        /// The key.
        key: String,
        /// What is wrong with its value.
        why: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct PlanFile {
    #[serde(default = "one")]
    seed: u64,
    rounds: Option<u64>,
    seconds: Option<f64>,
    batch_ms: Option<f64>,
    #[serde(default)]
    designs: Vec<String>,
    baseline: Option<String>,
    panels: Vec<PanelFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct PanelFile {
    workload: String,
    #[serde(default = "all")]
    stages: Vec<Stage>,
    replay: Option<u64>,
    order: Option<String>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Stage {
    All,
    Captures,
    Quiets,
}

impl From<Stage> for StageId {
    fn from(stage: Stage) -> StageId {
        match stage {
            Stage::All => StageId::All,
            Stage::Captures => StageId::Captures,
            Stage::Quiets => StageId::Quiets,
        }
    }
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
            .map_err(|source| PlanError::Unreadable { path: name.clone(), source })?;
        let stem = path.file_stem().map_or_else(|| name.clone(), |s| s.to_string_lossy().into());
        Plan::parse(&text, &stem, &name)
    }

    /// The plan called `name` that this text describes; errors call the text `path`.
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
        let rounds = match (file.rounds, file.seconds) {
            (Some(_), Some(_)) => {
                return Err(wrong("seconds", "stands beside `rounds`; one of them must go"));
            }
            (Some(0), None) => return Err(wrong("rounds", "is 0; a panel needs at least one")),
            (Some(rounds), None) => Rounds::Fixed(rounds),
            (None, seconds) => {
                let seconds = seconds.unwrap_or(60.0);
                if !(1.0..=1e6).contains(&seconds) {
                    return Err(wrong("seconds", "must lie between 1 and 1000000"));
                }
                Rounds::Budget { time: Duration::from_secs_f64(seconds), least: 12, most: 10_000 }
            }
        };
        let batch = file.batch_ms.unwrap_or(1.0);
        if !(0.01..=2.0).contains(&batch) {
            return Err(wrong(
                "batch-ms",
                "must lie between 0.01 and 2: longer batches are interrupted by the scheduler",
            ));
        }
        let mut panels: Vec<PanelPlan> = Vec::new();
        for (number, panel) in file.panels.into_iter().enumerate() {
            for panel in panel
                .plans()
                .map_err(|(key, why)| wrong(&format!("panels[{number}].{key}"), &why))?
            {
                if panels.contains(&panel) {
                    let why = format!("names the panel {} a second time", panel.id());
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
            panels,
            ..Plan::empty(name)
        })
    }
}

impl PanelFile {
    /// One panel per stage, or the key that is wrong and why.
    fn plans(self) -> Result<Vec<PanelPlan>, (&'static str, String)> {
        let regime = match (self.replay, self.order) {
            (Some(_), Some(_)) => {
                return Err(("order", "stands beside `replay`; one of them must go".to_owned()));
            }
            (Some(0), None) => {
                return Err(("replay", "is 0; at least one position is needed".to_owned()));
            }
            (Some(k), None) => Regime::Replay { k },
            (None, Some(order)) => Regime::Stream { order },
            (None, None) => regime_of(&self.workload).ok_or_else(|| {
                let why = format!(
                    "is `{}`, whose feed is not known; say `replay = K` or `order = \"…\"` too",
                    self.workload
                );
                ("workload", why)
            })?,
        };
        let plan = |stage: Stage| PanelPlan {
            workload: self.workload.clone(),
            regime: regime.clone(),
            stage: stage.into(),
        };
        Ok(self.stages.into_iter().map(plan).collect())
    }
}
