//! The calls of a session side by side.

use raywalk_judge::Judged;
use raywalk_judge::calls::{CallCost, CallTable, tables};
use raywalk_judge::format::{certain, cost};

use super::screen::{Screen, Tone};
use super::text_table::{Cell, TextTable, number, text};

/// Text in place of the cost of a call that a design does not offer.
pub(crate) const NOT_OFFERED: &str = "not offered";

/// Writes one table per workload and regime with several calls; nothing if there is none.
pub fn write(out: &mut Screen, judged: &Judged<'_>) {
    for table in tables(judged.results, &judged.panels) {
        one(out, &table);
    }
}

fn one(out: &mut Screen, calls: &CallTable<'_>) {
    let first = &calls.panels[0].panel;
    out.line(format!(
        "Calls on {}, {}: ns per position, measured",
        first.workload, first.regime.description
    ));
    out.blank();
    let headings = calls.panels.iter().map(|panel| number(panel.panel.call.label()));
    let mut table = TextTable::new([text("design")].into_iter().chain(headings));
    for design in &calls.designs {
        let costs = calls.panels.iter().map(|panel| match calls.cost(panel, design) {
            CallCost::Nanoseconds { ns, half_width } => Cell::from(certain(ns, half_width, cost)),
            CallCost::NotOffered => Cell::toned(NOT_OFFERED, Tone::Weak),
        });
        table.row([Cell::from(design.id.clone())].into_iter().chain(costs));
    }
    table.write(out);
    out.blank();
}
