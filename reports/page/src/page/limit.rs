//! Moves per cycle against what the machine can write to a list.

use maud::{Markup, html};
use raywalk_judge::format::{certain, panel as name_of, percent, rate};
use raywalk_judge::limit::WriteLimit;

use crate::table::{Cell, Table};
use crate::view::View;

/// The finding, and the table folded; empty without a limit.
pub(crate) fn body(view: View<'_>) -> Markup {
    let Some(limit) = WriteLimit::of(view.judged) else { return html! {} };
    let caption = format!(
        "{}: moves per cycle (derived), and their share of the {} that the self-test writes one by one",
        name_of(&limit.panel.panel),
        rate(limit.one_by_one)
    );
    let mut table = Table::new(caption, &["Design", "Moves per cycle", "Share of the limit"]);
    for (row, moves) in &limit.designs {
        let cells = vec![
            Cell::number(Some(*moves), |moves| certain(moves, row.half_width, rate)),
            Cell::number(Some(moves / limit.one_by_one), percent),
        ];
        table.design(view.keys, &row.id, &row.name, cells);
    }
    html! {
        p.finding { (limit.finding()) }
        details { summary { "All designs" } (table.render()) }
    }
}
