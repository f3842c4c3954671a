//! Attack tests, used for legality. The timed walks do not use them; castling has a test of its own, in the
//! module `passage`.
//!
//! One implementation serves every geometry and code. The number of steps from each square to the
//! edge is tabulated, so no guard is needed, and the first piece on a ray decides.

use super::{Cells, Code, Geometry, PieceList, SquareBoard};
use crate::{Color, Kind, Piece, Square};

/// Steps from a square to the edge, by square and by direction in the order of [`Kind::steps`].
pub(super) static STEPS_TO_EDGE: [[u8; 8]; 64] = {
    let mut table = [[0; 8]; 64];
    let mut n = 0;
    while n < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (files, ranks) = Kind::Queen.steps()[direction];
            let mut square = Square::from_low_bits(n as u32);
            while let Some(next) = square.offset(files, ranks) {
                square = next;
                table[n][direction] += 1;
            }
            direction += 1;
        }
        n += 1;
    }
    table
};

/// The leaps of the knight that stay on the board: bit *n* is leap *n* of [`Kind::steps`].
static LEAPS: [u8; 64] = {
    let mut table = [0; 64];
    let mut n = 0;
    while n < 64 {
        let mut leap = 0;
        while leap < 8 {
            let (files, ranks) = Kind::Knight.steps()[leap];
            if Square::from_low_bits(n as u32).offset(files, ranks).is_some() {
                table[n] |= 1 << leap;
            }
            leap += 1;
        }
        n += 1;
    }
    table
};

impl<G: Geometry, C: Code, L: PieceList<G>> SquareBoard<G, C, L> {
    /// Whether a piece of `by` attacks the square, whatever the square holds.
    pub(super) fn is_attacked(&self, square: Square, by: Color) -> bool {
        let origin = G::cell(square);
        let knight = C::of(Piece::new(by, Kind::Knight));
        let mut leaps = LEAPS[square.index()];
        while leaps != 0 {
            let step = G::KNIGHT_STEPS[leaps.trailing_zeros() as usize & 7];
            if self.cells.get(origin.wrapping_add(step)) == knight {
                return true;
            }
            leaps &= leaps - 1;
        }
        let lengths = &STEPS_TO_EDGE[square.index()];
        for ((&(files, ranks), &step), &length) in
            Kind::Queen.steps().iter().zip(G::QUEEN_STEPS).zip(lengths)
        {
            let mut cell = origin;
            // An inclusive range would test a flag of its own at every step.
            for distance in 1..length + 1 {
                cell = cell.wrapping_add(step);
                let code = self.cells.get(cell);
                if C::is_empty(code) {
                    continue;
                }
                if C::is_own(code, by) && self.reaches(code, by, files, ranks, distance) {
                    return true;
                }
                break;
            }
        }
        false
    }

    /// Whether a piece of `by` with this code attacks the origin of the ray. `files` and `ranks`
    /// are one step from the origin towards the piece, `distance` is the number of steps.
    #[inline]
    fn reaches(&self, code: u8, by: Color, files: i8, ranks: i8, distance: u8) -> bool {
        let diagonal = files != 0 && ranks != 0;
        match C::piece(code).map(|piece| piece.kind) {
            Some(Kind::Queen) => true,
            Some(Kind::Rook) => !diagonal,
            Some(Kind::Bishop) => diagonal,
            Some(Kind::King) => distance == 1,
            // A white pawn attacks up the board, so it is below the square.
            Some(Kind::Pawn) => distance == 1 && diagonal && (ranks < 0) == (by == Color::White),
            _ => false,
        }
    }
}
