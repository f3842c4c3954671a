//! Events counted by the processor and the kernel during the timed regions.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};
use raywalk_judge::format::{grouped, list, panel as name_of, rate};
use raywalk_judge::summary::PanelSummary;
use raywalk_results::schema::{Absent, Event, Instrument, Provenance};

use super::packed::{Fold, folded};
use crate::label::About;
use crate::table::{Cell, Table};
use crate::view::View;

/// One table per panel with hardware events, or nothing.
pub(crate) fn body(view: View<'_>) -> Markup {
    let first = view.judged.headline().map(|panel| panel.panel.id.as_str());
    let all = &view.judged.panels;
    let mut panels: Vec<&PanelSummary> =
        all.iter().filter(|panel| !hardware([*panel]).is_empty()).collect();
    panels.sort_by_key(|panel| Some(panel.panel.id.as_str()) != first);
    html! {
        @if let [first, others @ ..] = &panels[..] {
            p { "Medians over the rounds, per move." }
            (table(view, first))
            @if !others.is_empty() { (folded(&[rest(view, others)])) }
        }
    }
}

fn rest(view: View<'_>, panels: &[&PanelSummary]) -> Fold {
    Fold {
        title: "Events of the other panels".to_owned(),
        workload: None,
        body: html! { @for panel in panels { (table(view, panel)) } },
    }
}

pub(crate) fn hardware<'a>(panels: impl IntoIterator<Item = &'a PanelSummary>) -> BTreeSet<Event> {
    let rows = panels.into_iter().flat_map(|panel| &panel.rows);
    rows.flat_map(|row| row.events.keys()).copied().filter(|event| !event.is_software()).collect()
}

/// The events that this machine cannot count. Absent facilities have sections of their own.
pub(crate) fn absent<'a>(view: View<'a>) -> impl Iterator<Item = &'a Absent> {
    let absent = view.judged.results.session.absent.iter();
    absent.filter(|absent| matches!(absent.instrument, Instrument::Event(_)))
}

/// Sums of the kernel's events over all timed regions. In a quiet session they are near zero.
pub(crate) fn kernel(view: View<'_>) -> Markup {
    let mut sums: BTreeMap<Event, u64> = BTreeMap::new();
    let rounds = view.judged.results.panels.iter().flat_map(|panel| &panel.rounds);
    for (&event, count) in rounds.flat_map(|r| &r.samples).flat_map(|sample| &sample.events) {
        if event.is_software() {
            *sums.entry(event).or_insert(0) += count;
        }
    }
    let counts: Vec<String> =
        sums.iter().map(|(event, count)| format!("{event} {}", grouped(*count))).collect();
    html! {
        @if !counts.is_empty() {
            p.note { "Events of the operating system in all timed regions together: " (list(&counts)) "." }
        }
    }
}

fn table(view: View<'_>, panel: &PanelSummary) -> Markup {
    let events = hardware([panel]);
    let mut columns = vec!["Design"];
    columns.extend(events.iter().map(|event| event.name()));
    let caption = format!("{}: events per move", name_of(&panel.panel));
    let mut table = Table::new(
        view.label(caption, Provenance::Measured.name(), About::Panel(&panel.panel)),
        &columns,
    );
    for row in &panel.rows {
        let value = |event: &Event| Cell::number(row.events.get(event).copied(), rate);
        table.design(view.keys, &row.id, &row.name, events.iter().map(value).collect());
    }
    table.render()
}
