//! A number of steps that the density of the board chooses, and a loop for the rest of a long walk.
//!
//! [`FixedTrip`] takes as many steps as the longest list of a kind has nodes, and most of them are idle. On a full
//! board walks are short, so here the number of pieces chooses how many steps come first without a test for the end of
//! the list: as many as nine of ten walks of sliders need. A longer walk continues in a loop with that test.
//! `raywalk trace --design dense-index/by-density --workload cycle-65536` counts how often: for 0.24 of the 5.5 pieces
//! of a position that are no pawns. The counter of the steps ends with a branch, whose count follows the number of
//! pieces, so it changes from position to position and not from piece to piece of a kind.

use raywalk_core::two_way::Heads;
use raywalk_core::{Card, Feature, Generator, Kind, Move, MoveList, Square, Stage};

use crate::fixed_trip::{FixedTrip, Trips};
use crate::lists::{ListWalk, Lists};
use crate::occupancy::DenseBoard;
use crate::table::{TERMINATORS, Table};

/// The number of steps of each [`Kind`].
type Steps = [u8; 6];

/// Steps by the density of the board: more than 24 pieces, more than 12, or fewer. Pawns have loops of their own.
///
/// Nine of ten walks of bishops, rooks and queens on positions of self-play games are not longer. Another number would
/// cost time, but no move. Knights and kings have at most eight targets.
const STEPS: [Steps; 3] = [[0, 8, 9, 7, 17, 8], [0, 8, 10, 12, 20, 8], [0, 8, 13, 14, 25, 8]];

/// The steps on a board with this number of pieces.
#[inline(always)]
fn steps(pieces: usize) -> &'static Steps {
    // A sum of comparisons, so that no branch depends on the number of pieces.
    &STEPS[usize::from(pieces <= 24) + usize::from(pieces <= 12)]
}

/// Walks whose first steps have no test for the end, over lists with terminators.
#[repr(transparent)]
pub struct ByDensity {
    table: Table<u32>,
}

impl Generator for ByDensity {
    const CARD: Card = Card {
        id: "dense-index/by-density",
        name: "Dense index list, number of steps by density",
        reconstructed: "everything but the lists: terminators, the number of steps and the loop for longer \
                        walks are ours; a counter ends the steps with a branch, and the number of pieces \
                        on the board changes its count",
        ..FixedTrip::CARD
    };
    type Board = DenseBoard;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(ByDensity { table: *Table::with_terminators() }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &DenseBoard, list: &mut MoveList) {
        let trips = Trips::new(&self.table, board, list);
        let walk = Dense { trips, steps: steps(board.list().pieces()) };
        board.visit::<S>(&mut Lists::<S, _>::new(board.side(), walk));
        board.special_moves::<S>(list);
    }

    fn table_bytes(&self) -> usize {
        self.table.bytes() + size_of_val(&STEPS)
    }
}

/// The state of one generation.
struct Dense<'a> {
    trips: Trips<'a>,
    steps: &'static Steps,
}

impl<'a, S: Stage> ListWalk<'a, S> for Dense<'a> {
    #[inline(always)]
    fn heads(&self) -> &'a Heads<u16> {
        ListWalk::<S>::heads(&self.trips)
    }

    #[inline(always)]
    fn pawn<Wanted: Stage, const PROMOTES: bool>(&mut self, from: Square, heads: &[u16; 64]) {
        ListWalk::<S>::pawn::<Wanted, PROMOTES>(&mut self.trips, from, heads);
    }

    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: Square, heads: &[u16; 64]) {
        let mut index = Table::<u32>::head(heads, from);
        for _ in 0..self.steps[kind.index()] {
            index = self.trips.step::<S, false>(from, index);
        }
        while index < TERMINATORS {
            index = self.trips.step::<S, false>(from, index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_with_fewer_pieces_has_more_steps() {
        let sums = [32, 25, 24, 13, 12, 2].map(|pieces| steps(pieces).iter().sum::<u8>());
        assert!(sums.is_sorted() && sums[1] < sums[2] && sums[3] < sums[4], "{sums:?}");
        assert_eq!((sums[0], sums[2], sums[4]), (sums[1], sums[3], sums[5]));
    }
}
