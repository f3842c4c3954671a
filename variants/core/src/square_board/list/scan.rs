//! No list: all 64 squares are looked at.

use super::{PieceList, Visitor};
use crate::square_board::{Cells, Code, Geometry};
use crate::{Color, Kind, Piece, Square};

/// No piece list. Make and unmake have nothing to update, generation reads every square.
///
/// The way of TSCP. The two kings' squares are kept all the same: without them each test of legality
/// would scan for the king, and that is another question than how fast moves are found.
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
            let code = cells.get(cell);
            if C::is_own(code, side) {
                visitor.visit(C::kind(code), cell);
            }
        }
    }
}
