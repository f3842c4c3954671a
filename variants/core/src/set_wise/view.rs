//! The board as the side to move sees it.

use super::step;
use crate::{Bitboards, Board, Kind, Move, Square};

/// The pieces in sets, turned over if Black is to move, so that own pawns go north always.
///
/// *Color flipping* is how the published direction-wise code serves both sides. A byte swap per set
/// turns the board; whether it is wanted is a mask, not a branch, which in a shuffled set of
/// positions would be mispredicted every other time. Squares are turned back as moves are written,
/// by one exclusive or.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// The pieces of the side to move.
    pub own: u64,
    /// The pieces of the other side.
    pub enemy: u64,
    /// Pawns of both sides, as all that follow.
    pub pawns: u64,
    /// Knights.
    pub knights: u64,
    /// Bishops and queens.
    pub diagonal: u64,
    /// Rooks and queens.
    pub straight: u64,
    /// Kings.
    pub kings: u64,
    /// The square that a pawn has just passed over, or none.
    pub en_passant: u64,
    /// All ones if the board is turned over.
    mask: u64,
}

impl View {
    /// The view of the side to move.
    #[inline(always)]
    pub fn new(board: &Bitboards) -> View {
        let mask = 0u64.wrapping_sub(board.state().side.index() as u64);
        let queens = board.kind(Kind::Queen);
        View {
            own: turn(board.own(), mask),
            enemy: turn(board.enemy(), mask),
            pawns: turn(board.kind(Kind::Pawn), mask),
            knights: turn(board.kind(Kind::Knight), mask),
            diagonal: turn(board.kind(Kind::Bishop) | queens, mask),
            straight: turn(board.kind(Kind::Rook) | queens, mask),
            kings: turn(board.kind(Kind::King), mask),
            en_passant: turn(board.en_passant(), mask),
            mask,
        }
    }

    /// Another set of the board, as seen from here.
    #[inline(always)]
    pub const fn turned(&self, set: u64) -> u64 {
        turn(set, self.mask)
    }

    /// All pieces.
    #[inline(always)]
    pub const fn occupied(&self) -> u64 {
        self.own | self.enemy
    }

    /// The square of the board that is seen on `square`.
    #[inline(always)]
    pub const fn square(&self, square: Square) -> Square {
        Square::from_low_bits(square.number() as u32 ^ (self.mask & 56) as u32)
    }

    /// A move between two squares as seen, with a mark of its kind.
    #[inline(always)]
    pub const fn mv(&self, from: Square, to: Square, mark: u16) -> Move {
        let turned = (self.mask & (56 | 56 << 6)) as u16;
        Move::from_bits(Move::new(from, to).bits() ^ turned | mark)
    }
}

/// The set, or the set turned over.
#[inline(always)]
const fn turn(set: u64, mask: u64) -> u64 {
    set ^ (set ^ set.swap_bytes()) & mask
}

/// The rank where pawns promote.
const LAST_RANK: u64 = 0xff << 56;

/// Which targets of the sets are more than a plain move. That follows from where the pieces stand:
/// a square next to a pawn can be entered from there by that pawn alone, and a king that goes two
/// squares castles. So the sets need no room for it.
#[derive(Clone, Copy, Debug)]
pub struct Marks {
    /// Own pawns.
    pawns: u64,
    /// The square that a pawn has just passed over, or none.
    en_passant: u64,
    /// Two squares east and west of the king, if the square between is empty.
    castling: [u64; 2],
}

impl Marks {
    /// The mark of en passant as bits of a move.
    const EN_PASSANT: u16 = Move::en_passant(Square::new(0, 0), Square::new(0, 0)).bits();
    /// The mark of castling.
    const CASTLE: u16 = Move::castle(Square::new(0, 0), Square::new(0, 0)).bits();

    /// The marks of a position.
    #[inline(always)]
    pub const fn new(view: &View) -> Marks {
        let (king, empty) = (view.own & view.kings, !view.occupied());
        Marks {
            pawns: view.own & view.pawns,
            en_passant: view.en_passant,
            castling: [
                step::<1, 0>(step::<1, 0>(king) & empty),
                step::<-1, 0>(step::<-1, 0>(king) & empty),
            ],
        }
    }

    /// The targets in this direction that are promotions if they are targets at all.
    #[inline(always)]
    pub const fn promotions<const FILES: i8, const RANKS: i8>(&self) -> u64 {
        if const { RANKS == 1 } { LAST_RANK & step::<FILES, RANKS>(self.pawns) } else { 0 }
    }

    /// The targets in this direction that bear a mark if they are targets at all, and the mark.
    #[inline(always)]
    pub const fn marked<const FILES: i8, const RANKS: i8>(&self) -> (u64, u16) {
        match const { (FILES, RANKS) } {
            (1, 0) => (self.castling[0], Self::CASTLE),
            (-1, 0) => (self.castling[1], Self::CASTLE),
            (1, 1) => (self.en_passant & step::<1, 1>(self.pawns), Self::EN_PASSANT),
            (-1, 1) => (self.en_passant & step::<-1, 1>(self.pawns), Self::EN_PASSANT),
            _ => (0, 0),
        }
    }
}
