//! Cost of a position against the intensity of a regime: the branches that run before each call, or the bytes of other
//! data that are read between calls.
//!
//! Random branches overwrite the predictor, and their code displaces that of the design. The placebo is the same code
//! with constant outcomes, so the step from the placebo to the cold regime is the effect of the predictor. Other data
//! displace boards and tables from the caches.

use raywalk_judge::across::Changes;
use raywalk_judge::format::grouped;
use raywalk_judge::intensity::{Curve, Point, Series};
use raywalk_judge::summary::PanelSummary;
use raywalk_results::schema::RegimeKind;

use super::canvas::{Canvas, Frame, LogLog, at};
use super::curves::{frame_below, name_ends};
use super::figure::Figure;
use super::grid::log_grid;
use super::narrow::{drawn, foot, note};
use super::scale::log_range;
use crate::label::About;
use crate::palette::Ink;
use crate::table::{Table, with_interval};
use crate::view::{Metric, View};

/// What a placebo executes.
pub(crate) const SAME_CODE: &str = "the same code with constant outcomes";

/// The regime whose intensity is varied, and how the axis names it.
pub(crate) struct Axis {
    regime: RegimeKind,
    /// Part of the figure's id.
    id: &'static str,
    /// Title of the figure and of its place where it is missing.
    pub(crate) title: &'static str,
    /// Unit of the axis, and how many of the journal's units it has.
    unit: &'static str,
    size: u64,
    /// The unit with its meaning, for sentences.
    what: &'static str,
}

pub(crate) const COLD: Axis = Axis {
    regime: RegimeKind::Cold,
    id: "intensity",
    title: "Cost by intensity of the cold regime",
    unit: "branches",
    size: 1,
    what: "branches before each call",
};

pub(crate) const PRESSURE: Axis = Axis {
    regime: RegimeKind::Pressure,
    id: "pressure",
    title: "Cost under pressure on the caches",
    unit: "KiB",
    size: 1024,
    what: "KiB of other data between calls",
};

/// One line per design; needs two intensities of the cold regime on one workload with one call.
pub(crate) fn figure(view: View<'_>) -> Option<Figure> {
    of(view, &COLD)
}

/// One line per design; needs two sizes of other data on one workload with one call.
pub(crate) fn pressure(view: View<'_>) -> Option<Figure> {
    of(view, &PRESSURE)
}

fn of(view: View<'_>, axis: &Axis) -> Option<Figure> {
    let series = Series::of(&view.judged.panels, axis.regime, axis.size)?;
    let panels: Vec<&PanelSummary> =
        series.panels.iter().chain(&series.placebo).map(|&(_, panel)| panel).collect();
    let metric = Metric::of(panels.iter().copied());
    let curves = series.curves(metric.per_position);
    let finding = finding(view, &series, axis, metric)?;
    let legend = match series.placebo.is_empty() {
        true => "vertical line: interval",
        false => "vertical line: interval; ring and thin line: placebo",
    };
    let plot = Plot { view, curves, metric, axis, legend };
    let first = &panels[0].panel;
    Some(Figure {
        id: axis.id.to_owned(),
        title: format!("{}: {}, {}", axis.title, first.workload, first.call.label()),
        finding,
        canvas: plot.paint(Canvas::new),
        narrow: plot.paint(|_| Canvas::narrow()),
        numbers: plot.numbers(&panels),
    })
}

fn finding(view: View<'_>, series: &Series<'_>, axis: &Axis, metric: Metric) -> Option<String> {
    let margin = view.judged.results.session.margin;
    let change = |panels| Changes::of(panels, metric.per_position, margin).text();
    let (&(least, first), &(most, last)) = (series.panels.first()?, series.panels.last()?);
    let (from, to, what) = (grouped(least), grouped(most), axis.what);
    let mut text =
        format!("From {from} to {to} {what} the cost of a position {}.", change([first, last]));
    let placebo = |at: u64| series.placebo.iter().find(|one| one.0 == at).map(|&(_, panel)| panel);
    if let (Some(less), Some(more)) = (placebo(least), placebo(most)) {
        text.push_str(&format!(" With the placebo, {SAME_CODE}, it {}.", change([less, more])));
    }
    if let Some(placebo) = placebo(least) {
        text.push_str(&format!(
            " From the placebo to the regime itself, at {from} {}, it {}.",
            axis.unit,
            change([placebo, first])
        ));
    }
    Some(text)
}

struct Plot<'a> {
    view: View<'a>,
    curves: Vec<Curve<'a>>,
    metric: Metric,
    axis: &'a Axis,
    legend: &'static str,
}

impl Plot<'_> {
    fn paint(&self, canvas: fn(i32) -> Canvas) -> Canvas {
        let shown = drawn(self.view, &self.curves, |curve| &curve.row.id);
        let mut canvas = canvas((shown.len() as i32 * 16 + 90).max(420));
        let axis = format!("{} per position, log scale", self.metric.long);
        let frame = frame_below(&mut canvas, &axis, self.legend);
        let axes = self.grid(&mut canvas, &frame);
        let note = note(shown.len(), self.curves.len());
        let axis = format!("{} (log scale)", self.axis.what);
        let end = foot(&mut canvas, &frame, &axis, note.as_deref());
        shown.iter().for_each(|curve| self.draw(&mut canvas, &axes, curve));
        let end_of = |curve: &&Curve<'_>| curve.points.last().map(|point| place(&axes, point));
        let ends = shown.iter().filter_map(|curve| Some((&*curve.row.id, end_of(curve)?)));
        name_ends(&mut canvas, self.view, &frame, end, ends.collect());
        canvas
    }

    /// The axes of all curves, and the curves in grey, behind those that are named.
    fn grid(&self, canvas: &mut Canvas, frame: &Frame) -> LogLog {
        let all = || self.curves.iter().flat_map(|curve| curve.points.iter().chain(&curve.placebo));
        let x = log_range(all().map(|point| point.at as f64), 0.04).unwrap_or(1.0..10.0);
        let costs = all().map(ends).flat_map(|(low, high)| [low, high]);
        let y = log_range(costs, 0.06).unwrap_or(1.0..10.0);
        let axes = log_grid(canvas, frame, x, y, all().map(|point| point.at));
        for curve in &self.curves {
            let line = curve.points.iter().map(|point| place(&axes, point));
            canvas.line(line, self.view.keys.paint(&curve.row.id, Ink::Grid), 1);
        }
        axes
    }

    /// A curve with its placebo, its intervals and its markers.
    fn draw(&self, canvas: &mut Canvas, axes: &LogLog, curve: &Curve<'_>) {
        let id = &curve.row.id;
        let (ink, shape) = (self.view.keys.ink(id), self.view.keys.shape(id));
        canvas.line(curve.placebo.iter().map(|point| place(axes, point)), ink, 1);
        canvas.line(curve.points.iter().map(|point| place(axes, point)), ink, 2);
        for point in curve.points.iter().chain(&curve.placebo) {
            let (low, high) = ends(point);
            canvas.line([low, high].map(|cost| at(axes, point.at as f64, cost)), ink, 2);
        }
        curve.placebo.iter().for_each(|point| canvas.ring(place(axes, point), 4, ink));
        for point in &curve.points {
            let (amount, unit) = (grouped(point.at), self.axis.unit);
            let value = self.metric.format(point.cost, point.row);
            let says = format!("{}, {amount} {unit}: {value} per position", curve.row.name);
            canvas.mark(place(axes, point), shape, ink, &says);
        }
    }

    fn numbers(&self, panels: &[&PanelSummary]) -> Table {
        let mut columns = vec!["Design".to_owned()];
        for panel in panels {
            columns.extend([self.heading(panel), "interval".to_owned()]);
        }
        let caption = format!("Numbers of the plot: {} per position", self.metric.long);
        let mut table = Table::new(
            self.view.label(
                caption,
                self.metric.provenance,
                About::panels("with the intensity of its column", panels.iter().copied()),
            ),
            &columns,
        );
        for curve in &self.curves {
            let mut cells = Vec::new();
            for panel in panels {
                let row = panel.row(&curve.row.id);
                cells.extend(with_interval(row, row.and_then(self.metric.per_position)));
            }
            table.design(self.view.keys, &curve.row.id, &curve.row.name, cells);
        }
        table
    }

    /// The intensity, and whether it is the placebo's.
    fn heading(&self, panel: &PanelSummary) -> String {
        let amount = panel.panel.regime.intensity.map_or(0, |one| one.amount / self.axis.size);
        let amount = format!("{} {}", grouped(amount), self.axis.unit);
        match Some(panel.panel.regime.kind) == self.axis.regime.placebo() {
            true => format!("placebo, {amount}"),
            false => amount,
        }
    }
}

fn place(axes: &LogLog, point: &Point<'_>) -> (i32, i32) {
    at(axes, point.at as f64, point.cost)
}

/// The ends of the interval of a point.
fn ends(point: &Point<'_>) -> (f64, f64) {
    point.row.ends(point.cost).unwrap_or((point.cost, point.cost))
}
