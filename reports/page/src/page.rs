//! The page: one HTML file that needs no network and holds everything about its sessions.
//!
//! It is readable without scripts, it is the same bytes for the same data, and all text from
//! journals is escaped. Sections follow the questions of a reader: what was found, why, what that says
//! about the claims of the literature, how all designs compare on all workloads, what happens inside
//! them, how certain it is, on which machine, and how to repeat it. What a session does not hold is a line of
//! one list with the command that adds it.
//!
//! Layers, bottom to top: section, packed and absent; one module per section (overview uses events and
//! machine, trust uses overview, events and selftest); bar; shell.

mod absent;
mod bar;
mod boards;
mod calls;
mod claims;
mod code;
mod counts;
mod data;
mod density;
mod designs;
mod events;
mod first;
mod inside;
mod lacking;
mod leaves;
mod limit;
mod lookups;
mod machine;
mod machines;
mod matrix;
mod methods;
mod overview;
mod packed;
mod ranked;
mod section;
mod selftest;
mod shell;
mod timings;
mod together;
mod trust;

use maud::{Markup, html};
use raywalk_judge::Judged;
use raywalk_judge::finding::finding;
use raywalk_judge::format::plural;
use raywalk_judge::matrix::Baseline;
use raywalk_results::schema::{Design, Status};

use crate::keys::Keys;
use crate::plot::{
    Figure, branches, classes, doses, fitted, forest, gap, layouts, learning, lines, memorisation,
    misses, regimes, sequence, size, spread,
};
use crate::view::View;
use lacking::Part;
use section::{Section, heading};

/// Id of the first section that the bar of the page acts on.
const ABOUT_ALL: &str = "matrix";

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
        sections.extend(together::sections(sessions));
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
    let before = sections.iter().position(|section| section.id == ABOUT_ALL).unwrap_or(0);
    shell::document(&title, &intro, &bar::bar(sessions, &keys), before, &sections)
}

/// The figures of a session by id, each as an SVG file of its own in the colours of the light theme.
pub fn figures(judged: &Judged<'_>) -> Vec<(String, String)> {
    let keys = Keys::of([judged.results]);
    let view = View { judged, keys: &keys, prefix: "" };
    let planned = forest::figure(view, Baseline::Planned);
    let all = [
        classes::figure(view),
        memorisation::figure(view),
        fitted::figure(view),
        gap::figure(view),
        planned,
        regimes::figure(view),
        doses::figure(view),
        doses::pressure(view),
        size::figure(view),
        misses::figure(view),
        branches::figure(view),
        lines::figure(view),
        learning::figure(view),
        spread::figure(view),
        layouts::figure(view),
        sequence::figure(view),
    ];
    all.into_iter().flatten().map(|figure| (figure.id.clone(), figure.file())).collect()
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

/// The sections of a session. The bar of the page belongs before the first one that is [about all](ABOUT_ALL).
fn of_session(view: View<'_>, level: u8) -> Vec<Section> {
    let results = view.judged.results;
    let draw_all = |figures: &[&Option<Figure>]| -> Markup {
        html! { @for figure in figures.iter().copied().flatten() { (draw(figure, level + 1)) } }
    };
    let part = |title: &str, body: Markup| -> Markup {
        html! { @if !body.0.is_empty() { (heading(level + 1, None, title)) (body) } }
    };
    let has_rounds = view.judged.panels.iter().any(|panel| !panel.rows.is_empty());
    let classes = classes::figure(view);
    let (memory, fit, gap) = (memorisation::figure(view), fitted::figure(view), gap::figure(view));
    let (regimes, size) = (regimes::figure(view), size::figure(view));
    let (doses, pressure) = (doses::figure(view), doses::pressure(view));
    let (misses, branches) = (misses::figure(view), branches::figure(view));
    let (lines, learning) = (lines::figure(view), learning::figure(view));
    let (spread, layouts) = (spread::figure(view), layouts::figure(view));
    let sequence = sequence::figure(view);
    let (claims, calls, counts) = (claims::body(view), calls::body(view), counts::body(view));
    let leaves = leaves::body(view);
    let (events, timings) = (events::body(view), timings::body(view));
    let lacking = [
        Part::new("Rounds, and with them any finding about speed", has_rounds, "raywalk run"),
        Part::new("Branchless against branchy", classes.is_some(), "raywalk run")
            .needing(" with a design of each class on one kind of board"),
        Part::new("The memorisation curve", memory.is_some(), "raywalk run"),
        Part::new("The gap between two designs, part by part", gap.is_some(), "raywalk run")
            .needing(" on x86-64 Linux"),
        Part::new(
            "Cycles over modelled mispredictions",
            fit.is_some(),
            "raywalk fit --into RESULT",
        )
        .needing(" on x86-64 Linux"),
        Part::new("Claims of the literature", !claims.0.is_empty(), "raywalk claims"),
        Part::new("Dose-response of the cold regime", doses.is_some(), "raywalk run --plan full"),
        Part::new(
            "Cost under pressure on the caches",
            pressure.is_some(),
            "raywalk run --plan full",
        ),
        Part::new("Calls other than generation", !calls.0.is_empty(), "raywalk run --plan full"),
        Part::new("Perft of known positions", !leaves.0.is_empty(), "raywalk run --plan full"),
        Part::new("Mispredictions by design and by source line", misses.is_some(), "raywalk run")
            .needing(" on x86-64 Linux"),
        Part::new("The code of the designs", !results.codes.is_empty(), "raywalk run")
            .needing(" on x86-64 Linux"),
        Part::new(lacking::COUNTS, !counts.0.is_empty(), "cargo bench --bench counts"),
        Part::new(lacking::EVENTS, !events.0.is_empty(), "raywalk run")
            .needing(" on a machine with hardware counters"),
        Part::new("Timings by Criterion", !timings.0.is_empty(), "cargo bench --bench timing"),
        Part::new("The spread over processes", spread.is_some(), "raywalk run"),
        Part::new("Layouts of the program", layouts.is_some(), "raywalk run --layouts 5"),
        Part::new("Self-test", !results.selftest.is_empty(), "raywalk run"),
    ];
    let why = draw_all(&[&memory, &fit, &gap]);
    let depends = html! {
        (draw_all(&[&regimes])) (part("Density and phase", density::body(view)))
        (draw_all(&[&doses, &pressure, &size])) (part("Calls", calls))
        (part("Attack look-ups alone", lookups::body(view))) (part("Perft", leaves))
    };
    let inside = html! {
        (draw_all(&[&misses, &branches, &lines, &learning])) (inside::body(view))
        (part("Positions of two designs", boards::body(view)))
        (part("The limit of list writing", limit::body(view)))
        (part("Counts and simulations", counts)) (part("Hardware events", events))
        (part("Timings by other tools", timings))
    };
    let panels = html! {
        @if has_rounds || !view.judged.panels.is_empty() { (ranked::body(view, level + 1)) }
    };
    let trust = trust::body(view, draw_all(&[&spread, &layouts, &sequence]), level + 1);
    let sections = [
        ("why", "Why", why),
        ("claims", "Claims of the literature", claims),
        (ABOUT_ALL, "Designs and workloads", matrix::body(view)),
        ("ranking", "Ranking", forests(view, level + 1)),
        ("depends", "What the cost depends on", depends),
        ("inside", "Inside the designs", inside),
        ("ranking-tables", "All panels", panels),
        ("trust", "How far to trust it", trust),
        ("machine", "Machine and build", machine::body(view, level + 1)),
        ("designs", "Cards of the designs", designs::body(view)),
        ("repeat", "Repeat and download", data::body(view)),
        ("lacking", "What this session lacks, and what to run", lacking::body(view, &lacking)),
    ];
    let sections = sections.into_iter().filter(|(.., body)| !body.0.is_empty());
    sections.map(|(id, title, body)| Section::of(view, id, title, body)).collect()
}

/// The forest plot of each baseline, of which the bar selects one.
fn forests(view: View<'_>, level: u8) -> Markup {
    html! {
        @for baseline in Baseline::ALL {
            @if let Some(figure) = forest::figure(view, baseline) {
                div data-baseline=(baseline.name()) { (draw(&figure, level)) }
            }
        }
    }
}

/// A plot with its title and finding, and its numbers folded.
fn draw(figure: &Figure, level: u8) -> Markup {
    let id = format!("{}-head", figure.id);
    html! {
        figure aria-labelledby=(id) {
            (heading(level, Some(&id), &figure.title))
            p.finding { (figure.finding) }
            (figure.images())
            (packed::folded_alone("Numbers", figure.numbers.render(), false))
        }
    }
}
