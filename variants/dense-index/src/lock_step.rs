//! Two pieces in lock step.
//!
//! A walk is one dependency chain: every load waits for the one before it, and most of the core is
//! idle. Two interleaved walks are two chains. Their lists differ in length, so both end in
//! terminators, which link to themselves and never yield a move, and the pair runs until both walks
//! have ended. That is one exit branch for two pieces, at the price of idle steps for the shorter
//! list.
//!
//! An out-of-order core already overlaps successive walks as long as it predicts their ends. This
//! variant can gain two things: half as many exits to predict, and overlap that survives a
//! misprediction.

use raywalk_core::square_board::Visitor;
use raywalk_core::{Card, Feature, Generator, Kind, Move, MoveList, Square, Stage};

use crate::fixed_trip::{Trips, trips};
use crate::lists::{ListWalk, Lists};
use crate::occupancy::DenseBoard;
use crate::table::{PLACES, TERMINATORS, Table};
use crate::variants::OURS;

/// Walks of two pieces at a time over lists with terminators.
#[repr(transparent)]
pub struct LockStep {
    table: Table<u32>,
}

impl Generator for LockStep {
    const CARD: Card = Card {
        id: "dense-index/lock-step",
        name: "Dense index list, two pieces in lock step",
        ..OURS
    };
    type Board = DenseBoard;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(LockStep { table: *Table::with_terminators() }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &DenseBoard, list: &mut MoveList) {
        let mut starts = [Start::default(); MAX_STARTS];
        let trips = trips::<S>(&self.table, board, list);
        let mut pairs = Pairs { trips, starts: &mut starts, piece_count: 0 };
        board.visit::<S>(&mut pairs);
        pairs.walk();
        board.special_moves::<S>(list);
    }

    fn table_bytes(&self) -> usize {
        self.table.bytes()
    }
}

/// Capacity for the pieces of one side without its pawns, at most 16, and one idle partner. A power
/// of two, so that a mask replaces the bounds check.
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

/// Collects all pieces before walking any, so that pieces of different kinds can form a pair.
struct Pairs<'a, S> {
    trips: Lists<'a, S, Trips<'a>>,
    /// Borrowed, not owned. The compiler keeps a whole struct in memory if it contains an array
    /// indexed at run time, and would then store the length of the move list at every step.
    starts: &'a mut [Start; MAX_STARTS],
    piece_count: usize,
}

impl<S: Stage> Visitor for Pairs<'_, S> {
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

impl<S: Stage> Pairs<'_, S> {
    #[inline(always)]
    fn walk(mut self) {
        // With an odd number of pieces, the partner of the last one is its own terminator, which
        // yields no moves.
        let last = self.starts[self.piece_count.wrapping_sub(1) % MAX_STARTS];
        let idle = Start { index: TERMINATORS as u16 | last.from, from: last.from };
        self.starts[self.piece_count % MAX_STARTS] = idle;
        for pair in self.starts.chunks_exact(2).take(self.piece_count.div_ceil(2)) {
            let (mut one, one_from) = pair[0].unpack();
            let (mut other, other_from) = pair[1].unpack();
            loop {
                one = self.trips.walk.step::<S, false>(one_from, one);
                other = self.trips.walk.step::<S, false>(other_from, other);
                // In the index of a terminator, and in no other index, the upper six of the twelve
                // bits are all set. The AND keeps them set only if both walks have ended.
                if one & other >= TERMINATORS {
                    break;
                }
            }
        }
    }
}
