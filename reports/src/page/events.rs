//! Events counted by the hardware or the system while the clock ran, per move.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};

use crate::plot::View;
use crate::schema::Absent;
use crate::summary::{PanelSummary, headline};
use crate::wording::{grouped, list, panel as panel_said, rate};

use super::machine::said;
use super::table::{Cell, Table};

/// Events of the kernel. They tell of disturbance, not of designs.
const KERNEL: [&str; 4] = ["context-switches", "cpu-migrations", "page-faults", "task-clock"];

/// Absent instruments that are no events: they have sections of their own.
const OTHERS: [&str; 6] =
    ["valgrind", "callgrind", "criterion", "llvm-mca", "core-clock", "pinning"];

/// One table per panel that has hardware events, or the reason why there is none; then what the
/// kernel saw.
pub fn body(view: View<'_>) -> Markup {
    let first = headline(view.panels).map(|panel| panel.panel.id.as_str());
    let mut panels: Vec<&PanelSummary> =
        view.panels.iter().filter(|panel| !hardware([*panel]).is_empty()).collect();
    panels.sort_by_key(|panel| Some(panel.panel.id.as_str()) != first);
    let reasons = said(absent(view));
    html! {
        @if let [first, others @ ..] = &panels[..] {
            p { "Measured: medians over the rounds, per move." }
            (table(view, first))
            @if !others.is_empty() {
                details {
                    summary { "Other panels" }
                    @for panel in others { (table(view, panel)) }
                }
            }
        } @else if reasons.is_empty() {
            p { "No sample of this session carries hardware events." }
        }
        @for reason in reasons { p { (reason) } }
        (kernel(view))
    }
}

/// Names of the hardware events that these panels have, without doubles.
pub fn hardware<'a>(panels: impl IntoIterator<Item = &'a PanelSummary>) -> BTreeSet<&'a str> {
    let rows = panels.into_iter().flat_map(|panel| &panel.rows);
    rows.flat_map(|row| row.events.keys())
        .map(String::as_str)
        .filter(|name| !KERNEL.contains(name))
        .collect()
}

/// Events that were asked for in vain.
pub fn absent<'a>(view: View<'a>) -> impl Iterator<Item = &'a Absent> {
    let absent = view.results.session.absent.iter();
    absent.filter(|absent| !OTHERS.contains(&absent.what.as_str()))
}

/// Sums over all timed samples: a quiet session has next to none.
fn kernel(view: View<'_>) -> Markup {
    let mut sums: BTreeMap<&str, u64> = BTreeMap::new();
    let rounds = view.results.panels.iter().flat_map(|panel| &panel.rounds);
    for (name, count) in rounds.flat_map(|r| &r.samples).flat_map(|sample| &sample.events) {
        if KERNEL.contains(&name.as_str()) {
            *sums.entry(name).or_insert(0) += count;
        }
    }
    let said: Vec<String> =
        sums.iter().map(|(name, count)| format!("{name} {}", grouped(*count))).collect();
    html! {
        @if !said.is_empty() {
            p.note { "What the kernel saw in all timed regions together: " (list(&said)) "." }
        }
    }
}

fn table(view: View<'_>, panel: &PanelSummary) -> Markup {
    let names = hardware([panel]);
    let mut columns = vec!["Design"];
    columns.extend(&names);
    let caption = format!("{}, events per move, measured", panel_said(&panel.panel));
    let mut table = Table::new(caption, &columns);
    for row in &panel.rows {
        let value = |name: &&str| Cell::number(row.events.get(*name).copied(), rate);
        table.design(view.keys, &row.id, &row.name, names.iter().map(value).collect());
    }
    table.render()
}
