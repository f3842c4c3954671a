//! Tables of cells and of differences between cells.
//!
//! A difference of two cells tells whether they are a leap or a step apart, and the only direction in which a slider
//! could come from one to the other. Programs of the 1990s on 0x88 boards ask such tables whether one square may attack
//! another at all. On a board of ten files some differences of sliders are those of other pairs too, a1 to h3 for
//! example that of three diagonal steps. They need no test, because the edge is nearer in that direction.

use raywalk_core::Square;
use raywalk_core::square_board::{Geometry, Grid10x12};

use super::code;

/// The steps of the eight directions. Each is followed by its opposite four places later, and straight and diagonal
/// directions alternate in pairs.
pub(crate) const STEPS: [i8; 8] = [1, 10, 11, 9, -1, -10, -11, -9];
/// The leaps of a knight.
pub(crate) const LEAPS: [i8; 8] = [21, 19, 12, 8, -21, -19, -12, -8];
/// Of a difference that no slider covers.
pub(crate) const NONE: u8 = 8;

/// Whether a direction, or its axis, is a diagonal.
#[inline(always)]
pub(crate) const fn is_diagonal(direction: u8) -> bool {
    direction & 2 != 0
}

/// The bit of a piece that slides in a direction.
#[inline(always)]
pub(crate) fn slides(direction: usize) -> u8 {
    if is_diagonal(direction as u8) { code::DIAGONAL } else { code::STRAIGHT }
}

/// What the differences between two squares mean, at the difference taken modulo 256.
pub(crate) struct Differences {
    /// The only direction in which a rook may go there, or [`NONE`].
    pub(crate) straight: [u8; 256],
    /// The only direction in which a bishop may go there, or [`NONE`].
    pub(crate) diagonal: [u8; 256],
    /// The only direction in which a queen may go there, or [`NONE`].
    pub(crate) any: [u8; 256],
    /// Whether a knight leaps there.
    pub(crate) leap: [bool; 256],
    /// Whether a king steps there.
    pub(crate) step: [bool; 256],
    /// Of the neighbours of a piece on one line, the upper one less the lower one: how many squares of the line are
    /// free between them, whatever its direction.
    pub(crate) free: [u8; 256],
}

/// One table for all boards. Its bytes are part of the table of the design.
pub(crate) static DIFFERENCES: Differences = {
    let mut table = Differences {
        straight: [NONE; 256],
        diagonal: [NONE; 256],
        any: [NONE; 256],
        leap: [false; 256],
        step: [false; 256],
        free: [0; 256],
    };
    let mut n = 0;
    while n < 8 {
        let step = STEPS[n];
        table.leap[LEAPS[n] as u8 as usize] = true;
        table.step[step as u8 as usize] = true;
        // Nine steps lead from guard to guard.
        let mut steps = 1;
        while steps < 10 {
            let difference = step as i32 * steps;
            let at = (difference & 255) as usize;
            if steps < 8 {
                table.any[at] = n as u8;
                if is_diagonal(n as u8) {
                    table.diagonal[at] = n as u8;
                } else {
                    table.straight[at] = n as u8;
                }
            }
            // With a piece between them there are two steps at least, so nine along a rank are not one along a
            // diagonal.
            if step > 0 && steps > 1 {
                table.free[at] = steps as u8 - 2;
            }
            steps += 1;
        }
        n += 1;
    }
    table
};

/// The cell of a square.
#[inline(always)]
pub(crate) fn cell(square: Square) -> u8 {
    Grid10x12::cell(square)
}

/// The square of a cell that is on the board.
#[inline(always)]
pub(crate) fn square(cell: u8) -> Square {
    Grid10x12::square(cell)
}

/// For each square and direction the cells up to the edge, and behind them the guard.
pub(crate) struct Rays([[[u8; 8]; 8]; 64]);

impl Rays {
    pub(crate) fn build() -> Rays {
        let mut rays = [[[0; 8]; 8]; 64];
        for from in Square::all() {
            for (ray, step) in rays[from.index()].iter_mut().zip(STEPS) {
                let mut to = cell(from);
                for next in ray {
                    to = to.wrapping_add_signed(step);
                    *next = to;
                }
            }
        }
        Rays(rays)
    }

    /// The cells of a ray; those behind the edge have no meaning.
    #[inline(always)]
    pub(crate) fn of(&self, from: Square, direction: usize) -> &[u8; 8] {
        &self.0[from.index()][direction & 7]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a walk from a square in a direction comes to a square before it comes to the edge.
    fn meets(from: Square, to: Square, direction: u8) -> bool {
        let rays = Rays::build();
        let ray = rays.of(from, usize::from(direction)).iter();
        let mut on_board = ray.take_while(|&&cell| Square::all().any(|s| super::cell(s) == cell));
        on_board.any(|&next| next == cell(to))
    }

    /// The edge comes first: its difference is smaller.
    #[test]
    fn a_direction_that_is_none_ends_at_the_edge_before_the_difference() {
        let mut others = 0;
        for from in Square::all() {
            for to in Square::all().filter(|&to| to != from) {
                let at = usize::from(cell(to).wrapping_sub(cell(from)));
                for direction in [DIFFERENCES.straight[at], DIFFERENCES.diagonal[at]] {
                    if direction == NONE || meets(from, to, direction) {
                        continue;
                    }
                    others += 1;
                    let mut edge = cell(from);
                    while Square::all().any(|square| cell(square) == edge) {
                        edge = edge.wrapping_add_signed(STEPS[usize::from(direction)]);
                    }
                    let (edge, to) = (edge.abs_diff(cell(from)), cell(to).abs_diff(cell(from)));
                    assert!(edge < to, "{from}");
                }
            }
        }
        assert!(others > 0);
    }

    #[test]
    fn a_difference_has_the_meaning_of_the_pair_of_squares() {
        for from in Square::all() {
            for to in Square::all().filter(|&to| to != from) {
                let (files, ranks) =
                    (to.file() as i8 - from.file() as i8, to.rank() as i8 - from.rank() as i8);
                let at = usize::from(cell(to).wrapping_sub(cell(from)));
                let straight = files == 0 || ranks == 0;
                let diagonal = files.abs() == ranks.abs();
                let direction = |is_line: bool, table: &[u8; 256]| {
                    let step = (files.signum(), ranks.signum());
                    let step = (step.0 + 10 * step.1) as u8;
                    !is_line || STEPS.get(usize::from(table[at])).is_some_and(|&s| s as u8 == step)
                };
                assert!(direction(straight, &DIFFERENCES.straight), "{from} {to}");
                assert!(direction(diagonal, &DIFFERENCES.diagonal), "{from} {to}");
                assert!(direction(straight || diagonal, &DIFFERENCES.any), "{from} {to}");
                assert_eq!(DIFFERENCES.leap[at], files.abs() * ranks.abs() == 2, "{from} {to}");
                let steps = files.abs().max(ranks.abs());
                assert_eq!(DIFFERENCES.step[at], steps == 1, "{from} {to}");
                if (straight || diagonal) && steps > 1 {
                    let up = cell(to).abs_diff(cell(from));
                    assert_eq!(DIFFERENCES.free[usize::from(up)], steps as u8 - 2);
                }
            }
        }
    }
}
