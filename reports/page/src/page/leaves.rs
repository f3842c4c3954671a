//! Perft of single positions in leaves per second, one table for each way of counting.

use maud::{Markup, html};
use raywalk_judge::format::{certain, cost};
use raywalk_judge::leaves::{LeafTable, tables};

use crate::label::About;
use crate::table::{Cell, Table};
use crate::view::View;

/// A finding and a table for each way of counting; empty if no such perft was timed.
pub(crate) fn body(view: View<'_>) -> Markup {
    html! {
        @for table in &tables(view.judged) {
            @if let Some(finding) = table.finding(view.judged) { p.finding { (finding) } }
            (one(view, table).render())
        }
    }
}

/// A table for each way of counting.
pub(crate) fn all(view: View<'_>) -> Vec<Table> {
    tables(view.judged).iter().map(|leaves| one(view, leaves)).collect()
}

fn one(view: View<'_>, leaves: &LeafTable<'_>) -> Table {
    let positions = leaves.panels.iter().map(|panel| leaves.position(panel).to_owned());
    let mut columns: Vec<String> = ["Design".to_owned()].into_iter().chain(positions).collect();
    columns.push("geometric mean".to_owned());
    columns.extend(leaves.references.iter().map(|row| format!("× {}", row.name)));
    let title = format!("Million leaves per second: {}", leaves.operation.label());
    let provenance =
        "derived from the measured time of one call, which counts the leaves of a whole perft";
    let about =
        About::panels("of the position that its column names", leaves.panels.iter().copied());
    let mut table = Table::new(view.label(title, provenance, about), &columns);
    for design in &leaves.designs {
        let number =
            |value, half_width| Cell::number(value, move |value| certain(value, half_width, cost));
        let rates = leaves.panels.iter().map(|panel| {
            let half_width = panel.row(&design.id).and_then(|row| row.half_width);
            number(LeafTable::millions(panel, &design.id), half_width)
        });
        let half_width = leaves.half_width(&design.id);
        let speeds = leaves
            .references
            .iter()
            .map(|reference| number(leaves.speed(&design.id, &reference.id), half_width));
        let mean = number(leaves.mean(&design.id), half_width);
        let cells = rates.chain([mean]).chain(speeds).collect();
        table.design(view.keys, &design.id, &design.name, cells);
    }
    table
}
