//! The loop, generic over node format, step and occupancy source.

use raywalk_core::square_board::{Grid8x8, PieceList};
use raywalk_core::two_way::Heads;
use raywalk_core::{Card, Cursor, Feature, Generator, Kind, Move, MoveList, Square, Stage};

use crate::lists::{ListWalk, Lists};
use crate::node::Node;
use crate::occupancy::{BoardWith, OccupancySource, Of};
use crate::step::Step;
use crate::table::Table;

/// The choices that define a variant.
pub trait Variant: Send + Sync + 'static {
    /// The card of the design.
    const CARD: Card;
    /// The word that holds a target and its two successors.
    type Node: Node;
    /// How a walk advances from node to node.
    type Step: Step<Self::Node>;
    /// The piece list of the board.
    type List: PieceList<Grid8x8>;
    /// How a walk reads a square.
    type Occupancy<'a>: Of<'a, Self::List>;
    /// Whether knights and kings have their own loop.
    const SEPARATE_LEAPERS: bool = false;
}

/// The dense index list with one node format, step and occupancy source.
#[repr(transparent)]
pub struct DenseIndex<V: Variant> {
    pub(crate) table: Table<V::Node>,
}

impl<V: Variant> Generator for DenseIndex<V> {
    const CARD: Card = V::CARD;
    type Board = BoardWith<V::List>;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(DenseIndex { table: *Table::new() }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Self::Board, list: &mut MoveList) {
        let occupancy = V::Occupancy::new(board);
        let side = board.side();
        let walk = Walk::<V> { table: &self.table, occupancy, list: list.cursor() };
        board.visit::<S>(&mut Lists::<S, _>::new(side, walk));
        board.special_moves::<S>(list);
    }

    fn table_bytes(&self) -> usize {
        self.table.bytes()
    }
}

/// The state of one generation.
pub(crate) struct Walk<'a, V: Variant> {
    pub table: &'a Table<V::Node>,
    pub occupancy: V::Occupancy<'a>,
    pub list: Cursor<'a>,
}

/// What a walk of a variant reads of a square.
type Reading<'a, V> = <<V as Variant>::Occupancy<'a> as OccupancySource<'a>>::Reading;

impl<'a, V: Variant> Walk<'a, V> {
    /// Walks one list: every square that the piece could reach, ray after ray, in one dependency
    /// chain. Empty and occupied squares run the same instructions, so the only branch is the end
    /// of the list. `keeps` tells whether the move to a square counts.
    ///
    /// `PROMOTES` selects the writer: four promotions, counted as four or none, or one move.
    #[inline(always)]
    pub(crate) fn walk<const PROMOTES: bool>(
        &mut self,
        from: Square,
        heads: &[u16; 64],
        keeps: impl Fn(V::Occupancy<'a>, Reading<'a, V>) -> bool,
    ) {
        let mut place = V::Step::start(self.table, Table::<V::Node>::head(heads, from));
        loop {
            let node = V::Step::node(self.table, place);
            let to = node.to();
            let reading = self.occupancy.read(to);
            let keep = keeps(self.occupancy, reading);
            if PROMOTES {
                self.list.push_promotions_if(from, to, keep);
            } else {
                self.list.push_if(Move::new(from, to), keep);
            }
            match V::Step::next(self.table, place, node, self.occupancy, reading) {
                Some(next) => place = next,
                None => return,
            }
        }
    }

    /// Walks the list of a knight or king. Both links of each node agree, so the next node is known
    /// without reading the square.
    #[inline(always)]
    fn leap<S: Stage>(&mut self, from: Square, heads: &[u16; 64]) {
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

impl<'a, V: Variant, S: Stage> ListWalk<'a, S> for Walk<'a, V> {
    #[inline(always)]
    fn heads(&self) -> &'a Heads<u16> {
        self.table.heads()
    }

    #[inline(always)]
    fn pawn<Wanted: Stage, const PROMOTES: bool>(&mut self, from: Square, heads: &[u16; 64]) {
        self.walk::<PROMOTES>(from, heads, |occupancy, reading| occupancy.keeps::<Wanted>(reading));
    }

    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: Square, heads: &[u16; 64]) {
        if V::SEPARATE_LEAPERS && !kind.is_slider() {
            self.leap::<S>(from, heads);
        } else {
            self.walk::<false>(from, heads, |occupancy, reading| occupancy.keeps::<S>(reading));
        }
    }
}
