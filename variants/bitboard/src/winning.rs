//! Winning captures: the sets of targets are intersected with the enemy's pieces of more worth.
//!
//! The Chess Programming Wiki ends its advice on winning captures with "not to mention bitboard techniques". With
//! sets, the victims of each kind of attacker are one intersection, found once per position, and a piece whose
//! attacks meet none of them costs no further test.

use raywalk_core::{Kind, MoveList, Winning};

use crate::pawns::PawnSets;
use crate::piecewise::{Attacks, BoardOf, Occupied, Piecewise};
use crate::sets::{squares, write};

impl<A: Attacks> Winning for Piecewise<A, PawnSets> {
    #[inline(always)]
    fn winning_captures(&self, board: &BoardOf<A>, list: &mut MoveList) {
        let (board, occupied) = (A::Occupied::sets(board), A::Occupied::of(board));
        let (own, enemy) = (board.own(), board.enemy());
        let queens = enemy & board.kind(Kind::Queen);
        let rooks = queens | enemy & board.kind(Kind::Rook);
        let minors = rooks | enemy & board.kinds([Kind::Knight, Kind::Bishop]);
        PawnSets::captures(board, minors, 0, list);
        for from in squares(own & board.kind(Kind::Knight)) {
            write(from, self.leapers.knight[from.index()] & rooks, list);
        }
        for from in squares(own & board.kind(Kind::Bishop)) {
            write(from, self.sliders.bishop(from, occupied) & rooks, list);
        }
        for from in squares(own & board.kind(Kind::Rook)) {
            write(from, self.sliders.rook(from, occupied) & queens, list);
        }
    }
}
