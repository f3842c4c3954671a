//! The heat map over density and phase: one row per design, one column per workload, darker where a design is further
//! behind the fastest one.

use maud::{Markup, html};
use raywalk_judge::density::Densities;
use raywalk_judge::format::middle;
use raywalk_results::schema::{Provenance, Stage};
use raywalk_results::statistics::factor;

use crate::label::About;
use crate::plain::mark;
use crate::table::{Cell, Table};
use crate::view::View;

/// One table per stage; empty with few workloads of unrelated positions.
pub(crate) fn body(view: View<'_>) -> Markup {
    let all = densities(view);
    html! {
        @if !all.is_empty() {
            p.note {
                "The fastest three designs of each class on workloads of unrelated positions, from few moves per \
                 position to many. A cell is the time over that of the fastest pseudo-legal design of the workload; \
                 the darker, the further behind. Ratios below 1.05 have no tint. Digits end where the interval \
                 begins; " em { "=" } " marks a ratio that is equal to 1 within the margin, " em { "?" } " one that is \
                 not resolved."
            }
        }
        @for densities in &all {
            @if let Some(finding) = densities.finding(view.judged) { p.finding { (finding) } }
            (table(view, densities).render())
        }
    }
}

/// One table per stage.
pub(crate) fn all(view: View<'_>) -> Vec<Table> {
    densities(view).iter().map(|one| table(view, one)).collect()
}

fn densities<'a>(view: View<'a>) -> Vec<Densities<'a>> {
    let stages = [Stage::All, Stage::Captures];
    stages.iter().filter_map(|&stage| Densities::of(view.judged, stage)).collect()
}

fn table(view: View<'_>, densities: &Densities<'_>) -> Table {
    let label = |&(moves, panel): &(f64, &_)| {
        let panel: &raywalk_judge::summary::PanelSummary = panel;
        format!("{} ({moves:.1})", panel.panel.workload)
    };
    let columns = densities.panels.iter().map(label);
    let columns: Vec<String> = std::iter::once("Design".to_owned()).chain(columns).collect();
    let about = About::panels(
        "of the workload that its column names",
        densities.panels.iter().map(|(_, panel)| *panel),
    );
    let caption = format!(
        "{}: time over that of the fastest design. In brackets: moves per position",
        densities.stage.label()
    );
    let mut table = Table::new(view.label(caption, Provenance::Measured.name(), about), &columns);
    for design in &densities.designs {
        let cells = densities.panels.iter().map(|(_, panel)| {
            let behind = Densities::over_fastest(view.judged, panel, &design.id);
            let ratio = behind.map(|it| it.ratio);
            let mark = behind.and_then(|it| it.verdict).map_or("", |verdict| mark(&verdict));
            Cell::marked(ratio, heat(ratio.unwrap_or(1.0)), ["", mark], |ratio| {
                behind.and_then(|it| it.interval).map_or_else(|| factor(ratio), middle)
            })
        });
        table.design(view.keys, &design.id, &design.name, cells.collect());
    }
    table
}

/// The class of a tint, by factors that grow evenly.
fn heat(behind: f64) -> &'static str {
    match behind {
        ..1.05 => "n",
        ..1.25 => "n heat-1",
        ..1.6 => "n heat-2",
        ..2.5 => "n heat-3",
        ..4.0 => "n heat-4",
        _ => "n heat-5",
    }
}
