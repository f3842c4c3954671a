//! The ranked tables: one per panel; those of the headline workload are open, the others folded.

use std::collections::BTreeMap;

use maud::{Markup, html};
use raywalk_judge::across::Changes;
use raywalk_judge::boards;
use raywalk_judge::format::{
    NONE, bytes as format_bytes, certain, cost, grouped, interval, list, memorised_note, middle,
    panel as name_of, panel_variant, percent, plural, ratio, spread as spread_of,
    verdict as text_of,
};
use raywalk_judge::intensity::placebo_of;
use raywalk_judge::summary::{PanelSummary, Row};
use raywalk_results::schema::{Legality, Mark};

use super::packed::{Fold, folded};
use super::section::heading;
use crate::label::About;
use crate::plot::intensity::SAME_CODE;
use crate::table::{Cell, Table, tone};
use crate::view::{Metric, View};

/// Panels of the headline workload that are not folded.
const OPEN: usize = 2;

/// All panels, by workload in the order of the plan, the headline workload first.
pub(crate) fn body(view: View<'_>) -> Markup {
    let first = view.judged.headline().map(|panel| panel.panel.workload.as_str());
    let mut workloads: Vec<&str> = first.into_iter().collect();
    for panel in &view.judged.panels {
        let name = panel.panel.workload.as_str();
        if !workloads.contains(&name) {
            workloads.push(name);
        }
    }
    // A plan may have dozens of panels of the headline workload.
    let of_first = first.map_or_else(Vec::new, |name| of_workload(&view.judged.panels, name));
    let (open, others) = of_first.split_at(of_first.len().min(OPEN));
    let others = (!others.is_empty()).then(|| fold(view, first.unwrap_or_default(), others));
    let rest = workloads.into_iter().filter(|name| Some(*name) != first);
    let rest = rest.map(|name| fold(view, name, &of_workload(&view.judged.panels, name)));
    let folds: Vec<Fold> = others.into_iter().chain(rest).collect();
    html! {
        p {
            "A ratio is the total time of a design for the positions of a workload, divided by the total \
             time of the baseline. If the same positions were timed several times, only the cheaper half of these \
             times counts, because a disturbance only adds time. Designs are ranked from fast to slow by it, and the time of a design is \
             that of the baseline times the ratio. Digits end where the interval begins. Two times faster \
             is half the time; two times slower is twice the time."
            @if view.judged.panels.iter().any(|panel| !panel.rows.iter().all(Row::is_ranked)) {
                " Designs without a rank are listed last: too few processes and roots have rounds in which neither \
                 their sample nor that of the baseline is spoilt."
            }
            @if view.judged.panels.iter().any(PanelSummary::separates_legality) {
                " Generators marked legal do more work than pseudo-legal ones and return fewer \
                 moves, so compare them with each other, except where a recorded search is walked."
            }
        }
        @if let Some(name) = first {
            (heading(3, None, &format!("Workload {name}")))
            @for panel in open { (one(view, panel)) }
        }
        (folded(&folds))
    }
}

fn fold(view: View<'_>, workload: &str, panels: &[&PanelSummary]) -> Fold {
    Fold {
        title: format!("{workload}: {}", variants(panels).join("; ")),
        workload: Some(workload.to_owned()),
        body: html! { @for panel in panels { (one(view, panel)) } },
    }
}

fn of_workload<'a>(panels: &'a [PanelSummary], name: &str) -> Vec<&'a PanelSummary> {
    let mut found: Vec<_> = panels.iter().filter(|panel| panel.panel.workload == name).collect();
    found.sort_by_key(|panel| {
        let panel = &panel.panel;
        // Panels of all pieces and without perturbation first.
        (panel.regime.is_perturbed(), !panel.call.is_offered_by_all(), panel.call.stage())
    });
    found
}

fn variants(panels: &[&PanelSummary]) -> Vec<String> {
    panels.iter().map(|panel| panel_variant(&panel.panel)).collect()
}

fn one(view: View<'_>, summary: &PanelSummary) -> Markup {
    let panel = &summary.panel;
    let name = name_of(panel);
    if summary.rows.is_empty() {
        let why = match summary.rounds {
            0 => "no round was run",
            _ => "disturbances left no block of the baseline",
        };
        return html! { p.note { (name) ": " (why) "." } };
    }
    let cycles = summary.has_cycles();
    let caption = format!(
        "{name}: {} in batches of {}, {}; baseline {}",
        plural(panel.positions as usize, "position"),
        grouped(panel.batch),
        plural(summary.rounds, "round"),
        view.judged.results.name(&panel.baseline),
    );
    let [ns_result, cycles_result] =
        ["ns", "cycles"].map(|unit| format!("{unit} / {}", panel.call.result()));
    let mut columns = vec!["Design", "#", "ns / position"];
    if cycles {
        columns.push("cycles / position");
    }
    columns.push(&ns_result);
    if cycles {
        columns.push(&cycles_result);
    }
    if summary.counts_leaves() {
        columns.push("million leaves / s");
    }
    columns.extend(["Ratio", "Interval"]);
    if summary.has_spread() {
        columns.push("Spread");
    }
    columns.extend(["Verdict", "Tables", "Control flow"]);
    if summary.mixes_legality() {
        columns.push("Moves / position");
    }
    let provenance = if cycles {
        "times measured, core cycles derived"
    } else {
        "times measured; no core cycles"
    };
    let mut table = Table::new(view.label(caption, provenance, About::Panel(panel)), &columns);
    let known: Vec<_> =
        summary.rows.iter().map(|row| view.judged.has_memorised(panel, &row.id)).collect();
    for (row, marks) in summary.rows.iter().zip(view.judged.marks(summary, &known)) {
        let legal = row.legality == Legality::Legal && summary.mixes_legality();
        let name = if legal { format!("{} (legal)", row.name) } else { row.name.clone() };
        table.design(view.keys, &row.id, &name, cells(summary, row, cycles, &marks));
    }
    html! {
        div data-workload=(panel.workload) data-call=(panel.call.id()) {
            (table.render()) (below(view, summary, &known))
        }
    }
}

fn cells(summary: &PanelSummary, row: &Row, cycles: bool, marks: &[&str]) -> Vec<Cell> {
    let shown = |value: f64| certain(value, row.half_width, cost);
    let mut cells = vec![
        Cell::number(summary.rank(&row.id).map(|rank| rank as f64), |rank| format!("{rank:.0}")),
        Cell::number(Some(row.ns_position), shown),
    ];
    if cycles {
        cells.push(Cell::number(row.cycles_position, shown));
    }
    cells.push(Cell::number(row.ns_move, shown));
    if cycles {
        cells.push(Cell::number(row.cycles_move, shown));
    }
    if summary.counts_leaves() {
        cells.push(Cell::number(row.millions_per_second(), shown));
    }
    let baseline = row.id == summary.panel.baseline;
    cells.push(Cell::number(Some(row.ratio), |value| ratio(value, row.interval)));
    cells.push(
        Cell::text(match row.interval {
            Ok(ends) if !baseline => interval(ends),
            _ => NONE.to_owned(),
        })
        .on_one_line(),
    );
    if summary.has_spread() {
        cells.push(Cell::text(spread_of(&row.spread)).on_one_line());
    }
    let mut verdict = verdict(summary, row);
    for mark in marks {
        verdict = html! { (verdict) span.open.mark { " · " (mark) } };
    }
    cells.push(Cell::markup(verdict, Some(row.ratio)).on_one_line());
    let bytes = row.table_bytes.map(|bytes| bytes as f64);
    cells.push(Cell::number(bytes, |bytes| format_bytes(bytes as u64)));
    cells.push(Cell::text(row.control.name()));
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
        (Some(verdict), _) => html! { span.(tone(verdict)) { (text_of(verdict)) } },
        (None, Err(few)) => html! { span.open { "none: " (few) } },
        (None, Ok(_)) => html! { span.open { "none: no A/A control" } },
    }
}

/// The notes below a table: floor, comparisons, disturbances and what they change, how a replay was learnt, which
/// designs have memorised the positions, and designs that take no part.
fn below(view: View<'_>, summary: &PanelSummary, memorised: &[Option<bool>]) -> Markup {
    let marked: u64 = summary.rows.iter().map(|row| row.marked).sum();
    let samples = summary.rounds * summary.rows.len();
    let marks = marks_of(summary);
    let disturbances: Vec<String> =
        marks.iter().map(|(mark, count)| format!("{mark} {count}")).collect();
    html! {
        p.note {
            "Ratios are of total times over " (summary.positions(view.judged.results)) ". "
            @if let Some(control) = summary.aa_control {
                "A/A control: floor " (percent(control.floor.fraction())) "; "
                (view.judged.results.name(&summary.panel.baseline)) " against itself "
                (middle(control.ratio)) " (" (interval(control.ratio)) "). "
            } @else {
                "There is no A/A control and therefore no verdict: there are too few rounds. "
            }
            @if let Some(resolution) = summary.resolution {
                "The smallest difference that this panel resolves for the median design is " (percent(resolution)) ". "
            }
            "All intervals together hold with 95 % confidence ("
            (plural(summary.comparisons, "comparison")) "). "
            @if summary.has_spread() {
                "Spread: two standard deviations of the ratio over layouts and processes together, each at \
                 its upper confidence bound of 80 %; an effect below its spread is not resolved. "
            }
            @if marked == 0 { "No disturbance of a sample was detected." } @else {
                (grouped(marked)) " of " (plural(samples, "sample"))
                " were disturbed: " (list(&disturbances)) "."
                @if marks.contains_key(&Mark::BusyNeighbour) {
                    " Samples beside a neighbour are left out."
                }
            }
            @for note in summary.notes_on_disturbances() { " " (note) "." }
            @let lost = summary.without_samples(view.judged.results);
            @if !lost.is_empty() {
                " Not in this table, because disturbances left no block: " (list(&lost)) "."
            }
            @if let Some(note) = summary.note_on_learning(view.judged.results) { " " (note) }
            @if let Some(note) = memorised_note(&summary.panel, memorised) { " " (note) }
            @if let Some(note) = boards::note(view.judged.results, summary) { " " (note) }
            @if let Some(note) = summary.note_on_search() { " " (note) }
            @if let Some(note) = note_on_placebo(view, summary) { " " (note) }
            @let out = summary.left_out(view.judged.results);
            @if !out.is_empty() {
                " Not in this table, because " (summary.panel.call.why_not_offered()) ": "
                (list(&out)) "."
            }
        }
    }
}

/// The change of costs from the placebo of a panel, if the session has it.
fn note_on_placebo(view: View<'_>, summary: &PanelSummary) -> Option<String> {
    let placebo = placebo_of(&view.judged.panels, &summary.panel)?;
    let metric = Metric::of([placebo, summary]);
    let margin = view.judged.results.session.margin;
    let change = Changes::of([placebo, summary], metric.per_position, margin).text();
    Some(format!(
        "Compared with the placebo, which executes {SAME_CODE}, the cost of a position here {change}. That is the \
         part of the branch predictor."
    ))
}

/// The number of samples of all designs with each mark.
fn marks_of(summary: &PanelSummary) -> BTreeMap<Mark, u64> {
    let mut sums: BTreeMap<Mark, u64> = BTreeMap::new();
    for (&mark, count) in summary.rows.iter().flat_map(|row| &row.marks) {
        *sums.entry(mark).or_insert(0) += count;
    }
    sums
}
