//! Branchless against branchy: the first figure of the page.
//!
//! One point per condition and kind of board: the time of the fastest branchless design over that of the fastest
//! branchy one, with its interval. Colour is the class that wins; a point without colour is equal or not resolved.

use raywalk_judge::classes::{Classes, Condition, Point, Winner, classes, leaves_vectors_out};
use raywalk_judge::format::{interval, middle, verdict};
use raywalk_results::schema::Control;
use raywalk_results::statistics::Interval;

use super::canvas::{Anchor, Canvas, Frame, NARROW, WIDTH, at, log_log};
use super::figure::Figure;
use super::narrow::{LINE, foot};
use super::scale::{log_range, log_ticks, tick};
use crate::keys::clipped;
use crate::label::About;
use crate::palette::Ink;
use crate::table::{Cell, Table};
use crate::view::View;

const HEIGHT: i32 = 300;
/// Height of a condition in a narrow window, where conditions are rows.
const NARROW_ROW: i32 = 30;
/// Pixels between the points of two kinds of boards under one condition.
const APART: i32 = 12;

/// Needs a branchless and a branchy design on one kind of board.
pub(crate) fn figure(view: View<'_>) -> Option<Figure> {
    let kinds = classes(view.judged);
    if kinds.is_empty() {
        return None;
    }
    let mut canvas = Canvas::new(HEIGHT);
    paint(&mut canvas, &kinds);
    let mut narrow = Canvas::narrow();
    paint_narrow(&mut narrow, &kinds);
    let boards: Vec<&str> = kinds.iter().map(|kind| kind.board.plural()).collect();
    let left_out = match leaves_vectors_out(view.judged, &kinds) {
        true => {
            " Designs with vector instructions are left out, because no branchy one is among them."
        }
        false => "",
    };
    Some(Figure {
        id: format!("{}classes", view.prefix),
        title: "Fastest branchless design ÷ fastest branchy design".to_owned(),
        finding: format!(
            "Time of the fastest branchless design over that of the fastest branchy one, on {}. The \
             intervals allow for having picked the fastest of many designs.{left_out}",
            boards.join(" and on ")
        ),
        canvas,
        narrow,
        numbers: numbers(view, &kinds),
    })
}

/// Every condition once: the points of the memorisation curve first.
fn conditions(kinds: &[Classes<'_>]) -> Vec<Condition> {
    let mut all: Vec<Condition> = Vec::new();
    for point in kinds.iter().flat_map(|kind| &kind.points) {
        if !all.contains(&point.condition) {
            all.push(point.condition);
        }
    }
    all.sort_by_key(|condition| match condition {
        Condition::Repeated(k) => (0, *k),
        _ => (1, 0),
    });
    all
}

fn ink(point: &Point<'_>) -> Ink {
    match point.winner() {
        Some(Winner::Branchless) => Ink::Control(Control::Branchless),
        Some(Winner::Branchy) => Ink::Control(Control::Branchy),
        None => Ink::Axis,
    }
}

fn paint(canvas: &mut Canvas, kinds: &[Classes<'_>]) {
    let conditions = conditions(kinds);
    let frame = Frame { x: 56..WIDTH - 120, y: 30..HEIGHT - 68 };
    let points = || kinds.iter().flat_map(|kind| &kind.points);
    let ends = points().flat_map(within);
    let y = log_range(ends.chain([0.9, 1.1]), 0.06).unwrap_or(0.5..2.0);
    let axes = log_log(0.1..10.0, y.clone(), &frame);
    let height = |ratio: f64| at(&axes, 1.0, ratio).1;
    let step = (frame.x.end - frame.x.start) / conditions.len().max(1) as i32;
    let place = |condition: Condition| {
        let number = conditions.iter().position(|one| *one == condition).unwrap_or(0);
        frame.x.start + step / 2 + number as i32 * step
    };
    for value in log_ticks(&y, 7) {
        frame.across(canvas, height(value), &tick(value));
    }
    for (number, condition) in conditions.iter().enumerate() {
        // Three rows, so that neighbours do not touch.
        let row = frame.y.end + 14 + number as i32 % 3 * 15;
        canvas.text((place(*condition), row), Anchor::Centre, Ink::Muted, &condition.label());
    }
    canvas.line([(frame.x.start, height(1.0)), (frame.x.end, height(1.0))], Ink::Text, 2);
    let side = frame.x.end + 8;
    let [branchy, branchless] = [Control::Branchy, Control::Branchless].map(Ink::Control);
    canvas.text((side, height(1.0) - 14), Anchor::Right, branchy, "▲ branchy wins");
    canvas.text((side, height(1.0) + 14), Anchor::Right, branchless, "▼ branchless wins");
    for (number, kind) in kinds.iter().enumerate() {
        let shift = (2 * number as i32 + 1 - kinds.len() as i32) * APART / 2;
        let x = |point: &Point<'_>| place(point.condition) + shift;
        let curve = kind.points.iter().filter(|it| matches!(it.condition, Condition::Repeated(_)));
        let curve: Vec<_> = curve.map(|point| (x(point), height(point.ratio.middle))).collect();
        canvas.line(curve, Ink::Axis, 1);
        for point in &kind.points {
            let (x, ink) = (x(point), ink(point));
            let edge = |end: f64| height(end).clamp(frame.y.start, frame.y.end);
            let ends = [point.ratio.low, point.ratio.high].map(|end| (x, edge(end)));
            canvas.line(ends, ink, 2);
            let middle_of = (x, height(point.ratio.middle));
            canvas.mark(middle_of, number, ink, &says(point, kind.board.plural()));
            if kinds.len() == 1 {
                let above = point.ratio.middle >= 1.0;
                let end = if above { ends[1].1 - 9 } else { ends[0].1 + 10 };
                canvas.text((x, end), Anchor::Centre, Ink::Text, &middle(point.ratio));
            }
        }
        let key = (WIDTH - 100, frame.y.start + number as i32 * 18);
        canvas.marker(key, number, Ink::Muted);
        canvas.text((key.0 + 12, key.1), Anchor::Right, Ink::Text, kind.board.plural());
    }
    canvas.text((4, 12), Anchor::Right, Ink::Muted, "time of the branchless ÷ time of the branchy design (log scale); grey: equal, or within floor and spread; a cut bar is longer than drawn");
}

/// One row for each condition: branchless wins on the left of the line at 1, branchy on its right.
fn paint_narrow(canvas: &mut Canvas, kinds: &[Classes<'_>]) {
    let conditions = conditions(kinds);
    let top = 34 + kinds.len() as i32 * LINE;
    let bottom = top + conditions.len() as i32 * NARROW_ROW;
    let frame = Frame { x: 124..NARROW - 12, y: top..bottom };
    let points = || kinds.iter().flat_map(|kind| &kind.points);
    let ends = points().flat_map(within);
    let range = log_range(ends.chain([0.9, 1.1]), 0.06).unwrap_or(0.5..2.0);
    let axes = log_log(range.clone(), 1.0..10.0, &frame);
    let place = |ratio: f64| at(&axes, ratio, 1.0).0;
    for value in log_ticks(&range, 5) {
        frame.down(canvas, place(value), &tick(value));
    }
    let one = place(1.0);
    canvas.line([(one, frame.y.start), (one, frame.y.end)], Ink::Text, 2);
    let [branchy, branchless] = [Control::Branchy, Control::Branchless].map(Ink::Control);
    canvas.text((4, 12), Anchor::Right, branchless, "◀ branchless wins");
    canvas.text((NARROW - 4, 12), Anchor::Left, branchy, "branchy wins ▶");
    for (number, kind) in kinds.iter().enumerate() {
        let key = (12, 32 + number as i32 * LINE);
        canvas.marker(key, number, Ink::Muted);
        canvas.text((key.0 + 12, key.1), Anchor::Right, Ink::Text, kind.board.plural());
    }
    for (number, condition) in conditions.iter().enumerate() {
        let y = frame.y.start + number as i32 * NARROW_ROW + NARROW_ROW / 2;
        let label = clipped(&condition.label(), 16);
        canvas.text((frame.x.start - 8, y), Anchor::Left, Ink::Muted, &label);
        for (number, kind) in kinds.iter().enumerate() {
            let y = y + (2 * number as i32 + 1 - kinds.len() as i32) * APART / 2;
            for point in kind.points.iter().filter(|point| point.condition == *condition) {
                let ink = ink(point);
                let edge = |end: f64| place(end).clamp(frame.x.start, frame.x.end);
                let [low, high] = [point.ratio.low, point.ratio.high].map(edge);
                canvas.line([(low, y), (high.max(low + 1), y)], ink, 2);
                let says = says(point, kind.board.plural());
                canvas.mark((place(point.ratio.middle), y), number, ink, &says);
            }
        }
    }
    foot(canvas, &frame, "branchless ÷ branchy (log scale); grey: not resolved", None);
}

/// What of a point has to lie within the frame. An interval that resolves nothing may be a thousand times as long as
/// the others.
fn within(point: &Point<'_>) -> [f64; 3] {
    let Interval { low, middle, high } = point.ratio;
    if point.winner().is_some() { [low, middle, high] } else { [middle; 3] }
}

/// A point in words.
fn says(point: &Point<'_>, boards: &str) -> String {
    format!(
        "{} on {boards}: {} ÷ {}: {} ({})",
        point.condition.label(),
        point.branchless.name,
        point.branchy.name,
        middle(point.ratio),
        interval(point.ratio)
    )
}

fn numbers(view: View<'_>, kinds: &[Classes<'_>]) -> Table {
    let caption =
        "Numbers of the figure: time of the branchless design over that of the branchy one";
    let columns =
        ["Condition", "Workload", "Board", "Branchless", "Branchy", "Ratio", "Interval", "Verdict"];
    let mut table = Table::new(
        view.label(
            caption,
            "measured",
            About::panels(
                "of its row",
                kinds.iter().flat_map(|kind| &kind.points).map(|point| point.panel),
            ),
        ),
        &columns,
    );
    for kind in kinds {
        for point in &kind.points {
            let name = |id: &str| Cell::text(view.judged.results.name(id));
            let cells = vec![
                Cell::text(&point.panel.panel.workload),
                Cell::text(kind.board.plural()),
                name(&point.branchless.id),
                name(&point.branchy.id),
                Cell::number(Some(point.ratio.middle), |_| middle(point.ratio)),
                Cell::text(interval(point.ratio)).on_one_line(),
                Cell::text(verdict(&point.verdict)),
            ];
            table.row(&point.condition.label(), cells);
        }
    }
    table
}
