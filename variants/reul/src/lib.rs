//! Reul's blocker loop and vector attacks, on a 15x12 board.
//!
//! Fritz Reul's thesis *New Architectures in Computer Chess* (Tilburg, 2009) describes the board of
//! his 32-bit program Loop: 15x12 cells with guards, one flag for each colour and kind, and a
//! counted list for each colour and kind. Fifteen is the smallest width at which the difference of
//! two cells determines their relative position. So the board combines two advantages: a walk
//! detects the edge by a cell that it reads anyway, and attacks can be looked up by difference as
//! in 0x88.
//!
//! A *blocker loop* walks a ray: it continues while the cell is empty and then tests the blocker
//! once. For captures the loop has no body at all: one load, one addition and one branch per empty
//! square, the cheapest of the classical loops. The Chess Programming Wiki recommends it over
//! branch-free lists for captures, because those visit up to 27 empty squares with a store for
//! each.
//!
//! Both designs use this loop for quiet moves and for all moves. It is the loop of `mailbox/15x12`,
//! from which they differ in the flags. They differ from each other in how they find captures:
//!
//! * [`BlockerLoop`] searches from the origin to the target, along every ray.
//! * [`VectorAttacks`] searches from the target to the origin. For each enemy piece, the most
//!   valuable first, and each own piece, one look-up in the table of its kind, by the difference of
//!   the two cells, tells whether the own piece can move along the line between them and in which
//!   direction the squares in between lie: it yields a step, or 0. Only then does it test these
//!   squares. This loop needs no test for the edge or the end of the line, because it stops at the
//!   attacker at the latest. `ox88/pair-scan` needs two look-ups: a set of kinds and a step.
//!
//! Both offer winning captures as a call of their own, because the wiki recommends to scan for their
//! targets. From the victim, only own pieces of less worth are looked up. From the origin, the walk
//! is that of all captures, and the blocker is tested for a flag of a kind of more worth.
//!
//! Both are branchy. Mispredictions occur at loop exits, about one per ray or line.

mod captures;
mod units;
mod winning;

use std::marker::PhantomData;

pub use captures::{CaptureStage, OriginToTarget, TargetToOrigin};
use raywalk_core::square_board::{
    CountedArrays, Geometry, Grid15x12, ReulFlags, SquareBoard, StepWalk,
};
use raywalk_core::{Card, Feature, Generator, Move, MoveList, Stage, StageId, Winning};

/// The board of the program Loop: 15x12 cells with guards, flags and counted lists.
pub type LoopBoard = SquareBoard<Grid15x12, ReulFlags, CountedArrays>;

/// Finds captures from the origin to the target.
pub type BlockerLoop = Reul<OriginToTarget>;
/// Finds captures from the target to the origin.
pub type VectorAttacks = Reul<TargetToOrigin>;

raywalk_core::entries!(BlockerLoop: Winning, VectorAttacks: Winning);

/// Reul's move generation, generic over the way to find captures.
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

    /// The tables of the capture stage, and the table from cells to squares that writing a move
    /// needs.
    fn table_bytes(&self) -> usize {
        C::TABLE_BYTES + Grid15x12::MAP_BYTES
    }
}

impl<C: CaptureStage> Winning for Reul<C> {
    #[inline(always)]
    fn winning_captures(&self, board: &LoopBoard, list: &mut MoveList) {
        self.captures.winning_captures(board, list);
    }
}
