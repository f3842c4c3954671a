//! Attack sets by the same lists: the squares that the walk visits.

use raywalk_core::{AttackSets, Attacking, Kind, Piece, Square};

use crate::walk::{Advance, DiepBoard, Writer};
use crate::{Diep, Variant};

impl<W, A: Advance> Diep<W, A> {
    /// Walks the list of a piece, for a pawn that of its captures.
    #[inline(always)]
    fn set(&self, board: &DiepBoard, piece: Piece, from: u8) -> u64 {
        let heads = self.table.heads();
        let heads = match piece.kind {
            Kind::Pawn => heads.captures(piece.color),
            kind => heads.pieces(kind),
        };
        let origin = Square::from_low_bits(u32::from(from));
        let mut index = usize::from(heads[origin.index()]);
        let mut element = self.table.element(index);
        let mut set = 0;
        loop {
            let to = element.square();
            set |= to.bit();
            index += 1 + A::beyond(board.code(to.number()), element.skip());
            element = self.table.element(index);
            if element.square() == origin {
                return set;
            }
        }
    }
}

impl<W: Writer, A: Advance> Attacking for Diep<W, A>
where
    (W, A): Variant,
{
    #[inline(always)]
    fn attacks_of(&self, board: &DiepBoard, square: Square) -> u64 {
        board.attack_set(square, |piece, from| self.set(board, piece, from))
    }

    #[inline(always)]
    fn attacks_of_side(&self, board: &DiepBoard, sets: &mut AttackSets) {
        board.attack_sets(sets, |piece, from| self.set(board, piece, from));
    }
}
