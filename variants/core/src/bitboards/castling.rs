//! Castling on sets of squares. A file of its own, so that a reader of compiled code can tell these rules from the
//! generation of other moves.

use super::Bitboards;
use crate::{Board, Castling, CastlingRights, Wing};

impl Bitboards {
    /// The target squares of the king for the castling moves that are legal now: the right is held,
    /// the squares between king and rook are empty, and the king's square, the square it crosses
    /// and the square it lands on are not attacked.
    ///
    /// All bitboard designs share this function, so that they do not differ in it. Rights and path
    /// are tested inline, because they rule castling out in most positions; the attack tests are a
    /// call.
    #[inline]
    pub fn castling(&self) -> u64 {
        let (side, occupied) = (self.state.side, self.occupied());
        let allowed = |wing| {
            let squares = Castling::of(side, wing);
            let held = self.state.rights.contains(CastlingRights::one(side, wing));
            let allowed = held && squares.between & occupied == 0 && self.king_walks_safely(wing);
            u64::from(allowed) << squares.king_to.number()
        };
        allowed(Wing::King) | allowed(Wing::Queen)
    }

    /// Whether none of the three squares that the king of the side to move leaves, crosses and
    /// enters is attacked. Not inlined, so that all designs execute the same copy for both wings.
    #[inline(never)]
    fn king_walks_safely(&self, wing: Wing) -> bool {
        let Castling { king_from, rook_to, king_to, .. } = Castling::of(self.state.side, wing);
        [king_from, rook_to, king_to]
            .into_iter()
            .all(|square| !self.attacked(square, !self.state.side))
    }
}
