//! The calls of a session side by side, one table for each workload and regime with several calls.

use maud::{Markup, html};
use raywalk_judge::calls::{CallCost, CallTable, tables};
use raywalk_judge::format::{certain, cost};

use super::packed::folded_if_large;
use crate::table::{Cell, Table};
use crate::view::View;

/// The tables; empty if there is none.
pub(crate) fn body(view: View<'_>) -> Markup {
    let tables = tables(view.judged.results, &view.judged.panels);
    html! {
        @if !tables.is_empty() {
            p {
                "What engines ask of a design or its board besides the moves of a stage. Designs with the \
                 same board and piece list share the code of attack tests, make and unmake, so differences \
                 between them are noise there. "
                em { "Not offered" } ": the design could answer only by a detour."
            }
            @for table in &tables { (one(view, table)) }
        }
    }
}

fn one(view: View<'_>, calls: &CallTable<'_>) -> Markup {
    let panel = &calls.panels[0].panel;
    let caption = format!(
        "Nanoseconds per position on {}, {}. Provenance: measured. Intervals are in the table of each panel",
        panel.workload, panel.regime.description
    );
    let labels = calls.panels.iter().map(|panel| panel.panel.call.label());
    let columns: Vec<String> = ["Design".to_owned()].into_iter().chain(labels).collect();
    let mut table = Table::new(caption, &columns);
    for design in &calls.designs {
        let cells = calls.panels.iter().map(|panel| match calls.cost(panel, design) {
            CallCost::Nanoseconds { ns, half_width } => {
                Cell::number(Some(ns), |ns| certain(ns, half_width, cost))
            }
            CallCost::NotOffered => Cell::text(crate::terminal::calls::NOT_OFFERED),
        });
        table.design(view.keys, &design.id, &design.name, cells.collect());
    }
    let title = format!("Calls on {}, {}", panel.workload, panel.regime.description);
    folded_if_large(&title, table.render(), false)
}
