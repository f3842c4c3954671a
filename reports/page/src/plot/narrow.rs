//! Parts that drawings for wide and for narrow windows share, and those of narrow ones.
//!
//! A narrow drawing is as high as it needs to be: its texts wrap, and the name of a design stands above its row or below
//! the plot. Of many designs only the fastest of each class are drawn in either. The table of numbers has all of them.

use std::ops::Range;

use raywalk_results::schema::Control;

use super::canvas::{Anchor, Canvas, Frame, NARROW, WIDTH, fitting, width};
use crate::palette::{Ink, Paint};
use crate::view::View;

/// Distance of two lines of text.
pub(crate) const LINE: i32 = 18;
/// Distance from the lower edge of a frame to the name of its axis.
pub(crate) const BELOW: i32 = 34;
/// More designs than this are not all drawn: their names would overlap, or make a drawing of many screens.
pub(crate) const MOST: usize = 26;
/// Drawn designs of each class, if not all are.
pub(crate) const EACH: usize = 4;

/// Text in lines that fit, the first one at this height. Returns the height of the next line.
pub(crate) fn paragraph(canvas: &mut Canvas, top: i32, text: &str) -> i32 {
    let mut y = top;
    for line in wrapped(text, fitting(canvas.width() - 8)) {
        canvas.text((4, y), Anchor::Right, Ink::Muted, &line);
        y += LINE;
    }
    y
}

/// Lines of at most so many characters, broken between words. A longer word has a line of its own.
fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The legend above a plot. Returns the upper edge of the plot.
pub(crate) fn head(canvas: &mut Canvas, legend: &str) -> i32 {
    if canvas.is_narrow() {
        return paragraph(canvas, 10, legend);
    }
    canvas.text((4, 14), Anchor::Right, Ink::Muted, legend);
    34
}

/// The name of the horizontal axis, then a note. Ends the drawing, and returns its height.
pub(crate) fn foot(canvas: &mut Canvas, frame: &Frame, axis: &str, note: Option<&str>) -> i32 {
    if canvas.is_narrow() {
        let below = paragraph(canvas, frame.y.end + BELOW, axis);
        let end = note.map_or(below, |note| paragraph(canvas, below, note));
        canvas.end_at(end);
    } else {
        canvas.end_at(frame.y.end + 50);
        frame.name_below(canvas, axis);
        if let Some(note) = note {
            let end = paragraph(canvas, frame.y.end + 58, note);
            canvas.end_at(end);
        }
    }
    canvas.height()
}

/// Markers and names of designs in columns. Ends the drawing.
pub(crate) fn key<'a>(
    canvas: &mut Canvas,
    view: View<'_>,
    top: i32,
    designs: impl IntoIterator<Item = &'a str>,
) {
    let columns = if canvas.is_narrow() { 1 } else { 3 };
    let step = canvas.width() / columns;
    let mut end = top;
    for (number, id) in designs.into_iter().enumerate() {
        let (column, line) = (number as i32 % columns, number as i32 / columns);
        let (x, y) = (8 + column * step, top + line * LINE);
        canvas.marker((x, y), view.keys.shape(id), view.keys.ink(id));
        let label = view.keys.label(id, fitting(step - 24));
        canvas.text((x + 12, y), Anchor::Right, view.keys.paint(id, Ink::Text), &label);
        end = y + LINE;
    }
    canvas.end_at(end);
}

/// What is drawn of these items: all of few designs, otherwise those of the designs that are the fastest of their class
/// in the headline panel.
pub(crate) fn drawn<'a, T>(view: View<'_>, items: &'a [T], id: impl Fn(&T) -> &str) -> Vec<&'a T> {
    if items.len() <= MOST {
        return items.iter().collect();
    }
    let rows = view.judged.headline().map_or(&[][..], |panel| &panel.rows[..]);
    let place = |item: &T| rows.iter().position(|row| row.id == id(item)).unwrap_or(rows.len());
    let control = |item: &T| view.keys.get(id(item)).map(|key| key.control);
    let places: Vec<(Option<Control>, usize)> =
        items.iter().map(|item| (control(item), place(item))).collect();
    let is_drawn = |&(class, place): &(Option<Control>, usize)| {
        places.iter().filter(|&&(other, before)| other == class && before < place).count() < EACH
    };
    let shown = items.iter().zip(&places).filter(|(_, place)| is_drawn(place));
    shown.map(|(item, _)| item).collect()
}

/// Says which designs are drawn, if not all are.
pub(crate) fn note(shown: usize, all: usize) -> Option<String> {
    (shown < all).then(|| {
        format!(
            "Drawn are the fastest {EACH} of each class, {shown} of {all}; the numbers have all."
        )
    })
}

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
    pub(crate) fn new(canvas: &Canvas, top: i32, count: usize, wide: &Margins) -> Rows {
        let (x, above) = match canvas.is_narrow() {
            true => (12..NARROW - 12, LINE),
            false => (wide.left..WIDTH - wide.right, 0),
        };
        let row = wide.row + above;
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

    /// The background of every other row.
    pub(crate) fn stripes(&self, canvas: &mut Canvas) {
        for top in self.frame.y.clone().step_by(2 * self.row as usize) {
            canvas.fill(0..canvas.width(), top..top + self.row, Ink::Stripe);
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_wraps_between_words_and_a_long_word_has_a_line() {
        assert_eq!(wrapped("one two  three", 7), ["one two", "three"]);
        assert_eq!(wrapped("one-two-three four", 7), ["one-two-three", "four"]);
        assert_eq!(wrapped("", 7), Vec::<String>::new());
    }
}
