//! Plans as TOML files. [`keys`](super::keys) declares what a file may contain, and `docs/plan-file.md`
//! describes it.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::Path;
use std::time::Duration;

use raywalk_results::UnknownName;
use raywalk_results::schema::{Call, RegimeKind, Scope, Stage};
use toml::{Table, Value};

use super::keys::{Fallback, Key, PANEL, TOP};
use super::nesting::{DEEPEST, too_deep};
use super::{ChoiceError, Chosen, PanelPlan, Plan, PluginError, PluginFile, Rounds};
use crate::regime::rules;

/// Why a plan file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The file cannot be read.
    #[error("plan file {path} cannot be read: {error}")]
    Unreadable {
        /// Path of the plan file, for messages.
        path: String,
        /// The error of the file system.
        error: std::io::Error,
    },
    /// The file is not TOML.
    #[error("plan file {path}: line {line}: {why}")]
    Malformed {
        /// Path of the plan file, for messages.
        path: String,
        /// Number of the line, from 1.
        line: usize,
        /// The error, in one line.
        why: String,
    },
    /// A key is unknown, missing, or has an impossible value.
    #[error("plan file {path}: {}`{key}` {why}", line.map(|line| format!("line {line}: ")).unwrap_or_default())]
    Value {
        /// Path of the plan file, for messages.
        path: String,
        /// Number of the line, from 1; absent if the key is missing.
        line: Option<usize>,
        /// The key that is unknown, missing, or has an impossible value.
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
        // One byte more than is accepted is read, so that a longer file is seen.
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
        let malformed = |place, why| PlanError::Malformed {
            path: path.to_owned(),
            line: LineEnds::of(text).line_of(place),
            why,
        };
        if let Some(place) = too_deep(text) {
            return Err(malformed(
                place,
                format!("brackets are nested deeper than {DEEPEST} levels"),
            ));
        }
        let table: Table = toml::from_str(text).map_err(|error| {
            let place = error.span().map_or(0, |span| span.start);
            let number = error.span().and_then(|span| text.get(span)).unwrap_or_default();
            malformed(
                place,
                match is_too_large(number) {
                    true => "a whole number is larger than 2^63 - 1".to_owned(),
                    // In one line.
                    false => error.message().replace('\n', " "),
                },
            )
        })?;
        plan(&table, name).map_err(|(key, why)| PlanError::Value {
            path: path.to_owned(),
            line: lines(text).get(&key).copied(),
            key,
            why,
        })
    }
}

/// Whether the text is a whole number beyond the range of plans. The parser names a type of its language instead.
fn is_too_large(text: &str) -> bool {
    let text = text.replace('_', "");
    let (digits, radix) = match text.get(..2) {
        Some("0x") => (&text[2..], 16),
        Some("0o") => (&text[2..], 8),
        Some("0b") => (&text[2..], 2),
        _ => (&*text, 10),
    };
    u128::from_str_radix(digits, radix).is_ok_and(|number| i64::try_from(number).is_err())
}

fn plan(table: &Table, name: &str) -> Result<Plan, Wrong> {
    let top = Section::of(table, TOP, "")?;
    let rounds = if top.has("rounds") {
        for other in ["seconds", "total-seconds", "least-rounds", "most-rounds"] {
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
        let time = Duration::from_secs_f64(top.number("seconds"));
        let total = top.has("total-seconds").then(|| top.number("total-seconds"));
        Rounds::Budget { time, total: total.map(Duration::from_secs_f64), least, most }
    };
    let mut plan = Plan {
        seed: top.has("seed").then(|| top.whole("seed")),
        designs: top.texts("designs"),
        plugins: {
            let files = top.texts("plugins");
            let files = files.iter().map(|path| PluginFile::read(Path::new(path)));
            let wrong = |error: PluginError| ("plugins".to_owned(), format!("is wrong: {error}"));
            files.collect::<Result<_, _>>().map_err(wrong)?
        },
        baseline: top.has("baseline").then(|| top.text("baseline")),
        batch: Duration::from_secs_f64(top.number("batch-ms") / 1e3),
        rounds,
        processes: top.whole("processes"),
        margin: top.number("margin-percent") / 100.0,
        trace: top.whole("trace") as usize,
        ..Plan::empty(name)
    };
    let mut chosen = BTreeMap::new();
    // A set, because a file of 1 MiB can hold 100,000 panels.
    let mut known = BTreeSet::new();
    for (number, panel) in top.list("panels").iter().enumerate() {
        let Value::Table(panel) = panel else { continue };
        let place = format!("panels[{number}]");
        for panel in panels_of(panel, &format!("{place}."), &mut chosen)? {
            let path = panel.file.as_ref().map(|file| file.path.clone());
            if !known.insert((panel.id(), path)) {
                return Err((place, format!("duplicates panel {}", panel.id())));
            }
            let twice =
                |error: ChoiceError| (format!("{place}.workload"), format!("is wrong: {error}"));
            plan.add(panel).map_err(twice)?;
        }
    }
    if plan.panels.is_empty() {
        let why = "is empty; there would be nothing to measure".to_owned();
        return Err(("panels".to_owned(), why));
    }
    Ok(plan)
}

/// The panels of a table: one per regime and call. `place` is the beginning of the names of its keys.
/// `chosen` holds the workloads of the panels before it, so that each file is read once.
fn panels_of(
    table: &Table,
    place: &str,
    chosen: &mut BTreeMap<String, Chosen>,
) -> Result<Vec<PanelPlan>, Wrong> {
    let panel = Section::of(table, PANEL, place)?;
    let wrong = |key: &str, why: String| (format!("{place}{key}"), why);
    // The names were checked with the section.
    let calls: Vec<Call> =
        panel.texts("calls").iter().filter_map(|name| name.parse().ok()).collect();
    let stages: Vec<Stage> = match panel.has("calls") && !panel.has("stages") {
        true => Vec::new(),
        false => panel.texts("stages").iter().filter_map(|name| name.parse().ok()).collect(),
    };
    let scope: Scope = panel.text("scope").parse().unwrap_or(Scope::Whole);
    if scope == Scope::Sliders && stages != [Stage::All] {
        let why = "is `sliders`, which has no stage other than `all`".to_owned();
        return Err(wrong("scope", why));
    }
    let workload = match chosen.entry(panel.text("workload")) {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(new) => {
            let found = Chosen::find(new.key());
            new.insert(found.map_err(|error| wrong("workload", format!("is wrong: {error}")))?)
        }
    };
    // The order belongs to the workload. A plan cannot choose another one, so a panel's label, which
    // names the order, is always true.
    let order = workload.order();
    let regimes = match panel.value("regime") {
        None => vec![workload.own_regime()],
        Some(value) => {
            let (kind, parameter) = regime_kind(&value).map_err(|why| wrong("regime", why))?;
            let regimes = rules(kind).parse(parameter, order);
            regimes.map_err(|why| wrong("regime", format!("`{kind}` {why}")))?
        }
    };
    let mut plans: Vec<PanelPlan> = Vec::new();
    for regime in regimes {
        workload
            .fits(&regime)
            .map_err(|why| wrong("regime", format!("does not fit: `{}` {why}", workload.name())))?;
        let generated = stages.iter().map(|&stage| Call::Generate { stage, scope });
        for call in generated.chain(calls.iter().copied()) {
            workload.allows(call, &regime).map_err(|why| wrong("calls", why))?;
            let headline = panel.flag("headline") && plans.is_empty();
            plans.push(PanelPlan { headline, ..workload.panel_in(regime.clone(), call) });
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

/// The ends of the lines of a text, to find the number of a line. A file of 1 MiB can hold 100,000 keys, so
/// the lines are not counted again for each.
struct LineEnds(Vec<usize>);

impl LineEnds {
    fn of(text: &str) -> LineEnds {
        LineEnds(text.match_indices('\n').map(|(end, _)| end).collect())
    }

    /// The number of the line that contains this byte, from 1.
    fn line_of(&self, byte: usize) -> usize {
        self.0.partition_point(|&end| end < byte) + 1
    }
}

/// The line of each key, by its name in errors, such as `panels[1].regime`.
fn lines(text: &str) -> BTreeMap<String, usize> {
    use toml::de::{DeTable, DeValue};
    let mut lines = BTreeMap::new();
    let Ok(top) = DeTable::parse(text) else { return lines };
    let ends = LineEnds::of(text);
    for (name, value) in top.get_ref() {
        lines.insert(name.get_ref().to_string(), ends.line_of(name.span().start));
        let DeValue::Array(panels) = value.get_ref() else { continue };
        for (number, panel) in panels.iter().enumerate() {
            let DeValue::Table(panel_keys) = panel.get_ref() else { continue };
            let place = format!("{}[{number}]", name.get_ref());
            for (key, _) in panel_keys {
                let line = ends.line_of(key.span().start);
                lines.insert(format!("{place}.{}", key.get_ref()), line);
            }
            lines.insert(place, ends.line_of(panel.span().start));
        }
    }
    lines
}
