//! Attack sets by the same lists: the squares that the walk visits.

use raywalk_core::square_board::{Board8x8, Code, ColourBits};
use raywalk_core::{AttackSets, Attacking, Kind, Piece, Square};

use crate::Ferret;
use crate::links::{Links, Place};

impl<L: Links> Ferret<L> {
    /// Walks the list of a piece, for a pawn that of its captures, whose rays have one square each.
    #[inline(always)]
    fn set(&self, board: &Board8x8, piece: Piece, from: u8) -> u64 {
        let heads = self.lists.heads();
        let heads = match piece.kind {
            Kind::Pawn => heads.captures(piece.color),
            kind => heads.pieces(kind),
        };
        let origin = Square::from_low_bits(u32::from(from));
        let mut at = self.lists.start(heads[origin.index()]);
        let mut square = at.square();
        let mut set = 0;
        loop {
            let to = Square::from_low_bits(square as u32);
            set |= to.bit();
            if ColourBits::is_empty(board.code(to.number())) {
                // SAFETY: `at` is a target. Heads and links lead to targets or the end, and the walk
                // returns below when it reaches the end.
                at = unsafe { at.next() };
                square = at.square();
                if L::is_end(square, origin) {
                    return set;
                }
            } else {
                let Some(next_ray) = at.blocked() else { return set };
                at = next_ray;
                square = at.square();
                if L::LINKS_LEAD_TO_END && L::is_end(square, origin) {
                    return set;
                }
            }
        }
    }
}

impl<L: Links> Attacking for Ferret<L> {
    #[inline(always)]
    fn attacks_of(&self, board: &Board8x8, square: Square) -> u64 {
        board.attack_set(square, |piece, from| self.set(board, piece, from))
    }

    #[inline(always)]
    fn attacks_of_side(&self, board: &Board8x8, sets: &mut AttackSets) {
        board.attack_sets(sets, |piece, from| self.set(board, piece, from));
    }
}
