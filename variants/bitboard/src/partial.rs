//! Parts of the generation: the first capture, the first moves, the moves to one square.
//!
//! The pieces are visited one by one, so the loop can stop after any of them. To find the moves to one
//! square, the slider methods are applied from the target: a rook attacks the target if a rook on the
//! target would attack it.

use raywalk_core::bitboards::attacks;
use raywalk_core::{Bitboards, Board, Early, FIRST_MOVES, Kind, Move, MoveList, Square, Targeted};

use crate::pawns::{Ahead, PawnSets, Pawns, behind, taking};
use crate::piecewise::{Attacks, BoardOf, Leapers, Occupied, Piecewise};
use crate::sets::{FILE_A, FILE_H, LAST_RANKS, each, write};

/// Calls `action` with the square of each piece until it returns true.
#[inline(always)]
fn until(mut set: u64, mut action: impl FnMut(Square) -> bool) -> bool {
    while set != 0 {
        if action(Square::from_low_bits(set.trailing_zeros())) {
            return true;
        }
        set &= set - 1;
    }
    false
}

impl<A: Attacks> Piecewise<A> {
    /// Calls `action` with each piece of the side to move but the pawns, and with its attack set, until it
    /// returns true.
    #[inline(always)]
    fn until_piece(&self, board: &BoardOf<A>, mut action: impl FnMut(Square, u64) -> bool) -> bool {
        let (board, occupied) = (A::Occupied::sets(board), A::Occupied::of(board));
        let own = board.own();
        let Leapers { knight, king } = &self.leapers;
        let of = |kind| own & board.kind(kind);
        until(of(Kind::Knight), |from| action(from, knight[from.index()]))
            || until(of(Kind::Bishop), |from| action(from, self.sliders.bishop(from, occupied)))
            || until(of(Kind::Rook), |from| action(from, self.sliders.rook(from, occupied)))
            || until(of(Kind::Queen), |from| action(from, self.sliders.queen(from, occupied)))
            || until(of(Kind::King), |from| action(from, king[from.index()]))
    }
}

impl<A: Attacks> Early for Piecewise<A> {
    #[inline(always)]
    fn first_capture(&self, board: &BoardOf<A>) -> Option<Move> {
        let sets = A::Occupied::sets(board);
        if let Some(capture) = first_pawn_capture(sets) {
            return Some(capture);
        }
        let enemy = sets.enemy();
        let mut found = None;
        self.until_piece(board, |from, attacks| {
            let targets = attacks & enemy;
            if targets != 0 {
                found = Some(Move::new(from, Square::from_low_bits(targets.trailing_zeros())));
            }
            targets != 0
        });
        found
    }

    /// Pawns come last, because they are generated as a set that cannot be cut short.
    #[inline(always)]
    fn first_moves(&self, board: &BoardOf<A>, list: &mut MoveList) {
        let sets = A::Occupied::sets(board);
        let free = !sets.own();
        let enough = self.until_piece(board, |from, attacks| {
            write(from, attacks & free, list);
            list.len() >= FIRST_MOVES
        });
        if !enough {
            self.pawns.generate::<raywalk_core::All>(sets, list);
        }
        if list.len() < FIRST_MOVES {
            let king = sets.king(sets.state().side);
            each(sets.castling(), |to| list.push(Move::castle(king, to)));
        }
        list.truncate(FIRST_MOVES);
    }
}

#[inline(always)]
fn first_pawn_capture(board: &Bitboards) -> Option<Move> {
    let Ahead { single, .. } = Ahead::of(board.state().side);
    let pawns = board.own() & board.kind(Kind::Pawn);
    let passed = board.en_passant();
    let takes = board.enemy() | passed;
    // The shifts of `PawnSets`.
    for (able, step) in [(!FILE_A, single + 63), (!FILE_H, single + 1)] {
        let targets = (pawns & able).rotate_left(step) & takes;
        if targets != 0 {
            let to = Square::from_low_bits(targets.trailing_zeros());
            let from = behind(to, step);
            return Some(if to.bit() & LAST_RANKS != 0 {
                Move::promotion(from, to, Kind::Queen)
            } else {
                taking(from, to, passed)
            });
        }
    }
    None
}

impl<A: Attacks> Targeted for Piecewise<A, PawnSets> {
    #[inline(always)]
    fn moves_to(&self, board: &BoardOf<A>, to: Square, list: &mut MoveList) {
        let (board, occupied) = (A::Occupied::sets(board), A::Occupied::of(board));
        let (own, side) = (board.own(), board.state().side);
        let target = to.bit();
        if own & target != 0 {
            return;
        }
        pawn_moves_to(board, to, list);
        let Leapers { knight, king } = &self.leapers;
        let diagonal = board.kinds([Kind::Bishop, Kind::Queen]);
        let straight = board.kinds([Kind::Rook, Kind::Queen]);
        let from = knight[to.index()] & board.kind(Kind::Knight)
            | king[to.index()] & board.kind(Kind::King)
            | self.sliders.bishop(to, occupied) & diagonal
            | self.sliders.rook(to, occupied) & straight;
        each(from & own, |from| list.push(Move::new(from, to)));
        if board.castling() & target != 0 {
            list.push(Move::castle(board.king(side), to));
        }
    }
}

/// The pawn moves to a square that holds no own piece.
#[inline(always)]
fn pawn_moves_to(board: &Bitboards, to: Square, list: &mut MoveList) {
    let side = board.state().side;
    let Ahead { single, third_rank } = Ahead::of(side);
    let pawns = board.own() & board.kind(Kind::Pawn);
    let (target, passed) = (to.bit(), board.en_passant());
    let mut from = 0;
    if (board.enemy() | passed) & target != 0 {
        // Pawns attack the target from the squares that a pawn of the other colour on it would attack.
        from |= attacks::pawn(!side, to) & pawns;
    }
    let empty = !board.occupied();
    if empty & target != 0 {
        let before = target.rotate_right(single);
        // A double push passes the third rank.
        let twice = (before & empty & third_rank).rotate_right(single);
        from |= (before | twice) & pawns;
    }
    if target & LAST_RANKS != 0 {
        each(from, |from| list.push_promotions(from, to));
    } else {
        each(from, |from| list.push(taking(from, to, passed)));
    }
}
