//! Moves per cycle against what the machine can write to a list.

use maud::{Markup, html};
use raywalk_judge::format::{certain, panel as name_of, percent, rate};
use raywalk_judge::limit::WriteLimit;

use crate::label::About;
use crate::table::{Cell, Table};
use crate::view::View;

/// The finding, and the table folded; empty without a limit.
pub(crate) fn body(view: View<'_>) -> Markup {
    let Some(limit) = WriteLimit::of(view.judged) else { return html! {} };
    html! {
        p.finding { (limit.finding(view.judged)) }
        details { summary { "All designs" } (table(view, &limit).render()) }
    }
}

/// The table; `None` without a limit.
pub(crate) fn all(view: View<'_>) -> Option<Table> {
    WriteLimit::of(view.judged).map(|limit| table(view, &limit))
}

fn table(view: View<'_>, limit: &WriteLimit<'_>) -> Table {
    let title = format!(
        "{}: moves per cycle, and their share of what the self-test writes: by whole vectors for designs that \
         store them, one by one for the others",
        name_of(&limit.panel.panel)
    );
    let mut table = Table::new(
        view.label(title, "derived from measured times", About::Panel(&limit.panel.panel)),
        &["Design", "Moves per cycle", "Share of its limit"],
    );
    for it in &limit.designs {
        let cells = vec![
            Cell::number(Some(it.moves), |moves| certain(moves, it.row.half_width, rate)),
            Cell::number(it.fraction(), percent),
        ];
        table.design(view.keys, &it.row.id, &it.row.name, cells);
    }
    table
}
