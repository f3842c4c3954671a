//! What all plots draw with: words, lines, areas and markers, in inks, through plotters.

use std::error::Error;
use std::ops::Range;

use plotters::coord::cartesian::Cartesian2d;
use plotters::coord::combinators::{IntoLogRange, LogCoord};
use plotters::coord::types::RangedCoordf64;
use plotters::coord::{CoordTranslate, Shift};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::palette::{Ink, Paint, SLOTS};

/// What drawing gives. Into a string it does not fail; if it did, the page says so in its place.
pub type Drawn<T = ()> = Result<T, Box<dyn Error>>;

/// A point in pixels, from the upper left corner.
pub type Point = (i32, i32);

/// Height of words in a plot, and of words that name an axis.
pub const WORDS: f64 = 12.0;

/// A surface of a given size.
pub struct Canvas<'a> {
    area: DrawingArea<SVGBackend<'a>, Shift>,
}

/// Draws a plot of this size and returns what plotters wrote.
pub fn draw(size: (u32, u32), paint: impl FnOnce(&Canvas<'_>) -> Drawn) -> Drawn<String> {
    let mut raw = String::new();
    {
        let canvas = Canvas { area: SVGBackend::with_string(&mut raw, size).into_drawing_area() };
        paint(&canvas)?;
        canvas.area.present()?;
    }
    Ok(raw)
}

/// Where a label lies from its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// To the right of the point, centred in height.
    Right,
    /// To the left of the point, centred in height.
    Left,
    /// Centred in both directions.
    Centre,
}

/// Width of a text in pixels. Fonts differ and none is measured, or the page would differ between
/// machines; this is a little more than the widest common sans-serif takes.
pub fn width(text: &str) -> i32 {
    (text.chars().count() as f64 * WORDS * 0.6).ceil() as i32
}

/// The text, or its beginning and an ellipsis where it is longer than `most` characters.
pub fn clipped(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

impl Canvas<'_> {
    /// Writes a line of text.
    pub fn words(&self, at: Point, anchor: Anchor, ink: impl Into<Paint>, text: &str) -> Drawn {
        let pos = match anchor {
            Anchor::Right => HPos::Left,
            Anchor::Left => HPos::Right,
            Anchor::Centre => HPos::Center,
        };
        // Plotters' sizes are 1.24 times what it writes.
        let colour = ink.into().rgb();
        let style = TextStyle::from(("sans-serif", WORDS * 1.24).into_font())
            .color(&colour)
            .pos(Pos::new(pos, VPos::Center));
        Ok(self.area.draw(&Text::new(text.to_owned(), at, style))?)
    }

    /// Draws a line through the points.
    pub fn line(&self, points: impl Into<Vec<Point>>, ink: impl Into<Paint>, stroke: u32) -> Drawn {
        Ok(self
            .area
            .draw(&PathElement::new(points.into(), ink.into().rgb().stroke_width(stroke)))?)
    }

    /// Fills a rectangle.
    pub fn fill(&self, x: Range<i32>, y: Range<i32>, ink: impl Into<Paint>) -> Drawn {
        let corners = [(x.start, y.start), (x.end, y.end)];
        Ok(self.area.draw(&Rectangle::new(corners, ink.into().rgb().filled()))?)
    }

    /// Draws a ring.
    pub fn ring(&self, at: Point, radius: i32, ink: impl Into<Paint>) -> Drawn {
        Ok(self.area.draw(&Circle::new(at, radius, ink.into().rgb().stroke_width(2)))?)
    }

    /// Fills a small disc.
    pub fn dot(&self, at: Point, radius: i32, ink: impl Into<Paint>) -> Drawn {
        Ok(self.area.draw(&Circle::new(at, radius, ink.into().rgb().filled()))?)
    }

    /// Draws the marker of a shape number: disc, square, triangle up, triangle down, diamond,
    /// plus, cross, ring.
    pub fn marker(&self, (x, y): Point, shape: usize, ink: impl Into<Paint>) -> Drawn {
        let ink: Paint = ink.into();
        let polygon = |points: &[Point]| -> Drawn {
            let points: Vec<Point> = points.iter().map(|&(u, v)| (x + u, y + v)).collect();
            Ok(self.area.draw(&Polygon::new(points, ink.rgb().filled()))?)
        };
        match shape % SLOTS {
            0 => self.dot((x, y), 5, ink),
            1 => polygon(&[(-4, -4), (4, -4), (4, 4), (-4, 4)]),
            2 => polygon(&[(0, -6), (6, 4), (-6, 4)]),
            3 => polygon(&[(0, 6), (6, -4), (-6, -4)]),
            4 => polygon(&[(0, -6), (6, 0), (0, 6), (-6, 0)]),
            5 => {
                self.line([(x - 6, y), (x + 6, y)], ink, 3)?;
                self.line([(x, y - 6), (x, y + 6)], ink, 3)
            }
            6 => {
                self.line([(x - 5, y - 5), (x + 5, y + 5)], ink, 3)?;
                self.line([(x - 5, y + 5), (x + 5, y - 5)], ink, 3)
            }
            _ => self.ring((x, y), 5, ink),
        }
    }
}

/// Both axes logarithmic.
pub type LogLog = Cartesian2d<LogCoord<f64>, LogCoord<f64>>;

/// Both axes even.
pub type Even = Cartesian2d<RangedCoordf64, RangedCoordf64>;

/// Logarithmic axes over a frame in pixels; y grows upwards.
pub fn log_log(x: Range<f64>, y: Range<f64>, frame: &Frame) -> LogLog {
    Cartesian2d::new(x.log_scale(), y.log_scale(), frame.upwards())
}

/// Even axes over a frame in pixels; y grows upwards.
pub fn even(x: Range<f64>, y: Range<f64>, frame: &Frame) -> Even {
    Cartesian2d::<RangedCoordf64, RangedCoordf64>::new(x, y, frame.upwards())
}

/// Where a value pair lies, in pixels.
pub fn at(axes: &impl CoordTranslate<From = (f64, f64)>, x: f64, y: f64) -> Point {
    axes.translate(&(x, y))
}

/// The rectangle of a plot in which data is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// From left to right.
    pub x: Range<i32>,
    /// From top to bottom.
    pub y: Range<i32>,
}

impl Frame {
    fn upwards(&self) -> (Range<i32>, Range<i32>) {
        (self.x.clone(), self.y.end..self.y.start)
    }

    /// The line at the left and the line below.
    pub fn axes(&self, canvas: &Canvas<'_>) -> Drawn {
        let corner = (self.x.start, self.y.end);
        let points = [(self.x.start, self.y.start), corner, (self.x.end, self.y.end)];
        canvas.line(points, Ink::Axis, 1)
    }

    /// A grid line across, at a height, with its label at the left.
    pub fn across(&self, canvas: &Canvas<'_>, y: i32, label: &str) -> Drawn {
        canvas.line([(self.x.start, y), (self.x.end, y)], Ink::Grid, 1)?;
        canvas.words((self.x.start - 8, y), Anchor::Left, Ink::Muted, label)
    }

    /// A grid line down, at a place, with its label below.
    pub fn down(&self, canvas: &Canvas<'_>, x: i32, label: &str) -> Drawn {
        canvas.line([(x, self.y.start), (x, self.y.end)], Ink::Grid, 1)?;
        canvas.words((x, self.y.end + 14), Anchor::Centre, Ink::Muted, label)
    }
}
