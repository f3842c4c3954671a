//! Curves with their names: right of the plot, next to their ends, or below it in a narrow drawing.

use super::canvas::{Anchor, Canvas, Frame, NARROW, Point, WIDTH};
use super::labels::spread;
use super::narrow::{LINE, head, key, paragraph};
use crate::palette::Ink;
use crate::view::View;

/// Height of the plot in a narrow window, without the names of the curves.
const NARROW_HEIGHT: i32 = 250;

/// Writes the name of the vertical axis and the legend above the curves. Returns where the curves are drawn.
pub(crate) fn frame_below(canvas: &mut Canvas, axis: &str, legend: &str) -> Frame {
    let top = head(canvas, axis);
    if canvas.is_narrow() {
        let top = paragraph(canvas, top, legend);
        return Frame { x: 52..NARROW - 18, y: top..top + NARROW_HEIGHT };
    }
    canvas.text((WIDTH - 8, 14), Anchor::Left, Ink::Muted, legend);
    Frame { x: 64..WIDTH - 230, y: top..canvas.height() - 50 }
}

/// Names curves by design and place of their ends. `foot` is where the names of a narrow drawing may begin.
pub(crate) fn name_ends(
    canvas: &mut Canvas,
    view: View<'_>,
    frame: &Frame,
    foot: i32,
    mut ends: Vec<(&str, Point)>,
) {
    if canvas.is_narrow() {
        ends.sort_by_key(|&(_, (_, y))| y);
        return key(canvas, view, foot + LINE / 2, ends.into_iter().map(|(id, _)| id));
    }
    let heights: Vec<f64> = ends.iter().map(|&(_, (_, y))| f64::from(y)).collect();
    let labels = spread(&heights, 16.0, 30.0, f64::from(frame.y.end + 38));
    for ((id, (x, end)), label) in ends.into_iter().zip(labels) {
        let (left, y, ink) = (frame.x.end + 30, label.round() as i32, view.keys.ink(id));
        canvas.line([(x + 8, end), (left - 12, y)], ink, 1);
        canvas.marker((left - 6, y), view.keys.shape(id), ink);
        let text = view.keys.paint(id, Ink::Text);
        canvas.text((left + 4, y), Anchor::Right, text, &view.keys.label(id, 26));
    }
}
