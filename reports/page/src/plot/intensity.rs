//! Cost of a position against the intensity of a regime: the branches that run before each call, or the bytes of other
//! data that are read between calls.
//!
//! Random branches overwrite the predictor, and their code displaces that of the design. The placebo is the
//! same code with constant outcomes, so the step from the placebo to the cold regime is the predictor's. Other data
//! displace boards and tables from the caches.

use raywalk_judge::format::{cost, grouped, percent};
use raywalk_judge::intensity::{Curve, Growth, Point, Series};
use raywalk_judge::summary::PanelSummary;
use raywalk_results::schema::RegimeKind;

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
struct Axis {
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

const COLD: Axis = Axis {
    regime: RegimeKind::Cold,
    placebo: Some(RegimeKind::ColdPlacebo),
    id: "intensity",
    title: "Cost by intensity of the cold regime",
    unit: "branches",
    size: 1,
    what: "branches before each call",
};

const PRESSURE: Axis = Axis {
    regime: RegimeKind::Pressure,
    placebo: None,
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
    let series = Series::of(&view.judged.panels, axis.regime, axis.placebo, axis.size)?;
    let panels: Vec<&PanelSummary> =
        series.panels.iter().chain(&series.placebo).map(|&(_, panel)| panel).collect();
    let metric = Metric::of(panels.iter().copied());
    let curves = series.curves(metric.per_position);
    let finding = finding(&series, &curves, axis)?;
    let legend = match series.placebo.is_empty() {
        true => "vertical line: interval",
        false => "vertical line: interval; ring and thin line: placebo",
    };
    let plot = Plot { view, curves, metric, axis, legend };
    let first = &panels[0].panel;
    Some(Figure {
        id: format!("{}{}", view.prefix, axis.id),
        title: format!("{}: {}, {}", axis.title, first.workload, first.call.label()),
        finding,
        canvas: plot.paint(),
        narrow: plot.paint_narrow(),
        numbers: plot.numbers(&panels),
    })
}

fn finding(series: &Series<'_>, curves: &[Curve<'_>], axis: &Axis) -> Option<String> {
    let Growth { factor, placebo_share, over_placebo } = series.growth(curves)?;
    let least = grouped(series.panels.first()?.0);
    let (most, what, factor) = (grouped(series.panels.last()?.0), axis.what, cost(factor));
    let mut text = format!(
        "From {least} to {most} {what} the cost of a position grows {factor}-fold for the median design."
    );
    let same_code = "the same code with constant outcomes";
    if let Some(share) = placebo_share {
        let share = percent(share.max(0.0));
        text.push_str(&format!(" The placebo, {same_code}, explains {share} of that growth."));
    } else if let Some(ratio) = over_placebo {
        let ratio = cost(ratio);
        text.push_str(&format!(
            " At {least} branches it is {ratio} times that of the placebo, {same_code}."
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
    fn paint(&self) -> Canvas {
        let shown = drawn(self.view, &self.curves, |curve| &curve.row.id);
        let mut canvas = Canvas::new((shown.len() as i32 * 16 + 90).max(420));
        let top = self.head(&mut canvas);
        canvas.text((WIDTH - 8, 14), Anchor::Left, Ink::Muted, self.legend);
        let frame = Frame { x: 64..WIDTH - 230, y: top..canvas.height() - 50 };
        let axes = self.grid(&mut canvas, &frame);
        let end = |curve: &Curve<'_>| curve.points.last().map(|point| place(&axes, point));
        let last: Vec<_> = shown.iter().filter_map(|curve| end(curve)).collect();
        let heights: Vec<f64> = last.iter().map(|&(_, y)| f64::from(y)).collect();
        let labels = spread(&heights, 16.0, 30.0, f64::from(canvas.height() - 12));
        for ((curve, label), end) in shown.iter().zip(labels).zip(last) {
            let (id, keys) = (&curve.row.id, self.view.keys);
            self.draw(&mut canvas, &axes, curve);
            let (left, y) = (frame.x.end + 30, label.round() as i32);
            canvas.line([(end.0 + 8, end.1), (left - 12, y)], keys.ink(id), 1);
            canvas.marker((left - 6, y), keys.shape(id), keys.ink(id));
            let text = keys.paint(id, Ink::Text);
            canvas.text((left + 4, y), Anchor::Right, text, &keys.label(id, 26));
        }
        self.foot(&mut canvas, &frame, shown.len());
        canvas
    }

    /// The names stand below the curves, in the order of their ends.
    fn paint_narrow(&self) -> Canvas {
        let mut canvas = Canvas::narrow();
        let mut shown = drawn(self.view, &self.curves, |curve| &curve.row.id);
        let top = self.head(&mut canvas);
        let top = paragraph(&mut canvas, top, self.legend);
        let frame = Frame { x: 52..NARROW - 18, y: top..top + NARROW_HEIGHT };
        let axes = self.grid(&mut canvas, &frame);
        let end = self.foot(&mut canvas, &frame, shown.len());
        let last = |curve: &Curve<'_>| curve.points.last().map_or(0.0, |point| point.cost);
        shown.sort_by(|one, other| last(other).total_cmp(&last(one)));
        shown.iter().for_each(|curve| self.draw(&mut canvas, &axes, curve));
        key(&mut canvas, self.view, end + LINE / 2, shown.iter().map(|curve| &*curve.row.id));
        canvas
    }

    fn head(&self, canvas: &mut Canvas) -> i32 {
        head(canvas, &format!("{} per position, log scale", self.metric.long))
    }

    fn foot(&self, canvas: &mut Canvas, frame: &Frame, shown: usize) -> i32 {
        let note = note(shown, self.curves.len());
        foot(canvas, frame, &format!("{} (log scale)", self.axis.what), note.as_deref())
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
        let mut table = Table::new(caption, &columns);
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
        match Some(panel.panel.regime.kind) == self.axis.placebo {
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
