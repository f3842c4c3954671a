//! Two dose-responses: cost of a position against the branches that run before each call, and against the bytes of
//! other data that are read between calls.
//!
//! Random branches overwrite the predictor, and their code displaces that of the design. The placebo is the
//! same code with constant outcomes, so the step from the placebo to the cold regime is the predictor's. Other data
//! displace boards and tables from the caches.

use raywalk_judge::format::{cost, grouped, percent};
use raywalk_judge::summary::{PanelSummary, Row};
use raywalk_results::schema::RegimeKind;
use raywalk_results::statistics::median;

use super::canvas::{Anchor, Canvas, Frame, LogLog, NARROW, WIDTH, at};
use super::figure::Figure;
use super::grid::log_grid;
use super::labels::spread;
use super::narrow::{LINE, drawn, foot, head, key, note, paragraph};
use super::scale::log_range;
use crate::palette::Ink;
use crate::table::{Table, with_interval};
use crate::view::{Metric, View};

/// Height of the plot in a narrow window, without the names of the curves.
const NARROW_HEIGHT: i32 = 250;

/// What is varied.
struct Dose {
    regime: RegimeKind,
    placebo: Option<RegimeKind>,
    /// Part of the figure's id.
    id: &'static str,
    title: &'static str,
    /// Unit of the axis, and how many of the journal's units it has.
    unit: &'static str,
    size: u64,
    /// What there are so many of.
    what: &'static str,
}

const COLD: Dose = Dose {
    regime: RegimeKind::Cold,
    placebo: Some(RegimeKind::ColdPlacebo),
    id: "doses",
    title: "Dose-response of the cold regime",
    unit: "branches",
    size: 1,
    what: "branches before each call",
};

const PRESSURE: Dose = Dose {
    regime: RegimeKind::Pressure,
    placebo: None,
    id: "pressure",
    title: "Cost under pressure on the caches",
    unit: "KiB",
    size: 1024,
    what: "KiB of other data between calls",
};

/// The panels of one workload and call, by rising dose.
struct Series<'a> {
    cold: Vec<(u64, &'a PanelSummary)>,
    placebo: Vec<(u64, &'a PanelSummary)>,
}

/// A design: dose and cost of each panel, and the row that the cost comes from.
struct Curve<'a> {
    row: &'a Row,
    cold: Vec<Point<'a>>,
    placebo: Vec<Point<'a>>,
}

struct Point<'a> {
    dose: f64,
    cost: f64,
    row: &'a Row,
}

/// One line per design; needs two doses of the cold regime on one workload with one call.
pub(crate) fn figure(view: View<'_>) -> Option<Figure> {
    of(view, &COLD)
}

/// One line per design; needs two sizes of other data on one workload with one call.
pub(crate) fn pressure(view: View<'_>) -> Option<Figure> {
    of(view, &PRESSURE)
}

fn of(view: View<'_>, dose: &Dose) -> Option<Figure> {
    let series = series(&view.judged.panels, dose)?;
    let (least, first) = *series.cold.first()?;
    let (most, _) = *series.cold.last()?;
    let metric = Metric::of(series.cold.iter().chain(&series.placebo).map(|&(_, panel)| panel));
    let curves = curves(&series, first, metric);
    let finding = finding(&curves, dose, least, most)?;
    let has_placebo = !series.placebo.is_empty();
    Some(Figure {
        id: format!("{}{}", view.prefix, dose.id),
        title: format!("{}: {}, {}", dose.title, first.panel.workload, first.panel.call.label()),
        finding,
        canvas: paint(view, &curves, metric, dose, has_placebo),
        narrow: paint_narrow(view, &curves, metric, dose, has_placebo),
        numbers: numbers(view, dose, &series, &curves, metric),
    })
}

/// The workload and call with the most doses; the first of the plan if several have as many.
fn series<'a>(panels: &'a [PanelSummary], dose: &Dose) -> Option<Series<'a>> {
    let of = |kind: RegimeKind, like: &PanelSummary| {
        let alike = panels.iter().filter(|panel| !panel.rows.is_empty()).filter(|summary| {
            let panel = &summary.panel;
            panel.regime.kind == kind
                && (&panel.workload, panel.call) == (&like.panel.workload, like.panel.call)
        });
        let amount = |panel: &PanelSummary| Some(panel.panel.regime.intensity?.amount / dose.size);
        let mut doses: Vec<_> = alike.filter_map(|panel| Some((amount(panel)?, panel))).collect();
        // A logarithmic axis has no zero.
        doses.retain(|&(dose, _)| dose > 0);
        doses.sort_by_key(|&(dose, _)| dose);
        doses.dedup_by_key(|&mut (dose, _)| dose);
        doses
    };
    let is_dosed = |panel: &&PanelSummary| panel.panel.regime.kind == dose.regime;
    let all = panels.iter().filter(is_dosed).map(|like| Series {
        cold: of(dose.regime, like),
        placebo: dose.placebo.map_or_else(Vec::new, |placebo| of(placebo, like)),
    });
    // Of equal ones `max_by_key` takes the last.
    let all: Vec<_> = all.filter(|series| series.cold.len() >= 2).collect();
    all.into_iter().rev().max_by_key(|series| series.cold.len())
}

fn curves<'a>(series: &Series<'a>, first: &'a PanelSummary, metric: Metric) -> Vec<Curve<'a>> {
    let points = |panels: &[(u64, &'a PanelSummary)], id: &str| -> Vec<Point<'a>> {
        let point = |&(dose, panel): &(u64, &'a PanelSummary)| {
            let row = panel.row(id)?;
            Some(Point { dose: dose as f64, cost: (metric.per_position)(row)?, row })
        };
        panels.iter().filter_map(point).collect()
    };
    let curve = |row: &'a Row| Curve {
        row,
        cold: points(&series.cold, &row.id),
        placebo: points(&series.placebo, &row.id),
    };
    first.rows.iter().map(curve).filter(|curve| curve.cold.len() == series.cold.len()).collect()
}

/// Growth from the smallest to the largest dose for the median design, and the part of it that the placebo
/// shows as well.
fn finding(curves: &[Curve<'_>], dose: &Dose, least: u64, most: u64) -> Option<String> {
    let ends = |points: &[Point<'_>]| {
        let at = |dose: u64| points.iter().find(|point| point.dose == dose as f64);
        Some((at(least)?.cost, at(most)?.cost))
    };
    let middle = |of: &dyn Fn(&Curve<'_>) -> Option<f64>| {
        median(&curves.iter().filter_map(of).collect::<Vec<_>>())
    };
    let growth = middle(&|curve| ends(&curve.cold).map(|(low, high)| high / low))?;
    let mut text = format!(
        "From {} to {} {} the cost of a position grows {}-fold for the median design.",
        grouped(least),
        grouped(most),
        dose.what,
        cost(growth),
    );
    let shares = |curve: &Curve<'_>| {
        let ((cold_low, cold_high), (low, high)) = (ends(&curve.cold)?, ends(&curve.placebo)?);
        (cold_high > cold_low).then(|| (high - low) / (cold_high - cold_low))
    };
    let at_least = |curve: &Curve<'_>| {
        let at = |points: &[Point<'_>]| {
            points.iter().find(|point| point.dose == least as f64).map(|point| point.cost)
        };
        Some(at(&curve.cold)? / at(&curve.placebo)?)
    };
    if let Some(share) = middle(&shares) {
        let (cold, placebo) = ("the same code with constant outcomes", percent(share.max(0.0)));
        text.push_str(&format!(" The placebo, {cold}, explains {placebo} of that growth."));
    } else if let Some(ratio) = middle(&at_least) {
        text.push_str(&format!(
            " At {} branches it is {} times that of the placebo, the same code with constant outcomes.",
            grouped(least),
            cost(ratio),
        ));
    }
    Some(text)
}

fn paint(
    view: View<'_>,
    curves: &[Curve<'_>],
    metric: Metric,
    dose: &Dose,
    has_placebo: bool,
) -> Canvas {
    let shown = drawn(view, curves, |curve| &curve.row.id);
    let mut canvas = Canvas::new((shown.len() as i32 * 16 + 90).max(420));
    let top = head(&mut canvas, &format!("{} per position, log scale", metric.long));
    canvas.text((WIDTH - 8, 14), Anchor::Left, Ink::Muted, legend(has_placebo));
    let frame = Frame { x: 64..WIDTH - 230, y: top..canvas.height() - 50 };
    let axes = grid(&mut canvas, curves, &frame);
    others(&mut canvas, view, &axes, curves);
    let end = |curve: &Curve<'_>| curve.cold.last().map(|point| at(&axes, point.dose, point.cost));
    let last: Vec<_> = shown.iter().filter_map(|curve| end(curve)).collect();
    let heights: Vec<f64> = last.iter().map(|&(_, y)| f64::from(y)).collect();
    let labels = spread(&heights, 16.0, 30.0, f64::from(canvas.height() - 12));
    for ((curve, label), end) in shown.iter().zip(labels).zip(last) {
        let id = &curve.row.id;
        let (ink, shape) = (view.keys.ink(id), view.keys.shape(id));
        draw(&mut canvas, view, &axes, curve, metric, dose);
        let (left, y) = (frame.x.end + 30, label.round() as i32);
        canvas.line([(end.0 + 8, end.1), (left - 12, y)], ink, 1);
        canvas.marker((left - 6, y), shape, ink);
        let text = view.keys.paint(id, Ink::Text);
        canvas.text((left + 4, y), Anchor::Right, text, &view.keys.label(id, 26));
    }
    let note = note(shown.len(), curves.len());
    foot(&mut canvas, &frame, &format!("{} (log scale)", dose.what), note.as_deref());
    canvas
}

/// The names stand below the curves, in the order of their ends.
fn paint_narrow(
    view: View<'_>,
    curves: &[Curve<'_>],
    metric: Metric,
    dose: &Dose,
    has_placebo: bool,
) -> Canvas {
    let mut canvas = Canvas::narrow();
    let mut shown = drawn(view, curves, |curve| &curve.row.id);
    let top = head(&mut canvas, &format!("{} per position, log scale", metric.long));
    let top = paragraph(&mut canvas, top, legend(has_placebo));
    let frame = Frame { x: 52..NARROW - 18, y: top..top + NARROW_HEIGHT };
    let axes = grid(&mut canvas, curves, &frame);
    others(&mut canvas, view, &axes, curves);
    let note = note(shown.len(), curves.len());
    let axis = format!("{} (log scale)", dose.what);
    let end = foot(&mut canvas, &frame, &axis, note.as_deref());
    let last = |curve: &Curve<'_>| curve.cold.last().map_or(0.0, |point| point.cost);
    shown.sort_by(|one, other| last(other).total_cmp(&last(one)));
    shown.iter().for_each(|curve| draw(&mut canvas, view, &axes, curve, metric, dose));
    key(&mut canvas, view, end + LINE / 2, shown.iter().map(|curve| &*curve.row.id));
    canvas
}

/// All curves in grey, behind those that are named.
fn others(canvas: &mut Canvas, view: View<'_>, axes: &LogLog, curves: &[Curve<'_>]) {
    for curve in curves {
        let line = curve.cold.iter().map(|point| at(axes, point.dose, point.cost));
        canvas.line(line, view.keys.paint(&curve.row.id, Ink::Grid), 1);
    }
}

fn legend(has_placebo: bool) -> &'static str {
    match has_placebo {
        true => "vertical line: interval; ring and thin line: placebo",
        false => "vertical line: interval",
    }
}

/// The ends of the interval of a point.
fn ends(point: &Point<'_>) -> (f64, f64) {
    point.row.ends(point.cost).unwrap_or((point.cost, point.cost))
}

/// The axes of all curves.
fn grid(canvas: &mut Canvas, curves: &[Curve<'_>], frame: &Frame) -> LogLog {
    let all = || curves.iter().flat_map(|curve| curve.cold.iter().chain(&curve.placebo));
    let x = log_range(all().map(|point| point.dose), 0.04).unwrap_or(1.0..10.0);
    let costs = all().map(ends).flat_map(|(low, high)| [low, high]);
    let y = log_range(costs, 0.06).unwrap_or(1.0..10.0);
    log_grid(canvas, frame, x, y, all().map(|point| point.dose as u64))
}

/// A curve with its placebo, its intervals and its markers.
fn draw(
    canvas: &mut Canvas,
    view: View<'_>,
    axes: &LogLog,
    curve: &Curve<'_>,
    metric: Metric,
    dose: &Dose,
) {
    let (ink, shape) = (view.keys.ink(&curve.row.id), view.keys.shape(&curve.row.id));
    let place = |point: &Point<'_>| at(axes, point.dose, point.cost);
    canvas.line(curve.placebo.iter().map(place), ink, 1);
    canvas.line(curve.cold.iter().map(place), ink, 2);
    for point in curve.cold.iter().chain(&curve.placebo) {
        let (low, high) = ends(point);
        canvas.line([low, high].map(|cost| at(axes, point.dose, cost)), ink, 2);
    }
    curve.placebo.iter().for_each(|point| canvas.ring(place(point), 4, ink));
    for point in &curve.cold {
        let (amount, unit) = (grouped(point.dose as u64), dose.unit);
        let value = metric.format(point.cost, point.row);
        let says = format!("{}, {amount} {unit}: {value} per position", curve.row.name);
        canvas.mark(place(point), shape, ink, &says);
    }
}

fn numbers(
    view: View<'_>,
    dose: &Dose,
    series: &Series<'_>,
    curves: &[Curve<'_>],
    metric: Metric,
) -> Table {
    let panels = series.cold.iter().chain(&series.placebo);
    let panels: Vec<&PanelSummary> = panels.map(|&(_, panel)| panel).collect();
    let mut columns = vec!["Design".to_owned()];
    for panel in &panels {
        columns.extend([heading(panel, dose), "interval".to_owned()]);
    }
    let caption = format!("Numbers of the plot: {} per position", metric.long);
    let mut table = Table::new(caption, &columns);
    for curve in curves {
        let mut cells = Vec::new();
        for panel in &panels {
            let row = panel.row(&curve.row.id);
            cells.extend(with_interval(row, row.and_then(metric.per_position)));
        }
        table.design(view.keys, &curve.row.id, &curve.row.name, cells);
    }
    table
}

/// The dose, and whether it is the placebo's.
fn heading(panel: &PanelSummary, dose: &Dose) -> String {
    let amount = panel.panel.regime.intensity.map_or(0, |one| one.amount / dose.size);
    let amount = format!("{} {}", grouped(amount), dose.unit);
    match Some(panel.panel.regime.kind) == dose.placebo {
        true => format!("placebo, {amount}"),
        false => amount,
    }
}
