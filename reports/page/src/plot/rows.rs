//! Rows of designs, one below the other.

use std::ops::Range;

use super::canvas::{Anchor, Canvas, Flow, Frame, Layer, NARROW, WIDTH, fitting, width};
use super::narrow::LINE;
use crate::palette::{Ink, Paint};

/// Margins of a plot in a wide drawing, and the height of a row.
pub(crate) struct Margins {
    pub(crate) left: i32,
    pub(crate) right: i32,
    pub(crate) row: i32,
}

/// Rows of designs: right of their names in a wide drawing, below them in a narrow one.
pub(crate) struct Rows {
    pub(crate) frame: Frame,
    row: i32,
    /// Height of the name above a row.
    above: i32,
}

impl Rows {
    pub(crate) fn new(canvas: &mut Canvas, top: i32, count: usize, wide: &Margins) -> Rows {
        let (x, above) = match canvas.is_narrow() {
            true => (12..NARROW - 12, LINE),
            false => (wide.left..WIDTH - wide.right, 0),
        };
        let row = wide.row + above;
        canvas.flows(Flow { columns: 1, step: (0, row), top });
        Rows { frame: Frame { x, y: top..top + count as i32 * row }, row, above }
    }

    /// From the upper to the lower edge of what is drawn of a row, without its name.
    pub(crate) fn lane(&self, number: usize) -> Range<i32> {
        let top = self.frame.y.start + number as i32 * self.row;
        top + self.above..top + self.row
    }

    pub(crate) fn middle(&self, number: usize) -> i32 {
        let lane = self.lane(number);
        (lane.start + lane.end) / 2
    }

    /// The background of every other row. The script removes the last ones with the rows.
    pub(crate) fn stripes(&self, canvas: &mut Canvas) {
        canvas.on(Layer::Under, |canvas| {
            canvas.push(r#"<g data-stripes="">"#);
            for top in self.frame.y.clone().step_by(2 * self.row as usize) {
                canvas.fill(0..canvas.width(), top..top + self.row, Ink::Stripe);
            }
            canvas.push("</g>");
        });
    }

    /// The name of a row, which is given as many characters as there is room for, and its value.
    pub(crate) fn name(
        &self,
        canvas: &mut Canvas,
        number: usize,
        (name, label): (Paint, impl Fn(usize) -> String),
        (ink, value): (Paint, &str),
    ) {
        let Range { start: left, end: right } = self.frame.x;
        if self.above > 0 {
            let y = self.lane(number).start - self.above / 2;
            let most = fitting(NARROW - 16 - width(value));
            canvas.text((4, y), Anchor::Right, name, &label(most));
            if !value.is_empty() {
                canvas.text((NARROW - 4, y), Anchor::Left, ink, value);
            }
            return;
        }
        let y = self.middle(number);
        canvas.text((left - 12, y), Anchor::Left, name, &label(fitting(left - 16)));
        if !value.is_empty() {
            canvas.text((right + 12, y), Anchor::Right, ink, value);
        }
    }
}
