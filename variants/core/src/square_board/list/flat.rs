//! One array per side, with the king first.

use super::{PieceList, Visitor};
use crate::square_board::{Cells, Code, Geometry};
use crate::{Color, Kind, Piece, Square};

/// Maximum number of pieces of a side.
const PIECES: usize = 16;

/// A flat list: the cells of a side's pieces in slots 0 to n, with the king in slot 0 and all other
/// kinds mixed.
///
/// The kind of a piece is read from the board. The last piece moves into the slot of a captured
/// one, so the order changes during a game.
///
/// Source: GNU Chess 4 (`PieceList[side][0..n]`).
#[derive(Clone, Debug)]
#[repr(C)]
pub struct FlatList {
    counts: [u8; 2],
    cells: [[u8; PIECES]; 2],
    // The slot of the piece on each square. Last, because only make and unmake read it.
    slots: [u8; 64],
}

impl Default for FlatList {
    fn default() -> FlatList {
        FlatList { counts: [0; 2], cells: [[0; PIECES]; 2], slots: [0; 64] }
    }
}

impl FlatList {
    /// The cells of a side's pieces, the king first.
    #[inline(always)]
    pub fn of(&self, color: Color) -> &[u8] {
        let count = usize::from(self.counts[color.index()]);
        &self.cells[color.index()][..count.min(PIECES)]
    }

    #[inline]
    fn write<G: Geometry>(&mut self, color: Color, slot: u8, square: Square) {
        self.cells[color.index()][usize::from(slot)] = G::cell(square);
        self.slots[square.index()] = slot;
    }
}

impl<G: Geometry> PieceList<G> for FlatList {
    const NAME: &'static str = "flat list";

    #[inline]
    fn add(&mut self, piece: Piece, square: Square) {
        let end = self.counts[piece.color.index()];
        self.counts[piece.color.index()] = end + 1;
        if piece.kind == Kind::King {
            // Moves the piece in slot 0 to the end. Happens only while a board is set up.
            let first = G::square(self.cells[piece.color.index()][0]);
            if end > 0 {
                self.write::<G>(piece.color, end, first);
            }
            self.write::<G>(piece.color, 0, square);
        } else {
            self.write::<G>(piece.color, end, square);
        }
    }

    #[inline]
    fn remove(&mut self, piece: Piece, square: Square) {
        let last = self.counts[piece.color.index()] - 1;
        self.counts[piece.color.index()] = last;
        let filler = G::square(self.cells[piece.color.index()][usize::from(last)]);
        self.write::<G>(piece.color, self.slots[square.index()], filler);
    }

    #[inline]
    fn relocate(&mut self, piece: Piece, from: Square, to: Square) {
        self.write::<G>(piece.color, self.slots[from.index()], to);
    }

    #[inline]
    fn king(&self, color: Color) -> Square {
        G::square(self.cells[color.index()][0])
    }

    #[inline(always)]
    fn visit<C: Code>(&self, cells: &G::Cells, side: Color, visitor: &mut impl Visitor) {
        for &cell in self.of(side) {
            visitor.visit(C::kind(cells.get(cell)), cell);
        }
    }
}
