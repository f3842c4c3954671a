//! Timings by other harnesses, in tables of their own.

use std::collections::BTreeMap;

use maud::{Markup, html};
use raywalk_judge::format::cost;
use raywalk_results::schema::{Stage, Timing, Unit};

use crate::label::{About, Label};
use crate::table::{Cell, Table};
use crate::view::View;

/// One table per workload, stage, tool and unit; nothing without timings.
pub(crate) fn body(view: View<'_>) -> Markup {
    let mut groups: BTreeMap<(&str, Stage, &str, Unit), Vec<&Timing>> = BTreeMap::new();
    for timing in &view.judged.results.timings {
        let group = (timing.workload.as_str(), timing.stage, timing.tool.as_str(), timing.unit);
        groups.entry(group).or_default().push(timing);
    }
    if groups.is_empty() {
        return html! {};
    }
    html! {
        p {
            "These designs were measured one after the other, not interleaved, so drift of the \
             machine between two rows is part of their difference. Use the numbers to check that \
             both harnesses agree, not to rank designs."
        }
        @for ((workload, stage, tool, unit), timings) in &groups {
            @let caption = format!("{workload}, {}: {unit}, by {tool}", stage.label());
            @let about = About::Workload("a replay of the workload, one design after another", *stage, workload);
            (table(view, view.label(caption, "measured by another harness", about), timings))
        }
    }
}

fn table(view: View<'_>, label: Label, timings: &[&Timing]) -> Markup {
    let mut table = Table::new(label, &["Design", "Estimate", "Low", "High"]);
    for timing in timings {
        let cells = [timing.estimate, timing.low, timing.high];
        let cells = cells.into_iter().map(|value| Cell::number(Some(value), cost)).collect();
        table.design(view.keys, &timing.design, view.judged.results.name(&timing.design), cells);
    }
    table.render()
}
