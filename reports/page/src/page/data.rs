//! The command that repeats the session, and its numbers for download.

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use maud::{Markup, html};
use raywalk_results::journal::{PanelRounds, Results};

use super::packed::gzip;
use super::{CHAINS, FIT};
use crate::export::{field, summary_csv};
use crate::view::View;

/// Upper bound on the ticks embedded in a page, in bytes: a page should stay below three megabytes.
const MOST: usize = 1 << 18;

/// A summary from this length on is compressed.
const PACKED: usize = 1 << 18;

/// The command, the summary as CSV, and the ticks of every round if they fit.
pub(crate) fn body(view: View<'_>) -> Markup {
    let results = view.judged.results;
    let session = &results.session;
    let build = &session.build;
    let summary = summary_csv(view.judged, &view.judged.panels.iter().collect::<Vec<_>>());
    let name = format!("{}raywalk-summary.csv", view.prefix);
    let (link, name) = match summary.len() {
        0..PACKED => (format!("data:text/csv;base64,{}", BASE64.encode(&summary)), name),
        _ => {
            let packed = BASE64.encode(gzip(&summary));
            (format!("data:application/gzip;base64,{packed}"), format!("{name}.gz"))
        }
    };
    let ticks = ticks(results);
    let later = [(results.fit.is_some(), FIT), (!results.chains.is_empty(), CHAINS)];
    let later: Vec<&str> =
        later.iter().filter(|(is, _)| *is).map(|(_, command)| *command).collect();
    html! {
        p { "This session was measured with the following command, by the build described above:" }
        pre tabindex="0" { code { (session.command) } }
        @if !later.is_empty() {
            p { "Parts of its results were measured afterwards, by the same build and apart from the rounds:" }
            pre tabindex="0" { code { (later.join("\n")) } }
        }
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
            @if let Some(ticks) = ticks {
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

/// For each panel a heading line, then one line per round with one column per design. `None` if that is longer than
/// [`MOST`].
fn ticks(results: &Results) -> Option<String> {
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
            // A full plan has many times as many, and the page has to be ready within two seconds.
            if csv.len() > MOST {
                return None;
            }
        }
    }
    Some(csv)
}
