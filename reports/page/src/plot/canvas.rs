//! SVG elements with typed roles.
//!
//! Plotters maps values to pixels. The elements are written here, because a plotters style carries
//! a colour, and these plots need a role and an owner: see [`Paint`].

mod layers;

use std::fmt::Write;
use std::ops::Range;

use maud::{Markup, html};
use plotters::coord::CoordTranslate;
use plotters::coord::cartesian::Cartesian2d;
use plotters::coord::combinators::{IntoLogRange, LogCoord};
use plotters::coord::types::RangedCoordf64;

use crate::palette::{Ink, Paint};

pub(crate) use layers::{Flow, Layer};

/// A point in pixels, from the upper left corner.
pub(crate) type Point = (i32, i32);

const TEXT: u32 = 12;

/// Width of a plot, in its own pixels; the page scales it.
pub(crate) const WIDTH: i32 = 960;

/// Width of a plot that is drawn for a telephone, where it is not scaled.
pub(crate) const NARROW: i32 = 340;

pub(crate) struct Canvas {
    width: i32,
    height: i32,
    /// Elements of each layer, from back to front.
    pub(super) layers: [String; 4],
    /// The layer that is drawn into.
    pub(super) layer: Layer,
    pub(super) flow: Option<Flow>,
    /// Classes of the designs without which the drawing is empty.
    pub(super) needs: Option<String>,
}

/// Horizontal position of a text relative to its point. All are centred in height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Right,
    Left,
    Centre,
}

/// Upper bound on the width of a character, in pixels. Fonts differ between machines and the page must not, so nothing
/// is measured: this is a little more than the widest common sans-serif takes.
const CHARACTER: f64 = TEXT as f64 * 0.6;

/// Upper bound on the width of a text, in pixels.
pub(crate) fn width(text: &str) -> i32 {
    (text.chars().count() as f64 * CHARACTER).ceil() as i32
}

/// The number of characters that fit into so many pixels.
pub(crate) fn fitting(pixels: i32) -> usize {
    (f64::from(pixels.max(0)) / CHARACTER) as usize
}

fn joined(points: impl IntoIterator<Item = Point>) -> String {
    let mut text = String::new();
    for (x, y) in points {
        // Writing into a string cannot fail.
        let _ = write!(text, "{}{x},{y}", if text.is_empty() { "" } else { " " });
    }
    text
}

impl Canvas {
    pub(crate) fn new(height: i32) -> Canvas {
        Canvas {
            width: WIDTH,
            height,
            layers: [const { String::new() }; 4],
            layer: Layer::Main,
            flow: None,
            needs: None,
        }
    }

    /// As wide as a telephone; its height is set [at the end](Canvas::end_at).
    pub(crate) fn narrow() -> Canvas {
        Canvas { width: NARROW, ..Canvas::new(0) }
    }

    pub(crate) fn is_narrow(&self) -> bool {
        self.width == NARROW
    }

    /// Sets the height to that of what was drawn.
    pub(crate) fn end_at(&mut self, height: i32) {
        self.height = height;
    }

    /// The image, with the title and the description that screen readers read.
    pub(crate) fn render(&self, id: &str, title: &str, description: &str) -> Markup {
        let (title_id, description_id) = (format!("{id}-title"), format!("{id}-desc"));
        html! {
            svg viewBox=(format!("0 0 {} {}", self.width, self.height)) role="img" font-size=(TEXT)
                aria-labelledby=(format!("{title_id} {description_id}")) data-flow=[self.told_flow()]
                data-needs=[self.needs.as_ref()]
            {
                title id=(title_id) { (title) }
                desc id=(description_id) { (description) }
                (self.layered())
            }
        }
    }

    pub(crate) fn width(&self) -> i32 {
        self.width
    }

    pub(crate) fn height(&self) -> i32 {
        self.height
    }

    /// Text of elements, into the layer that is drawn into.
    pub(super) fn push(&mut self, text: &str) {
        self.layers[self.layer as usize].push_str(text);
    }

    fn add(&mut self, element: Markup) {
        self.push(&element.0);
    }

    /// An element without content, closed in the short form: a page has ten thousand of them.
    fn add_empty(&mut self, element: Markup) {
        let text = element.0;
        self.push(text.rsplit_once("></").map_or(&*text, |(before, _)| before));
        self.push("/>");
    }

    pub(crate) fn text(&mut self, (x, y): Point, to: Anchor, ink: impl Into<Paint>, text: &str) {
        let paint = ink.into();
        let anchor = match to {
            Anchor::Right => None,
            Anchor::Left => Some("end"),
            Anchor::Centre => Some("middle"),
        };
        self.add(html! {
            text class=(paint.classes('f')) x=(x) y=(y) dy="0.5ex" text-anchor=[anchor]
                fill=(paint.ink.light()) { (text) }
        });
    }

    pub(crate) fn line(
        &mut self,
        points: impl IntoIterator<Item = Point>,
        ink: impl Into<Paint>,
        stroke: u32,
    ) {
        let paint = ink.into();
        // One pixel is what a stroke has without saying.
        let stroke = (stroke != 1).then_some(stroke);
        self.add_empty(html! {
            polyline class=(paint.classes('k')) fill="none" stroke=(paint.ink.light())
                stroke-width=[stroke] points=(joined(points)) {}
        });
    }

    pub(crate) fn fill(&mut self, x: Range<i32>, y: Range<i32>, ink: impl Into<Paint>) {
        let paint = ink.into();
        self.add_empty(html! {
            rect class=(paint.classes('f')) x=(x.start) y=(y.start) width=(x.end - x.start)
                height=(y.end - y.start) fill=(paint.ink.light()) {}
        });
    }

    pub(crate) fn ring(&mut self, (x, y): Point, radius: i32, ink: impl Into<Paint>) {
        let paint = ink.into();
        self.add_empty(html! {
            circle class=(paint.classes('k')) cx=(x) cy=(y) r=(radius) fill="none"
                stroke=(paint.ink.light()) stroke-width="2" {}
        });
    }

    pub(crate) fn dot(&mut self, (x, y): Point, radius: i32, ink: impl Into<Paint>) {
        let paint = ink.into();
        self.add_empty(html! {
            circle class=(paint.classes('f')) cx=(x) cy=(y) r=(radius) fill=(paint.ink.light()) {}
        });
    }

    /// A marker with the values that a reader hears or sees at it.
    pub(crate) fn mark(&mut self, point: Point, shape: usize, ink: impl Into<Paint>, says: &str) {
        self.say(says, |canvas| canvas.marker(point, shape, ink));
    }

    /// Elements with the values that a reader hears or sees at them.
    pub(crate) fn say(&mut self, says: &str, draw: impl FnOnce(&mut Canvas)) {
        let mut one = Canvas::new(0);
        draw(&mut one);
        self.add(html! { g data-say=(says) { (one.layered()) } });
    }

    /// Small discs of one colour as one element, where there would be thousands.
    pub(crate) fn dots(
        &mut self,
        points: impl IntoIterator<Item = Point>,
        radius: i32,
        ink: impl Into<Paint>,
    ) {
        let paint = ink.into();
        let mut path = String::new();
        for (x, y) in points {
            // Writing into a string cannot fail. A line of length zero is drawn as its round end.
            let _ = write!(path, "M{x} {y}h0");
        }
        self.add_empty(html! {
            path class=(paint.classes('k')) fill="none" stroke=(paint.ink.light()) stroke-width=(2 * radius)
                stroke-linecap="round" d=(path) {}
        });
    }

    pub(super) fn polygon(&mut self, (x, y): Point, corners: &[Point], paint: Paint) {
        let points = corners.iter().map(|&(u, v)| (x + u, y + v));
        self.add_empty(html! {
            polygon class=(paint.classes('f')) fill=(paint.ink.light()) points=(joined(points)) {}
        });
    }
}

pub(crate) type LogLog = Cartesian2d<LogCoord<f64>, LogCoord<f64>>;

pub(crate) type Linear = Cartesian2d<RangedCoordf64, RangedCoordf64>;

/// Logarithmic axes over a frame; y grows upwards.
pub(crate) fn log_log(x: Range<f64>, y: Range<f64>, frame: &Frame) -> LogLog {
    Cartesian2d::new(x.log_scale(), y.log_scale(), frame.upwards())
}

/// Linear axes over a frame; y grows upwards.
pub(crate) fn linear(x: Range<f64>, y: Range<f64>, frame: &Frame) -> Linear {
    Cartesian2d::<RangedCoordf64, RangedCoordf64>::new(x, y, frame.upwards())
}

pub(crate) fn at(axes: &impl CoordTranslate<From = (f64, f64)>, x: f64, y: f64) -> Point {
    axes.translate(&(x, y))
}

/// The rectangle of a plot in which data is drawn, in pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) x: Range<i32>,
    pub(crate) y: Range<i32>,
}

impl Frame {
    fn upwards(&self) -> (Range<i32>, Range<i32>) {
        (self.x.clone(), self.y.end..self.y.start)
    }

    /// The name of the horizontal axis, at the lower edge of the drawing.
    pub(crate) fn name_below(&self, canvas: &mut Canvas, name: &str) {
        let middle = (self.x.start + self.x.end) / 2;
        canvas.text((middle, canvas.height - 10), Anchor::Centre, Ink::Muted, name);
    }

    /// Vertical grid lines with their labels below. Labels stay within `room` pixels of the frame; one that would
    /// touch an earlier one is left out.
    pub(crate) fn all_down(&self, canvas: &mut Canvas, ticks: &[(i32, String)], room: i32) {
        let mut taken: Vec<Range<i32>> = Vec::new();
        for (x, label) in ticks {
            self.grid_line(canvas, *x);
            let half = width(label) / 2 + 1;
            let (low, high) = (self.x.start - room + half, self.x.end + room - half);
            let middle = (*x).clamp(low, high.max(low));
            let (start, end) = (middle - half, middle + half);
            if taken.iter().all(|other| end <= other.start || other.end <= start) {
                self.tick(canvas, middle, label);
                taken.push(start..end);
            }
        }
    }

    pub(crate) fn axes(&self, canvas: &mut Canvas) {
        let (left, bottom) = (self.x.start, self.y.end);
        canvas.on(Layer::Tall, |canvas| {
            canvas.line([(left, self.y.start), (left, bottom)], Ink::Axis, 1);
        });
        canvas.on(Layer::Below, |canvas| {
            canvas.line([(left, bottom), (self.x.end, bottom)], Ink::Axis, 1);
        });
    }

    fn grid_line(&self, canvas: &mut Canvas, x: i32) {
        let ends = [(x, self.y.start), (x, self.y.end)];
        canvas.on(Layer::Tall, |canvas| canvas.line(ends, Ink::Grid, 1));
    }

    /// A label below the frame.
    fn tick(&self, canvas: &mut Canvas, x: i32, label: &str) {
        let place = (x, self.y.end + 14);
        canvas.on(Layer::Below, |canvas| canvas.text(place, Anchor::Centre, Ink::Muted, label));
    }

    /// A horizontal grid line with its label at the left.
    pub(crate) fn across(&self, canvas: &mut Canvas, y: i32, label: &str) {
        canvas.line([(self.x.start, y), (self.x.end, y)], Ink::Grid, 1);
        canvas.text((self.x.start - 8, y), Anchor::Left, Ink::Muted, label);
    }

    /// A vertical grid line with its label below.
    pub(crate) fn down(&self, canvas: &mut Canvas, x: i32, label: &str) {
        self.grid_line(canvas, x);
        self.tick(canvas, x, label);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raywalk_results::schema::Control;

    #[test]
    fn an_element_has_the_class_of_its_role_and_owner_and_the_light_colour() {
        let mut canvas = Canvas::new(9);
        canvas.line([(1, 2), (3, 4)], Ink::Design(9, Control::Branchy), 1);
        canvas.text((1, 0), Anchor::Right, Ink::Text, "a < b");
        let image = canvas.render("p", "A <title>", "What \"it\" shows").0;
        assert!(image.contains(
            "<polyline class=\"k-branchy d9\" fill=\"none\" stroke=\"#c84c00\" points=\"1,2 3,4\"/>"
        ));
        assert!(image.contains("<text class=\"f-fg\" x=\"1\"") && image.contains("a &lt; b"));
        assert!(image.contains("<title id=\"p-title\">A &lt;title&gt;</title>"));
    }
}
