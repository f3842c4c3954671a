//! One point per design in a plane: named beside the point in a wide drawing, numbered in a narrow one.

use super::canvas::{Anchor, Canvas, Flow, Frame, Layer, Point, width};
use super::labels::{Area, beside};
use super::narrow::{LINE, drawn, note, paragraph};
use crate::palette::Ink;
use crate::view::View;

/// Height of a label in pixels.
const LABEL: i32 = 15;

/// A design in the plane.
pub(crate) struct Spot<'a> {
    pub(crate) id: &'a str,
    pub(crate) place: Point,
    /// Its values in words, which the script shows when a reader points at the design.
    pub(crate) says: String,
}

/// Draws all points with the names of the designs, which do not overlap as far as there is room.
///
/// A narrow drawing has numbers instead, explained from `below` on. Where only some designs are named, the others are
/// grey dots. Ends the drawing.
pub(crate) fn spots(
    canvas: &mut Canvas,
    view: View<'_>,
    frame: &Frame,
    spots: &[Spot<'_>],
    below: i32,
) {
    let shown = drawn(view, spots, |spot| spot.id);
    let is_narrow = canvas.is_narrow();
    for spot in spots.iter().filter(|spot| !shown.iter().any(|it| it.id == spot.id)) {
        canvas.dot(spot.place, 2, view.keys.paint(spot.id, Ink::Axis));
    }
    let texts: Vec<String> = match is_narrow {
        true => (1..=shown.len()).map(|number| number.to_string()).collect(),
        false => shown.iter().map(|spot| view.keys.label(spot.id, 26)).collect(),
    };
    let places: Vec<Point> = shown.iter().map(|spot| spot.place).collect();
    let widths: Vec<i32> = texts.iter().map(|text| width(text)).collect();
    let bounds = Area {
        left: frame.x.start + 2,
        top: frame.y.start,
        right: frame.x.end,
        bottom: frame.y.end,
    };
    let labels = beside(&places, &widths, LABEL, bounds);
    for ((spot, text), area) in shown.iter().zip(&texts).zip(labels) {
        let ink = view.keys.ink(spot.id);
        let middle = ((area.left + area.right) / 2, (area.top + area.bottom) / 2);
        let near = spot.place.0.clamp(area.left, area.right);
        if (near - spot.place.0).abs() > 12 || (middle.1 - spot.place.1).abs() > 18 {
            canvas.line([spot.place, (near, spot.place.1.clamp(area.top, area.bottom))], ink, 1);
        }
        canvas.mark(spot.place, view.keys.shape(spot.id), ink, &spot.says);
        let (x, anchor) = if area.left > spot.place.0 {
            (area.left, Anchor::Right)
        } else if area.right < spot.place.0 {
            (area.right, Anchor::Left)
        } else {
            (middle.0, Anchor::Centre)
        };
        canvas.text((x, middle.1), anchor, view.keys.paint(spot.id, Ink::Text), text);
    }
    if is_narrow {
        let mut y = below;
        canvas.flows(Flow { columns: 1, step: (0, LINE), top: below });
        for (number, (spot, text)) in shown.iter().zip(&texts).enumerate() {
            let name = view.keys.paint(spot.id, Ink::Text);
            canvas.cell(number, view.keys.owner(spot.id), |canvas| {
                canvas.text((22, y), Anchor::Left, name, text);
                canvas.marker((34, y), view.keys.shape(spot.id), view.keys.ink(spot.id));
                canvas.text((46, y), Anchor::Right, name, &view.keys.label(spot.id, 40));
            });
            y += LINE;
        }
        canvas.on(Layer::Below, |canvas| {
            let end = note(shown.len(), spots.len()).map_or(y, |note| paragraph(canvas, y, &note));
            canvas.end_at(end);
        });
    } else if let Some(note) = note(shown.len(), spots.len()) {
        let end = paragraph(canvas, below + LINE / 2, &note);
        canvas.end_at(end);
    }
}
