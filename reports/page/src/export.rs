//! Journals as one flat table for notebooks: one row per sample, in the order the samples ran.
//!
//! | column | what it holds |
//! |---|---|
//! | `session`, `cpu` | start of the session (UTC); the CPU |
//! | `panel`, `workload`, `stage` | as in the journal |
//! | `scope` | `whole`, or `sliders` for bishops, rooks and queens only; empty if nothing is generated |
//! | `search` | part of a recorded search that the call follows: `node`, `tree`, `bare-tree`; empty for others |
//! | `operation` | what is timed if it is neither a generation nor such a part |
//! | `regime`, `k`, `stream_order` | the regime; the K of a replay; the order of a stream |
//! | `boards`, `list_bytes` | boards of `matched`; bytes of the lists that `lists` writes to |
//! | `cold_branches`, `ring_bytes` | what comes before each call: branches of `cold` and `cold-placebo`, bytes of the ring of `pressure` |
//! | `process`, `share`, `layout` | the process that ran the round, its share of the rounds, the seed of its section order; `layout` is empty for the linker's own order |
//! | `round`, `place` | number of the round; place of the sample within it, both from 0 |
//! | `delayed_ms`, `steal_ms` | milliseconds that the round was delayed; that a hypervisor took while it ran |
//! | `round_marks` | disturbances of the whole round, separated by blanks |
//! | `design`, `role`, `control` | id; `baseline`, `aa-control` (the baseline again) or `design`; claimed control flow |
//! | `ticks`, `ns`, `positions`, `moves` | of the whole sample, not per position; in `cold`, `cold-placebo` and `pressure` ticks are a difference |
//! | `empty_call_ticks` | ticks that were subtracted, if ticks are a difference |
//! | `cycles_per_tick` | calibrated beside the sample |
//! | `marks` | disturbances of the sample, separated by blanks |
//! | `event_…` | one column for each event that any sample has |
//!
//! A value that does not exist is empty (CSV) or null (Parquet), never zero.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{self, Write};

use raywalk_results::journal::{PanelRounds, Results};
use raywalk_results::schema::{
    Event, IntensityUnit, Mark, Operation, Panel, Process, Regime, Role, Round, Sample, Scope,
    Search, Stage,
};

pub mod parquet;
mod summary;

pub use summary::summary_csv;

/// A table in columns of equal length.
#[derive(Clone, Debug, PartialEq)]
pub struct Table<'a> {
    /// Length of each column.
    pub rows: usize,
    /// In the order in which they are written.
    pub columns: Vec<Column<'a>>,
}

/// A named column with one value for each row.
#[derive(Clone, Debug, PartialEq)]
pub struct Column<'a> {
    /// The heading of the column, unique in the table, such as `ticks`.
    pub name: Cow<'a, str>,
    /// One value per row.
    pub values: Values<'a>,
}

/// The values of a column; `None` where there is no value.
#[derive(Clone, Debug, PartialEq)]
pub enum Values<'a> {
    /// Names and other texts.
    Text(Vec<Option<Cow<'a, str>>>),
    /// Whole numbers, such as ticks and moves.
    Whole(Vec<Option<u64>>),
    /// Numbers with a fraction, such as nanoseconds.
    Real(Vec<Option<f64>>),
}

/// A sample with everything it belongs to.
struct Row<'a> {
    results: &'a Results,
    panel: &'a Panel,
    round: &'a Round,
    process: Option<&'a Process>,
    place: usize,
    sample: &'a Sample,
}

/// The samples of all sessions, one session after the other.
pub fn table(sessions: &[Results]) -> Table<'_> {
    let rows: Vec<Row<'_>> = sessions.iter().flat_map(rows).collect();
    let text = |name: &'static str, value: fn(&Row<'_>) -> String| Column {
        name: name.into(),
        values: Values::Text(rows.iter().map(|row| Some(value(row).into())).collect()),
    };
    let borrowed = |name: &'static str, value: for<'a> fn(&Row<'a>) -> Option<&'a str>| Column {
        name: name.into(),
        values: Values::Text(rows.iter().map(|row| value(row).map(Cow::Borrowed)).collect()),
    };
    let whole = |name: &'static str, value: fn(&Row<'_>) -> Option<u64>| Column {
        name: name.into(),
        values: Values::Whole(rows.iter().map(value).collect()),
    };
    let real = |name: &'static str, value: fn(&Row<'_>) -> Option<f64>| Column {
        name: name.into(),
        values: Values::Real(rows.iter().map(value).collect()),
    };
    let mut columns = vec![
        borrowed("session", |row| Some(&row.results.session.started)),
        borrowed("cpu", |row| Some(&row.results.session.machine.cpu)),
        borrowed("panel", |row| Some(&row.panel.id)),
        borrowed("workload", |row| Some(&row.panel.workload)),
        borrowed("stage", |row| row.panel.call.stage().map(Stage::name)),
        borrowed("scope", |row| row.panel.call.scope().map(Scope::name)),
        borrowed("search", |row| row.panel.call.search().map(Search::name)),
        borrowed("operation", |row| row.panel.call.operation().map(Operation::name)),
        borrowed("regime", |row| Some(row.panel.regime.kind.name())),
        whole("k", |row| row.panel.regime.period),
        borrowed("stream_order", |row| stream_order(&row.panel.regime)),
        whole("boards", |row| row.panel.regime.boards),
        whole("list_bytes", |row| row.panel.regime.lists),
        whole("cold_branches", |row| intensity(&row.panel.regime, &BRANCHES)),
        whole("ring_bytes", |row| intensity(&row.panel.regime, &[IntensityUnit::Bytes])),
        whole("process", |row| row.process.map(|process| process.number)),
        whole("share", |row| row.process.map(|process| process.share)),
        whole("layout", |row| row.process.and_then(|process| process.layout)),
        whole("round", |row| Some(row.round.round)),
        whole("place", |row| Some(row.place as u64)),
        whole("delayed_ms", |row| Some(row.round.delayed_ms)),
        whole("steal_ms", |row| row.round.steal_ms),
        text("round_marks", |row| marks(&row.round.marks)),
        borrowed("design", |row| Some(&row.sample.design)),
        borrowed("role", |row| Some(row.panel.role(&row.sample.design).name())),
        borrowed("control", control),
        whole("ticks", |row| Some(row.sample.ticks)),
        whole("empty_call_ticks", |row| row.sample.empty_calls),
        real("ns", |row| Some(row.sample.ticks as f64 * 1e9 / row.results.session.clock.hertz)),
        whole("positions", |row| Some(row.sample.positions)),
        whole("moves", |row| Some(row.sample.moves)),
        real("cycles_per_tick", |row| row.sample.cycles_per_tick),
        text("marks", |row| marks(&row.sample.marks)),
    ];
    let events = rows.iter().flat_map(|row| row.sample.events.keys().copied());
    let events: BTreeSet<Event> = events.collect();
    for event in events {
        columns.push(Column {
            name: format!("event_{event}").into(),
            values: Values::Whole(
                rows.iter().map(|row| row.sample.events.get(&event).copied()).collect(),
            ),
        });
    }
    Table { rows: rows.len(), columns }
}

fn rows(results: &Results) -> impl Iterator<Item = Row<'_>> {
    let rounds = results
        .panels
        .iter()
        .flat_map(|PanelRounds { panel, rounds }| rounds.iter().map(move |round| (panel, round)));
    rounds.flat_map(move |(panel, round)| {
        let samples = round.samples.iter().enumerate();
        // The reader guarantees that processes are numbered by their places.
        let process = results.processes.get(round.process as usize);
        samples.map(move |(place, sample)| Row { results, panel, round, process, place, sample })
    })
}

/// The order of a stream; a replay has none.
fn stream_order(regime: &Regime) -> Option<&'static str> {
    regime.period.is_none().then(|| regime.order.name())
}

/// Units of the regimes `cold` and `cold-placebo`.
const BRANCHES: [IntensityUnit; 2] = [IntensityUnit::Branches, IntensityUnit::ConstantBranches];

/// The perturbation before each call, if it is counted in one of these units.
fn intensity(regime: &Regime, units: &[IntensityUnit]) -> Option<u64> {
    let intensity = regime.intensity?;
    units.contains(&intensity.unit).then_some(intensity.amount)
}

fn marks(marks: &[Mark]) -> String {
    marks.iter().map(|mark| mark.name()).collect::<Vec<_>>().join(" ")
}

/// The A/A control has the control flow of the baseline: they are the same design.
fn control<'a>(row: &Row<'a>) -> Option<&'a str> {
    let id = match row.panel.role(&row.sample.design) {
        Role::AaControl => &row.panel.baseline,
        Role::Baseline | Role::Design => &row.sample.design,
    };
    row.results.design(id).map(|design| design.control.name())
}

/// Writes the table as CSV: a line of names, then one line per row.
///
/// # Source
/// Y. Shafranovich, RFC 4180 (2005), but lines end in a line feed only.
pub fn write_csv(table: &Table<'_>, out: &mut dyn Write) -> io::Result<()> {
    let names: Vec<_> = table.columns.iter().map(|column| field(&column.name)).collect();
    writeln!(out, "{}", names.join(","))?;
    for row in 0..table.rows {
        for (place, column) in table.columns.iter().enumerate() {
            if place > 0 {
                out.write_all(b",")?;
            }
            match &column.values {
                Values::Text(values) => {
                    write!(out, "{}", values[row].as_deref().map_or_else(String::new, field))
                }
                Values::Whole(values) => values[row].map_or(Ok(()), |value| write!(out, "{value}")),
                // The shortest text that reads back as the same number.
                Values::Real(values) => values[row].map_or(Ok(()), |value| write!(out, "{value}")),
            }?;
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// A CSV field, quoted if necessary.
pub(crate) fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::field;

    #[test]
    fn a_field_with_a_comma_or_a_quote_is_quoted() {
        assert_eq!(field("plain"), "plain");
        assert_eq!(field("a,\"b\""), "\"a,\"\"b\"\"\"");
    }
}
