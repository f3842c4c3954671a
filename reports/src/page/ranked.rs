//! The ranked tables: one per panel, the headline workload open, the others folded.

use maud::{Markup, html};

use crate::plot::View;
use crate::statistics::{Verdict, factor};
use crate::summary::{PanelSummary, Row, headline};
use crate::wording::{
    MEMORISED, NONE, apart, bytes as said_bytes, cost, ends, grouped, is_memorised, list,
    panel as said, percent, plural, spread as spread_of,
};

use super::heading;
use super::table::{Cell, Table};

/// All panels, by workload in the order of the plan, the headline workload first.
pub fn body(view: View<'_>, level: u8) -> Markup {
    let first = headline(view.panels).map(|panel| panel.panel.workload.as_str());
    let mut workloads: Vec<&str> = first.into_iter().collect();
    for panel in view.panels {
        let name = panel.panel.workload.as_str();
        if !workloads.contains(&name) {
            workloads.push(name);
        }
    }
    html! {
        p {
            "From fast to slow, by the median of the ratios to the baseline. Times are medians over \
             the rounds; the least is what a position costs when nothing disturbs. Two times faster \
             is half the time, two times slower is twice the time."
            @if view.panels.iter().any(PanelSummary::mixes_legality) {
                " Generators marked legal do more work than the others and give fewer moves, so \
                 compare them with each other."
            }
        }
        @for name in workloads {
            @let panels = of_workload(view.panels, name);
            @if Some(name) == first {
                (heading(level, None, &format!("Workload {name}")))
                @for panel in panels { (one(view, panel)) }
            } @else {
                details.group {
                    summary { (name) ": " (kinds(&panels).join("; ")) }
                    @for panel in panels { (one(view, panel)) }
                }
            }
        }
    }
}

fn of_workload<'a>(panels: &'a [PanelSummary], name: &str) -> Vec<&'a PanelSummary> {
    let mut found: Vec<_> = panels.iter().filter(|panel| panel.panel.workload == name).collect();
    let order = ["all", "captures", "quiets"];
    found.sort_by_key(|panel| {
        let panel = &panel.panel;
        let stage = order.iter().position(|&stage| stage == panel.stage);
        // What is disturbed, and what is a part, behind what is neither.
        (panel.regime.is_disturbed(), panel.scope.is_some(), stage)
    });
    found
}

fn kinds(panels: &[&PanelSummary]) -> Vec<String> {
    panels.iter().map(|panel| apart(&panel.panel)).collect()
}

fn one(view: View<'_>, summary: &PanelSummary) -> Markup {
    let panel = &summary.panel;
    let name = said(panel);
    if summary.rows.is_empty() {
        return html! { p.note { (name) ": no round was run." } };
    }
    let cycles = summary.has_cycles();
    let caption = format!(
        "{name}: {} positions in batches of {}, {}; baseline {}. Times measured{}",
        grouped(panel.positions),
        grouped(panel.batch),
        plural(summary.rounds, "round"),
        view.results.name(&panel.baseline),
        if cycles { ", core cycles derived" } else { "; no core cycles" },
    );
    let mut columns = vec!["Design", "#", "ns / position", "least"];
    if cycles {
        columns.push("cycles / position");
    }
    columns.push("ns / move");
    if cycles {
        columns.push("cycles / move");
    }
    columns.extend(["Ratio", "Interval"]);
    if summary.has_spread() {
        columns.push("Spread");
    }
    columns.extend(["Verdict", "Tables", "Claims"]);
    if summary.mixes_legality() {
        columns.push("Moves / position");
    }
    let mut table = Table::new(caption, &columns);
    for (place, row) in summary.rows.iter().enumerate() {
        let legal = row.legality == "legal" && summary.mixes_legality();
        let name = if legal { format!("{} (legal)", row.name) } else { row.name.clone() };
        table.design(view.keys, &row.id, &name, cells(summary, row, place + 1, cycles));
    }
    html! { (table.render()) (below(view, summary)) }
}

fn cells(summary: &PanelSummary, row: &Row, rank: usize, cycles: bool) -> Vec<Cell> {
    let mut cells = vec![
        Cell::number(Some(rank as f64), |rank| format!("{rank:.0}")),
        Cell::number(Some(row.ns_position.median), cost),
        Cell::number(Some(row.ns_position.minimum), cost),
    ];
    if cycles {
        cells.push(Cell::number(row.cycles_position.map(|cost| cost.median), cost));
    }
    cells.push(Cell::number(row.ns_move.map(|cost| cost.median), cost));
    if cycles {
        cells.push(Cell::number(row.cycles_move.map(|cost| cost.median), cost));
    }
    let baseline = row.id == summary.panel.baseline;
    cells.push(Cell::number(Some(row.ratio), factor));
    cells.push(
        Cell::text(match row.interval {
            Ok(interval) if !baseline => ends(interval),
            _ => NONE.to_owned(),
        })
        .on_one_line(),
    );
    if summary.has_spread() {
        cells.push(Cell::text(spread_of(&row.spread)).on_one_line());
    }
    let mut said = verdict(summary, row);
    if is_memorised(&summary.panel, &row.control) {
        said = html! { (said) span.open { " · memorised" } };
    }
    cells.push(Cell::markup(said, Some(row.ratio)).on_one_line());
    let bytes = row.table_bytes.map(|bytes| bytes as f64);
    cells.push(Cell::number(bytes, |bytes| said_bytes(bytes as u64)));
    cells.push(Cell::text(row.control.as_str()));
    if summary.mixes_legality() {
        cells.push(Cell::number(Some(row.moves), cost));
    }
    cells
}

fn verdict(summary: &PanelSummary, row: &Row) -> Markup {
    if row.id == summary.panel.baseline {
        return html! { span.even { "baseline" } };
    }
    match (&row.verdict, &row.interval) {
        (Some(verdict), _) => {
            let class = match verdict {
                Verdict::Faster(_) => "better",
                Verdict::Slower(_) => "worse",
                Verdict::Equal { .. } => "even",
                Verdict::NotResolved => "open",
            };
            html! { span.(class) { (verdict) } }
        }
        (None, Err(few)) => html! { span.open { "none: " (few) } },
        (None, Ok(_)) => html! { span.open { "none: no A/A floor" } },
    }
}

/// The floor, the price of many comparisons, what was disturbed, and what is unlike.
fn below(view: View<'_>, summary: &PanelSummary) -> Markup {
    let marked: u64 = summary.rows.iter().map(|row| row.marked).sum();
    let samples = summary.rounds * summary.rows.len();
    html! {
        p.note {
            @if let Some(itself) = summary.itself {
                "A/A floor " (percent(itself.floor.share())) ": "
                (view.results.name(&summary.panel.baseline)) " against itself "
                (factor(itself.ratio.middle)) " (" (ends(itself.ratio)) "). "
            } @else {
                "No A/A floor, and so no verdict: it takes six rounds. "
            }
            "The intervals hold together at 95 %, shared by "
            (plural(summary.comparisons, "comparison")) ". "
            @if summary.has_spread() {
                "Spread: two standard deviations of the ratio over layouts, or over processes where \
                 they are more; an effect below its spread is not resolved. "
            }
            @if marked == 0 { "No sample was disturbed." } @else {
                (grouped(marked)) " of " (plural(samples, "sample"))
                " were disturbed and are kept: " (list(&marks(summary))) "."
            }
            @if summary.rows.iter().any(|row| is_memorised(&summary.panel, &row.control)) {
                " " (MEMORISED)
            }
            @let out = summary.left_out(view.results);
            @if !out.is_empty() {
                " Not in this table, because they find the moves of all pieces at once and have no \
                 sliders apart: " (list(&out)) "."
            }
        }
    }
}

fn marks(summary: &PanelSummary) -> Vec<String> {
    let mut sums = std::collections::BTreeMap::new();
    for (mark, count) in summary.rows.iter().flat_map(|row| &row.marks) {
        *sums.entry(mark.as_str()).or_insert(0) += count;
    }
    sums.into_iter().map(|(mark, count)| format!("{mark} {count}")).collect()
}
