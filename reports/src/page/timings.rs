//! Timings by other harnesses, beside ours and never mixed with them.

use std::collections::BTreeMap;

use maud::{Markup, html};

use crate::plot::View;
use crate::schema::Timing;
use crate::wording::{cost, stage};

use super::table::{Cell, Table};

/// One table per workload, stage, tool and unit.
pub fn body(view: View<'_>) -> Markup {
    let mut groups: BTreeMap<[&str; 4], Vec<&Timing>> = BTreeMap::new();
    for timing in &view.results.timings {
        let group = [&timing.workload, &timing.stage, &timing.tool, &timing.unit];
        groups.entry(group.map(String::as_str)).or_default().push(timing);
    }
    html! {
        p {
            "Measured one design after the other, not interleaved, so a drift of the machine \
             between two rows is part of their difference. Use them to see whether both harnesses \
             agree, not to rank."
        }
        @for ([workload, of, tool, unit], timings) in &groups {
            @let caption = format!("{workload}, {}, {unit} per move; by {tool}", stage(of));
            (table(view, caption, timings))
        }
    }
}

fn table(view: View<'_>, caption: String, timings: &[&Timing]) -> Markup {
    let mut table = Table::new(caption, &["Design", "Estimate", "Low", "High"]);
    for timing in timings {
        let cells = [timing.estimate, timing.low, timing.high];
        let cells = cells.into_iter().map(|value| Cell::number(Some(value), cost)).collect();
        table.design(view.keys, &timing.design, view.results.name(&timing.design), cells);
    }
    table.render()
}
