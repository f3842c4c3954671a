//! Legal en passant captures, which are rare: each is tried on the occupied set.

use raywalk_core::bitboards::attacks;
use raywalk_core::{Color, Square};

use crate::sets::{ahead, squares};

/// What decides whether a pawn that has just passed a square may be captured there.
#[derive(Clone, Copy)]
pub(crate) struct Passing {
    pub(crate) side: Color,
    /// The square that was passed.
    pub(crate) to: Square,
    /// The king of the side to move.
    pub(crate) king: Square,
    /// The pawns of the side to move.
    pub(crate) pawns: u64,
    pub(crate) occupied: u64,
    pub(crate) enemy_pawns: u64,
    pub(crate) enemy_knights: u64,
    /// Bishops and queens.
    pub(crate) enemy_diagonal: u64,
    /// Rooks and queens.
    pub(crate) enemy_straight: u64,
}

impl Passing {
    /// The pawns that may capture and leave the king safe. A capture empties two squares and fills one.
    pub(crate) fn takers(self) -> u64 {
        let Passing { side, to, king, .. } = self;
        let victim = Square::from_low_bits((i16::from(to.number()) - ahead(side)) as u32).bit();
        let leapers = attacks::knight(king) & self.enemy_knights
            | attacks::pawn(side, king) & self.enemy_pawns & !victim;
        let is_safe = |from: &Square| {
            let occupied = self.occupied ^ from.bit() ^ victim ^ to.bit();
            let checkers = leapers
                | attacks::rook(king, occupied) & self.enemy_straight
                | attacks::bishop(king, occupied) & self.enemy_diagonal;
            checkers == 0
        };
        let able = squares(attacks::pawn(!side, to) & self.pawns);
        able.filter(is_safe).fold(0, |takers, from| takers | from.bit())
    }
}
