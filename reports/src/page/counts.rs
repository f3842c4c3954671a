//! Exact counts and simulated misses, per move, each column under its plane.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};

use crate::plot::View;
use crate::schema::{Count, Plane};
use crate::wording::{grouped, plane, rate, stage};

use super::machine::said;
use super::table::{Cell, Table};

/// Events of callgrind by the names it gives them.
const NAMES: [(&str, &str); 13] = [
    ("Ir", "instructions"),
    ("Bc", "conditional branches"),
    ("Bcm", "conditional branches missed"),
    ("Bi", "indirect branches"),
    ("Bim", "indirect branches missed"),
    ("Dr", "data reads"),
    ("Dw", "data writes"),
    ("I1mr", "L1 instruction misses"),
    ("D1mr", "L1 read misses"),
    ("D1mw", "L1 write misses"),
    ("ILmr", "last-level instruction misses"),
    ("DLmr", "last-level read misses"),
    ("DLmw", "last-level write misses"),
];

/// One table per workload, stage and tool, or the reason why there is none.
pub fn body(view: View<'_>) -> Markup {
    let mut groups: BTreeMap<(&str, &str, &str), Vec<&Count>> = BTreeMap::new();
    for count in &view.results.counts {
        groups.entry((&count.workload, &count.stage, &count.tool)).or_default().push(count);
    }
    let simulated = view
        .results
        .counts
        .iter()
        .flat_map(|count| count.values.values())
        .any(|value| value.plane == Plane::Simulated);
    html! {
        @if groups.is_empty() { (why_not(view)) } @else {
            p {
                "Counted numbers are exact for this binary and this workload, on any machine. They \
                 are not time."
                @if simulated {
                    " Simulated ones belong to the model that is named. The branch misses of \
                     callgrind are those of a 1990s-class predictor without tags, two to three \
                     times off on ordered positions and without bound on repeated ones: never \
                     read them as the misses of this machine."
                }
            }
            @for (group, counts) in &groups { (table(view, *group, counts)) }
        }
    }
}

fn why_not(view: View<'_>) -> Markup {
    let tools = ["valgrind", "callgrind"];
    let absent = &view.results.session.absent;
    let reasons = said(absent.iter().filter(|absent| tools.contains(&absent.what.as_str())));
    html! {
        @if reasons.is_empty() {
            p {
                "This journal holds no counts of instructions and branches: no instrumenting tool \
                 wrote into it."
            }
        }
        @for reason in reasons { p { (reason) } }
    }
}

fn table(view: View<'_>, group: (&str, &str, &str), counts: &[&Count]) -> Markup {
    let events: BTreeSet<(Plane, usize, &str)> = counts
        .iter()
        .flat_map(|count| &count.values)
        .map(|(name, value)| {
            let place = NAMES.iter().position(|(event, _)| event == name).unwrap_or(NAMES.len());
            (value.plane, place, name.as_str())
        })
        .collect();
    let (workload, of, tool) = group;
    let positions = counts.first().map_or(0, |count| count.positions);
    let caption =
        format!("{workload}, {}, per move; {} positions; by {tool}", stage(of), grouped(positions));
    let mut columns = vec!["Design".to_owned()];
    columns.extend(events.iter().map(|&(kind, place, name)| {
        let said = NAMES.get(place).map_or(name, |&(_, said)| said);
        format!("{said} ({})", plane(kind))
    }));
    columns.push("Moves / position".to_owned());
    let mut table = Table::new(caption, &columns);
    for count in counts {
        let per = |value: u64, of: u64| (of > 0).then(|| value as f64 / of as f64);
        let mut cells: Vec<Cell> = events
            .iter()
            .map(|(_, _, name)| {
                let value = count.values.get(*name).map(|value| value.value);
                Cell::number(value.and_then(|value| per(value, count.moves)), rate)
            })
            .collect();
        cells.push(Cell::number(per(count.moves, count.positions), rate));
        table.design(view.keys, &count.design, view.results.name(&count.design), cells);
    }
    table.render()
}
