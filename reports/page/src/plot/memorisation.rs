//! The memorisation curve: cost of a move when the same K positions repeat.
//!
//! A branch predictor memorises a short sequence, so a benchmark on a small corpus measures a
//! predictor that knows every outcome. The curve shows at which K this ends, and that the ranking
//! of designs depends on it.

use raywalk_judge::format::{cost, grouped};
use raywalk_judge::summary::PanelSummary;
use raywalk_results::statistics::median;

use super::canvas::{Anchor, Canvas, Frame, WIDTH, at, clipped, log_log};
use super::figure::Figure;
use super::labels::spread;
use super::scale::{log_range, log_ticks, tick};
use crate::palette::Ink;
use crate::table::{Cell, Table};
use crate::view::{Metric, View};

struct Curve<'a> {
    id: &'a str,
    name: &'a str,
    /// K and cost per move.
    points: Vec<(f64, f64)>,
}

/// One line per design; needs two values of K.
pub(crate) fn figure(view: View<'_>) -> Option<Figure> {
    let panels = view.judged.memorisation();
    let (&(least, first), &(most, _)) = (panels.first()?, panels.last()?);
    if panels.len() < 2 {
        return None;
    }
    let metric = Metric::of(panels.iter().map(|&(_, panel)| panel));
    let curve = |id, name| {
        let cost = |&(k, panel): &(u64, &PanelSummary)| {
            Some((k as f64, (metric.per_move)(panel.row(id)?)?))
        };
        Curve { id, name, points: panels.iter().filter_map(cost).collect() }
    };
    let curves: Vec<Curve<'_>> = first
        .rows
        .iter()
        .map(|row| curve(row.id.as_str(), row.name.as_str()))
        .filter(|curve| curve.points.len() >= 2)
        .collect();
    let finding = finding(&curves, least, most)?;
    let mut canvas = Canvas::new((curves.len() as i32 * 16 + 90).max(460));
    paint(&mut canvas, view, &curves, metric);
    Some(Figure {
        id: format!("{}memorisation", view.prefix),
        title: "Memorisation: cost of a move when the same K positions repeat".to_owned(),
        finding,
        canvas,
        numbers: numbers(view, &panels, &curves, metric),
    })
}

/// Growth from the first to the last point, and the step at which the curves are steepest.
fn finding(curves: &[Curve<'_>], least: u64, most: u64) -> Option<String> {
    let growth = |curve: &Curve<'_>| curve.points.last().map(|p| p.1 / curve.points[0].1);
    let mut grown: Vec<(f64, &str)> =
        curves.iter().filter_map(|curve| Some((growth(curve)?, curve.name))).collect();
    grown.sort_by(|one, other| one.0.total_cmp(&other.0));
    let (&(small, flattest), &(large, steepest_design)) = (grown.first()?, grown.last()?);
    let steps = curves.iter().map(|curve| curve.points.len() - 1).min()?;
    let steepness = |step: usize| {
        let ratios: Vec<f64> =
            curves.iter().map(|c| c.points[step + 1].1 / c.points[step].1).collect();
        median(&ratios).unwrap_or(1.0)
    };
    let steepest = (0..steps).max_by(|&a, &b| steepness(a).total_cmp(&steepness(b)))?;
    let from = &curves.first()?.points;
    Some(format!(
        "From K = {} to K = {} the cost of a move grows {}-fold for {steepest_design} and {}-fold for \
         {flattest}. The steepest step is from {} to {} positions, where the cost of the median \
         design grows {}-fold.",
        grouped(least),
        grouped(most),
        cost(large),
        cost(small),
        grouped(from[steepest].0 as u64),
        grouped(from[steepest + 1].0 as u64),
        cost(steepness(steepest)),
    ))
}

fn paint(canvas: &mut Canvas, view: View<'_>, curves: &[Curve<'_>], metric: Metric) {
    let frame = Frame { x: 64..WIDTH - 230, y: 34..canvas.height() - 48 };
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let x = log_range(points().map(|point| point.0), 0.02).unwrap_or(1.0..10.0);
    let y = log_range(points().map(|point| point.1), 0.06).unwrap_or(1.0..10.0);
    let axes = log_log(x, y.clone(), &frame);
    for value in log_ticks(&y, 8) {
        frame.across(canvas, at(&axes, 1.0, value).1, &tick(value));
    }
    let mut ks: Vec<u64> = points().map(|point| point.0 as u64).collect();
    ks.sort_unstable();
    ks.dedup();
    for k in ks {
        frame.down(canvas, at(&axes, k as f64, y.start).0, &grouped(k));
    }
    frame.axes(canvas);
    let name = format!("{} per move, log scale", metric.long);
    canvas.text((4, 14), Anchor::Right, Ink::Muted, &name);
    frame.name_below(canvas, "K, number of distinct positions (log scale)");
    let ends: Vec<f64> = curves
        .iter()
        .filter_map(|curve| curve.points.last())
        .map(|&(k, value)| f64::from(at(&axes, k, value).1))
        .collect();
    let labels = spread(&ends, 16.0, 8.0, f64::from(canvas.height() - 12));
    for (curve, label) in curves.iter().zip(labels) {
        let ink = view.keys.ink(curve.id);
        let shape = view.keys.shape(curve.id);
        let line: Vec<_> = curve.points.iter().map(|&(k, cost)| at(&axes, k, cost)).collect();
        let end = line.last().copied().unwrap_or((frame.x.end, frame.y.end));
        canvas.line(line.clone(), ink, 2);
        for point in line {
            canvas.marker(point, shape, ink);
        }
        let (left, y) = (frame.x.end + 30, label.round() as i32);
        canvas.line([(end.0 + 8, end.1), (left - 12, y)], ink, 1);
        canvas.marker((left - 6, y), shape, ink);
        let text = view.keys.paint(curve.id, Ink::Text);
        canvas.text((left + 4, y), Anchor::Right, text, &clipped(curve.name, 26));
    }
}

fn numbers(
    view: View<'_>,
    panels: &[(u64, &PanelSummary)],
    curves: &[Curve<'_>],
    metric: Metric,
) -> Table {
    let mut columns = vec!["Design".to_owned()];
    columns.extend(panels.iter().map(|(k, _)| format!("K = {}", grouped(*k))));
    let caption = format!("Numbers of the plot: {} per move", metric.long);
    let mut table = Table::new(caption, &columns);
    for curve in curves {
        let value = |k: u64| curve.points.iter().find(|point| point.0 == k as f64).map(|p| p.1);
        let cells = panels.iter().map(|&(k, _)| Cell::number(value(k), cost)).collect();
        table.design(view.keys, curve.id, curve.name, cells);
    }
    table
}
