//! Two, three or four pieces in lock step.
//!
//! A walk is one dependency chain: every load waits for the one before it, and most of the core is
//! idle. Interleaved walks are as many chains. Their lists differ in length, so all end in
//! terminators, which link to themselves and never yield a move, and a group runs until all its walks
//! have ended. That is one exit branch for the group, at the price of idle steps for the shorter
//! lists.
//!
//! An out-of-order core already overlaps successive walks as long as it predicts their ends. These
//! variants can gain two things: fewer exits to predict, and overlap that survives a misprediction. A
//! larger group has more of both, and more idle steps.

use std::array;

use raywalk_core::square_board::Visitor;
use raywalk_core::{Card, Feature, Generator, Kind, Move, MoveList, Square, Stage};

use crate::fixed_trip::{Trips, trips};
use crate::lists::{ListWalk, Lists};
use crate::occupancy::DenseBoard;
use crate::table::{PLACES, TERMINATORS, Table};
use crate::variants::OURS;

/// Walks of `N` pieces at a time over lists with terminators.
#[repr(transparent)]
pub struct InLockStep<const N: usize> {
    table: Table<u32>,
}

/// Walks of two pieces at a time.
pub type LockStep = InLockStep<2>;
/// Walks of three pieces at a time.
pub type LockStep3 = InLockStep<3>;
/// Walks of four pieces at a time.
pub type LockStep4 = InLockStep<4>;

impl<const N: usize> InLockStep<N> {
    const NAMES: (&'static str, &'static str) = match N {
        2 => ("dense-index/lock-step", "Dense index list, two pieces in lock step"),
        3 => ("dense-index/lock-step-3", "Dense index list, three pieces in lock step"),
        4 => ("dense-index/lock-step-4", "Dense index list, four pieces in lock step"),
        _ => panic!("a group has two to four pieces"),
    };
}

impl<const N: usize> Generator for InLockStep<N> {
    const CARD: Card = Card {
        id: Self::NAMES.0,
        name: Self::NAMES.1,
        reconstructed: "everything but the lists: groups of pieces whose walks are in one loop, and terminators that \
                        link to themselves; the rest is dense-index/u32",
        ..OURS
    };
    type Board = DenseBoard;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(InLockStep { table: *Table::with_terminators() }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &DenseBoard, list: &mut MoveList) {
        let mut starts = [Start::default(); MAX_STARTS];
        let trips = trips::<S>(&self.table, board, list);
        let mut groups = Groups::<N, S> { trips, starts: &mut starts, piece_count: 0 };
        board.visit::<S>(&mut groups);
        groups.walk();
        board.special_moves::<S>(list);
    }

    fn table_bytes(&self) -> usize {
        self.table.bytes()
    }
}

/// Capacity for the pieces of one side without its pawns, at most 16, and up to three idle partners. A
/// power of two, so that a mask replaces the bounds check.
const MAX_STARTS: usize = 32;

/// The start of one walk: the index of its first node, and the square of its piece.
#[derive(Clone, Copy, Default)]
struct Start {
    index: u16,
    from: u16,
}

impl Start {
    /// The first index and the square. The index is masked here, outside the loop: knowing that it
    /// is in bounds, the compiler needs no mask at any step.
    #[inline(always)]
    fn unpack(self) -> (usize, Square) {
        (usize::from(self.index) % PLACES, Square::from_low_bits(self.from.into()))
    }
}

/// Collects all pieces before walking any, so that pieces of different kinds can form a group.
struct Groups<'a, const N: usize, S> {
    trips: Lists<'a, S, Trips<'a>>,
    /// Borrowed, not owned. The compiler keeps a whole struct in memory if it contains an array
    /// indexed at run time, and would then store the length of the move list at every step.
    starts: &'a mut [Start; MAX_STARTS],
    piece_count: usize,
}

impl<const N: usize, S: Stage> Visitor for Groups<'_, N, S> {
    /// Walks the pawn alone: each of its lists has at most two squares and takes two steps without
    /// an exit branch.
    #[inline(always)]
    fn pawn(&mut self, from: u8) {
        self.trips.pawn(from);
    }

    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: u8) {
        let square = Square::from_low_bits(u32::from(from));
        let index = ListWalk::<S>::heads(&self.trips.walk).pieces(kind)[square.index()];
        self.starts[self.piece_count % MAX_STARTS] = Start { index, from: square.number().into() };
        self.piece_count += 1;
    }
}

impl<const N: usize, S: Stage> Groups<'_, N, S> {
    #[inline(always)]
    fn walk(mut self) {
        // Where the last group is not full, the partners of the last piece are its own terminator,
        // which yields no moves.
        let last = self.starts[self.piece_count.wrapping_sub(1) % MAX_STARTS];
        let idle = Start { index: TERMINATORS as u16 | last.from, from: last.from };
        for partner in 0..N - 1 {
            self.starts[(self.piece_count + partner) % MAX_STARTS] = idle;
        }
        for group in self.starts.chunks_exact(N).take(self.piece_count.div_ceil(N)) {
            let pieces: [(usize, Square); N] = array::from_fn(|n| group[n].unpack());
            let mut places = pieces.map(|(place, _)| place);
            loop {
                let mut common = usize::MAX;
                for (place, &(_, from)) in places.iter_mut().zip(&pieces) {
                    *place = self.trips.walk.step::<S, false>(from, *place);
                    common &= *place;
                }
                // In the index of a terminator, and in no other index, the upper six of the twelve
                // bits are all set. The AND keeps them set only if all walks have ended.
                if common >= TERMINATORS {
                    break;
                }
            }
        }
    }
}
