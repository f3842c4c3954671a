//! Cache lines of a call against the bytes of the tables.
//!
//! A design with large tables does not have to touch many lines: what counts is how many lines a call needs, and
//! whether they are still in the cache when the next position needs them.

use raywalk_judge::format::{bytes, cost, grouped, rate};
use raywalk_results::schema::Trace;

use super::canvas::{Anchor, Canvas, Frame, WIDTH, at, log_log, width};
use super::figure::Figure;
use super::labels::{Area, beside};
use super::scale::{log_range, log_ticks, tick};
use crate::palette::Ink;
use crate::table::{Cell, Table};
use crate::view::View;

const HEIGHT: i32 = 460;
/// Tables smaller than this are drawn here: a logarithmic axis has no zero.
const LEAST: f64 = 64.0;

struct Point<'a> {
    name: &'a str,
    tables: u64,
    trace: &'a Trace,
}

/// One point per traced design of the first traced workload; needs two.
pub(crate) fn figure(view: View<'_>) -> Option<Figure> {
    let results = view.judged.results;
    let workload = &results.traces.first()?.workload;
    let points: Vec<Point<'_>> = results
        .traces
        .iter()
        .filter(|trace| trace.workload == *workload)
        .filter_map(|trace| {
            let design = results.design(&trace.design)?;
            Some(Point { name: &design.name, tables: design.table_bytes?, trace })
        })
        .collect();
    if points.len() < 2 {
        return None;
    }
    let mut canvas = Canvas::new(HEIGHT);
    paint(&mut canvas, view, &points);
    Some(Figure {
        id: format!("{}lines", view.prefix),
        title: format!("Cache lines of a call against the bytes of the tables: {workload}"),
        finding: finding(&points)?,
        canvas,
        narrow: None,
        numbers: numbers(view, &points),
    })
}

fn lines(point: &Point<'_>) -> f64 {
    point.trace.caches.lines_per_position
}

fn finding(points: &[Point<'_>]) -> Option<String> {
    let by_lines = |one: &&Point<'_>, other: &&Point<'_>| lines(one).total_cmp(&lines(other));
    let (least, most) = (points.iter().min_by(by_lines)?, points.iter().max_by(by_lines)?);
    let sizes = |point: &Point<'_>| format!("{} of tables", bytes(point.tables));
    let small = least.trace.caches.levels.first()?;
    let worst = points
        .iter()
        .filter_map(|point| point.trace.caches.levels.first())
        .map(|level| level.again)
        .fold(0.0, f64::max);
    Some(format!(
        "A call touches between {} lines ({}, {}) and {} ({}, {}), its stack and its list included. In a cache of {} \
         at most {} of them per position miss when the same {} positions come again (modelled).",
        cost(lines(least)),
        least.name,
        sizes(least),
        cost(lines(most)),
        most.name,
        sizes(most),
        bytes(small.bytes),
        rate(worst),
        grouped(least.trace.caches.positions),
    ))
}

fn paint(canvas: &mut Canvas, view: View<'_>, points: &[Point<'_>]) {
    let frame = Frame { x: 60..WIDTH - 20, y: 40..HEIGHT - 52 };
    let size = |point: &Point<'_>| (point.tables as f64).max(LEAST);
    let x = log_range(points.iter().map(size), 0.08).unwrap_or(64.0..1_048_576.0);
    let y = log_range(points.iter().map(lines), 0.1).unwrap_or(1.0..100.0);
    let axes = log_log(x.clone(), y.clone(), &frame);
    for value in log_ticks(&y, 8) {
        frame.across(canvas, at(&axes, x.start, value).1, &tick(value));
    }
    for power in (6..30).step_by(2) {
        let value = 1u64 << power;
        if x.contains(&(value as f64)) {
            let label = if power == 6 { "64 B or less".to_owned() } else { bytes(value) };
            frame.down(canvas, at(&axes, value as f64, y.start).0, &label);
        }
    }
    frame.axes(canvas);
    let name = "distinct cache lines of 64 bytes per call (counted), log scale";
    canvas.text((4, 14), Anchor::Right, Ink::Muted, name);
    frame.name_below(canvas, "bytes of tables, counted (log scale)");
    let places: Vec<_> = points.iter().map(|point| at(&axes, size(point), lines(point))).collect();
    let names: Vec<String> =
        points.iter().map(|point| view.keys.label(&point.trace.design, 26)).collect();
    let widths: Vec<i32> = names.iter().map(|name| width(name)).collect();
    let bounds = Area { left: 62, top: frame.y.start, right: frame.x.end, bottom: frame.y.end };
    let labels = beside(&places, &widths, 15, bounds);
    for (((point, &place), name), area) in points.iter().zip(&places).zip(&names).zip(labels) {
        let id = &point.trace.design;
        let ink = view.keys.ink(id);
        let middle = ((area.left + area.right) / 2, (area.top + area.bottom) / 2);
        let near = place.0.clamp(area.left, area.right);
        if (near - place.0).abs() > 12 || (middle.1 - place.1).abs() > 18 {
            canvas.line([place, (near, place.1.clamp(area.top, area.bottom))], ink, 1);
        }
        let says = format!(
            "{}, {} of tables: {} lines per call",
            point.name,
            bytes(point.tables),
            cost(lines(point))
        );
        canvas.mark(place, view.keys.shape(id), ink, &says);
        canvas.text(middle, Anchor::Centre, view.keys.paint(id, Ink::Text), name);
    }
}

fn numbers(view: View<'_>, points: &[Point<'_>]) -> Table {
    let mut columns: Vec<String> =
        ["Design", "Table bytes", "Lines per call (counted)", "Lines of all calls (counted)"]
            .map(str::to_owned)
            .into();
    let levels = points.first().map(|point| &point.trace.caches.levels);
    for level in levels.into_iter().flatten() {
        columns.push(format!("misses in {}: once (modelled)", bytes(level.bytes)));
        columns.push("again (modelled)".to_owned());
    }
    let positions = points.first().map_or(0, |point| point.trace.caches.positions);
    let caption =
        format!("Cache lines of {} stepped positions; misses per position", grouped(positions));
    let mut table = Table::new(caption, &columns);
    for point in points {
        let caches = &point.trace.caches;
        let mut cells = vec![
            Cell::number(Some(point.tables as f64), |value| grouped(value as u64)),
            Cell::number(Some(caches.lines_per_position), cost),
            Cell::number(Some(caches.lines as f64), |value| grouped(value as u64)),
        ];
        for level in &caches.levels {
            cells.extend([level.once, level.again].map(|misses| Cell::number(Some(misses), rate)));
        }
        table.design(view.keys, &point.trace.design, point.name, cells);
    }
    table
}
