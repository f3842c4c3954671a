//! Reul's blocker loop and vector attacks, on a 15x12 board.
//!
//! Fritz Reul's thesis *New Architectures in Computer Chess* (Tilburg, 2009) describes the board of
//! his 32-bit program Loop: 15x12 cells with guards, one flag for each colour and kind, and a counted
//! list for each colour and kind. Fifteen is the least width at which the difference of two cells
//! tells how they lie to each other, so the board has both advantages at once: the edge is found by
//! reading a cell that is read anyway, and attacks can be looked up by difference as in 0x88.
//!
//! A ray is walked by a *blocker loop*: go on while the cell is empty, then look once at whoever
//! stands there. If only captures are wanted the loop has no body at all: one load, one addition and
//! one branch per empty square, the leanest of the classical loops. The Chess Programming Wiki
//! recommends it over branch-free lists for captures, since those walk up to 27 empty squares with a
//! store for each.
//!
//! Both designs here use that loop for quiet moves and for all moves; it is the loop of
//! `mailbox/15x12`, from which they differ in the flags. They differ from each other in the captures:
//!
//! * [`BlockerLoop`] goes from the origin to the target, along every ray;
//! * [`VectorAttacks`] goes from the target to the origin: for each enemy piece, the most valuable
//!   first, and each own piece a table of 225 differences tells whether a line joins them that the piece
//!   can use, and only then are the squares between looked at. The loop needs no test for the edge or
//!   for the end of the line, because the attacker itself ends it.
//!
//! Both are branchy; what a branch predictor misses are the ends of loops, about one per ray or line.

mod captures;

use std::marker::PhantomData;

pub use captures::{CaptureStage, OriginToTarget, TargetToOrigin};
use raywalk_core::square_board::{
    CountedArrays, Geometry, Grid15x12, ReulFlags, SquareBoard, StepWalk,
};
use raywalk_core::{Card, Feature, Generator, Move, MoveList, Stage, StageId};

/// The board of the program Loop: 15x12 with guards, flags, counted lists.
pub type LoopBoard = SquareBoard<Grid15x12, ReulFlags, CountedArrays>;

/// Captures from the origin to the target.
pub type BlockerLoop = Reul<OriginToTarget>;
/// Captures from the target to the origin.
pub type VectorAttacks = Reul<TargetToOrigin>;

raywalk_core::entries!(BlockerLoop, VectorAttacks);

/// Reul's move generation, generic over how captures are found.
#[repr(C, align(64))]
pub struct Reul<C: CaptureStage> {
    captures: C,
    board: PhantomData<LoopBoard>,
}

impl<C: CaptureStage> Generator for Reul<C> {
    const CARD: Card = C::CARD;
    type Board = LoopBoard;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(Reul { captures: C::new(), board: PhantomData }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &LoopBoard, list: &mut MoveList) {
        if S::ID == StageId::Captures {
            self.captures.captures(board, list);
        } else {
            board.visit::<S>(&mut StepWalk::<S, _, _, _>::new(board, list));
        }
        board.special_moves::<S>(list);
    }

    /// The tables of the captures, and the map from cells to squares that writing a move needs.
    fn table_bytes(&self) -> usize {
        C::TABLE_BYTES + size_of_val(&Grid15x12::SQUARES)
    }
}
