//! Is a square attacked? Asked for castling and for legality, never by the timed walks themselves.
//!
//! The same for every geometry and code: a ray is followed for as many steps as the board has, so
//! no guard is needed, and the first piece met decides.

use super::{Cells, Code, Geometry, PieceList, SquareBoard};
use crate::{Color, Kind, Square};

/// Steps from a square to the edge, in the eight directions of the queen.
static TO_THE_EDGE: [[u8; 8]; 64] = {
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

/// Which of the eight leaps of the knight stay on the board, one bit each.
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
    /// Whether a piece of `by` attacks the square, whoever stands on it.
    pub(super) fn is_attacked(&self, square: Square, by: Color) -> bool {
        let origin = G::cell(square);
        let knight = C::of(crate::Piece::new(by, Kind::Knight));
        let mut leaps = LEAPS[square.index()];
        while leaps != 0 {
            let (files, ranks) = Kind::Knight.steps()[leaps.trailing_zeros() as usize];
            if self.cells.get(origin.wrapping_add(G::step(files, ranks))) == knight {
                return true;
            }
            leaps &= leaps - 1;
        }
        let rays = Kind::Queen.steps().iter().zip(&TO_THE_EDGE[square.index()]);
        for (&(files, ranks), &length) in rays {
            let step = G::step(files, ranks);
            let mut cell = origin;
            for distance in 1..=length {
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

    /// Whether the piece coded `code`, `distance` steps away in this direction, attacks back along it.
    #[inline]
    fn reaches(&self, code: u8, by: Color, files: i8, ranks: i8, distance: u8) -> bool {
        let diagonal = files != 0 && ranks != 0;
        match C::piece(code).map(|piece| piece.kind) {
            Some(Kind::Queen) => true,
            Some(Kind::Rook) => !diagonal,
            Some(Kind::Bishop) => diagonal,
            Some(Kind::King) => distance == 1,
            // A white pawn attacks upwards, so it stands below the square.
            Some(Kind::Pawn) => distance == 1 && diagonal && (ranks < 0) == (by == Color::White),
            _ => false,
        }
    }
}
