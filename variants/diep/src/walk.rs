//! The loop. The designs differ in how a move is written and in what decides the advance: a masked skip, as
//! published, or a branch.

use std::marker::PhantomData;

use raywalk_core::{
    Captures, Color, Cursor, Kind, Move, MoveList, Origin, Quiets, Square, Stage, StageId, Target,
    opaque,
    square_board::{Code, CountedArrays, DiepCode, Grid8x8, SquareBoard, Visitor},
    stay_a_branch,
};

use crate::table::Table;

/// An 8x8 board with Diep's piece codes, and counted arrays of pieces.
pub type DiepBoard = SquareBoard<Grid8x8, DiepCode, CountedArrays>;

/// How moves are written.
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

/// How far the walk advances from an element whose target holds `code`, beyond the following one.
pub trait Advance: Send + Sync + 'static {
    /// Zero, or the skip of the element.
    fn beyond(code: u8, skip: usize) -> usize;
}

/// The published advance: a mask that is zero or all ones.
///
/// The mask is the sign of the negated code. The codes of pieces are 1 to 14.
pub struct Masked;
impl Advance for Masked {
    #[inline(always)]
    fn beyond(code: u8, skip: usize) -> usize {
        // Hidden from the compiler, which would select between the skip and zero by a `cmov`.
        skip & opaque((i64::from(code).wrapping_neg() >> 63) as usize)
    }
}

/// A branch on the square.
pub struct Branched;
impl Advance for Branched {
    #[inline(always)]
    fn beyond(code: u8, skip: usize) -> usize {
        if DiepCode::is_empty(code) {
            return 0;
        }
        stay_a_branch();
        skip
    }
}

/// Whether a target with this code gives a move of stage `T`.
#[inline(always)]
fn wanted<T: Stage>(code: u8, side: Color) -> bool {
    match T::ID {
        // Own pieces are the enemies of the other side, a range of codes: one comparison. `is_own`
        // needs two, because it also covers guards, which this board does not have.
        StageId::All => !DiepCode::is_enemy(code, !side),
        StageId::Captures => DiepCode::is_enemy(code, side),
        StageId::Quiets => DiepCode::is_empty(code),
    }
}

/// The state of one generation: walks the lists of each piece of the side to move.
pub struct Walk<'walk, S, W, A> {
    table: &'walk Table,
    board: &'walk DiepBoard,
    list: Cursor<'walk>,
    choices: PhantomData<(S, W, A)>,
}

impl<'walk, S: Stage, W: Writer, A: Advance> Walk<'walk, S, W, A> {
    #[inline(always)]
    pub fn new(table: &'walk Table, board: &'walk DiepBoard, list: &'walk mut MoveList) -> Self {
        Walk { table, board, list: list.cursor(), choices: PhantomData }
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
        let side = self.board.side();
        let mut index = Table::wrapped(heads[origin.index()].into());
        let (end, origin) = (origin.index(), Origin::of(origin));
        let mut element = self.table.element(index);
        let mut target = element.index();
        // The test is at the end of the loop, because every list has at least one target. What it tests is the next
        // target, so that one mask serves both.
        loop {
            let to = Square::from_low_bits(target as u32);
            let code = self.board.code(to.number());
            write(&mut self.list, origin, to, wanted::<T>(code, side));
            index = Table::wrapped(index + 1 + A::beyond(code, element.skip()));
            element = self.table.element(index);
            target = element.index();
            // The list ends with the origin, so the element needs no mark for its end.
            if target == end {
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

impl<S: Stage, W: Writer, A: Advance> Visitor for Walk<'_, S, W, A> {
    #[inline(always)]
    fn pawn(&mut self, from: u8) {
        let side = self.board.side();
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
