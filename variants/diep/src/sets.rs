//! Attack sets by the same lists: the squares that the walk visits.

use raywalk_core::{AttackSets, Attacking, Kind, Piece, Square};

use crate::reading::{BoardWith, Reading};
use crate::walk::{Advance, Writer};
use crate::{Diep, Variant};

impl<W, A: Advance, R: Reading> Diep<W, A, R> {
    /// Walks the list of a piece, for a pawn that of its captures.
    #[inline(always)]
    fn set(&self, board: &BoardWith<R::List>, piece: Piece, from: u8) -> u64 {
        let heads = self.table.heads();
        let heads = match piece.kind {
            Kind::Pawn => heads.captures(piece.color),
            kind => heads.pieces(kind),
        };
        let origin = Square::from_low_bits(u32::from(from));
        let mut index = usize::from(heads[origin.index()]);
        // SAFETY: this is the head of the origin.
        let mut element = unsafe { self.table.element(index) };
        let (mut set, source) = (0, R::source(board));
        loop {
            let to = element.square();
            set |= to.bit();
            let obstacle = R::obstacle(source, R::read(source, to));
            index = A::next(obstacle, index + 1, element.skip());
            // SAFETY: the walk advances by one or by one and the skip, and ends where it meets its origin.
            element = unsafe { self.table.element(index) };
            if element.square() == origin {
                return set;
            }
        }
    }
}

impl<W: Writer, A: Advance, R: Reading> Attacking for Diep<W, A, R>
where
    (W, A, R): Variant,
{
    #[inline(always)]
    fn attacks_of(&self, board: &BoardWith<R::List>, square: Square) -> u64 {
        board.attack_set(square, |piece, from| self.set(board, piece, from))
    }

    #[inline(always)]
    fn attacks_of_side(&self, board: &BoardWith<R::List>, sets: &mut AttackSets) {
        board.attack_sets(sets, |piece, from| self.set(board, piece, from));
    }
}
