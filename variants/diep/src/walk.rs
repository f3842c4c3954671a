//! The loop: a masked skip decides the advance; how a move is kept distinguishes the designs.

use std::{hint::select_unpredictable, marker::PhantomData};

use raywalk_core::{
    Captures, Color, Kind, Move, MoveList, Quiets, Square, Stage, StageId,
    square_board::{Code, CountedArrays, DiepCode, Grid8x8, SquareBoard, Visitor},
};

use crate::table::Table;

/// 64 cells with the numbers of the quick board, and counted arrays of pieces.
pub type DiepBoard = SquareBoard<Grid8x8, DiepCode, CountedArrays>;

/// How a target is kept.
pub trait Keeping: Send + Sync + 'static {
    /// Appends a move if `keep`.
    fn one(list: &mut MoveList, from: Square, to: Square, keep: bool);
    /// Appends four promotions if `keep`.
    fn four(list: &mut MoveList, from: Square, to: Square, keep: bool);
}

/// Stored always, counted if kept.
pub struct ConditionalWrite;
impl Keeping for ConditionalWrite {
    #[inline(always)]
    fn one(list: &mut MoveList, from: Square, to: Square, keep: bool) {
        list.push_if(Move::new(from, to), keep);
    }
    #[inline(always)]
    fn four(list: &mut MoveList, from: Square, to: Square, keep: bool) {
        list.push_promotions_if(from, to, keep);
    }
}

/// Stored behind a branch.
pub struct BranchyWrite;
impl Keeping for BranchyWrite {
    #[inline(always)]
    fn one(list: &mut MoveList, from: Square, to: Square, keep: bool) {
        if keep {
            list.push(Move::new(from, to));
        }
    }
    #[inline(always)]
    fn four(list: &mut MoveList, from: Square, to: Square, keep: bool) {
        if keep {
            list.push_promotions(from, to);
        }
    }
}

/// Whether a target gives a move of stage `T`. One comparison in each stage: on a board without
/// guards the own pieces are a range, like the enemies.
#[inline(always)]
fn wanted<T: Stage>(code: u8, side: Color) -> bool {
    match T::ID {
        StageId::All => !DiepCode::is_enemy(code, !side),
        StageId::Captures => DiepCode::is_enemy(code, side),
        StageId::Quiets => DiepCode::is_empty(code),
    }
}

/// Walks the lists of each piece of the side to move.
pub struct Walk<'walk, S, K> {
    table: &'walk Table,
    board: &'walk DiepBoard,
    list: &'walk mut MoveList,
    shape: PhantomData<(S, K)>,
}

impl<'walk, S: Stage, K: Keeping> Walk<'walk, S, K> {
    /// A walk of stage `S` over this board.
    #[inline(always)]
    pub fn new(table: &'walk Table, board: &'walk DiepBoard, list: &'walk mut MoveList) -> Self {
        Walk { table, board, list, shape: PhantomData }
    }

    /// Walks one list and keeps the moves of stage `T`.
    ///
    /// On an empty square the skip counts nothing, so the walk advances by one; on a piece it counts
    /// in full, so the walk leaves out the rest of the ray. Square and skip lie side by side and
    /// are fetched together, before the board is known.
    ///
    /// The source ANDs the skip with a mask of zeros or ones. Written that way, the compiler saw a
    /// choice between the skip and zero and made it a branch in some stages. Told that the choice
    /// cannot be predicted, it emits a `cmov`, which is the mask and the AND in one.
    #[inline(always)]
    fn walk<T: Stage>(
        &mut self,
        heads: &[u16; 64],
        origin: Square,
        keep: impl Fn(&mut MoveList, Square, Square, bool),
    ) {
        let side = self.board.side();
        let mut index = usize::from(heads[origin.index()]);
        let mut element = self.table.element(index);
        // Every list has a target, so the first test would always pass.
        loop {
            let to = Square::from_low_bits(element.square() as u32);
            let code = self.board.code(to.number());
            keep(self.list, origin, to, wanted::<T>(code, side));
            index += 1 + select_unpredictable(DiepCode::is_empty(code), 0, element.skip());
            element = self.table.element(index);
            if element.square() == origin.index() {
                return;
            }
        }
    }

    /// The list of pushes keeps empty squares, and its one ray ends at the first piece; that of
    /// captures keeps enemies. Whether a pawn promotes is asked once, not per target.
    #[inline(always)]
    fn pawn(
        &mut self,
        side: Color,
        origin: Square,
        keep: impl Fn(&mut MoveList, Square, Square, bool) + Copy,
    ) {
        let heads = self.table.heads();
        if S::QUIETS {
            self.walk::<Quiets>(heads.pushes(side), origin, keep);
        }
        if S::CAPTURES {
            self.walk::<Captures>(heads.captures(side), origin, keep);
        }
    }
}

impl<S: Stage, K: Keeping> Visitor for Walk<'_, S, K> {
    #[inline(always)]
    fn pawn(&mut self, from: u8) {
        let side = self.board.side();
        let origin = Square::from_low_bits(u32::from(from));
        if side.view(origin).rank() == 6 {
            self.pawn(side, origin, K::four);
        } else {
            self.pawn(side, origin, K::one);
        }
    }

    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: u8) {
        let origin = Square::from_low_bits(u32::from(from));
        self.walk::<S>(self.table.heads().pieces(kind), origin, K::one);
    }
}
