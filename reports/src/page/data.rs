//! The command that repeats the session, and its numbers to take away.

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use maud::{Markup, html};

use crate::export::field;
use crate::journal::PanelRounds;
use crate::plot::View;
use crate::spread::Bound;
use crate::summary::{PanelSummary, Row, session_floor};

/// Raw ticks beyond this size stay in the journal: a page should stay below three megabytes.
const MOST: usize = 1 << 20;

/// The command, the summary as CSV, and the ticks of every round while they are few.
pub fn body(view: View<'_>) -> Markup {
    let session = &view.results.session;
    let build = &session.build;
    let itself = session_floor(view.results);
    let summary = summary(view.panels, itself.map(|itself| itself.half_width()));
    let link = format!("data:text/csv;base64,{}", BASE64.encode(&summary));
    let name = format!("{}raywalk-summary.csv", view.prefix);
    let ticks = ticks(view);
    html! {
        p { "The command of this session, on the commit and with the flags of its build card:" }
        pre tabindex="0" { code { (session.command) } }
        @if let Some(commit) = &build.commit {
            p.note {
                "Commit " code { (commit) }
                @if build.dirty { ", with uncommitted changes: it cannot be repeated exactly" }
                ". Seed " (session.seed) "."
            }
        }
        @if !view.panels.is_empty() {
            p { a href=(link) download=(name) { "Download the summary as CSV" } }
            details.raw {
                summary { "Summary as CSV" }
                pre.tall tabindex="0" { (summary) }
            }
            @if ticks.len() <= MOST {
                details.raw {
                    summary { "Ticks of every round as CSV" }
                    pre.tall tabindex="0" { (ticks) }
                }
            } @else {
                p.note { "The ticks of every round are in the journal; they are too many for a page." }
            }
        }
    }
}

/// One line per design and panel; what holds for the session stands in each.
fn summary(panels: &[PanelSummary], itself: Option<f64>) -> String {
    let mut csv = "panel,workload,stage,rounds,rank,design,control,legality,table_bytes,\
                   moves_per_position,ns_per_position,ns_per_position_least,ns_per_move,\
                   cycles_per_position_derived,cycles_per_move_derived,ratio,ratio_low,ratio_high,\
                   spread,spread_over,verdict,aa_floor,session_aa_half_width,marked_samples\n"
        .to_owned();
    for panel in panels {
        for (place, row) in panel.rows.iter().enumerate() {
            line(&mut csv, panel, row, place + 1, itself);
        }
    }
    csv
}

fn line(csv: &mut String, summary: &PanelSummary, row: &Row, rank: usize, itself: Option<f64>) {
    let panel = &summary.panel;
    let number = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.6}"));
    let interval = row.interval.ok();
    let bound = row.spread.bound();
    let verdict = row.verdict.map_or(String::new(), |verdict| verdict.to_string());
    let cells = [
        field(&panel.id),
        field(&panel.workload),
        field(&panel.stage),
        summary.rounds.to_string(),
        rank.to_string(),
        field(&row.id),
        field(&row.control),
        field(&row.legality),
        row.table_bytes.map_or(String::new(), |bytes| bytes.to_string()),
        number(Some(row.moves)),
        number(Some(row.ns_position.median)),
        number(Some(row.ns_position.minimum)),
        number(row.ns_move.map(|cost| cost.median)),
        number(row.cycles_position.map(|cost| cost.median)),
        number(row.cycles_move.map(|cost| cost.median)),
        number(Some(row.ratio)),
        number(interval.map(|interval| interval.low)),
        number(interval.map(|interval| interval.high)),
        number(bound.map(Bound::share)),
        bound.map_or("", |bound| bound.over.word()).to_owned(),
        field(&verdict),
        number(summary.itself.map(|itself| itself.floor.share())),
        number(itself),
        row.marked.to_string(),
    ];
    csv.push_str(&cells.join(","));
    csv.push('\n');
}

/// For each panel a heading line, then one line per round and one column per design.
fn ticks(view: View<'_>) -> String {
    let mut csv = String::new();
    for rounds in &view.results.panels {
        let PanelRounds { panel, rounds: all } = rounds;
        let columns: Vec<&String> = panel.designs.iter().chain([&panel.twin]).collect();
        let names: Vec<String> = columns.iter().map(|name| field(name)).collect();
        // Writing into a string does not fail.
        let _ = writeln!(csv, "panel,{}\nround,positions,{}", field(&panel.id), names.join(","));
        for round in all {
            let positions = round.samples.first().map_or(0, |sample| sample.positions);
            let _ = write!(csv, "{},{positions}", round.round);
            for name in &columns {
                let sample = round.samples.iter().find(|sample| sample.design == **name);
                let _ = write!(csv, ",{}", sample.map_or(0, |sample| sample.ticks));
            }
            csv.push('\n');
        }
    }
    csv
}
