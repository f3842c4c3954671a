//! The loop, written once for every word, step and sight.

use std::marker::PhantomData;

use raywalk_core::square_board::{CountedArrays, Grid8x8, ShiftCode, SquareBoard, Visitor};
use raywalk_core::{
    Captures, Card, Color, Feature, Generator, Kind, Move, MoveList, Quiets, Square, Stage,
};

use crate::node::Node;
use crate::sight::Sight;
use crate::step::Step;
use crate::table::Table;
use crate::variants::Variant;

/// 64 bytes whose codes are shifts, and counted arrays of pieces.
pub type DenseBoard = SquareBoard<Grid8x8, ShiftCode, CountedArrays>;

/// The dense index list with one form of word, step and sight.
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
        let sight = V::Sight::of(board);
        let side = board.side();
        board.visit::<S>(&mut Walk::<V, S> {
            table: &self.table,
            sight,
            side,
            list,
            stage: PhantomData,
        });
        board.special_moves::<S>(list);
    }

    /// Nodes in use and heads.
    fn table_bytes(&self) -> usize {
        self.table.bytes()
    }
}

/// Whether a pawn promotes with its next move: asked once per pawn, so that no target asks for its
/// rank.
#[inline(always)]
pub(crate) fn promotes(side: Color, from: Square) -> bool {
    side.view(from).rank() == 6
}

/// One generation under way.
struct Walk<'a, V: Variant, S> {
    table: &'a Table<V::Node>,
    sight: V::Sight<'a>,
    side: Color,
    list: &'a mut MoveList,
    stage: PhantomData<S>,
}

impl<V: Variant, S: Stage> Walk<'_, V, S> {
    /// Walks one list: all squares the piece could reach, ray after ray, in one chain. Free and
    /// blocked squares run the same instructions; the one branch left is the end of the list.
    ///
    /// `PROMOTES` chooses the writer, once per pawn: four moves, counted as four or none.
    #[inline(always)]
    fn walk<Wanted: Stage, const PROMOTES: bool>(&mut self, from: Square, heads: &[u16; 64]) {
        let mut place = V::Step::start(self.table, Table::<V::Node>::head(heads, from));
        loop {
            let node = V::Step::node(self.table, place);
            let to = node.to();
            let seen = self.sight.look(to);
            let keep = self.sight.keeps::<Wanted>(seen);
            if PROMOTES {
                self.list.push_promotions_if(from, to, keep);
            } else {
                self.list.push_if(Move::new(from, to), keep);
            }
            match V::Step::next(self.table, node, self.sight, seen) {
                Some(next) => place = next,
                None => return,
            }
        }
    }

    /// Walks the list of a knight or king, whose two links always agree: the next node is known
    /// without looking at the square.
    #[inline(always)]
    fn leap(&mut self, from: Square, heads: &[u16; 64]) {
        let mut index = Table::<V::Node>::head(heads, from);
        loop {
            let node = self.table.node(index);
            let to = node.to();
            let keep = self.sight.keeps::<S>(self.sight.look(to));
            self.list.push_if(Move::new(from, to), keep);
            index = node.if_empty();
            if index == 0 {
                return;
            }
        }
    }

    #[inline(always)]
    fn pawn_lists<const PROMOTES: bool>(&mut self, from: Square) {
        let heads = self.table.heads();
        if S::QUIETS {
            self.walk::<Quiets, PROMOTES>(from, heads.pushes(self.side));
        }
        if S::CAPTURES {
            self.walk::<Captures, PROMOTES>(from, heads.captures(self.side));
        }
    }
}

impl<V: Variant, S: Stage> Visitor for Walk<'_, V, S> {
    #[inline(always)]
    fn pawn(&mut self, from: u8) {
        let from = Square::from_low_bits(u32::from(from));
        if promotes(self.side, from) {
            self.pawn_lists::<true>(from);
        } else {
            self.pawn_lists::<false>(from);
        }
    }

    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: u8) {
        let from = Square::from_low_bits(u32::from(from));
        let heads = self.table.heads().pieces(kind);
        if V::LEAPERS_APART && !kind.is_slider() {
            self.leap(from, heads);
        } else {
            self.walk::<S, false>(from, heads);
        }
    }
}
