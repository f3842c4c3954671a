//! Attack sets from a square board, for designs whose tables tell them.

use super::{Code, Geometry, PieceList, SquareBoard, Visitor};
use crate::{AttackSets, Board, Color, Kind, Piece, Square};

impl<G: Geometry, C: Code, L: PieceList<G>> SquareBoard<G, C, L> {
    /// The attack set of the piece on a square, which is not empty. `of` finds the set of a piece on a
    /// cell.
    #[inline(always)]
    pub fn attack_set(&self, square: Square, of: impl Fn(Piece, u8) -> u64) -> u64 {
        let piece = self.piece_at(square).expect("a piece on the square that is asked about");
        of(piece, G::cell(square))
    }

    /// Appends the attack set of every piece of the side to move, in the order of the piece list.
    #[inline(always)]
    pub fn attack_sets(&self, sets: &mut AttackSets, of: impl Fn(Piece, u8) -> u64) {
        let collect = |piece, cell| sets.push(G::square(cell), of(piece, cell));
        self.visit::<crate::All>(&mut Collect { side: self.state.side, collect });
    }
}

struct Collect<F> {
    side: Color,
    collect: F,
}

impl<F: FnMut(Piece, u8)> Visitor for Collect<F> {
    #[inline(always)]
    fn pawn(&mut self, from: u8) {
        (self.collect)(Piece::new(self.side, Kind::Pawn), from);
    }

    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: u8) {
        (self.collect)(Piece::new(self.side, kind), from);
    }
}
