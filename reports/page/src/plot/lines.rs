//! Cache lines of a call against the bytes of the tables.
//!
//! A design with large tables need not touch many lines. Its cost depends on the number of lines that a call needs,
//! and on whether they are still in the cache when the next position needs them.

use raywalk_judge::format::{bytes, cost, grouped, rate};
use raywalk_results::schema::Trace;

use super::canvas::{Canvas, Frame, at, log_log};
use super::figure::Figure;
use super::narrow::{foot, head};
use super::scale::{log_range, log_ticks, tick};
use super::scatter::{Spot, spots};
use crate::label::About;
use crate::table::{Cell, Table};
use crate::view::View;

/// Heights of the plot in a wide and in a narrow drawing.
const HEIGHTS: [i32; 2] = [368, 300];
/// Tables smaller than this are drawn here: a logarithmic axis has no zero.
const LEAST: f64 = 64.0;
/// Fewer positions than this fill no cache, so that their misses mean nothing.
const FEWEST: u64 = 32;

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
    Some(Figure {
        id: "lines".to_owned(),
        title: format!("Cache lines of a call against the bytes of the tables: {workload}"),
        finding: finding(&points)?,
        canvas: paint(Canvas::new(0), view, &points),
        narrow: paint(Canvas::narrow(), view, &points),
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
    let mut text = format!(
        "A call touches between {} lines ({}, {}) and {} ({}, {}), its stack and its list included.",
        cost(lines(least)),
        least.name,
        sizes(least),
        cost(lines(most)),
        most.name,
        sizes(most),
    );
    let positions = least.trace.caches.positions;
    if positions >= FEWEST {
        text.push_str(&format!(
            " In a cache of {} at most {} of them per position miss when the same {} positions come again (modelled).",
            bytes(small.bytes),
            rate(worst),
            grouped(positions),
        ));
    }
    Some(text)
}

fn paint<'a>(mut canvas: Canvas, view: View<'_>, points: &[Point<'a>]) -> Canvas {
    let name = "distinct cache lines of 64 bytes per call (counted), log scale";
    let top = head(&mut canvas, name) + 6;
    let height = HEIGHTS[usize::from(canvas.is_narrow())];
    let frame = Frame { x: 60..canvas.width() - 20, y: top..top + height };
    let size = |point: &Point<'_>| (point.tables as f64).max(LEAST);
    let x = log_range(points.iter().map(size), 0.08).unwrap_or(64.0..1_048_576.0);
    let y = log_range(points.iter().map(lines), 0.1).unwrap_or(1.0..100.0);
    let axes = log_log(x.clone(), y.clone(), &frame);
    for value in log_ticks(&y, 8) {
        frame.across(&mut canvas, at(&axes, x.start, value).1, &tick(value));
    }
    let label = |value: u64| match value as f64 <= LEAST {
        true => "64 B or less".to_owned(),
        false => bytes(value),
    };
    let powers = (6..30).step_by(2).map(|power| 1u64 << power);
    let ticks: Vec<_> = powers
        .filter(|&value| x.contains(&(value as f64)))
        .map(|value| (at(&axes, value as f64, y.start).0, label(value)))
        .collect();
    frame.all_down(&mut canvas, &ticks, 14);
    frame.axes(&mut canvas);
    let end = foot(&mut canvas, &frame, "bytes of tables, counted (log scale)", None);
    let spot = |point: &Point<'a>| {
        let (tables, touched) = (bytes(point.tables), cost(lines(point)));
        let says = format!("{}, {tables} of tables: {touched} lines per call", point.name);
        Spot { id: &point.trace.design, place: at(&axes, size(point), lines(point)), says }
    };
    spots(&mut canvas, view, &frame, &points.iter().map(spot).collect::<Vec<_>>(), end);
    canvas
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
    let about = points.first().map_or(About::Nothing("nothing was traced"), |point| {
        About::Workload("each position once", point.trace.stage, &point.trace.workload)
    });
    let mut table = Table::new(
        view.label(caption, "counted and modelled, as the headings say", about),
        &columns,
    );
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
