//! The fixed number of steps of each kind as straight-line code.
//!
//! [`FixedTrip`] counts the steps of a walk. Here each step of each kind has code of its own, 27 copies for a
//! queen, so nothing counts, and no branch stands between the first step of a piece and its last one. The price is the
//! size of the code: 70 copies of the step in each stage.

use raywalk_core::two_way::Heads;
use raywalk_core::{Card, Feature, Generator, Kind, Move, MoveList, Square, Stage};

use crate::fixed_trip::{FixedTrip, Trips};
use crate::lists::{ListWalk, Lists};
use crate::occupancy::DenseBoard;
use crate::table::Table;

/// Walks of fixed length without loops, over lists with terminators.
#[repr(transparent)]
pub struct StraightLine {
    table: Table<u32>,
}

impl Generator for StraightLine {
    const CARD: Card = Card {
        id: "dense-index/straight-line",
        name: "Dense index list, straight-line code per kind",
        reconstructed: "everything but the lists: terminators, the number of steps and their copies are ours",
        ..FixedTrip::CARD
    };
    type Board = DenseBoard;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(StraightLine { table: *Table::with_terminators() }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &DenseBoard, list: &mut MoveList) {
        let straight = Straight(Trips::new(&self.table, board, list));
        board.visit::<S>(&mut Lists::<S, _>::new(board.side(), straight));
        board.special_moves::<S>(list);
    }

    fn table_bytes(&self) -> usize {
        self.table.bytes()
    }
}

/// Steps without a loop. Each method takes the index of the first node and returns the one after its last step.
struct Straight<'a>(Trips<'a>);

impl Straight<'_> {
    #[inline(always)]
    fn two<Wanted: Stage, const PROMOTES: bool>(&mut self, from: Square, index: usize) -> usize {
        let index = self.0.step::<Wanted, PROMOTES>(from, index);
        self.0.step::<Wanted, PROMOTES>(from, index)
    }

    #[inline(always)]
    fn four<Wanted: Stage>(&mut self, from: Square, index: usize) -> usize {
        let index = self.two::<Wanted, false>(from, index);
        self.two::<Wanted, false>(from, index)
    }

    #[inline(always)]
    fn eight<Wanted: Stage>(&mut self, from: Square, index: usize) -> usize {
        let index = self.four::<Wanted>(from, index);
        self.four::<Wanted>(from, index)
    }
}

impl<'a, S: Stage> ListWalk<'a, S> for Straight<'a> {
    #[inline(always)]
    fn heads(&self) -> &'a Heads<u16> {
        ListWalk::<S>::heads(&self.0)
    }

    #[inline(always)]
    fn pawn<Wanted: Stage, const PROMOTES: bool>(&mut self, from: Square, heads: &[u16; 64]) {
        self.two::<Wanted, PROMOTES>(from, Table::<u32>::head(heads, from));
    }

    /// The steps of [`FixedTrip`]: 8, 13, 14 and 27.
    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: Square, heads: &[u16; 64]) {
        let index = Table::<u32>::head(heads, from);
        match kind {
            Kind::Pawn => {}
            Kind::Knight | Kind::King => {
                self.eight::<S>(from, index);
            }
            Kind::Bishop => {
                let index = self.eight::<S>(from, index);
                let index = self.four::<S>(from, index);
                self.0.step::<S, false>(from, index);
            }
            Kind::Rook => {
                let index = self.eight::<S>(from, index);
                let index = self.four::<S>(from, index);
                self.two::<S, false>(from, index);
            }
            Kind::Queen => {
                let index = self.eight::<S>(from, index);
                let index = self.eight::<S>(from, index);
                let index = self.eight::<S>(from, index);
                let index = self.two::<S, false>(from, index);
                self.0.step::<S, false>(from, index);
            }
        }
    }
}
