//! The page: one offline file that holds everything a session has to say.
//!
//! Readable with scripts off, the same bytes for the same data, every text escaped. The order is
//! that of a reader's questions: what was found, on what, by which designs, how they rank, why,
//! how sure that is, and how to do it again.

mod counts;
mod data;
mod designs;
mod events;
mod machine;
mod methods;
mod overview;
mod ranked;
mod selftest;
mod shell;
pub mod table;
mod timings;

use maud::{Markup, html};

use crate::journal::Results;
use crate::plot::key::Keys;
use crate::plot::{Figure, View, memorisation, ranking, regimes, sequence, size, spread};
use crate::schema::{Design, Status};
use crate::summary::summarise;
use crate::wording::plural;

/// The page of one session or of several, as a complete HTML document.
///
/// Sessions are never mixed: each has its own machine card, tables and plots. A design has the
/// same colour and marker in all of them.
pub fn page(sessions: &[Results]) -> String {
    let keys = Keys::of(sessions);
    let summaries: Vec<_> = sessions.iter().map(summarise).collect();
    let prefixes: Vec<String> = match sessions.len() {
        1 => vec![String::new()],
        n => (1..=n).map(|number| format!("session-{number}-")).collect(),
    };
    let views: Vec<View<'_>> = sessions
        .iter()
        .zip(&summaries)
        .zip(&prefixes)
        .map(|((results, panels), prefix)| View { results, panels, keys: &keys, prefix })
        .collect();
    let mut sections = Vec::new();
    if let [view] = views[..] {
        sections.extend(of_session(view, 2));
    } else {
        for (place, &view) in views.iter().enumerate() {
            let title = format!("Session {}: {}", place + 1, view.results.session.machine.cpu);
            let parts = of_session(view, 3);
            let body = html! { @for part in &parts { (part.render(3)) } };
            sections.push(Section::new(format!("{}all", view.prefix), &title, body));
        }
    }
    sections.push(methods::method());
    sections.push(methods::glossary());
    shell::document(&keys, &intro(sessions), &sections)
}

fn intro(sessions: &[Results]) -> Markup {
    let verified = |results: &Results| {
        let right = |design: &&Design| matches!(design.status, Status::Verified { .. });
        results.designs.iter().filter(right).count()
    };
    let designs: usize = sessions.iter().map(verified).max().unwrap_or(0);
    html! {
        p.lead {
            "This page compares " (plural(designs, "chess move generator")) " in "
            (plural(sessions.len(), "session")) ", each proved right before it was timed. Every \
             number says what kind of number it is, which positions it holds for, and how sure it is."
        }
        @if sessions.is_empty() { p { "No journal was given, so there is nothing to show." } }
    }
}

/// All that one session has to say, in the order of a reader's questions.
fn of_session(view: View<'_>, level: u8) -> Vec<Section> {
    let plots = |figures: Vec<Option<Figure>>| -> Markup {
        html! { @for figure in figures.iter().flatten() { (draw(figure, level + 1)) } }
    };
    let why = plots(vec![memorisation::figure(view), regimes::figure(view), size::figure(view)]);
    let first = html! { (overview::body(view)) (plots(vec![ranking::figure(view)])) };
    let mut sections = vec![
        section(view, "summary", "Summary", first),
        section(view, "machine", "Machine and build", machine::body(view, level + 1)),
    ];
    if !view.results.selftest.is_empty() {
        sections.push(section(view, "selftest", "Self-test", selftest::body(view)));
    }
    sections.push(section(view, "designs", "Designs", designs::body(view)));
    if !view.panels.is_empty() {
        sections.push(section(view, "ranking-tables", "Ranking", ranked::body(view, level + 1)));
    }
    if !why.0.is_empty() {
        sections.push(section(view, "why", "What the cost depends on", why));
    }
    sections.push(section(view, "counts", "Counted and simulated", counts::body(view)));
    sections.push(section(view, "events", "Hardware events", events::body(view)));
    if !view.results.timings.is_empty() {
        sections.push(section(view, "timings", "Timings by other tools", timings::body(view)));
    }
    if let Some(figure) = spread::figure(view) {
        let body = draw(&figure, level + 1);
        sections.push(section(view, "spread", "Spread", body));
    }
    if let Some(figure) = sequence::figure(view) {
        let body = draw(&figure, level + 1);
        sections.push(section(view, "order", "In the order it ran", body));
    }
    sections.push(section(view, "repeat", "Repeat and take away", data::body(view)));
    sections
}

fn section(view: View<'_>, id: &str, title: &str, body: Markup) -> Section {
    Section::new(format!("{}{id}", view.prefix), title, body)
}

/// A part of the page with its heading.
struct Section {
    id: String,
    title: String,
    body: Markup,
}

impl Section {
    fn new(id: String, title: &str, body: Markup) -> Section {
        Section { id, title: title.to_owned(), body }
    }

    /// The part under a heading of this level; the body's own headings are one deeper.
    fn render(&self, level: u8) -> Markup {
        html! {
            section aria-labelledby=(self.id) {
                (heading(level, Some(&self.id), &self.title))
                (self.body)
            }
        }
    }
}

/// A heading whose level depends on how many sessions the page holds.
fn heading(level: u8, id: Option<&str>, text: &str) -> Markup {
    match level {
        0..=2 => html! { h2 id=[id] { (text) } },
        3 => html! { h3 id=[id] { (text) } },
        4 => html! { h4 id=[id] { (text) } },
        _ => html! { h5 id=[id] { (text) } },
    }
}

/// A plot with its title, what to see in it, and its numbers behind it.
fn draw(figure: &Figure, level: u8) -> Markup {
    html! {
        figure aria-labelledby=(format!("{}-head", figure.id)) {
            (heading(level, Some(&format!("{}-head", figure.id)), &figure.title))
            p.see { (figure.see) }
            div.scroll tabindex="0" role="group" aria-label=(figure.title) { (figure.drawing) }
            details { summary { "The numbers" } (figure.numbers.render()) }
        }
    }
}
