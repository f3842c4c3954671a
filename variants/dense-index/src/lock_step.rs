//! Two pieces in lock step.
//!
//! One walk is a chain in which every load waits for the one before, and most of the machine
//! waits with it. Two walks are two chains. Their lists differ in length, so both end in
//! terminators that name themselves and never emit, and the pair goes on until both have ended:
//! one exit branch for two pieces, and idle steps of the shorter list.
//!
//! An out-of-order core overlaps walks by itself while it predicts their ends rightly. What this
//! variant can gain is half of the exits to predict, and overlap that no misprediction throws away.

use raywalk_core::square_board::Visitor;
use raywalk_core::{Card, Feature, Generator, Kind, Move, MoveList, Square, Stage};

use crate::fixed_trip::Trips;
use crate::table::{PLACES, TERMINATORS, Table};
use crate::variants::OURS;
use crate::walk::DenseBoard;

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
        let mut starts = [Start::default(); PIECES];
        let trips = Trips::<S>::new(&self.table, board, list);
        let mut pairs = Pairs { trips, starts: &mut starts, pieces: 0 };
        board.visit::<S>(&mut pairs);
        pairs.walk();
        board.special_moves::<S>(list);
    }

    fn table_bytes(&self) -> usize {
        self.table.bytes()
    }
}

/// Places for the pieces of a side, pawns left out; sixteen would do.
const PIECES: usize = 32;

/// Where one walk stands.
#[derive(Clone, Copy, Default)]
struct Start {
    index: u16,
    from: u16,
}

impl Start {
    /// The first index, masked here once, so that no step has to, and the piece's square.
    #[inline(always)]
    fn unpack(self) -> (usize, Square) {
        (usize::from(self.index) % PLACES, Square::from_low_bits(self.from.into()))
    }
}

/// Collects the pieces first, because the list of one kind may be odd in number.
struct Pairs<'a, S> {
    trips: Trips<'a, S>,
    /// Borrowed, not owned: what lies in one block with an array that is indexed at run time is
    /// kept in memory by the compiler, and the length of the move list would be stored at each step.
    starts: &'a mut [Start; PIECES],
    pieces: usize,
}

impl<S: Stage> Visitor for Pairs<'_, S> {
    /// Pawns have two lists of at most two squares: two steps each, without an exit.
    #[inline(always)]
    fn pawn(&mut self, from: u8) {
        self.trips.pawn(from);
    }

    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: u8) {
        let square = Square::from_low_bits(u32::from(from));
        let index = self.trips.table.heads().pieces(kind)[square.index()];
        self.starts[self.pieces % PIECES] = Start { index, from: square.number().into() };
        self.pieces += 1;
    }
}

impl<S: Stage> Pairs<'_, S> {
    #[inline(always)]
    fn walk(mut self) {
        // The last of an odd number walks beside its own terminator, which emits nothing.
        let last = self.starts[self.pieces.wrapping_sub(1) % PIECES];
        let idle = Start { index: TERMINATORS as u16 | last.from, from: last.from };
        self.starts[self.pieces % PIECES] = idle;
        for pair in self.starts.chunks_exact(2).take(self.pieces.div_ceil(2)) {
            let (mut one, one_from) = pair[0].unpack();
            let (mut other, other_from) = pair[1].unpack();
            loop {
                one = self.trips.step::<S, false>(one_from, one);
                other = self.trips.step::<S, false>(other_from, other);
                // Terminators are the indexes whose upper six of twelve bits are all set.
                if one & other >= TERMINATORS {
                    break;
                }
            }
        }
    }
}
