//! The calls of a session side by side, one table for each workload and regime with several calls.

use maud::{Markup, html};
use raywalk_judge::calls::{CallCost, CallTable, tables};
use raywalk_judge::format::{NONE, certain, cost};
use raywalk_results::schema::Provenance;

use super::packed::folded_if_large;
use crate::label::About;
use crate::table::{Cell, Table};
use crate::view::View;

/// Text in place of the cost of a call that a design does not offer.
const NOT_OFFERED: &str = "not offered";

/// The tables; empty if there is none.
pub(crate) fn body(view: View<'_>) -> Markup {
    let tables = tables(view.judged.results, &view.judged.panels);
    html! {
        @if !tables.is_empty() {
            p {
                "What engines ask of a design or its board besides the moves of a stage. Designs with the \
                 same board and piece list share the code of attack tests, make and unmake, so differences \
                 between them are noise there. "
                em { "Not offered" } ": the design has no direct way to answer the call. A dash: disturbances left no block of the design."
            }
            @for calls in &tables {
                @let panel = &calls.panels[0].panel;
                @let title = format!("Calls on {}, {}", panel.workload, panel.regime.description);
                (folded_if_large(&title, one(view, calls).render(), false))
            }
        }
    }
}

/// A table for each workload and regime with several calls.
pub(crate) fn all(view: View<'_>) -> Vec<Table> {
    let tables = tables(view.judged.results, &view.judged.panels);
    tables.iter().map(|calls| one(view, calls)).collect()
}

fn one(view: View<'_>, calls: &CallTable<'_>) -> Table {
    let panel = &calls.panels[0].panel;
    let title = format!(
        "Nanoseconds per position on {}, {}. Intervals are in the table of each panel",
        panel.workload, panel.regime.description
    );
    let labels = calls.panels.iter().map(|panel| panel.panel.call.label());
    let columns: Vec<String> = ["Design".to_owned()].into_iter().chain(labels).collect();
    let mut table = Table::new(
        view.label(
            title,
            Provenance::Measured.name(),
            About::panels("of the call that its column names", calls.panels.iter().copied()),
        ),
        &columns,
    );
    for design in &calls.designs {
        let cells = calls.panels.iter().map(|panel| match calls.cost(panel, design) {
            CallCost::Nanoseconds { ns, half_width } => {
                Cell::number(Some(ns), |ns| certain(ns, half_width, cost))
            }
            CallCost::NotOffered => Cell::text(NOT_OFFERED),
            CallCost::NoSample => Cell::text(NONE),
        });
        table.design(view.keys, &design.id, &design.name, cells.collect());
    }
    table
}
