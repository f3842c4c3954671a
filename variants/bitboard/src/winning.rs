//! Winning captures: the sets of targets are intersected with the enemy's pieces of more worth.
//!
//! The Chess Programming Wiki ends its advice on winning captures with "not to mention bitboard techniques". With
//! sets, the victims of each kind of attacker are one intersection, found once per position, and a piece whose
//! attacks meet none of them costs no further test.

use raywalk_core::{Bitboards, Board, Kind, Move, MoveList, Winning};

use crate::pawns::{Ahead, PawnSets, behind};
use crate::piecewise::{Attacks, BoardOf, Occupied, Piecewise};
use crate::sets::{FILE_A, FILE_H, LAST_RANKS, each, squares, write};

impl<A: Attacks> Winning for Piecewise<A, PawnSets> {
    #[inline(always)]
    fn winning_captures(&self, board: &BoardOf<A>, list: &mut MoveList) {
        let (board, occupied) = (A::Occupied::sets(board), A::Occupied::of(board));
        let (own, enemy) = (board.own(), board.enemy());
        let queens = enemy & board.kind(Kind::Queen);
        let rooks = queens | enemy & board.kind(Kind::Rook);
        let minors = rooks | enemy & board.kinds([Kind::Knight, Kind::Bishop]);
        pawn_captures(board, minors, list);
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

/// The captures of all pawns on these squares, with the shifts of [`PawnSets`].
#[inline(always)]
fn pawn_captures(board: &Bitboards, victims: u64, list: &mut MoveList) {
    let Ahead { single, .. } = Ahead::of(board.state().side);
    let pawns = board.own() & board.kind(Kind::Pawn);
    for (able, step) in [(!FILE_A, single + 63), (!FILE_H, single + 1)] {
        let targets = (pawns & able).rotate_left(step) & victims;
        each(targets & !LAST_RANKS, |to| list.push(Move::new(behind(to, step), to)));
        each(targets & LAST_RANKS, |to| list.push_promotions(behind(to, step), to));
    }
}
