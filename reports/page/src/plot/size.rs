//! Cost of a position against the bytes of a design: its tables and one board.
//!
//! A board counts its cells, not the array that stores them.

use raywalk_judge::format::{
    bytes, certain, cost, grouped, panel as name_of, plural, verdict as verdict_text,
};
use raywalk_judge::summary::{PanelSummary, Row};
use raywalk_results::statistics::Verdict;

use super::canvas::{Anchor, Canvas, Frame, at, log_log};
use super::figure::{Figure, of_panel};
use super::narrow::{foot, head};
use super::scale::{log_range, log_ticks, tick};
use super::scatter::{Spot, spots};
use crate::label::About;
use crate::palette::Ink;
use crate::table::{Cell, Table};
use crate::view::{Metric, View};

/// Heights of the plot in a wide and in a narrow drawing.
const HEIGHTS: [i32; 2] = [424, 330];

/// One point per design of the headline panel whose bytes are counted; needs two.
pub(crate) fn figure(view: View<'_>) -> Option<Figure> {
    let panel = view.judged.headline()?;
    let metric = Metric::of([panel]);
    let designs = &view.judged.results.designs;
    let board = |row: &Row| designs.iter().find(|design| design.id == row.id)?.board_bytes;
    let points: Vec<Point<'_>> = panel
        .rows
        .iter()
        .filter_map(|row| {
            let (tables, board) = (row.table_bytes?, board(row)?);
            Some(Point { row, tables, board, cost: (metric.per_position)(row)? })
        })
        .collect();
    if points.len() < 2 {
        return None;
    }
    let finding = finding(view, &points, panel)?;
    let paint = |canvas| paint(canvas, view, &points, metric);
    Some(Figure {
        id: "size".to_owned(),
        title: format!("Cost of a position against size: {}", name_of(&panel.panel)),
        finding: of_panel(view, panel, &finding),
        canvas: paint(Canvas::new(0)),
        narrow: paint(Canvas::narrow()),
        numbers: numbers(view, panel, &points, metric),
    })
}

struct Point<'a> {
    row: &'a Row,
    tables: u64,
    board: u64,
    cost: f64,
}

impl Point<'_> {
    fn bytes(&self) -> u64 {
        self.tables.saturating_add(self.board)
    }
}

/// The fastest design, and the fastest without tables against it.
fn finding(view: View<'_>, points: &[Point<'_>], panel: &PanelSummary) -> Option<String> {
    let of = |takes_part: fn(&Point<'_>) -> bool| -> Vec<&Point<'_>> {
        let mut found: Vec<_> = points.iter().filter(|point| takes_part(point)).collect();
        found.sort_by(|one, other| one.cost.total_cmp(&other.cost));
        found
    };
    let named = |points: &[&Point<'_>]| {
        let lead = view.judged.lead(panel, points.iter().map(|point| point.row))?;
        Some(lead.named())
    };
    let (all, bare) = (of(|_| true), of(|point| point.tables == 0));
    let best = all.first()?;
    let tables = match best.tables {
        0 => "no tables".to_owned(),
        some => format!("{} of tables", bytes(some)),
    };
    let mut text = format!(
        "The fastest of {} with known table sizes is {}. {} has {tables} and a board of {}.",
        plural(points.len(), "design"),
        named(&all)?,
        best.row.name,
        bytes(best.board),
    );
    if let (Some(first), true) = (bare.first(), best.tables > 0) {
        let (lead, name, best) = (named(&bare)?, &first.row.name, &best.row.name);
        text.push_str(&format!(" The fastest design without tables is {lead}. "));
        let compared = view.judged.compared(panel, first.row, all[0].row);
        text.push_str(&match compared.map(|it| it.verdict) {
            None => format!("{name} is not compared with {best}."),
            Some(Verdict::NotResolved) => {
                format!("No difference between {name} and {best} is resolved.")
            }
            Some(verdict) => format!("Against {best}, {name} is {}.", verdict_text(&verdict)),
        });
    }
    Some(text)
}

fn paint<'a>(mut canvas: Canvas, view: View<'_>, points: &[Point<'a>], metric: Metric) -> Canvas {
    let top = head(&mut canvas, &format!("{} per position, log scale", metric.long)) + 14;
    let (left, right) = (60, canvas.width() - 20);
    let frame = Frame { x: left..right, y: top..top + HEIGHTS[usize::from(canvas.is_narrow())] };
    let sizes = points.iter().map(|point| point.bytes() as f64);
    let x = log_range(sizes, 0.08).unwrap_or(64.0..1_048_576.0);
    let y = log_range(points.iter().map(|point| point.cost), 0.1).unwrap_or(1.0..10.0);
    let axes = log_log(x.clone(), y.clone(), &frame);
    for value in log_ticks(&y, 8) {
        let y = at(&axes, x.start, value).1;
        canvas.text((left - 8, y), Anchor::Left, Ink::Muted, &tick(value));
        canvas.line([(left, y), (right, y)], Ink::Grid, 1);
    }
    // Powers of four: a label at each power of two would not fit.
    let powers = (0..40).step_by(2).map(|power| 1u64 << power);
    let ticks: Vec<_> = powers
        .filter(|&value| x.contains(&(value as f64)))
        .map(|value| (at(&axes, value as f64, y.start).0, bytes(value)))
        .collect();
    frame.all_down(&mut canvas, &ticks, 14);
    canvas.line([(frame.x.start, frame.y.end), (frame.x.end, frame.y.end)], Ink::Axis, 1);
    for cache in &view.judged.results.session.machine.caches {
        let place = cache.bytes as f64;
        if x.contains(&place) && cache.name.holds_data() {
            let x = at(&axes, place, y.start).0;
            canvas.line([(x, frame.y.start), (x, frame.y.end)], Ink::Axis, 1);
            canvas.text((x, frame.y.start - 10), Anchor::Centre, Ink::Muted, cache.name.name());
        }
    }
    let axis = "bytes of tables and one board, counted (log scale)";
    let end = foot(&mut canvas, &frame, axis, None);
    let spot = |point: &Point<'a>| {
        let place = at(&axes, point.bytes() as f64, point.cost);
        let (size, value) = (bytes(point.bytes()), metric.format(point.cost, point.row));
        let says = format!("{}, {size}: {value} per position", point.row.name);
        Spot { id: &point.row.id, place, says }
    };
    spots(&mut canvas, view, &frame, &points.iter().map(spot).collect::<Vec<_>>(), end);
    canvas
}

fn numbers(view: View<'_>, panel: &PanelSummary, points: &[Point<'_>], metric: Metric) -> Table {
    let caption = format!("Numbers of the plot: {}", name_of(&panel.panel));
    let provenance = format!("bytes counted, {}", metric.provenance);
    let cost_column = format!("{} per position", metric.long);
    let mut table = Table::new(
        view.label(caption, &provenance, About::Panel(&panel.panel)),
        &["Design", "Table bytes", "Board bytes", &cost_column],
    );
    let count = |bytes: u64| Cell::number(Some(bytes as f64), |value| grouped(value as u64));
    for point in points {
        table.design(
            view.keys,
            &point.row.id,
            &point.row.name,
            vec![
                count(point.tables),
                count(point.board),
                Cell::number(Some(point.cost), |value| certain(value, point.row.half_width, cost)),
            ],
        );
    }
    table
}
