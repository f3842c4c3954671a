//! The markers of families: shapes of about ten pixels, numbered as in [`SYMBOLS`].

use super::canvas::{Canvas, Point};
use crate::palette::{Paint, SYMBOLS};

/// Corners relative to the centre.
type Corners = &'static [Point];

const SQUARE: Corners = &[(-4, -4), (4, -4), (4, 4), (-4, 4)];
const UP: Corners = &[(0, -6), (6, 4), (-6, 4)];
const DOWN: Corners = &[(0, 6), (6, -4), (-6, -4)];
const LEFT: Corners = &[(-6, 0), (4, -6), (4, 6)];
const RIGHT: Corners = &[(6, 0), (-4, -6), (-4, 6)];
const DIAMOND: Corners = &[(0, -6), (6, 0), (0, 6), (-6, 0)];
const STAR: Corners = &[(0, -7), (2, -2), (7, 0), (2, 2), (0, 7), (-2, 2), (-7, 0), (-2, -2)];
const HEXAGON: Corners = &[(0, -6), (5, -3), (5, 3), (0, 6), (-5, 3), (-5, -3)];
const HALF_DISC: Corners = &[(0, -5), (-3, -4), (-5, 0), (-3, 4), (0, 5)];
const HALF_SQUARE: Corners = &[(-4, -4), (0, -4), (0, 4), (-4, 4)];
const BAR: Corners = &[(-6, -2), (6, -2), (6, 2), (-6, 2)];

impl Canvas {
    /// The marker of this number.
    pub(crate) fn marker(&mut self, centre: Point, shape: usize, ink: impl Into<Paint>) {
        let paint = ink.into();
        match shape % SYMBOLS.len() {
            0 => self.dot(centre, 5, paint),
            1 => self.polygon(centre, SQUARE, paint),
            2 => self.polygon(centre, UP, paint),
            3 => self.polygon(centre, DOWN, paint),
            4 => self.polygon(centre, DIAMOND, paint),
            5 => self.upright(centre, 6, 3, paint),
            6 => self.oblique(centre, 5, 3, paint),
            7 => self.ring(centre, 5, paint),
            8 => self.polygon(centre, LEFT, paint),
            9 => self.polygon(centre, RIGHT, paint),
            10 => self.outline(centre, SQUARE, paint),
            11 => self.outline(centre, UP, paint),
            12 => self.outline(centre, DOWN, paint),
            13 => self.outline(centre, DIAMOND, paint),
            14 => self.polygon(centre, STAR, paint),
            15 => {
                self.ring(centre, 6, paint);
                self.dot(centre, 2, paint);
            }
            16 => {
                self.ring(centre, 5, paint);
                self.polygon(centre, HALF_DISC, paint);
            }
            17 => {
                self.outline(centre, SQUARE, paint);
                self.polygon(centre, HALF_SQUARE, paint);
            }
            18 => {
                self.ring(centre, 6, paint);
                self.upright(centre, 6, 2, paint);
            }
            19 => {
                self.ring(centre, 6, paint);
                self.oblique(centre, 4, 2, paint);
            }
            20 => self.outline(centre, LEFT, paint),
            21 => self.outline(centre, RIGHT, paint),
            22 => self.polygon(centre, HEXAGON, paint),
            _ => self.polygon(centre, BAR, paint),
        }
    }

    /// A plus of two strokes.
    fn upright(&mut self, (x, y): Point, reach: i32, stroke: u32, paint: Paint) {
        self.line([(x - reach, y), (x + reach, y)], paint, stroke);
        self.line([(x, y - reach), (x, y + reach)], paint, stroke);
    }

    /// A cross of two strokes.
    fn oblique(&mut self, (x, y): Point, reach: i32, stroke: u32, paint: Paint) {
        self.line([(x - reach, y - reach), (x + reach, y + reach)], paint, stroke);
        self.line([(x - reach, y + reach), (x + reach, y - reach)], paint, stroke);
    }

    /// The edge of a polygon.
    fn outline(&mut self, (x, y): Point, corners: Corners, paint: Paint) {
        let closed = corners.iter().chain(corners.first());
        self.line(closed.map(|&(u, v)| (x + u, y + v)), paint, 2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::palette::Ink;
    use raywalk_results::schema::Control;
    use std::collections::BTreeSet;

    #[test]
    fn every_number_has_a_shape_and_a_symbol_of_its_own() {
        let drawn = |shape| {
            let mut canvas = Canvas::new(20);
            canvas.marker((10, 10), shape, Ink::Design(1, Control::Branchy));
            canvas.render("m", "", "").0
        };
        let shapes: BTreeSet<String> = (0..SYMBOLS.len()).map(drawn).collect();
        assert_eq!(shapes.len(), SYMBOLS.len());
        assert_eq!(SYMBOLS.iter().collect::<BTreeSet<_>>().len(), SYMBOLS.len());
        // More families than that share markers.
        assert_eq!(drawn(0), drawn(SYMBOLS.len()));
    }
}
