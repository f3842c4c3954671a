//! The drawing of the first figure: conditions beside each other, or below each other in a narrow window.
//!
//! A point is a dot, not the marker of a family: it stands for two designs. The drawing of a point depends on its
//! pair of designs alone, so that the script can put another pair in its place. A *kind* is a series of points: those
//! of one kind of board, or of one session.

use std::ops::Range;

use raywalk_judge::classes::{Condition, Point, Winner, in_order};
use raywalk_judge::format::middle;
use raywalk_results::schema::Control;
use raywalk_results::statistics::Interval;

use super::{Kind, says};
use crate::palette::Ink;
use crate::plot::canvas::{
    self, Anchor, Canvas, Frame, LogLog, NARROW, WIDTH, at, fitting, log_log,
};
use crate::plot::narrow::{LINE, foot, wrapped};
use crate::plot::scale::{log_range, log_ticks, tick};

const HEIGHT: i32 = 300;
/// Height of a condition in a narrow window, where conditions are rows.
const NARROW_ROW: i32 = 30;
/// Pixels between the points of two kinds under one condition, if there is room for all: in a wide, in a narrow
/// drawing.
const APART: [i32; 2] = [18, 12];
/// Least number of pixels between the points of two conditions.
const BETWEEN: i32 = 14;
const RADIUS: i32 = 4;

/// Layout of the points of a drawing.
pub(super) struct Scale {
    axes: LogLog,
    /// Least and greatest ratio on the axis.
    range: Range<f64>,
    frame: Frame,
    conditions: Vec<Condition>,
    /// Pixels from a condition to the next.
    step: i32,
    kinds: i32,
    is_narrow: bool,
}

impl Scale {
    /// `is_narrow` drawings have a row for each condition, wide ones a column.
    pub(super) fn of(kinds: &[Kind<'_>], is_narrow: bool) -> Scale {
        let points = kinds.iter().flat_map(|kind| &kind.classes.points);
        let conditions = in_order(points.map(|point| point.condition));
        let choices = || kinds.iter().flat_map(|kind| &kind.choices).flat_map(|it| &it.pairs);
        let shown = kinds.iter().flat_map(|kind| &kind.classes.points).flat_map(within);
        let ends = shown.chain(choices().map(|point| point.ratio.middle));
        let range = log_range(ends.chain([0.9, 1.1]), 0.06).unwrap_or(0.5..2.0);
        let (count, kinds) = (conditions.len().max(1) as i32, kinds.len() as i32);
        let (frame, axes, step) = if is_narrow {
            let step = NARROW_ROW.max((kinds - 1) * APART[1] + BETWEEN);
            let top = 34 + kinds * LINE;
            let frame = Frame { x: 124..NARROW - 12, y: top..top + count * step };
            let axes = log_log(range.clone(), 1.0..10.0, &frame);
            (frame, axes, step)
        } else {
            let frame = Frame { x: 56..WIDTH - 120, y: 30..HEIGHT - 68 };
            let axes = log_log(0.1..10.0, range.clone(), &frame);
            let step = (frame.x.end - frame.x.start) / count;
            (frame, axes, step)
        };
        Scale { axes, range, frame, conditions, step, kinds, is_narrow }
    }

    /// Pixel of a ratio on its axis.
    fn ratio(&self, ratio: f64) -> i32 {
        let (x, y) = at(&self.axes, ratio, ratio);
        if self.is_narrow { x } else { y }
    }

    /// The same, within the frame.
    fn end(&self, ratio: f64) -> i32 {
        let frame = if self.is_narrow { &self.frame.x } else { &self.frame.y };
        self.ratio(ratio).clamp(frame.start, frame.end)
    }

    /// The middle of a condition on the other axis.
    fn condition(&self, number: usize) -> i32 {
        let start = if self.is_narrow { self.frame.y.start } else { self.frame.x.start };
        start + self.step / 2 + number as i32 * self.step
    }

    /// Pixels between the points of two kinds under one condition.
    fn apart(&self) -> i32 {
        let room = (self.step - BETWEEN) / (self.kinds - 1).max(1);
        APART[usize::from(self.is_narrow)].min(room)
    }

    /// The label of each condition in lines that fit beside those of its neighbours.
    fn labels(&self) -> Vec<Vec<String>> {
        let room = match self.is_narrow {
            true => self.frame.x.start - 12,
            false => self.step - 4,
        };
        self.conditions.iter().map(|one| wrapped(&one.label(), fitting(room))).collect()
    }

    /// The middle of a point, and the ends of its interval.
    fn places(&self, kind: usize, point: &Point<'_>) -> [canvas::Point; 3] {
        let number = self.conditions.iter().position(|one| *one == point.condition).unwrap_or(0);
        let aside = (2 * kind as i32 + 1 - self.kinds) * self.apart() / 2;
        let other = self.condition(number) + aside;
        let Interval { low, middle, high } = point.ratio;
        let (low, high) = (self.end(low), self.end(high));
        let turned = |place: i32| if self.is_narrow { (place, other) } else { (other, place) };
        // A short interval is a pixel long, so that it has a place.
        [turned(self.ratio(middle)), turned(low), turned(if low == high { high + 1 } else { high })]
    }

    /// The middle of a point as text.
    pub(super) fn place(&self, kind: usize, point: &Point<'_>) -> String {
        let [(x, y), ..] = self.places(kind, point);
        format!("{x},{y}")
    }

    /// Draws a point with its interval and its label.
    pub(super) fn draw(&self, canvas: &mut Canvas, kind: (usize, &Kind<'_>), point: &Point<'_>) {
        let (number, kind) = kind;
        let [(x, y), low, high] = self.places(number, point);
        let ink = ink(point);
        canvas.line([low, high], ink, 2);
        canvas.say(&says(kind, point), |canvas| {
            canvas.dot((x, y), RADIUS, ink);
        });
        let label = if self.kinds > 1 { kind.mark() } else { middle(point.ratio) };
        if !self.is_narrow {
            match self.beyond(point, low.1, high.1) {
                Some(end) => canvas.text((x, end), Anchor::Centre, Ink::Text, &label),
                None => canvas.text((x + 7, y), Anchor::Right, Ink::Text, &label),
            }
        } else if self.kinds > 1 {
            canvas.text((x + 7, y), Anchor::Right, Ink::Text, &label);
        }
    }

    /// Place of a label beyond an end of the interval: the end that is farther from the line at 1, or else the other
    /// one. `None` if the interval is cut at both edges of the frame, beyond which other texts stand.
    fn beyond(&self, point: &Point<'_>, low: i32, high: i32) -> Option<i32> {
        let [above, below] = [high.min(low) - 9, high.max(low) + 10];
        let order = if point.ratio.middle >= 1.0 { [above, below] } else { [below, above] };
        order.into_iter().find(|place| self.frame.y.contains(place))
    }

    /// The points of all kinds, each in a group of its own, and the lines that join those of a kind.
    fn points(&self, canvas: &mut Canvas, kinds: &[Kind<'_>]) {
        let mut first = 0;
        for (number, kind) in kinds.iter().enumerate() {
            let points = &kind.classes.points;
            if !self.is_narrow {
                let curve = points.iter().enumerate();
                let curve = curve.filter(|(_, it)| matches!(it.condition, Condition::Repeated(_)));
                let curve: Vec<_> = curve.collect();
                // A condition without a point interrupts the line.
                let neighbours = curve.chunk_by(|(_, one), (_, other)| {
                    kind.classes.are_neighbours(one.condition, other.condition)
                });
                for run in neighbours {
                    let joined: Vec<String> =
                        run.iter().map(|(place, _)| (first + place).to_string()).collect();
                    canvas.group(&format!("data-joined=\"{}\"", joined.join(" ")), |canvas| {
                        let middles = run.iter().map(|(_, point)| self.places(number, point)[0]);
                        canvas.line(middles, Ink::Axis, 1);
                    });
                }
            }
            for (place, point) in points.iter().enumerate() {
                canvas.group(&format!("data-point=\"{}\"", first + place), |canvas| {
                    self.draw(canvas, (number, kind), point);
                });
            }
            first += points.len();
        }
    }
}

fn ink(point: &Point<'_>) -> Ink {
    match point.winner() {
        Some(Winner::Branchless) => Ink::Control(Control::Branchless),
        Some(Winner::Branchy) => Ink::Control(Control::Branchy),
        None => Ink::Axis,
    }
}

/// Part of a point that has to lie within the frame. An interval that resolves nothing may be a thousand times as
/// long as the others.
fn within(point: &Point<'_>) -> [f64; 3] {
    let Interval { low, middle, high } = point.ratio;
    if point.winner().is_some() { [low, middle, high] } else { [middle; 3] }
}

/// The names of the kinds, with their marks if there are several. Sessions have numbers, which one line explains.
fn key(canvas: &mut Canvas, kinds: &[Kind<'_>], (x, y): canvas::Point, step: i32) {
    for (number, kind) in kinds.iter().enumerate() {
        let text = match (kinds.len(), kind.session) {
            (1, _) => kind.name(),
            (_, Some(_)) if number > 0 => return,
            (_, Some(_)) => "number: session".to_owned(),
            (_, None) => format!("{}: {}", kind.mark(), kind.name()),
        };
        canvas.text((x, y + number as i32 * step), Anchor::Right, Ink::Text, &text);
    }
}

pub(super) fn wide(kinds: &[Kind<'_>]) -> Canvas {
    let (mut drawing, scale) = (Canvas::new(HEIGHT), Scale::of(kinds, false));
    let (canvas, frame) = (&mut drawing, &scale.frame);
    for value in log_ticks(&scale.range, 7) {
        frame.across(canvas, scale.ratio(value), &tick(value));
    }
    for (number, lines) in scale.labels().into_iter().enumerate() {
        for (line, text) in lines.iter().enumerate() {
            let place = (scale.condition(number), frame.y.end + 14 + line as i32 * 15);
            canvas.text(place, Anchor::Centre, Ink::Muted, text);
        }
    }
    let (side, one) = (frame.x.end + 8, scale.ratio(1.0));
    canvas.line([(frame.x.start, one), (frame.x.end, one)], Ink::Text, 2);
    let [branchy, branchless] = [Control::Branchy, Control::Branchless].map(Ink::Control);
    canvas.text((side, one - 14), Anchor::Right, branchy, "▲ branchy wins");
    canvas.text((side, one + 14), Anchor::Right, branchless, "▼ branchless wins");
    scale.points(canvas, kinds);
    key(canvas, kinds, (side, frame.y.start), 18);
    canvas.text((4, 12), Anchor::Right, Ink::Muted, "time of the branchless ÷ time of the branchy design (log scale); grey: equal, or within floor and spread; a cut bar is longer than drawn");
    drawing
}

/// One row for each condition: branchless wins on the left of the line at 1, branchy on its right.
pub(super) fn narrow(kinds: &[Kind<'_>]) -> Canvas {
    let (mut drawing, scale) = (Canvas::narrow(), Scale::of(kinds, true));
    let (canvas, frame) = (&mut drawing, &scale.frame);
    for value in log_ticks(&scale.range, 5) {
        frame.down(canvas, scale.ratio(value), &tick(value));
    }
    let one = scale.ratio(1.0);
    canvas.line([(one, frame.y.start), (one, frame.y.end)], Ink::Text, 2);
    let [branchy, branchless] = [Control::Branchy, Control::Branchless].map(Ink::Control);
    canvas.text((4, 12), Anchor::Right, branchless, "◀ branchless wins");
    canvas.text((NARROW - 4, 12), Anchor::Left, branchy, "branchy wins ▶");
    key(canvas, kinds, (4, 32), LINE);
    for (number, lines) in scale.labels().into_iter().enumerate() {
        let above = (lines.len() as i32 - 1) * 13 / 2;
        for (line, text) in lines.iter().enumerate() {
            let place = scale.condition(number) - above + line as i32 * 13;
            canvas.text((frame.x.start - 8, place), Anchor::Left, Ink::Muted, text);
        }
    }
    scale.points(canvas, kinds);
    foot(canvas, frame, "branchless ÷ branchy (log scale); grey: not resolved", None);
    drawing
}
