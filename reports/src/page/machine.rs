//! The machine and build card: everything the session says of itself.

use maud::{Markup, html};

use crate::plot::View;
use crate::schema::Absent;
use crate::wording::{NONE, bytes, ended, grouped, list};

use super::heading;
use super::overview::places;
use super::table::{Cell, Table};

/// Facts in three groups, corpora, and what this machine does not offer.
pub fn body(view: View<'_>, level: u8) -> Markup {
    let groups =
        [("Machine", machine(view)), ("Build", build(view)), ("Session and clock", session(view))];
    html! {
        div.facts {
            @for (name, facts) in &groups {
                div {
                    (heading(level, None, name))
                    dl { @for (name, value) in facts { dt { (name) } dd { (value) } } }
                }
            }
        }
        (corpora(view))
        (absent(view))
    }
}

type Facts = Vec<(&'static str, String)>;

fn or_none(text: &str) -> String {
    if text.is_empty() { NONE.to_owned() } else { text.to_owned() }
}

fn untold() -> String {
    "not told by the system".to_owned()
}

fn on_or_off(is: bool) -> String {
    if is { "on" } else { "off" }.to_owned()
}

fn machine(view: View<'_>) -> Facts {
    let machine = &view.results.session.machine;
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
        ("Model", or_none(&machine.model)),
        ("Processors", machine.processors.to_string()),
        ("Hypervisor", machine.hypervisor.clone().unwrap_or_else(|| "none named".to_owned())),
        ("Caches", or_none(&caches.join("; "))),
        ("System", or_none(&machine.os)),
        ("CPU features", or_none(&machine.features.join(", "))),
        ("Governor", machine.governor.clone().unwrap_or_else(untold)),
        ("Turbo", machine.turbo.map_or_else(untold, on_or_off)),
        ("SMT", machine.smt.map_or_else(untold, on_or_off)),
    ]
}

fn build(view: View<'_>) -> Facts {
    let build = &view.results.session.build;
    let commit = build.commit.as_deref().unwrap_or("not built in a repository");
    let dirty = if build.dirty { ", with uncommitted changes" } else { "" };
    vec![
        ("Raywalk", or_none(&build.version)),
        ("Commit", format!("{commit}{dirty}")),
        ("Compiler", or_none(&build.rustc)),
        ("Target", or_none(&build.target)),
        ("Flags", or_none(&build.flags)),
        ("Profile", or_none(&build.profile)),
        ("Sources", or_none(&build.sources)),
    ]
}

fn session(view: View<'_>) -> Facts {
    let session = &view.results.session;
    let clock = &session.clock;
    let ns = |ticks: u64| format!("{ticks} ticks ({:.1} ns)", ticks as f64 * 1e9 / clock.hertz);
    let finished = view.results.end.as_ref().map_or(NONE, |end| &end.finished);
    let rate = format!("{} at {:.4} GHz", clock.source, clock.hertz / 1e9);
    let load = session.load.map_or_else(untold, |[one, five, fifteen]| {
        format!("{one:.2}, {five:.2}, {fifteen:.2} over 1, 5 and 15 minutes")
    });
    let siblings = session.siblings.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    let processor = |number: usize| match siblings.as_str() {
        "" => format!("{number}, alone on its core as far as the system tells"),
        others => format!("{number}, which shares its core with {others}"),
    };
    let (processes, of) = places(view.results);
    let constant = if clock.invariant { "promised by the CPU" } else { "not promised" };
    vec![
        ("Plan", or_none(&session.plan)),
        ("Seed", session.seed.to_string()),
        ("Started", or_none(&session.started)),
        ("Finished", finished.to_owned()),
        ("Load before", load),
        ("Processor", session.processor.map_or_else(untold, processor)),
        ("Processes", format!("{processes}, {of}")),
        ("Clock", rate),
        ("Constant rate", constant.to_owned()),
        ("Smallest step", ns(clock.quantum)),
        ("Empty region", ns(clock.overhead)),
    ]
}

fn corpora(view: View<'_>) -> Markup {
    let corpora = &view.results.session.corpora;
    let caption = "Corpora, with the digest of their legal-move counts".to_owned();
    let mut table = Table::new(caption, &["Corpus", "Positions", "Digest (FNV-1a 64)"]);
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
    html! {
        @if !corpora.is_empty() { details { summary { "Corpora" } (table.render()) } }
    }
}

fn absent(view: View<'_>) -> Markup {
    let absent = &view.results.session.absent;
    if absent.is_empty() {
        return html! { p.note { "Every instrument that was asked for was there." } };
    }
    let caption = "Not available in this session".to_owned();
    let mut table = Table::new(caption, &["Instrument", "Why", "What would help"]);
    for (names, reason) in by_reason(absent) {
        table.row(
            &list(&names),
            vec![Cell::text(reason.why.as_str()), Cell::text(or_none(&reason.cure))],
        );
    }
    table.render()
}

/// Absent instruments with the same reason and the same cure, told together.
pub fn by_reason<'a>(
    absent: impl IntoIterator<Item = &'a Absent>,
) -> Vec<(Vec<&'a str>, &'a Absent)> {
    let mut groups: Vec<(Vec<&str>, &Absent)> = Vec::new();
    for one in absent {
        let same =
            |(_, other): &&mut (_, &Absent)| (&one.why, &one.cure) == (&other.why, &other.cure);
        match groups.iter_mut().find(same) {
            Some((names, _)) => names.push(&one.what),
            None => groups.push((vec![&one.what], one)),
        }
    }
    groups
}

/// A few sentences for each reason: what is absent, why, and what would help.
pub fn said<'a>(absent: impl IntoIterator<Item = &'a Absent>) -> Vec<String> {
    by_reason(absent)
        .into_iter()
        .map(|(names, reason)| {
            let (why, cure) = (ended(&reason.why), ended(&reason.cure));
            let text = format!("Not available here: {}. {why} {cure}", list(&names));
            text.trim_end().to_owned()
        })
        .collect()
}
