//! Legal en passant captures, which are rare: each is tried on the occupied set.

use raywalk_core::bitboards::attacks;
use raywalk_core::{Bitboards, Board, Move, MoveList, Square, Stage};

use crate::sets::{ahead, squares};
use crate::sides::Sides;

/// A pawn that may be captured on the square that it has just passed.
#[derive(Clone, Copy)]
pub(crate) struct Passing<'a> {
    sides: &'a Sides,
    to: Square,
}

/// Appends the captures en passant that leave the king safe, if the stage has captures.
#[inline]
pub(crate) fn write<S: Stage>(board: &Bitboards, sides: &Sides, list: &mut MoveList) {
    if S::CAPTURES
        && let Some(to) = board.state().en_passant
    {
        let takers = squares(Passing::of(sides, to).takers());
        takers.for_each(|from| list.push(Move::en_passant(from, to)));
    }
}

impl Passing<'_> {
    /// The pawn that has passed a square.
    pub(crate) fn of(sides: &Sides, to: Square) -> Passing<'_> {
        Passing { sides, to }
    }

    /// The pawns that may capture and leave the king safe. A capture empties two squares and fills one.
    pub(crate) fn takers(self) -> u64 {
        let Passing { sides, to } = self;
        let Sides { side, own, enemy, .. } = *sides;
        let king = sides.king();
        let victim = Square::from_low_bits((i16::from(to.number()) - ahead(side)) as u32).bit();
        let enemy = enemy & !victim;
        let leapers =
            attacks::knight(king) & sides.knights | attacks::pawn(side, king) & sides.pawns;
        let is_safe = |from: &Square| {
            let occupied = (own | enemy) ^ from.bit() ^ to.bit();
            let checkers = leapers
                | attacks::rook(king, occupied) & sides.straight
                | attacks::bishop(king, occupied) & sides.diagonal;
            checkers & enemy == 0
        };
        let able = squares(attacks::pawn(!side, to) & own & sides.pawns);
        able.filter(is_safe).fold(0, |takers, from| takers | from.bit())
    }
}
