//! A piece list with the squares of each side as two sets beside it.

use super::{PieceList, Visitor};
use crate::square_board::{Code, Geometry};
use crate::{Color, Piece, Square};

/// A list `L`, and a set of the squares of each side's pieces, kept up to date by make and unmake.
#[derive(Clone, Debug, Default)]
#[repr(C)]
pub struct WithSets<L> {
    sets: [u64; 2],
    list: L,
}

impl<L> WithSets<L> {
    /// The squares of the pieces of one side.
    #[inline(always)]
    pub fn set(&self, color: Color) -> u64 {
        self.sets[color.index()]
    }
}

impl<G: Geometry, L: PieceList<G>> PieceList<G> for WithSets<L> {
    const NAME: &'static str = "a list with sets";

    #[inline]
    fn add(&mut self, piece: Piece, square: Square) {
        self.sets[piece.color.index()] ^= square.bit();
        self.list.add(piece, square);
    }

    #[inline]
    fn remove(&mut self, piece: Piece, square: Square) {
        self.sets[piece.color.index()] ^= square.bit();
        self.list.remove(piece, square);
    }

    #[inline]
    fn relocate(&mut self, piece: Piece, from: Square, to: Square) {
        self.sets[piece.color.index()] ^= from.bit() | to.bit();
        self.list.relocate(piece, from, to);
    }

    #[inline]
    fn king(&self, color: Color) -> Square {
        self.list.king(color)
    }

    #[inline(always)]
    fn visit<C: Code>(&self, cells: &G::Cells, side: Color, visitor: &mut impl Visitor) {
        self.list.visit::<C>(cells, side, visitor);
    }

    #[inline(always)]
    fn visit_sliders<C: Code>(&self, cells: &G::Cells, side: Color, visitor: &mut impl Visitor) {
        self.list.visit_sliders::<C>(cells, side, visitor);
    }
}
