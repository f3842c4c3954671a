//! The command that repeats the session, and its numbers for download.

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use maud::{Markup, html};
use raywalk_judge::Judged;
use raywalk_judge::spread::Bound;
use raywalk_judge::summary::{PanelSummary, Row};
use raywalk_results::journal::{PanelRounds, Results};
use raywalk_results::schema::Stage;

use super::packed::gzip;
use crate::export::field;
use crate::view::View;

/// Upper bound on the ticks embedded in a page, in bytes: a page should stay below three megabytes.
const MOST: usize = 1 << 18;

/// A summary from this length on is compressed.
const PACKED: usize = 1 << 18;

/// The command, the summary as CSV, and the ticks of every round if they fit.
pub(crate) fn body(view: View<'_>) -> Markup {
    let session = &view.judged.results.session;
    let build = &session.build;
    let summary = summary(view.judged);
    let name = format!("{}raywalk-summary.csv", view.prefix);
    let (link, name) = match summary.len() {
        0..PACKED => (format!("data:text/csv;base64,{}", BASE64.encode(&summary)), name),
        _ => {
            let packed = BASE64.encode(gzip(&summary));
            (format!("data:application/gzip;base64,{packed}"), format!("{name}.gz"))
        }
    };
    let ticks = ticks(view.judged.results);
    html! {
        p { "This session was measured with the following command, by the build described above:" }
        pre tabindex="0" { code { (session.command) } }
        @if let Some(commit) = &build.commit {
            p.note {
                "Commit " code { (commit) }
                @if build.dirty { ", with uncommitted changes, so the session cannot be repeated exactly" }
                ". Seed " (session.seed) "."
            }
        }
        @if !view.judged.panels.is_empty() {
            p {
                a href=(link) download=(name) { "Download the summary as CSV" }
                @if summary.len() >= PACKED { ", compressed with gzip" }
            }
            @if ticks.len() <= MOST {
                details.raw {
                    summary { "Ticks of every round as CSV" }
                    pre.tall tabindex="0" { (ticks) }
                }
            } @else {
                p.note { "The ticks of every round are in the journal; they do not fit into the page." }
            }
        }
    }
}

/// One line per design and panel; values of the session are repeated in each.
fn summary(judged: &Judged<'_>) -> String {
    let session = judged.trust.aa_control.map(|control| control.half_width());
    let mut csv = "panel,workload,stage,rounds,rank,design,control,legality,table_bytes,\
                   moves_per_position,ns_per_position,ns_per_move,\
                   cycles_per_position_derived,cycles_per_move_derived,ratio,ratio_low,ratio_high,\
                   spread,spread_over,verdict,aa_floor,resolution,session_aa_half_width,marked_samples\n"
        .to_owned();
    for panel in &judged.panels {
        for (place, row) in panel.rows.iter().enumerate() {
            line(&mut csv, panel, row, place + 1, session);
        }
    }
    csv
}

fn line(csv: &mut String, summary: &PanelSummary, row: &Row, rank: usize, session: Option<f64>) {
    let panel = &summary.panel;
    let number = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.6}"));
    let interval = row.interval.ok();
    let bound = row.spread.bound();
    let verdict = row.verdict.map_or(String::new(), |verdict| verdict.to_string());
    let cells = [
        field(&panel.id),
        field(&panel.workload),
        field(panel.call.stage().map_or("", Stage::name)),
        summary.rounds.to_string(),
        rank.to_string(),
        field(&row.id),
        field(row.control.name()),
        field(row.legality.name()),
        row.table_bytes.map_or(String::new(), |bytes| bytes.to_string()),
        number(Some(row.moves)),
        number(Some(row.ns_position)),
        number(row.ns_move),
        number(row.cycles_position),
        number(row.cycles_move),
        number(Some(row.ratio)),
        number(interval.map(|interval| interval.low)),
        number(interval.map(|interval| interval.high)),
        number(bound.map(Bound::fraction)),
        bound.map_or("", |bound| bound.over.label()).to_owned(),
        field(&verdict),
        number(summary.aa_control.map(|control| control.floor.share())),
        number(summary.resolution),
        number(session),
        row.marked.to_string(),
    ];
    csv.push_str(&cells.join(","));
    csv.push('\n');
}

/// For each panel a heading line, then one line per round with one column per design.
fn ticks(results: &Results) -> String {
    let mut csv = String::new();
    for rounds in &results.panels {
        let PanelRounds { panel, rounds: all } = rounds;
        let columns: Vec<&String> = panel.designs.iter().chain([&panel.aa_control]).collect();
        let names: Vec<String> = columns.iter().map(|name| field(name)).collect();
        // Writing into a string cannot fail.
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
