//! Plans as TOML files.
//!
//! ```toml
//! seed = 1
//! seconds = 60            # or: rounds = 64
//! batch-ms = 1.0
//! processes = 4           # the rounds are made in so many short processes
//! equal-percent = 1.0     # what differs by less is called equal
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
//!
//! [[panels]]
//! workload = "ab4"
//! regime = "cold"         # the branch predictor is overwritten before each call
//! scope = "sliders"       # the moves of bishops, rooks and queens only
//!
//! [[panels]]
//! workload = "ab4"
//! pressure = ["0", "256 KiB", "8 MiB"]  # or one of them: bytes read from between the calls
//! ```

use std::path::Path;
use std::time::Duration;

use raywalk_core::{Scope, StageId};
use raywalk_reports::schema::Regime;
use raywalk_reports::summary::MARGIN;
use serde::Deserialize;

use super::{PanelPlan, Plan, Rounds, regime_of};
use crate::measure::disturb::Flusher;

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
    processes: Option<u64>,
    equal_percent: Option<f64>,
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
    #[serde(default)]
    scope: Option<ScopeName>,
    replay: Option<u64>,
    order: Option<String>,
    regime: Option<RegimeName>,
    branches: Option<u64>,
    pressure: Option<Sizes>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ScopeName {
    Whole,
    Sliders,
}

/// Regimes that no other key tells.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum RegimeName {
    Cold,
}

/// One size or several.
#[derive(Deserialize)]
#[serde(untagged)]
enum Sizes {
    One(String),
    Several(Vec<String>),
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
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
        let processes = file.processes.unwrap_or(Plan::PROCESSES);
        if !(1..=Plan::MOST_PROCESSES).contains(&processes) {
            return Err(wrong("processes", "must lie between 1 and 1000"));
        }
        let equal = file.equal_percent.unwrap_or(100.0 * MARGIN);
        if !(0.0..=5.0).contains(&equal) {
            return Err(wrong("equal-percent", "must lie between 0 and 5"));
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
            processes,
            margin: equal / 100.0,
            panels,
            ..Plan::empty(name)
        })
    }
}

/// A key, and what is wrong with its value.
type Wrong = (&'static str, String);

impl PanelFile {
    /// One panel per size and stage, or the key that is wrong and why.
    fn plans(self) -> Result<Vec<PanelPlan>, Wrong> {
        let scope = match self.scope {
            Some(ScopeName::Sliders) => Scope::Sliders,
            Some(ScopeName::Whole) | None => Scope::Whole,
        };
        if scope == Scope::Sliders && self.stages != [Stage::All] {
            return Err(("scope", "is `sliders`, which has the stage `all` alone".to_owned()));
        }
        let plain = PanelPlan {
            regime: self.plain_regime()?,
            workload: self.workload.clone(),
            stage: StageId::All,
            scope,
        };
        let fed = self.disturbed(plain)?;
        let staged = |panel: PanelPlan| {
            let stages = self.stages.iter();
            stages.map(move |&stage| PanelPlan { stage: stage.into(), ..panel.clone() })
        };
        Ok(fed.into_iter().flat_map(staged).collect())
    }

    /// How the positions come.
    fn plain_regime(&self) -> Result<Regime, Wrong> {
        Ok(match (self.replay, &self.order) {
            (Some(_), Some(_)) => {
                return Err(("order", "stands beside `replay`; one of them must go".to_owned()));
            }
            (Some(0), None) => {
                return Err(("replay", "is 0; at least one position is needed".to_owned()));
            }
            (Some(k), None) => Regime::Replay { k },
            (None, Some(order)) => Regime::Stream { order: order.clone() },
            (None, None) => regime_of(&self.workload).ok_or_else(|| {
                let why = format!(
                    "is `{}`, whose feed is not known; say `replay = K` or `order = \"…\"` too",
                    self.workload
                );
                ("workload", why)
            })?,
        })
    }

    /// The panel with what is done before each call, once for each size.
    fn disturbed(&self, panel: PanelPlan) -> Result<Vec<PanelPlan>, Wrong> {
        let beside = |other: &str| format!("stands beside `{other}`; one of them must go");
        let disturbing = [("regime", self.regime.is_some()), ("pressure", self.pressure.is_some())];
        for (key, there) in disturbing {
            if there && self.replay.is_some() {
                return Err((key, beside("replay")));
            }
        }
        match (self.regime, &self.pressure) {
            (Some(_), Some(_)) => Err(("pressure", beside("regime"))),
            (None, _) if self.branches.is_some() => {
                Err(("branches", "needs `regime = \"cold\"` beside it".to_owned()))
            }
            (None, None) => Ok(vec![panel]),
            (Some(RegimeName::Cold), None) => {
                let mut panel = panel.cold();
                if let (Some(wanted), Regime::Cold { branches, .. }) =
                    (self.branches, &mut panel.regime)
                {
                    Flusher::new(wanted).map_err(|why| ("branches", format!("is wrong: {why}")))?;
                    *branches = wanted;
                }
                Ok(vec![panel])
            }
            (None, Some(Sizes::One(size))) => Ok(vec![panel.pressed(bytes(size)?)]),
            (None, Some(Sizes::Several(sizes))) => {
                sizes.iter().map(|size| Ok(panel.clone().pressed(bytes(size)?))).collect()
            }
        }
    }
}

/// The largest ring: sixty times the largest cache of a desktop.
const MOST_PRESSURE: u64 = 2 << 30;

/// The bytes of `0`, `512 B`, `32 KiB`, `8 MiB`.
fn bytes(size: &str) -> Result<u64, Wrong> {
    let size = size.trim();
    let end = size.find(|c: char| !c.is_ascii_digit()).unwrap_or(size.len());
    let (number, unit) = size.split_at(end);
    let unit: Option<u64> = match unit.trim() {
        "" | "B" => Some(1),
        "KiB" => Some(1 << 10),
        "MiB" => Some(1 << 20),
        "GiB" => Some(1 << 30),
        _ => None,
    };
    let bytes = number.parse::<u64>().ok().zip(unit).and_then(|(n, unit)| n.checked_mul(unit));
    bytes.filter(|&bytes| bytes <= MOST_PRESSURE).ok_or_else(|| {
        let why = "it must be a size up to 2 GiB, such as \"0\" or \"256 KiB\"";
        ("pressure", format!("is `{size}`; {why}"))
    })
}
