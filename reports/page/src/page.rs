//! The page: one HTML file that needs no network and holds everything about its sessions.
//!
//! It is readable without scripts, it is the same bytes for the same data, and all text from
//! journals is escaped. Sections follow the questions of a reader: what was found, on which
//! machine, by which designs, how they rank, why, how certain that is, and how to repeat it.
//!
//! Layers, bottom to top: section and absent; one module per section (overview uses events and
//! machine); shell.

mod absent;
mod calls;
mod claims;
mod counts;
mod data;
mod designs;
mod events;
mod first;
mod machine;
mod methods;
mod overview;
mod ranked;
mod section;
mod selftest;
mod shell;
mod timings;

use maud::{Markup, html};
use raywalk_judge::Judged;
use raywalk_judge::finding::finding;
use raywalk_judge::format::plural;
use raywalk_results::schema::{Design, Status};

use crate::keys::Keys;
use crate::plot::{
    Figure, branches, doses, fitted, gap, layouts, learning, lines, memorisation, misses, ranking,
    regimes, sequence, size, spread,
};
use crate::view::View;
use section::{Section, heading};

/// The page of one or more sessions, as a complete HTML document.
///
/// Sessions are never mixed: each has its own tables and plots. A design has the same colour and
/// marker in all of them.
pub fn page(sessions: &[Judged<'_>]) -> String {
    let keys = Keys::of(sessions.iter().map(|judged| judged.results));
    let mut sections = Vec::new();
    let (title, intro) = match sessions {
        [judged] => {
            let view = View { judged, keys: &keys, prefix: "" };
            let finding = finding(judged);
            sections.extend(of_session(view, 2));
            (finding.heading.clone(), first::body(view, &finding, 2))
        }
        _ => ("Chess move generators, measured".to_owned(), intro(sessions)),
    };
    if sessions.len() != 1 {
        for (place, judged) in sessions.iter().enumerate() {
            let prefix = format!("session-{}-", place + 1);
            let view = View { judged, keys: &keys, prefix: &prefix };
            let title = format!("Session {}: {}", place + 1, judged.results.session.machine.cpu);
            let parts = of_session(view, 3);
            let finding = finding(judged);
            let body = html! {
                p { strong { (finding.heading) } }
                (first::body(view, &finding, 3))
                @for part in &parts { (part.render(3)) }
            };
            sections.push(Section::of(view, "all", &title, body));
        }
    }
    sections.push(methods::method());
    sections.push(methods::glossary());
    shell::document(&keys, &title, &intro, &sections)
}

fn intro(sessions: &[Judged<'_>]) -> Markup {
    let verified = |judged: &Judged<'_>| {
        let is_verified = |design: &&Design| matches!(design.status, Status::Verified { .. });
        judged.results.designs.iter().filter(is_verified).count()
    };
    let designs: usize = sessions.iter().map(verified).max().unwrap_or(0);
    html! {
        p.lead {
            "This page compares " (plural(designs, "chess move generator")) " in "
            (plural(sessions.len(), "session")) ". Each was verified before it was timed. Every \
             number is shown with its provenance, its workload and its uncertainty."
        }
        @if sessions.is_empty() { p { "No journal was given, so there is nothing to show." } }
    }
}

fn of_session(view: View<'_>, level: u8) -> Vec<Section> {
    let results = view.judged.results;
    let plots = |figures: Vec<Option<Figure>>| -> Markup {
        html! { @for figure in figures.iter().flatten() { (draw(figure, level + 1)) } }
    };
    let why = plots(vec![
        memorisation::figure(view),
        gap::figure(view),
        misses::figure(view),
        branches::figure(view),
        fitted::figure(view),
        learning::figure(view),
        regimes::figure(view),
        doses::figure(view),
        size::figure(view),
        lines::figure(view),
    ]);
    let first = html! { (overview::body(view)) (plots(vec![ranking::figure(view)])) };
    let mut sections = vec![Section::of(view, "summary", "Summary", first)];
    let mut add = |id, title, body| sections.push(Section::of(view, id, title, body));
    let claims = claims::body(view);
    if !claims.0.is_empty() {
        add("claims", "Claims of the literature", claims);
    }
    add("machine", "Machine and build", machine::body(view, level + 1));
    if !results.selftest.is_empty() {
        add("selftest", "Self-test", selftest::body(view));
    }
    add("designs", "Designs", designs::body(view));
    if !view.judged.panels.is_empty() {
        add("ranking-tables", "Ranking", ranked::body(view, level + 1));
    }
    let calls = calls::body(view);
    if !calls.0.is_empty() {
        add("calls", "Calls", calls);
    }
    if !why.0.is_empty() {
        add("why", "What the cost depends on", why);
    }
    add("counts", "Counts and simulations", counts::body(view));
    add("events", "Hardware events", events::body(view));
    if !results.timings.is_empty() {
        add("timings", "Timings by other tools", timings::body(view));
    }
    if let Some(figure) = spread::figure(view) {
        add("spread", "Spread", draw(&figure, level + 1));
    }
    if let Some(figure) = layouts::figure(view) {
        add("layouts", "Layouts", draw(&figure, level + 1));
    }
    if let Some(figure) = sequence::figure(view) {
        add("order", "Run sequence", draw(&figure, level + 1));
    }
    add("repeat", "Repeat and download", data::body(view));
    sections
}

/// A plot with its title and finding, and its numbers folded.
fn draw(figure: &Figure, level: u8) -> Markup {
    let id = format!("{}-head", figure.id);
    html! {
        figure aria-labelledby=(id) {
            (heading(level, Some(&id), &figure.title))
            p.finding { (figure.finding) }
            div.scroll tabindex="0" role="group" aria-label=(figure.title) { (figure.image()) }
            details { summary { "Numbers" } (figure.numbers.render()) }
        }
    }
}
