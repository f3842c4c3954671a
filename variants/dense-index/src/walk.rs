//! The loop, generic over node format, step and occupancy source.

use std::marker::PhantomData;

use raywalk_core::square_board::{CountedArrays, Grid8x8, ShiftCode, SquareBoard, Visitor};
use raywalk_core::{Card, Color, Feature, Generator, Kind, Move, MoveList, Square, Stage};

use crate::node::Node;
use crate::occupancy::OccupancySource;
use crate::pawns::{PawnWalk, promotes};
use crate::step::Step;
use crate::table::Table;
use crate::variants::Variant;

/// An 8x8 board whose codes are shift counts, with counted arrays of pieces.
pub type DenseBoard = SquareBoard<Grid8x8, ShiftCode, CountedArrays>;

/// The dense index list with one node format, step and occupancy source.
#[repr(transparent)]
pub struct DenseIndex<V: Variant> {
    table: Table<V::Node>,
}

impl<V: Variant> Generator for DenseIndex<V> {
    const CARD: Card = V::CARD;
    type Board = DenseBoard;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(DenseIndex { table: *Table::new() }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &DenseBoard, list: &mut MoveList) {
        let occupancy = V::Occupancy::new(board);
        let side = board.side();
        board.visit::<S>(&mut Walk::<V, S> {
            table: &self.table,
            occupancy,
            side,
            list,
            stage: PhantomData,
        });
        board.special_moves::<S>(list);
    }

    fn table_bytes(&self) -> usize {
        self.table.bytes()
    }
}

/// The state of one generation.
struct Walk<'a, V: Variant, S> {
    table: &'a Table<V::Node>,
    occupancy: V::Occupancy<'a>,
    side: Color,
    list: &'a mut MoveList,
    stage: PhantomData<S>,
}

impl<V: Variant, S: Stage> Walk<'_, V, S> {
    /// Walks one list: every square that the piece could reach, ray after ray, in one dependency
    /// chain. Empty and occupied squares run the same instructions, so the only branch is the end
    /// of the list.
    ///
    /// `PROMOTES` selects the writer: four promotions, counted as four or none, or one move.
    #[inline(always)]
    fn walk<Wanted: Stage, const PROMOTES: bool>(&mut self, from: Square, heads: &[u16; 64]) {
        let mut place = V::Step::start(self.table, Table::<V::Node>::head(heads, from));
        loop {
            let node = V::Step::node(self.table, place);
            let to = node.to();
            let reading = self.occupancy.read(to);
            let keep = self.occupancy.keeps::<Wanted>(reading);
            if PROMOTES {
                self.list.push_promotions_if(from, to, keep);
            } else {
                self.list.push_if(Move::new(from, to), keep);
            }
            match V::Step::next(self.table, node, self.occupancy, reading) {
                Some(next) => place = next,
                None => return,
            }
        }
    }

    /// Walks the list of a knight or king. Both links of each node agree, so the next node is known
    /// without reading the square.
    #[inline(always)]
    fn leap(&mut self, from: Square, heads: &[u16; 64]) {
        let mut index = Table::<V::Node>::head(heads, from);
        loop {
            let node = self.table.node(index);
            let to = node.to();
            let keep = self.occupancy.keeps::<S>(self.occupancy.read(to));
            self.list.push_if(Move::new(from, to), keep);
            index = node.if_empty();
            if index == 0 {
                return;
            }
        }
    }
}

impl<V: Variant, S: Stage> PawnWalk for Walk<'_, V, S> {
    type Stage = S;

    #[inline(always)]
    fn walk_pawn_list<Wanted: Stage, const PROMOTES: bool>(
        &mut self,
        from: Square,
        heads: &[u16; 64],
    ) {
        self.walk::<Wanted, PROMOTES>(from, heads);
    }
}

impl<V: Variant, S: Stage> Visitor for Walk<'_, V, S> {
    #[inline(always)]
    fn pawn(&mut self, from: u8) {
        let from = Square::from_low_bits(u32::from(from));
        let promotes = promotes(self.side, from);
        self.walk_pawn(self.side, from, promotes, self.table.heads());
    }

    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: u8) {
        let from = Square::from_low_bits(u32::from(from));
        let heads = self.table.heads().pieces(kind);
        if V::SEPARATE_LEAPERS && !kind.is_slider() {
            self.leap(from, heads);
        } else {
            self.walk::<S, false>(from, heads);
        }
    }
}
