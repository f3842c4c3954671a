//! Parts that drawings for wide and for narrow windows share, and those of narrow ones.
//!
//! A narrow drawing is as high as it needs to be: its texts wrap, and the name of a design stands above its row or
//! below the plot. With many designs, both draw only the fastest of each class. The table of numbers has all of them.

use raywalk_results::schema::Control;

use super::canvas::{Anchor, Canvas, Flow, Frame, Layer, fitting};
use crate::palette::Ink;
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
pub(crate) fn wrapped(text: &str, most: usize) -> Vec<String> {
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
    canvas.on(Layer::Below, |canvas| {
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
    });
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
    canvas.flows(Flow { columns, step: (step, LINE), top });
    let mut end = top;
    for (number, id) in designs.into_iter().enumerate() {
        let (column, line) = (number as i32 % columns, number as i32 / columns);
        let (x, y) = (8 + column * step, top + line * LINE);
        canvas.cell(number, view.keys.owner(id), |canvas| {
            canvas.marker((x, y), view.keys.shape(id), view.keys.ink(id));
            let label = view.keys.label(id, fitting(step - 24));
            canvas.text((x + 12, y), Anchor::Right, view.keys.paint(id, Ink::Text), &label);
        });
        end = y + LINE;
    }
    canvas.end_at(end);
}

/// Items that are drawn: all of few designs, otherwise those of the designs that are the fastest of their class
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
