//! The board from the perspective of the side to move.

use std::hint::select_unpredictable;

use super::rays::before;
use super::{DIRECTIONS, TargetSets, distance, index, step};
use crate::{Bitboards, Board, Kind, Move, Square};

/// The sets of pieces, flipped vertically if Black is to move, so that own pawns always move north.
///
/// The published direction-wise code serves both sides by this *colour flipping*. A byte swap flips
/// a set. A mask selects whether to flip: a branch would be mispredicted half of the time on a
/// shuffled set of positions. Squares are flipped back when moves are written, by one exclusive or.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// The pieces of the side to move.
    pub own: u64,
    /// The pieces of the other side.
    pub enemy: u64,
    /// Pawns of both sides.
    pub pawns: u64,
    /// Knights of both sides.
    pub knights: u64,
    /// Bishops and queens of both sides.
    pub diagonal: u64,
    /// Rooks and queens of both sides.
    pub straight: u64,
    /// Kings of both sides.
    pub kings: u64,
    /// The square that a pawn has just passed over, or the empty set.
    pub en_passant: u64,
    /// All ones if the board is flipped, else 0.
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

    /// Converts a set from board coordinates to this view.
    #[inline(always)]
    pub fn turned(&self, set: u64) -> u64 {
        turn(set, self.mask)
    }

    /// All pieces of both sides.
    #[inline(always)]
    pub const fn occupied(&self) -> u64 {
        self.own | self.enemy
    }

    /// Converts a square between this view and board coordinates, in either direction.
    #[inline(always)]
    pub const fn square(&self, square: Square) -> Square {
        Square::from_low_bits(square.number() as u32 ^ (self.mask & 56) as u32)
    }

    /// The move in board coordinates between two squares of this view. `mark` is ORed in: the bits
    /// that distinguish en passant and castling, or 0.
    ///
    /// `from` is a plain number below 64: [`Rays`](super::Rays) says why. All is composed in 32 bits
    /// and cut to 16 when the move is stored, because 16-bit arithmetic extends its operands again.
    #[inline(always)]
    pub const fn mv(&self, from: u32, to: Square, mark: u16) -> Move {
        composed(from, to, self.turn(), mark)
    }

    /// The bits of a move that change between board coordinates and this view.
    #[inline(always)]
    pub(super) const fn turn(&self) -> u32 {
        (self.mask & (56 | 56 << 6)) as u32
    }

    /// The same bits of four moves in one word.
    #[inline(always)]
    pub(super) const fn turns(&self) -> u64 {
        self.mask & const { (56 | 56 << 6) * 0x0001_0001_0001_0001 }
    }

    /// The promotions in board coordinates of a pawn that moves between two squares of this view.
    #[inline(always)]
    pub const fn promotions(&self, from: u32, to: Square) -> [Move; 4] {
        Move::promotions(self.square(Square::from_low_bits(from)), self.square(to))
    }
}

/// The move from a number below 64 to a target, with the bits of `turn` changed and those of `mark` set.
#[inline(always)]
pub(super) const fn composed(from: u32, to: Square, turn: u32, mark: u16) -> Move {
    Move::from_bits(((from | (to.number() as u32) << 6) ^ turn | mark as u32) as u16)
}

/// Flips a set vertically if `mask` is all ones.
#[inline(always)]
fn turn(set: u64, mask: u64) -> u64 {
    select_unpredictable(mask != 0, set.swap_bytes(), set)
}

/// The rank where pawns promote.
const LAST_RANK: u64 = 0xff << 56;

/// What is special about the move of a piece that is known, as it is when the move is made: told by the
/// piece instead of by the direction.
#[inline(always)]
pub(super) const fn special_of_piece(view: &View, from: Square, to: Square) -> Option<Special> {
    if view.pawns & from.bit() != 0 {
        if to.rank() == 7 {
            return Some(Special::Promotion);
        }
        // A push cannot end there: it would come from the square of the pawn that passed.
        if view.en_passant & to.bit() != 0 {
            return Some(Special::Marked(Marks::EN_PASSANT));
        }
    } else if view.kings & from.bit() != 0 && from.number().abs_diff(to.number()) == 2 {
        return Some(Special::Marked(Marks::CASTLE));
    }
    None
}

/// Finds the targets that are promotions, en passant captures or castling.
///
/// The position alone decides this: along a given direction, only the pawn can reach the square
/// next to it, and a king that moves two squares castles. So the target sets need not store it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Marks {
    /// Pawns of the side to move.
    pawns: u64,
    /// The square that a pawn has just passed over, or the empty set.
    en_passant: u64,
    /// The squares two files east `[0]` and west `[1]` of a king on e1, if the square between is empty.
    castling: [u64; 2],
}

impl Marks {
    /// The mark of en passant: the kind bits of a [`Move`].
    const EN_PASSANT: u16 = Move::en_passant(Square::new(0, 0), Square::new(0, 0)).bits();
    /// The mark of castling, likewise.
    const CASTLE: u16 = Move::castle(Square::new(0, 0), Square::new(0, 0)).bits();

    /// Computes the marks of a position.
    #[inline(always)]
    pub(crate) const fn new(view: &View) -> Marks {
        const E1: u64 = 1 << 4;
        let (king, empty) = (view.own & view.kings & E1, !view.occupied());
        Marks {
            pawns: view.own & view.pawns,
            en_passant: view.en_passant,
            castling: [
                step::<1, 0>(step::<1, 0>(king) & empty),
                step::<-1, 0>(step::<-1, 0>(king) & empty),
            ],
        }
    }

    /// A superset of the promotion targets in this direction, to be intersected with the targets.
    #[inline(always)]
    pub(crate) const fn promotions<const FILES: i8, const RANKS: i8>(&self) -> u64 {
        if const { RANKS == 1 } { LAST_RANK & step::<FILES, RANKS>(self.pawns) } else { 0 }
    }

    /// The [`promotions`](Marks::promotions) of the three directions in which pawns promote.
    #[inline(always)]
    pub(crate) const fn all_promotions(&self) -> [(usize, u64); 3] {
        [
            (const { index(0, 1) }, self.promotions::<0, 1>()),
            (const { index(1, 1) }, self.promotions::<1, 1>()),
            (const { index(-1, 1) }, self.promotions::<-1, 1>()),
        ]
    }

    /// A superset of the marked targets in this direction, and their mark.
    #[inline(always)]
    pub(crate) const fn marked<const FILES: i8, const RANKS: i8>(&self) -> (u64, u16) {
        match const { (FILES, RANKS) } {
            (1, 0) => (self.castling[0], Self::CASTLE),
            (-1, 0) => (self.castling[1], Self::CASTLE),
            (1, 1) => (self.en_passant & step::<1, 1>(self.pawns), Self::EN_PASSANT),
            (-1, 1) => (self.en_passant & step::<-1, 1>(self.pawns), Self::EN_PASSANT),
            _ => (0, 0),
        }
    }

    /// The special targets of each direction: supersets, to be intersected with the targets.
    /// [`Special::of`] tells which kind a target of the intersection is.
    #[inline(always)]
    pub(crate) const fn specials(&self) -> [u64; 16] {
        let mut sets = [0; 16];
        sets[const { index(0, 1) }] = self.promotions::<0, 1>();
        sets[const { index(1, 0) }] = self.marked::<1, 0>().0;
        sets[const { index(-1, 0) }] = self.marked::<-1, 0>().0;
        sets[const { index(1, 1) }] = self.promotions::<1, 1>() | self.marked::<1, 1>().0;
        sets[const { index(-1, 1) }] = self.promotions::<-1, 1>() | self.marked::<-1, 1>().0;
        sets
    }

    /// Moves the special targets from the sets to `specials`, which are empty and ordered by [`SPECIAL`]. Returns
    /// false if there are none; true if there may be some.
    ///
    /// Most positions have none. One branch finds that out, from a few sets that need no shift.
    #[inline(always)]
    pub(crate) fn take(view: &View, sets: &mut TargetSets, specials: &mut [u64; 5]) -> bool {
        const SEVENTH_RANK: u64 = LAST_RANK >> 8;
        const CASTLED: u64 = 1 << 2 | 1 << 6;
        let pawns = view.own & view.pawns & SEVENTH_RANK;
        let king = view.own & view.kings;
        let east = sets.ray::<1, 0>() & king << 2;
        let west = sets.ray::<-1, 0>() & king >> 2;
        if pawns | view.en_passant | (east | west) & CASTLED == 0 {
            return false;
        }
        let possible = Marks::new(view).specials();
        for (special, direction) in specials.iter_mut().zip(SPECIAL) {
            *special = sets.of(direction) & possible[direction];
            sets.remove(direction, *special);
        }
        true
    }
}

/// The directions that have special targets.
pub(super) const SPECIAL: [usize; 5] =
    [index(0, 1), index(1, 0), index(1, 1), index(-1, 1), index(-1, 0)];

/// What is special about a move to one of the [`specials`](Marks::specials).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Special {
    /// The target stands for four moves.
    Promotion,
    /// The move has this mark.
    Marked(u16),
}

impl Special {
    /// Told by the rank alone: in the view, pawns promote on the eighth rank and capture en passant
    /// on the sixth, and kings castle on the first.
    #[inline(always)]
    pub(crate) const fn of(target: Square) -> Special {
        match target.rank() {
            7 => Special::Promotion,
            0 => Special::Marked(Marks::CASTLE),
            _ => Special::Marked(Marks::EN_PASSANT),
        }
    }

    /// The number of the square that the move comes from: a king's on e1, or a pawn's one step before.
    #[inline(always)]
    pub(crate) const fn source(target: Square, direction: usize) -> u32 {
        let (files, ranks) = DIRECTIONS[direction & 15];
        if target.rank() == 0 { 4 } else { before(target, distance(files, ranks)) }
    }
}

/// The mark of a move to `target`, given the marked squares and their mark. Arithmetic, not a
/// branch.
#[inline(always)]
pub(super) const fn mark_on(target: Square, (marked, mark): (u64, u16)) -> u16 {
    mark * (marked >> target.number() & 1) as u16
}
