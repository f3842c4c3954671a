//! Journals as one flat table for notebooks: a row per sample, in the order the samples ran.
//!
//! | column | what it holds |
//! |---|---|
//! | `session`, `cpu` | when the session began (UTC), and on what |
//! | `panel`, `workload`, `stage` | as in the journal |
//! | `scope` | `whole`, or `sliders` for those alone |
//! | `regime`, `k`, `stream_order`, `ring_bytes` | `replay` with its K, `stream` with its order, `cold`, or `pressure` with the bytes of its ring |
//! | `process`, `share`, `layout` | the process that ran the round, the share of the rounds that it made, the seed of the order of sections it was linked in; empty if the journal does not say, `layout` also for the linker's own order |
//! | `round`, `place` | number of the round; place of the sample within it, both from 0 |
//! | `waited_ms`, `steal_ms` | milliseconds that the round was put off; that a hypervisor took while it ran |
//! | `round_marks` | what disturbed the whole round, with blanks between |
//! | `design`, `role`, `control` | id; `baseline`, `twin` (the baseline again) or `design`; claimed control flow |
//! | `ticks`, `ns`, `positions`, `moves` | of the whole sample, not per position; ticks of `cold` and `pressure` are a difference |
//! | `control_ticks` | what was subtracted, where ticks are a difference |
//! | `cycles_per_tick` | calibrated beside the sample |
//! | `marks` | what disturbed the sample, with blanks between |
//! | `event_…` | one column for each event that any sample has |
//!
//! What a sample does not have is empty (CSV) or null (Parquet); it never reads as zero.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{self, Write};

use crate::journal::{PanelRounds, Results};
use crate::schema::{Panel, Process, Regime, Round, Sample};

pub mod parquet;

/// A table in columns of equal length.
#[derive(Clone, Debug, PartialEq)]
pub struct Table<'a> {
    /// Length of each column.
    pub rows: usize,
    /// In the order in which they are written.
    pub columns: Vec<Column<'a>>,
}

/// One column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column<'a> {
    /// Its name, unique in the table.
    pub name: Cow<'a, str>,
    /// One value per row.
    pub values: Values<'a>,
}

/// The values of a column; `None` where there is no value.
#[derive(Clone, Debug, PartialEq)]
pub enum Values<'a> {
    /// Words.
    Text(Vec<Option<Cow<'a, str>>>),
    /// Counts.
    Whole(Vec<Option<u64>>),
    /// Measures.
    Real(Vec<Option<f64>>),
}

/// A sample with all that it belongs to.
struct Row<'a> {
    results: &'a Results,
    panel: &'a Panel,
    round: &'a Round,
    process: Option<&'a Process>,
    place: usize,
    sample: &'a Sample,
}

/// The samples of these sessions, session after session.
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
        borrowed("stage", |row| Some(&row.panel.stage)),
        borrowed("scope", |row| Some(row.panel.scope.as_deref().unwrap_or("whole"))),
        borrowed("regime", |row| Some(kind(&row.panel.regime))),
        whole("k", |row| match &row.panel.regime {
            Regime::Replay { k } => Some(*k),
            _ => None,
        }),
        borrowed("stream_order", |row| match &row.panel.regime {
            Regime::Replay { .. } => None,
            Regime::Stream { order }
            | Regime::Cold { order, .. }
            | Regime::Pressure { order, .. } => Some(order),
        }),
        whole("ring_bytes", |row| match &row.panel.regime {
            Regime::Pressure { bytes, .. } => Some(*bytes),
            _ => None,
        }),
        whole("process", |row| row.process.map(|process| process.number)),
        whole("share", |row| row.process.map(|process| process.share)),
        whole("layout", |row| row.process.and_then(|process| process.layout)),
        whole("round", |row| Some(row.round.round)),
        whole("place", |row| Some(row.place as u64)),
        whole("waited_ms", |row| Some(row.round.waited_ms)),
        whole("steal_ms", |row| row.round.steal_ms),
        text("round_marks", |row| row.round.marks.join(" ")),
        borrowed("design", |row| Some(&row.sample.design)),
        borrowed("role", |row| Some(role(row))),
        borrowed("control", control),
        whole("ticks", |row| Some(row.sample.ticks)),
        whole("control_ticks", |row| row.sample.control),
        real("ns", |row| Some(row.sample.ticks as f64 * 1e9 / row.results.session.clock.hertz)),
        whole("positions", |row| Some(row.sample.positions)),
        whole("moves", |row| Some(row.sample.moves)),
        real("cycles_per_tick", |row| row.sample.cycles_per_tick),
        text("marks", |row| row.sample.marks.join(" ")),
    ];
    let events: BTreeSet<&String> = rows.iter().flat_map(|row| row.sample.events.keys()).collect();
    for event in events {
        columns.push(Column {
            name: format!("event_{event}").into(),
            values: Values::Whole(
                rows.iter().map(|row| row.sample.events.get(event).copied()).collect(),
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
        // The reader has seen to it that processes stand at their numbers.
        let process = results.processes.get(round.process as usize);
        samples.map(move |(place, sample)| Row { results, panel, round, process, place, sample })
    })
}

fn kind(regime: &Regime) -> &'static str {
    match regime {
        Regime::Replay { .. } => "replay",
        Regime::Stream { .. } => "stream",
        Regime::Cold { .. } => "cold",
        Regime::Pressure { .. } => "pressure",
    }
}

fn role(row: &Row<'_>) -> &'static str {
    match &row.sample.design {
        design if *design == row.panel.twin => "twin",
        design if *design == row.panel.baseline => "baseline",
        _ => "design",
    }
}

/// The twin's control flow is the baseline's: they are the same design.
fn control<'a>(row: &Row<'a>) -> Option<&'a str> {
    let id = if role(row) == "twin" { &row.panel.baseline } else { &row.sample.design };
    row.results.design(id).map(|design| design.control.as_str())
}

/// Writes the table as CSV: one line of names, one line per row, quoted where it has to be.
///
/// # Errors
/// Those of `out`.
///
/// # Source
/// Y. Shafranovich, RFC 4180 (2005), with line feeds alone at the ends of lines.
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

/// A CSV field, quoted where it has to be.
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
