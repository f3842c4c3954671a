//! The memorisation curve: cost of a move when the same K positions repeat.
//!
//! A branch predictor memorises a short sequence, so a benchmark on a small corpus measures a predictor that has
//! learnt every outcome. The curve shows at which K this ends, and that the ranking of designs depends on K.
//!
//! A long cycle costs more for two reasons: its branches are not learnt, and its boards come from memory. The
//! memory-matched control, a short cycle laid out as the long one, separates the two.

use raywalk_judge::across::Changes;
use raywalk_judge::format::grouped;
use raywalk_judge::memorisation::Matched;
use raywalk_judge::summary::{PanelSummary, Row};
use raywalk_results::schema::Control;

use super::canvas::{Canvas, Frame, LogLog, at};
use super::curves::{frame_below, name_ends};
use super::figure::Figure;
use super::grid::log_grid;
use super::narrow::{EACH, MOST, foot};
use super::scale::log_range;
use crate::label::About;
use crate::palette::Ink;
use crate::table::{Table, with_interval};
use crate::view::{Metric, View};

const AXIS: &str = "K, number of distinct positions (log scale)";

struct Curve<'a> {
    id: &'a str,
    name: &'a str,
    /// K and cost per move.
    points: Vec<(f64, f64)>,
    /// The row of each point.
    rows: Vec<&'a Row>,
    /// K and cost per move of the memory-matched control.
    matched: Option<(f64, f64)>,
    /// Whether it is drawn in colour and named; the others are grey.
    is_named: bool,
}

impl Curve<'_> {
    /// The ends of the interval of a point.
    fn ends(&self, place: usize) -> Option<(f64, f64)> {
        self.rows[place].ends(self.points[place].1)
    }
}

/// One line per design; needs two values of K.
pub(crate) fn figure<'a>(view: View<'a>) -> Option<Figure> {
    let panels = view.judged.memorisation();
    let (&(least, first), &(most, _)) = (panels.first()?, panels.last()?);
    if panels.len() < 2 {
        return None;
    }
    let matched = view.judged.matched();
    let drawn = panels.iter().map(|&(_, panel)| panel).chain(matched.map(|one| one.control));
    let metric = Metric::of(drawn);
    let curve = |first: &'a Row| {
        let (id, name) = (first.id.as_str(), first.name.as_str());
        let cost = |&(k, panel): &(u64, &'a PanelSummary)| {
            let row = panel.row(id)?;
            Some(((k as f64, (metric.per_move)(row)?), row))
        };
        let (points, rows) = panels.iter().filter_map(cost).unzip();
        let control =
            |one: Matched<'_>| Some((one.k as f64, (metric.per_move)(one.control.row(id)?)?));
        let matched = matched.and_then(control);
        Curve { id, name, points, rows, matched, is_named: true }
    };
    let mut curves: Vec<Curve<'a>> =
        first.rows.iter().map(curve).filter(|curve| curve.points.len() >= 2).collect();
    let last = panels.last().map_or(first, |&(_, panel)| panel);
    let margin = view.judged.results.session.margin;
    let mut finding = format!(
        "From K = {} to K = {} the cost of a move {}.",
        grouped(least),
        grouped(most),
        Changes::of([first, last], metric.per_move, margin).text()
    );
    if let Some(matched) = matched {
        finding.push_str(&parts(matched, metric, margin));
    }
    name_some(&mut curves);
    Some(Figure {
        id: "memorisation".to_owned(),
        title: "Memorisation: cost of a move when the same K positions repeat".to_owned(),
        finding,
        canvas: paint(Canvas::new(500), view, &curves, metric),
        narrow: paint(Canvas::narrow(), view, &curves, metric),
        numbers: numbers(view, &panels, matched, &curves, metric),
    })
}

/// Of many designs the fastest of each class on the longest cycle are named, so that the classes can be told apart.
fn name_some(curves: &mut [Curve<'_>]) {
    if curves.len() <= MOST {
        return;
    }
    let end = |curve: &Curve<'_>| curve.points.last().map_or(f64::MAX, |point| point.1);
    for control in Control::ALL {
        let is_of_class = |curve: &&Curve<'_>| curve.rows[0].control == control;
        let mut ends: Vec<f64> = curves.iter().filter(is_of_class).map(end).collect();
        ends.sort_by(f64::total_cmp);
        let limit = ends.get(EACH - 1).copied().unwrap_or(f64::MAX);
        for curve in curves.iter_mut().filter(|curve| curve.rows[0].control == control) {
            curve.is_named = end(curve) <= limit;
        }
    }
}

/// Costs that memory and the predictor add to a move.
fn parts(matched: Matched<'_>, metric: Metric, margin: f64) -> String {
    let Matched { control, short, long, .. } = matched;
    let change = |panels| Changes::of(panels, metric.per_move, margin).text();
    let (k, boards) = (grouped(matched.k), grouped(matched.boards));
    format!(
        " Memory alone: with the same {k} positions laid out as {boards} boards it {}. The predictor alone: with \
         {boards} different positions instead of these it {}.",
        change([short, control]),
        change([control, long]),
    )
}

fn paint(mut canvas: Canvas, view: View<'_>, curves: &[Curve<'_>], metric: Metric) -> Canvas {
    let axis = format!("{} per move, log scale", metric.long);
    let frame = frame_below(&mut canvas, &axis, &legend(view, curves));
    let axes = grid(&mut canvas, curves, &frame);
    let end = foot(&mut canvas, &frame, AXIS, None);
    let (named, others): (Vec<&Curve<'_>>, Vec<_>) = curves.iter().partition(|it| it.is_named);
    for curve in others.iter().chain(&named) {
        draw(&mut canvas, view, &axes, &frame, curve, metric);
    }
    let end_of = |curve: &&Curve<'_>| curve.points.last().map(|&(k, cost)| at(&axes, k, cost));
    let ends = named.iter().filter_map(|curve| Some((curve.id, end_of(curve)?))).collect();
    name_ends(&mut canvas, view, &frame, end, ends);
    canvas
}

/// The legend of lines and rings.
fn legend(view: View<'_>, curves: &[Curve<'_>]) -> String {
    let whisker = match curves.iter().all(|curve| curve.is_named) {
        true => "vertical line: interval",
        false => "grey: all but the fastest of each class; vertical line: interval",
    };
    match view.judged.matched() {
        Some(one) => {
            let (k, boards) = (grouped(one.k), grouped(one.boards));
            format!("{whisker}; ring on a bar: {k} positions laid out as {boards} boards")
        }
        None => whisker.to_owned(),
    }
}

/// The axes of all curves.
fn grid(canvas: &mut Canvas, curves: &[Curve<'_>], frame: &Frame) -> LogLog {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let x = log_range(points().map(|point| point.0), 0.02).unwrap_or(1.0..10.0);
    let controls = curves.iter().filter_map(|curve| curve.matched);
    let costs = points().copied().chain(controls).map(|point| point.1);
    let y = log_range(costs, 0.08).unwrap_or(1.0..10.0);
    log_grid(canvas, frame, x, y, points().map(|point| point.0 as u64))
}

/// A curve with its intervals, its markers and its control, or a grey line. An interval may leave the frame.
fn draw(
    canvas: &mut Canvas,
    view: View<'_>,
    axes: &LogLog,
    frame: &Frame,
    curve: &Curve<'_>,
    metric: Metric,
) {
    let line = curve.points.iter().map(|&(k, cost)| at(axes, k, cost));
    if !curve.is_named {
        return canvas.line(line, view.keys.paint(curve.id, Ink::Grid), 1);
    }
    let (ink, shape) = (view.keys.ink(curve.id), view.keys.shape(curve.id));
    canvas.line(line, ink, 2);
    for (place, &(k, cost)) in curve.points.iter().enumerate() {
        if let Some((low, high)) = curve.ends(place) {
            let end = |cost| {
                let (x, y) = at(axes, k, cost);
                (x, y.clamp(frame.y.start, frame.y.end))
            };
            canvas.line([low, high].map(end), ink, 2);
        }
        let value = metric.format(cost, curve.rows[place]);
        let says = format!("{}, K = {}: {value} per move", curve.name, grouped(k as u64));
        canvas.mark(at(axes, k, cost), shape, ink, &says);
    }
    if let Some((k, cost)) = curve.matched {
        let (x, y) = at(axes, k, cost);
        canvas.line([(x - 13, y), (x + 13, y)], ink, 1);
        canvas.ring((x, y), 7, ink);
    }
}

fn numbers(
    view: View<'_>,
    panels: &[(u64, &PanelSummary)],
    matched: Option<Matched<'_>>,
    curves: &[Curve<'_>],
    metric: Metric,
) -> Table {
    let control = matched.map(|one| {
        let name = format!("{} as {}", grouped(one.k), grouped(one.boards));
        (name, one.control)
    });
    let points = panels.iter().map(|&(k, panel)| (format!("K = {}", grouped(k)), panel));
    let points: Vec<_> = points.chain(control).collect();
    let mut columns = vec!["Design".to_owned()];
    for (name, _) in &points {
        columns.extend([name.clone(), "interval".to_owned()]);
    }
    let caption = format!("Numbers of the plot: {} per move", metric.long);
    let mut table = Table::new(
        view.label(
            caption,
            metric.provenance,
            About::panels("with the K of its column", points.iter().map(|(_, panel)| *panel)),
        ),
        &columns,
    );
    for curve in curves {
        let mut cells = Vec::new();
        for (_, panel) in &points {
            let row = panel.row(curve.id);
            cells.extend(with_interval(row, row.and_then(metric.per_move)));
        }
        table.design(view.keys, curve.id, curve.name, cells);
    }
    table
}
