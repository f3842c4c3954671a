//! The machine, the build and the session, as the journal describes them.

use std::collections::BTreeSet;

use maud::{Markup, html};
use raywalk_judge::Judged;
use raywalk_judge::format::{self, NONE, bytes, grouped, part, percent, plural};
use raywalk_results::journal::Results;
use raywalk_results::schema::{Panel, Provenance};

use super::absent::groups;
use super::section::heading;
use crate::label::{About, PANELS};
use crate::table::{Cell, Table};
use crate::view::View;

/// Three groups of facts, the corpora, and the instruments that are not available.
pub(crate) fn body(view: View<'_>, level: u8) -> Markup {
    let results = view.judged.results;
    let groups = [
        ("Machine", machine(results)),
        ("Build", build(results)),
        ("Session and clock", session(results)),
    ];
    html! {
        div.facts {
            @for (name, facts) in &groups {
                div {
                    (heading(level, None, name))
                    dl { @for (name, value) in facts { dt { (name) } dd { (value) } } }
                }
            }
        }
        @if !results.session.corpora.is_empty() {
            details { summary { "Corpora" } (corpora(view).render()) }
        }
        @if !view.judged.panels.is_empty() {
            details {
                summary { "Panels" }
                div id=(format!("{}{PANELS}", view.prefix)) { (panels(view).render()) }
            }
        }
        (absent(view))
    }
}

type Facts = Vec<(&'static str, String)>;

fn or_none(text: &str) -> String {
    if text.is_empty() { NONE.to_owned() } else { text.to_owned() }
}

fn unknown() -> String {
    "not reported by the system".to_owned()
}

fn on_or_off(is: bool) -> String {
    if is { "on" } else { "off" }.to_owned()
}

fn machine(results: &Results) -> Facts {
    let machine = &results.session.machine;
    let caches: Vec<String> = machine
        .caches
        .iter()
        .map(|cache| {
            let ways = match cache.ways {
                0 => String::new(),
                ways => format!(", {ways} ways"),
            };
            format!("{} {}{ways}", cache.name, bytes(cache.bytes))
        })
        .collect();
    vec![
        ("CPU", or_none(&machine.cpu)),
        ("Vendor", or_none(&machine.vendor)),
        ("Model", or_none(&machine.model.to_string())),
        ("Processors", machine.processors.to_string()),
        ("Hypervisor", machine.hypervisor.clone().unwrap_or_else(|| "none reported".to_owned())),
        ("Caches", or_none(&caches.join("; "))),
        ("System", or_none(&machine.os)),
        ("CPU features", or_none(&machine.features.join(", "))),
        ("Governor", machine.governor.clone().unwrap_or_else(unknown)),
        ("Turbo", machine.turbo.map_or_else(unknown, on_or_off)),
        ("SMT", machine.smt.map_or_else(unknown, on_or_off)),
    ]
}

fn build(results: &Results) -> Facts {
    let build = &results.session.build;
    let commit = build.commit.as_deref().unwrap_or("not built in a repository");
    let dirty = if build.dirty { ", with uncommitted changes" } else { "" };
    vec![
        ("Raywalk", or_none(&build.version)),
        ("Commit", format!("{commit}{dirty}")),
        ("Compiler", or_none(&build.rustc)),
        ("Target", or_none(&build.target)),
        ("Flags", or_none(&build.flags)),
        ("Profile", build.profile.to_string()),
        ("Sources", or_none(&build.sources)),
    ]
}

fn session(results: &Results) -> Facts {
    let session = &results.session;
    let clock = &session.clock;
    let ns = |ticks: u64| format!("{ticks} ticks ({:.1} ns)", ticks as f64 * 1e9 / clock.hertz);
    let finished = results.end.as_ref().map_or(NONE, |end| &end.finished);
    let rate = format!("{} at {:.4} GHz", clock.source, clock.hertz / 1e9);
    let load = session.load.map_or_else(unknown, |[one, five, fifteen]| {
        format!("{one:.2}, {five:.2}, {fifteen:.2} over 1, 5 and 15 minutes")
    });
    let siblings = session.siblings.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    let processor = |number: usize| match siblings.as_str() {
        "" => format!("{number}; the system reports no sibling on its core"),
        others => format!("{number}; shares its core with {others}"),
    };
    let (processes, layouts) = processes(results);
    let constant = if clock.invariant { "promised by the CPU" } else { "not promised" };
    let part = part(session).map_or(String::new(), |part| format!(", {part}"));
    vec![
        ("Plan", or_none(&session.plan) + &part),
        ("Seed", session.seed.to_string()),
        ("Equality margin", percent(session.margin)),
        ("Started", or_none(&session.started)),
        ("Finished", finished.to_owned()),
        ("Load before", load),
        ("Pinned to processor", session.processor.map_or_else(unknown, processor)),
        ("Processes", format!("{processes}, {layouts}")),
        ("Clock", rate),
        ("Constant rate", constant.to_owned()),
        ("Smallest step", ns(clock.quantum)),
        ("Empty region", ns(clock.overhead)),
    ]
}

/// The number of processes, and of the layouts that they ran.
pub(crate) fn processes(results: &Results) -> (String, String) {
    let layouts: BTreeSet<_> = results.processes.iter().filter_map(|one| one.layout).collect();
    let layouts = match layouts.len() {
        0 => "the program as linked".to_owned(),
        some => plural(some, "layout"),
    };
    (results.processes.len().to_string(), layouts)
}

/// The corpora of the session.
pub(crate) fn corpora(view: View<'_>) -> Table {
    let corpora = &view.judged.results.session.corpora;
    let title = "Corpora, with the digest of their legal-move counts";
    let about = About::Nothing("the corpora are those of the rows");
    let mut table = Table::new(
        view.label(title, Provenance::Counted.name(), about),
        &["Corpus", "Positions", "Digest (FNV-1a 64)"],
    );
    for corpus in corpora {
        let digest = &corpus.digest;
        table.row(
            &corpus.name,
            vec![
                Cell::number(Some(corpus.positions as f64), |n| grouped(n as u64)),
                Cell::markup(html! { code { (digest) } }, None),
            ],
        );
    }
    table
}

/// Describes the panels of all other tables; the labels of tables of several panels link here.
pub(crate) fn panels(view: View<'_>) -> Table {
    let Judged { results, panels, .. } = view.judged;
    let title = "All panels: how positions reach the designs, what is timed, and the corpora with their digests";
    let about = About::panels("of its row", panels);
    let columns = ["Panel", "Workload", "Regime", "Stage or call", "Positions", "Corpora"];
    let mut table = Table::new(view.label(title, Provenance::Counted.name(), about), &columns);
    for summary in panels {
        let Panel { id, workload, regime, call, positions, .. } = &summary.panel;
        let corpora = format::corpora(&results.session, workload);
        let cells = vec![
            Cell::text(workload),
            Cell::text(&regime.description),
            Cell::text(call.label()),
            Cell::number(Some(*positions as f64), |n| grouped(n as u64)),
            Cell::text(corpora.unwrap_or_else(|| NONE.to_owned())),
        ];
        table.row(id, cells);
    }
    table
}

fn absent(view: View<'_>) -> Markup {
    let absent = &view.judged.results.session.absent;
    if absent.is_empty() {
        return html! { p.note { "All instruments were available." } };
    }
    let title = "Instruments that were not available";
    let about = About::Nothing("properties of the machine");
    let mut table = Table::new(
        view.label(title, "reported by the system", about),
        &["Instrument", "Reason", "Remedy"],
    );
    for group in groups(absent) {
        let cells = vec![Cell::text(group.reason.as_str()), Cell::text(or_none(&group.remedy))];
        table.row(&group.names(), cells);
    }
    table.render()
}
