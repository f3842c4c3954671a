//! Attack sets per second, one column per regime.

use maud::{Markup, html};
use raywalk_judge::format::{certain, cost, grouped};
use raywalk_judge::lookups::{LookupTable, PUBLISHED};

use crate::label::About;
use crate::table::{Cell, Table};
use crate::view::View;

/// The finding and the table; empty if no look-ups were timed.
pub(crate) fn body(view: View<'_>) -> Markup {
    let Some(lookups) = LookupTable::of(view.judged) else { return html! {} };
    html! {
        @if let Some(finding) = lookups.finding(view.judged) { p.finding { (finding) } }
        (table(view, &lookups).render())
    }
}

/// The table; `None` if no look-ups were timed.
pub(crate) fn all(view: View<'_>) -> Option<Table> {
    LookupTable::of(view.judged).map(|lookups| table(view, &lookups))
}

fn table(view: View<'_>, lookups: &LookupTable<'_>) -> Table {
    let mut columns = vec!["Design".to_owned(), "public table".to_owned()];
    for (_, summary) in &lookups.panels {
        columns.push(format!("{}, {}", summary.panel.workload, summary.panel.regime.label));
        columns.push("rank".to_owned());
    }
    let title = format!(
        "Million attack sets of a queen per second. A rank is one more than the designs that are resolved to be \
         faster, so designs may share one. Public table: {}",
        PUBLISHED.source
    );
    let provenance = "derived from the measured time of a position, which stands for one set on each square; the public table: \
         published";
    let about =
        About::panels("that its column names", lookups.panels.iter().map(|(_, panel)| *panel));
    let mut table = Table::new(view.label(&title, provenance, about), &columns);
    for design in lookups.designs() {
        let published = PUBLISHED.millions.get(&design.id).copied();
        let published = Cell::number(published, |millions| grouped(millions as u64));
        let cells = lookups.panels.iter().flat_map(|panel| {
            let half_width = panel.1.row(&design.id).and_then(|row| row.half_width);
            let millions = LookupTable::millions(panel, &design.id);
            let rank = LookupTable::rank(view.judged, panel.1, &design.id).map(|rank| rank as f64);
            [
                Cell::number(millions, |value| certain(value, half_width, cost)),
                Cell::number(rank, |rank| format!("{rank:.0}")),
            ]
        });
        let cells = std::iter::once(published).chain(cells).collect();
        table.design(view.keys, &design.id, &design.name, cells);
    }
    table
}
