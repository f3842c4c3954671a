//! A fixed number of steps for each kind of piece, so that the end of a walk does not depend on the
//! board.
//!
//! Every list ends in a terminator: a node that links to itself and never yields a move, so a walk
//! may run past the end of its list. Where the compiler does not unroll the steps of a kind, a
//! counter ends them with a branch that every piece of the kind takes equally often. A queen takes
//! 27 steps from every square, because its longest list has 27 nodes. The price is the idle steps: a
//! rook in the opening sees four squares and takes fourteen steps.

use raywalk_core::square_board::{ShiftCode, kept};
use raywalk_core::two_way::Heads;
use raywalk_core::{Card, Color, Cursor, Feature, Generator, Kind, Move, MoveList, Square, Stage};

use crate::lists::{ListWalk, Lists};
use crate::node::Node;
use crate::occupancy::DenseBoard;
use crate::table::Table;
use crate::variants::OURS;

/// The length of the longest list of a kind.
const fn steps(kind: Kind) -> usize {
    match kind {
        Kind::Pawn => PAWN_STEPS,
        Kind::Knight | Kind::King => 8,
        Kind::Bishop => 13,
        Kind::Rook => 14,
        Kind::Queen => 27,
    }
}

/// Two pushes, or two captures.
const PAWN_STEPS: usize = 2;

/// Walks of fixed length over lists with terminators.
#[repr(transparent)]
pub struct FixedTrip {
    table: Table<u32>,
}

impl Generator for FixedTrip {
    const CARD: Card = Card {
        id: "dense-index/fixed-trip",
        name: "Dense index list, fixed number of steps",
        reconstructed: "everything but the lists: terminators and the number of steps are ours; a \
                        counter may end the steps of a kind with a branch, which no position changes",
        ..OURS
    };
    type Board = DenseBoard;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(FixedTrip { table: *Table::with_terminators() }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &DenseBoard, list: &mut MoveList) {
        board.visit::<S>(&mut trips::<S>(&self.table, board, list));
        board.special_moves::<S>(list);
    }

    fn table_bytes(&self) -> usize {
        self.table.bytes()
    }
}

/// The state of one generation.
pub(crate) struct Trips<'a> {
    table: &'a Table<u32>,
    board: &'a DenseBoard,
    side: Color,
    list: Cursor<'a>,
}

/// A visitor that walks the lists of each piece.
pub(crate) fn trips<'a, S: Stage>(
    table: &'a Table<u32>,
    board: &'a DenseBoard,
    list: &'a mut MoveList,
) -> Lists<'a, S, Trips<'a>> {
    Lists::new(board.side(), Trips::new(table, board, list))
}

impl<'a> Trips<'a> {
    #[inline(always)]
    pub(crate) fn new(
        table: &'a Table<u32>,
        board: &'a DenseBoard,
        list: &'a mut MoveList,
    ) -> Trips<'a> {
        Trips { table, board, side: board.side(), list: list.cursor() }
    }

    /// One step of a walk: stores the move, counts it if `Wanted` keeps it, and returns the next
    /// index.
    #[inline(always)]
    pub(crate) fn step<Wanted: Stage, const PROMOTES: bool>(
        &mut self,
        from: Square,
        index: usize,
    ) -> usize {
        let node = self.table.node(index);
        let to = node.to();
        let code = self.board.code(to.number());
        let keep = kept::<Wanted, ShiftCode>(code, self.side);
        if PROMOTES {
            self.list.push_promotions_if(from, to, keep);
        } else {
            self.list.push_if(Move::new(from, to), keep);
        }
        node.next(code)
    }

    #[inline(always)]
    fn walk<Wanted: Stage, const PROMOTES: bool>(
        &mut self,
        from: Square,
        heads: &[u16; 64],
        steps: usize,
    ) {
        let mut index = Table::<u32>::head(heads, from);
        for _ in 0..steps {
            index = self.step::<Wanted, PROMOTES>(from, index);
        }
    }
}

impl<'a, S: Stage> ListWalk<'a, S> for Trips<'a> {
    #[inline(always)]
    fn heads(&self) -> &'a Heads<u16> {
        self.table.heads()
    }

    #[inline(always)]
    fn pawn<Wanted: Stage, const PROMOTES: bool>(&mut self, from: Square, heads: &[u16; 64]) {
        self.walk::<Wanted, PROMOTES>(from, heads, PAWN_STEPS);
    }

    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: Square, heads: &[u16; 64]) {
        self.walk::<S, false>(from, heads, steps(kind));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::TERMINATORS;

    /// The largest number of steps to a terminator on an empty board, where no ray is cut short.
    fn longest(table: &Table<u32>, row: &[u16; 64]) -> usize {
        let length = |&head: &u16| {
            let walk = std::iter::successors(Some(usize::from(head)), |&index| {
                Some(table.node(index).if_empty())
            });
            walk.take_while(|&index| index < TERMINATORS).count()
        };
        row.iter().map(length).max().expect("64 lists")
    }

    #[test]
    fn the_step_count_of_a_kind_is_the_length_of_its_longest_list() {
        let table = Table::<u32>::with_terminators();
        for kind in Kind::PIECES {
            assert_eq!(longest(&table, table.heads().pieces(kind)), steps(kind), "{kind:?}");
        }
        for color in Color::ALL {
            // On the first and last rank, where no pawn stands, the heads repeat the very first
            // one, which is a queen's. Replace them with the head of a real pawn list.
            let pawns = |row: &[u16; 64]| {
                let mut row = *row;
                let real = row[8];
                row[..8].fill(real);
                row[56..].fill(real);
                row
            };
            assert_eq!(longest(&table, &pawns(table.heads().pushes(color))), PAWN_STEPS);
            assert_eq!(longest(&table, &pawns(table.heads().captures(color))), PAWN_STEPS);
        }
    }
}
