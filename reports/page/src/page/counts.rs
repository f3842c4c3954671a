//! Exact counts and simulated misses per move, with the provenance of each column.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};
use raywalk_judge::format::{plural, rate};
use raywalk_results::schema::{CallgrindEvent, Count, Provenance, Stage};

use crate::label::About;
use crate::table::{Cell, Table};
use crate::view::View;

/// One table per workload, stage and tool; empty without counts.
pub(crate) fn body(view: View<'_>) -> Markup {
    let all = &view.judged.results.counts;
    let mut tables: BTreeMap<(&str, Stage, &str), Vec<&Count>> = BTreeMap::new();
    for count in all {
        tables.entry((&count.workload, count.stage, &count.tool)).or_default().push(count);
    }
    let simulated = all
        .iter()
        .flat_map(|count| count.values.keys())
        .any(|event| event.provenance() == Provenance::Simulated);
    html! {
        @if !tables.is_empty() {
            p {
                "Counted numbers are exact for this binary and this workload, on any machine. They \
                 are not times."
                @if simulated {
                    " Simulated numbers come from the named model. Callgrind models a branch \
                     predictor of the 1990s without tags: its mispredictions are off by a factor of \
                     two to three on positions in order, and without bound on positions that \
                     repeat. Do not read them as mispredictions of this machine."
                }
            }
            @for (&(workload, stage, tool), counts) in &tables {
                (table(view, workload, stage, tool, counts))
            }
        }
    }
}

fn table(view: View<'_>, workload: &str, stage: Stage, tool: &str, counts: &[&Count]) -> Markup {
    // Counted columns before simulated ones.
    let events: BTreeSet<(Provenance, CallgrindEvent)> = counts
        .iter()
        .flat_map(|count| count.values.keys())
        .map(|event| (event.provenance(), *event))
        .collect();
    let positions = counts.first().map_or(0, |count| count.positions);
    let positions = plural(positions as usize, "position");
    let caption =
        format!("{workload}, {}: counts per move over {positions}, by {tool}", stage.label());
    let mut columns = vec!["Design".to_owned()];
    let heading = |(provenance, event): &(Provenance, CallgrindEvent)| {
        format!("{} ({provenance})", event.label())
    };
    columns.extend(events.iter().map(heading));
    columns.push("moves / position".to_owned());
    let mut table = Table::new(
        view.label(
            caption,
            "counted or simulated, as the headings say",
            About::Workload("each position once, in the order of the workload", stage, workload),
        ),
        &columns,
    );
    for count in counts {
        let per = |value: u64, of: u64| (of > 0).then(|| value as f64 / of as f64);
        let mut cells: Vec<Cell> = events
            .iter()
            .map(|(_, event)| {
                let value = count.values.get(event);
                Cell::number(value.and_then(|&value| per(value, count.moves)), rate)
            })
            .collect();
        cells.push(Cell::number(per(count.moves, count.positions), rate));
        table.design(view.keys, &count.design, view.judged.results.name(&count.design), cells);
    }
    table.render()
}
