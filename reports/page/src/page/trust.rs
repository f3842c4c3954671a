//! Trust in the session: the smallest difference that each panel resolves, its limits, and the variation of its
//! rounds.

use maud::{Markup, html};
use raywalk_judge::format::{interval, middle, panel as name_of, percent};
use raywalk_judge::trust::Trust;
use raywalk_results::schema::{Provenance, Status};

use super::section::heading;
use super::{events, overview, selftest};
use crate::label::About;
use crate::table::{Cell, Table};
use crate::view::View;

/// Facts, warnings, what every panel resolves, the designs that could not take part, and the self-test.
pub(crate) fn body(view: View<'_>, figures: Markup) -> Markup {
    let results = view.judged.results;
    let outside: Vec<_> = results
        .designs
        .iter()
        .filter_map(|design| match &design.status {
            Status::Verified { .. } => None,
            Status::Wrong { why } => {
                Some((&design.name, "failed verification and is not timed", why))
            }
            Status::Missing { why } => Some((&design.name, "cannot run here", why)),
        })
        .collect();
    html! {
        (warnings(&view.judged.trust))
        dl.tiles {
            @for (name, value, note) in overview::tiles(view) {
                div { dt { (name) } dd { (value) @if !note.is_empty() { small { (note) } } } }
            }
        }
        @if !outside.is_empty() {
            ul.note {
                @for (name, what, why) in outside { li { (name) " " (what) ": " (why) } }
            }
        }
        (events::kernel(view))
        (folded(panels(view)))
        (figures)
        @if !results.selftest.is_empty() {
            (heading(3, None, "Self-test"))
            (selftest::body(view))
        }
    }
}

/// The resolution of the session, and each problem with its remedy.
pub(crate) fn warnings(trust: &Trust) -> Markup {
    let reasons = &trust.reasons;
    html! {
        p { (trust.sentence()) ". " (trust.aa_control_text()) "." }
        @if !reasons.is_empty() {
            ul.note {
                @for reason in reasons {
                    li { strong { (reason.severity) } " " (reason.warning) " " (reason.warning.advice()) }
                }
            }
        }
    }
}

fn folded(table: Option<Table>) -> Markup {
    html! {
        @if let Some(table) = table {
            details { summary { "What each panel resolves" } (table.render()) }
        }
    }
}

/// The smallest difference that each panel resolves, and its A/A control; `None` without rounds.
pub(crate) fn panels(view: View<'_>) -> Option<Table> {
    let caption = "What each panel resolves: the smallest difference from the baseline that its median design could \
                   have shown, and the baseline against itself (A/A control)";
    let columns = ["Panel", "Rounds", "Resolves", "Floor", "A/A ratio", "A/A interval"];
    let measured = view.judged.panels.iter().filter(|panel| !panel.rows.is_empty());
    let about = About::panels("that its row names", measured.clone());
    let mut table = Table::new(view.label(caption, Provenance::Measured.name(), about), &columns);
    for panel in measured.clone() {
        let control = panel.aa_control;
        let ratio = control.map(|control| control.ratio);
        let cells = vec![
            Cell::number(Some(panel.rounds as f64), |rounds| format!("{rounds:.0}")),
            match panel.resolution {
                None => Cell::text("nothing"),
                least => Cell::number(least, percent),
            },
            Cell::number(control.map(|control| control.floor.fraction()), percent),
            Cell::number(ratio.map(|ratio| ratio.middle), |_| ratio.map_or(String::new(), middle)),
            Cell::text(ratio.map_or_else(|| "too few rounds".to_owned(), interval)).on_one_line(),
        ];
        table.row(&name_of(&panel.panel), cells);
    }
    (measured.count() > 0).then_some(table)
}
