//! The loop. The designs differ in how a move is written and in what decides the advance: a masked skip, as
//! published, or a branch.

use std::marker::PhantomData;

use raywalk_core::{
    Captures, Color, Cursor, Kind, Move, MoveList, Origin, Quiets, Square, Stage, Target, opaque,
    square_board::{Code, DiepCode, Visitor},
    stay_a_branch,
};

use crate::reading::{BoardWith, Reading};
use crate::table::Table;

/// How a walk appends the moves that it keeps, with or without a branch.
pub trait Writer: Send + Sync + 'static {
    /// Appends a move if `keep`.
    fn one(list: &mut Cursor<'_>, from: Origin, to: Square, keep: bool);
    /// Appends four promotions if `keep`.
    fn four(list: &mut Cursor<'_>, from: Origin, to: Square, keep: bool);
}

/// Stores every move and counts it if it is kept.
pub struct ConditionalWrite;
impl Writer for ConditionalWrite {
    #[inline(always)]
    fn one(list: &mut Cursor<'_>, from: Origin, to: Square, keep: bool) {
        list.push_if(Move::between(from, Target::of(to)), keep);
    }
    #[inline(always)]
    fn four(list: &mut Cursor<'_>, from: Origin, to: Square, keep: bool) {
        list.push_promotions_if(from.square(), to, keep);
    }
}

/// Branches around the store.
pub struct BranchyWrite;
impl Writer for BranchyWrite {
    #[inline(always)]
    fn one(list: &mut Cursor<'_>, from: Origin, to: Square, keep: bool) {
        if keep {
            list.push(Move::between(from, Target::of(to)));
        }
    }
    #[inline(always)]
    fn four(list: &mut Cursor<'_>, from: Origin, to: Square, keep: bool) {
        if keep {
            list.push_promotions(from.square(), to);
        }
    }
}

/// How the walk advances from an element.
///
/// # Safety
/// [`next`](Advance::next) returns `following` or the sum of it and `skip`, or the walk would leave the table.
pub unsafe trait Advance: Send + Sync + 'static {
    /// The index at which the walk continues, given that of the following element and the skip. `code` is that of the
    /// target, or any number up to 14 that is zero for an empty one.
    fn next(code: u8, following: usize, skip: usize) -> usize;
}

/// The published advance: a mask that is zero or all ones.
///
/// The mask is the sign of the negated code. The codes of pieces are 1 to 14.
pub struct Masked;
// SAFETY: the mask is zero or all ones, because it is a sign.
unsafe impl Advance for Masked {
    #[inline(always)]
    fn next(code: u8, following: usize, skip: usize) -> usize {
        // Hidden from the compiler, which would select between the skip and zero by a `cmov`.
        following + (skip & opaque((i64::from(code).wrapping_neg() >> 63) as usize))
    }
}

/// A branch on the square.
pub struct Branched;
// SAFETY: both ends of the function return one of the two.
unsafe impl Advance for Branched {
    #[inline(always)]
    fn next(code: u8, following: usize, skip: usize) -> usize {
        if DiepCode::is_empty(code) {
            return following;
        }
        stay_a_branch();
        following + skip
    }
}

/// The state of one generation: walks the lists of each piece of the side to move.
pub(crate) struct Walk<'walk, S, W, A, R: Reading> {
    table: &'walk Table,
    source: R::Source<'walk>,
    side: Color,
    list: Cursor<'walk>,
    choices: PhantomData<(S, W, A)>,
}

impl<'walk, S: Stage, W: Writer, A: Advance, R: Reading> Walk<'walk, S, W, A, R> {
    #[inline(always)]
    pub(crate) fn new(
        table: &'walk Table,
        board: &'walk BoardWith<R::List>,
        list: &'walk mut MoveList,
    ) -> Self {
        let (source, side) = (R::source(board), board.side());
        Walk { table, source, side, list: list.cursor(), choices: PhantomData }
    }

    /// Walks one list and writes the moves of stage `T` with `write`.
    ///
    /// On an empty square the walk advances by one; on a piece it adds the skip, which passes over
    /// the rest of the ray. Square and skip are loaded together, before the board byte.
    #[inline(always)]
    fn walk<T: Stage>(
        &mut self,
        heads: &[u16; 64],
        origin: Square,
        write: impl Fn(&mut Cursor<'_>, Origin, Square, bool),
    ) {
        let (source, side) = (self.source, self.side);
        let mut index = usize::from(heads[origin.index()]);
        let (end, origin) = (origin, Origin::of(origin));
        // SAFETY: this is the head of the origin.
        let mut element = unsafe { self.table.element(index) };
        // The test is at the end of the loop, because every list has at least one target.
        loop {
            let to = element.square();
            let occupant = R::read(source, to);
            write(&mut self.list, origin, to, R::wanted::<T>(source, occupant, side));
            // Opaque, so that the one is added while the board byte is loaded, and not behind it.
            let following = opaque(index + 1);
            index = A::next(R::obstacle(source, occupant), following, element.skip());
            // SAFETY: the walk advances by one or by one and the skip, and ends where it meets its origin.
            element = unsafe { self.table.element(index) };
            // The list ends with the origin, so the element needs no mark for its end.
            if element.square() == end {
                return;
            }
        }
    }

    /// Walks the lists of a pawn: pushes yield quiet moves, captures yield captures. `write` is
    /// selected once per pawn, so that the loop never tests the rank of a target.
    #[inline(always)]
    fn pawn(
        &mut self,
        side: Color,
        origin: Square,
        write: impl Fn(&mut Cursor<'_>, Origin, Square, bool) + Copy,
    ) {
        let heads = self.table.heads();
        if S::QUIETS {
            self.walk::<Quiets>(heads.pushes(side), origin, write);
        }
        if S::CAPTURES {
            self.walk::<Captures>(heads.captures(side), origin, write);
        }
    }
}

impl<S: Stage, W: Writer, A: Advance, R: Reading> Visitor for Walk<'_, S, W, A, R> {
    #[inline(always)]
    fn pawn(&mut self, from: u8) {
        let side = self.side;
        let origin = Square::from_low_bits(u32::from(from));
        if side.view(origin).rank() == 6 {
            self.pawn(side, origin, W::four);
        } else {
            self.pawn(side, origin, W::one);
        }
    }

    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: u8) {
        let origin = Square::from_low_bits(u32::from(from));
        self.walk::<S>(self.table.heads().pieces(kind), origin, W::one);
    }
}
