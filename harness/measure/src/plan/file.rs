//! Plans as TOML files. [`keys`](super::keys) declares what a file may contain, and `docs/plan-file.md`
//! describes it.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

use raywalk_positions::Workload;
use raywalk_results::UnknownName;
use raywalk_results::schema::{Call, RegimeKind, Scope, Stage};
use toml::{Table, Value};

use super::keys::{Fallback, Key, PANEL, TOP};
use super::{PanelPlan, Plan, Rounds, order_of, own_regime};
use crate::regime::rules;

/// Why a plan file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The file cannot be read.
    #[error("plan file {path} cannot be read: {error}")]
    Unreadable {
        /// The file.
        path: String,
        /// The error of the file system.
        error: std::io::Error,
    },
    /// The file is not TOML.
    #[error("plan file {path}: line {line}: {why}")]
    Malformed {
        /// The file.
        path: String,
        /// Number of the line, from 1.
        line: usize,
        /// The error, in one line.
        why: String,
    },
    /// A key is unknown, missing, or has an impossible value.
    #[error("plan file {path}: {}`{key}` {why}", line.map(|line| format!("line {line}: ")).unwrap_or_default())]
    Value {
        /// The file.
        path: String,
        /// Number of the line, from 1; absent if the key is missing.
        line: Option<usize>,
        /// The key.
        key: String,
        /// The error, as the end of a sentence.
        why: String,
    },
}

/// Upper bound on the bytes of a plan file. A file such as `/dev/zero` must not fill the memory.
const LONGEST: u64 = 1 << 20;

/// A key, and the error in its value.
type Wrong = (String, String);

impl Plan {
    /// Reads a plan file; its stem is the plan's name. `-` stands for standard input.
    ///
    /// # Errors
    /// [`PlanError`] names the file, the line and the key.
    pub fn read(path: &Path) -> Result<Plan, PlanError> {
        let name = path.display().to_string();
        let unreadable = |error| PlanError::Unreadable { path: name.clone(), error };
        let mut text = String::new();
        let read = if path.as_os_str() == "-" {
            std::io::stdin().lock().take(LONGEST + 1).read_to_string(&mut text)
        } else {
            let file = std::fs::File::open(path).map_err(unreadable)?;
            file.take(LONGEST + 1).read_to_string(&mut text)
        };
        if read.map_err(unreadable)? as u64 > LONGEST {
            return Err(unreadable(std::io::Error::other("it is longer than 1 MiB")));
        }
        let stem = path.file_stem().map_or_else(|| name.clone(), |s| s.to_string_lossy().into());
        let stem = if stem == "-" { "stdin".to_owned() } else { stem };
        Plan::parse(&text, &stem, &name)
    }

    /// Parses a plan. `path` is the name of the text in errors.
    ///
    /// # Errors
    /// [`PlanError`], but for [`PlanError::Unreadable`].
    pub fn parse(text: &str, name: &str, path: &str) -> Result<Plan, PlanError> {
        // Editors of some systems put a byte order mark before the text.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let table: Table = toml::from_str(text).map_err(|error| {
            let start = error.span().map_or(0, |span| span.start);
            PlanError::Malformed {
                path: path.to_owned(),
                line: line_of(text, start),
                why: error.message().replace('\n', " "),
            }
        })?;
        plan(&table, name).map_err(|(key, why)| PlanError::Value {
            path: path.to_owned(),
            line: lines(text).get(&key).copied(),
            key,
            why,
        })
    }
}

fn plan(table: &Table, name: &str) -> Result<Plan, Wrong> {
    let top = Section::of(table, TOP, "")?;
    let rounds = if top.has("rounds") {
        for other in ["seconds", "least-rounds", "most-rounds"] {
            if top.has(other) {
                return Err((other.to_owned(), "conflicts with `rounds`".to_owned()));
            }
        }
        Rounds::Fixed(top.whole("rounds"))
    } else {
        let (least, most) = (top.whole("least-rounds"), top.whole("most-rounds"));
        if least > most {
            let why = format!("is {least}, more than `most-rounds`, which is {most}");
            return Err(("least-rounds".to_owned(), why));
        }
        Rounds::Budget { time: Duration::from_secs_f64(top.number("seconds")), least, most }
    };
    let mut panels: Vec<PanelPlan> = Vec::new();
    for (number, panel) in top.list("panels").iter().enumerate() {
        let Value::Table(panel) = panel else { continue };
        let place = format!("panels[{number}]");
        for panel in panels_of(panel, &format!("{place}."))? {
            if panels.iter().any(|other| other.id() == panel.id()) {
                return Err((place, format!("duplicates panel {}", panel.id())));
            }
            panels.push(panel);
        }
    }
    if panels.is_empty() {
        let why = "is empty; there would be nothing to measure".to_owned();
        return Err(("panels".to_owned(), why));
    }
    Ok(Plan {
        seed: top.has("seed").then(|| top.whole("seed")),
        designs: top.texts("designs"),
        baseline: top.has("baseline").then(|| top.text("baseline")),
        batch: Duration::from_secs_f64(top.number("batch-ms") / 1e3),
        rounds,
        processes: top.whole("processes"),
        margin: top.number("equal-percent") / 100.0,
        panels,
        ..Plan::empty(name)
    })
}

/// The panels of a table: one per regime and stage. `place` is the beginning of the names of its keys.
fn panels_of(table: &Table, place: &str) -> Result<Vec<PanelPlan>, Wrong> {
    let panel = Section::of(table, PANEL, place)?;
    let wrong = |key: &str, why: String| (format!("{place}{key}"), why);
    // The names were checked with the section.
    let stages: Vec<Stage> =
        panel.texts("stages").iter().filter_map(|name| name.parse().ok()).collect();
    let scope: Scope = panel.text("scope").parse().unwrap_or(Scope::Whole);
    if scope == Scope::Sliders && stages != [Stage::All] {
        let why = "is `sliders`, which has no stage other than `all`".to_owned();
        return Err(wrong("scope", why));
    }
    let workload = panel.text("workload");
    let description = Workload::describe(&workload)
        .map_err(|error| wrong("workload", format!("is wrong: {error}")))?;
    // The order belongs to the workload. A plan cannot choose another one, so a panel's label, which
    // names the order, is always true.
    let order = order_of(description);
    let regimes = match panel.value("regime") {
        None => vec![own_regime(description)],
        Some(value) => {
            let (kind, parameter) = regime_kind(&value).map_err(|why| wrong("regime", why))?;
            let regimes = rules(kind).parse(parameter, order);
            regimes.map_err(|why| wrong("regime", format!("`{kind}` {why}")))?
        }
    };
    let mut plans = Vec::new();
    for regime in regimes {
        if let Some(positions) = description.positions() {
            rules(regime.kind)
                .source(&regime, positions)
                .map_err(|why| wrong("regime", format!("does not fit: `{workload}` {why}")))?;
        }
        for &stage in &stages {
            plans.push(PanelPlan {
                workload: workload.clone(),
                regime: regime.clone(),
                call: Call::Generate { stage, scope },
                headline: panel.flag("headline") && plans.is_empty(),
            });
        }
    }
    Ok(plans)
}

/// The regime of `"cold"` or `{ replay = 256 }`, with its parameter.
fn regime_kind(value: &Value) -> Result<(RegimeKind, Option<&Value>), String> {
    let kind = |name: &str| name.parse().map_err(|error: UnknownName| format!("is wrong: {error}"));
    match value {
        Value::Table(table) => match table.iter().next() {
            Some((name, parameter)) => Ok((kind(name)?, Some(parameter))),
            None => Err("is an empty table".to_owned()),
        },
        name => Ok((kind(name.as_str().unwrap_or_default())?, None)),
    }
}

/// A table whose keys and values have been checked. Its getters return the declared default of a key that
/// is left out, and an empty value for one without a default.
struct Section<'a> {
    table: &'a Table,
    keys: &'static [Key],
}

impl<'a> Section<'a> {
    fn of(table: &'a Table, keys: &'static [Key], place: &str) -> Result<Section<'a>, Wrong> {
        for (name, value) in table {
            let wrong = |why| (format!("{place}{name}"), why);
            let Some(key) = keys.iter().find(|key| key.name == name) else {
                let names: Vec<_> = keys.iter().map(|key| key.name).collect();
                return Err(wrong(format!("is unknown; the keys are {}", names.join(", "))));
            };
            key.kind.check(value).map_err(wrong)?;
        }
        for key in keys {
            if matches!(key.default, Fallback::Required) && !table.contains_key(key.name) {
                return Err((format!("{place}{}", key.name), "is missing".to_owned()));
            }
        }
        Ok(Section { table, keys })
    }

    fn has(&self, name: &str) -> bool {
        self.table.contains_key(name)
    }

    fn value(&self, name: &str) -> Option<Value> {
        let default = || match self.keys.iter().find(|key| key.name == name)?.default {
            Fallback::Value(text) => {
                toml::from_str::<Table>(&format!("x = {text}")).ok()?.remove("x")
            }
            Fallback::Required | Fallback::Otherwise(_) => None,
        };
        self.table.get(name).cloned().or_else(default)
    }

    fn whole(&self, name: &str) -> u64 {
        let value = self.value(name).and_then(|value| value.as_integer());
        value.and_then(|number| u64::try_from(number).ok()).unwrap_or_default()
    }

    fn number(&self, name: &str) -> f64 {
        match self.value(name) {
            Some(Value::Float(number)) => number,
            Some(Value::Integer(number)) => number as f64,
            _ => 0.0,
        }
    }

    fn flag(&self, name: &str) -> bool {
        self.value(name).and_then(|value| value.as_bool()).unwrap_or_default()
    }

    fn text(&self, name: &str) -> String {
        self.value(name).and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
    }

    fn list(&self, name: &str) -> Vec<Value> {
        match self.value(name) {
            Some(Value::Array(values)) => values,
            _ => Vec::new(),
        }
    }

    fn texts(&self, name: &str) -> Vec<String> {
        self.list(name).iter().filter_map(|text| text.as_str().map(str::to_owned)).collect()
    }
}

/// The number of the line that contains this byte, from 1.
fn line_of(text: &str, byte: usize) -> usize {
    let before = &text.as_bytes()[..byte.min(text.len())];
    before.iter().filter(|&&byte| byte == b'\n').count() + 1
}

/// The line of each key, by its name in errors, such as `panels[1].regime`.
fn lines(text: &str) -> BTreeMap<String, usize> {
    use toml::de::{DeTable, DeValue};
    let mut lines = BTreeMap::new();
    let Ok(top) = DeTable::parse(text) else { return lines };
    for (name, value) in top.get_ref() {
        lines.insert(name.get_ref().to_string(), line_of(text, name.span().start));
        let DeValue::Array(panels) = value.get_ref() else { continue };
        for (number, panel) in panels.iter().enumerate() {
            let DeValue::Table(panel_keys) = panel.get_ref() else { continue };
            let place = format!("{}[{number}]", name.get_ref());
            for (key, _) in panel_keys {
                let line = line_of(text, key.span().start);
                lines.insert(format!("{place}.{}", key.get_ref()), line);
            }
            lines.insert(place, line_of(text, panel.span().start));
        }
    }
    lines
}
