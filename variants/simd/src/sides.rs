//! The sets of a board as the side to move sees them.

use raywalk_core::bitboards::attacks;
use raywalk_core::{Bitboards, Board, Color, Kind, Square, Stage};

use crate::sets::attacked_by_pawns;
use crate::slots::Pieces;

/// The sets of a board, of both sides, and the side to move.
#[derive(Clone, Copy)]
pub(crate) struct Sides {
    pub(crate) side: Color,
    pub(crate) own: u64,
    pub(crate) enemy: u64,
    pub(crate) pawns: u64,
    pub(crate) knights: u64,
    /// Bishops and queens.
    pub(crate) diagonal: u64,
    /// Rooks and queens.
    pub(crate) straight: u64,
    pub(crate) kings: u64,
}

impl Sides {
    /// The sets of a board.
    #[inline(always)]
    pub(crate) fn of(board: &Bitboards) -> Sides {
        let queens = board.kind(Kind::Queen);
        Sides {
            side: board.state().side,
            own: board.own(),
            enemy: board.enemy(),
            pawns: board.kind(Kind::Pawn),
            knights: board.kind(Kind::Knight),
            diagonal: board.kind(Kind::Bishop) | queens,
            straight: board.kind(Kind::Rook) | queens,
            kings: board.kind(Kind::King),
        }
    }

    /// The king of the side to move.
    #[inline(always)]
    pub(crate) fn king(&self) -> Square {
        lowest(self.kings & self.own)
    }

    /// The king of the other side.
    #[inline(always)]
    pub(crate) fn enemy_king(&self) -> Square {
        lowest(self.kings & self.enemy)
    }

    /// The squares that the pawns and the king of the enemy attack.
    #[inline(always)]
    pub(crate) fn attacked_nearby(&self) -> u64 {
        attacked_by_pawns(!self.side, self.pawns & self.enemy) | attacks::king(self.enemy_king())
    }

    /// The knights and pawns that give check.
    #[inline(always)]
    pub(crate) fn checking_leapers(&self) -> u64 {
        let king = self.king();
        let leapers =
            attacks::knight(king) & self.knights | attacks::pawn(self.side, king) & self.pawns;
        leapers & self.enemy
    }

    /// The pieces of a set by kind, those in the scope of a stage.
    #[inline(always)]
    pub(crate) fn pieces<S: Stage>(&self, set: u64) -> Pieces {
        let Sides { diagonal, straight, .. } = *self;
        Pieces {
            knights: if S::SLIDERS_ONLY { 0 } else { set & self.knights },
            bishops: set & diagonal & !straight,
            rooks: set & straight & !diagonal,
            queens: set & diagonal & straight,
        }
    }

    /// The squares on which the moves of a stage end.
    #[inline(always)]
    pub(crate) fn wanted<S: Stage>(&self) -> u64 {
        let enemy = if S::CAPTURES { self.enemy } else { 0 };
        let empty = if S::QUIETS { !(self.own | self.enemy) } else { 0 };
        enemy | empty
    }
}

/// The lowest square of a set that is not empty.
#[inline(always)]
pub(crate) const fn lowest(set: u64) -> Square {
    Square::from_low_bits(set.trailing_zeros())
}
