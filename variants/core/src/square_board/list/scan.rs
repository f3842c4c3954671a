//! No list: generation scans all 64 squares.

use super::{PieceList, Visitor};
use crate::square_board::{Cells, Code, Geometry};
use crate::{Color, Kind, Piece, Square};

/// No piece list, as in TSCP: make and unmake have nothing to update, and generation reads every
/// square.
///
/// The squares of the two kings are stored nevertheless. Without them each legality test would scan
/// for the king, a cost that has nothing to do with move generation.
#[derive(Clone, Debug)]
pub struct BoardScan {
    kings: [Square; 2],
}

impl Default for BoardScan {
    fn default() -> BoardScan {
        BoardScan { kings: [Square::from_low_bits(0); 2] }
    }
}

impl<G: Geometry> PieceList<G> for BoardScan {
    const NAME: &'static str = "board scan";

    #[inline]
    fn add(&mut self, piece: Piece, square: Square) {
        if piece.kind == Kind::King {
            self.kings[piece.color.index()] = square;
        }
    }

    #[inline]
    fn remove(&mut self, _: Piece, _: Square) {}

    #[inline]
    fn relocate(&mut self, piece: Piece, _: Square, to: Square) {
        PieceList::<G>::add(self, piece, to);
    }

    #[inline]
    fn king(&self, color: Color) -> Square {
        self.kings[color.index()]
    }

    #[inline(always)]
    fn visit<C: Code>(&self, cells: &G::Cells, side: Color, visitor: &mut impl Visitor) {
        for square in Square::all() {
            let cell = G::cell(square);
            // The kind is read for own pieces only, which matters on a board that stores it apart.
            if C::is_own(cells.occupant(cell), side) {
                visitor.visit(C::kind(cells.get(cell)), cell);
            }
        }
    }
}
