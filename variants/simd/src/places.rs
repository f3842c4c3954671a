//! The places of a byteboard: for each square, what a queen and a knight on it could see, in the order of rays.
//!
//! There are eight directions with eight places each: a knight's target and then the seven squares of a ray. So a
//! set of places has a byte for each direction, and one subtraction finds the nearest piece in all of them:
//!
//! ```text
//! place                7 6 5 4 3 2 1 k     one byte: a ray of seven squares and a knight's target
//! o | 0x81             1 0 0 1 0 0 0 1     a piece on the fourth square
//! minus 3              1 0 0 0 1 1 1 0     the borrow runs up to the nearest piece
//! changed              0 0 0 1 1 1 1 1     the squares that are seen
//! ```
//!
//! The places of the knights and the ends of the rays count as occupied, so no byte borrows from the next. Places
//! beyond the edge are taken out afterwards.

use raywalk_core::Square;

/// The places of all squares.
#[repr(C, align(64))]
pub(crate) struct Places {
    /// For each square the places of eight directions. A place beyond the edge is a1.
    pub(crate) lists: [[Square; 64]; 65],
    /// The places that are on the board. None for a slot without a piece.
    valid: [u64; 65],
}

/// The places of the rays of a rook, of a bishop, of a queen, of the steps of a king, and of a knight.
pub(crate) const STRAIGHT: u64 = 0xfefe_fefe;
pub(crate) const DIAGONAL: u64 = STRAIGHT << 32;
pub(crate) const BOTH: u64 = STRAIGHT | DIAGONAL;
pub(crate) const STEPS: u64 = 0x0202_0202_0202_0202;
pub(crate) const KNIGHT: u64 = 0x0101_0101_0101_0101;

/// The steps of the rays: four straight, four diagonal.
const RAYS: [(i8, i8); 8] = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)];
/// The knight's step that is listed with each ray.
const LEAPS: [(i8, i8); 8] =
    [(1, 2), (2, 1), (1, -2), (-2, 1), (2, -1), (-1, -2), (-2, -1), (-1, 2)];

impl Places {
    pub(crate) fn new() -> Places {
        let mut places = Places { lists: [[Square::A1; 64]; 65], valid: [0; 65] };
        for from in Square::all() {
            for (direction, (ray, leap)) in RAYS.into_iter().zip(LEAPS).enumerate() {
                let along = |n: i8| from.offset(n * ray.0, n * ray.1);
                let steps = std::iter::once(from.offset(leap.0, leap.1)).chain((1..8).map(along));
                for (step, to) in steps.enumerate() {
                    let place = 8 * direction + step;
                    if let Some(to) = to {
                        places.lists[from.index()][place] = to;
                        places.valid[from.index()] |= 1 << place;
                    }
                }
            }
        }
        places
    }

    /// The places that a queen and a knight see from a square, given those that hold a piece.
    #[inline(always)]
    pub(crate) fn visible(&self, from: usize, occupied: u64) -> u64 {
        let ends = occupied | 0x8181_8181_8181_8181;
        (ends ^ ends.wrapping_sub(0x0303_0303_0303_0303)) & self.valid[from]
    }

    pub(crate) fn table_bytes(&self) -> usize {
        size_of_val(&self.lists) + size_of_val(&self.valid)
    }
}
