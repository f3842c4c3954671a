//! The loop, generic over the form of nodes and links.

use raywalk_core::square_board::{Board8x8, Code, ColourBits, Visitor, kept};
use raywalk_core::two_way::Heads;
use raywalk_core::{
    Captures, Card, Color, Cursor, Feature, Generator, Kind, Move, MoveList, Quiets, Square, Stage,
};

/// One target square of one list.
pub trait Node: Send + Sync + 'static {
    /// The target square.
    fn to(&self) -> Square;

    /// The move to the target by the piece on `from`, which owns the list.
    fn mv(&self, from: Square) -> Move;
}

/// All nodes and the head of each list.
pub trait Table: Send + Sync + Sized + 'static {
    /// The card of the design with this table.
    const CARD: Card;
    /// The node format.
    type Node: Node;
    /// The stored form of a head: an index or a pointer.
    type Head: Copy;

    /// Builds the table.
    fn new() -> Box<Self>;

    /// The head of each list.
    fn heads(&self) -> &Heads<Self::Head>;

    /// The first node of a list.
    fn first(&self, head: Self::Head) -> &Self::Node;

    /// The node that follows `node`, given whether its target is occupied; `None` at the end.
    fn next<'a>(&'a self, node: &'a Self::Node, occupied: bool) -> Option<&'a Self::Node>;

    /// Bytes that the table refers to outside itself.
    fn bytes_elsewhere(&self) -> usize {
        0
    }
}

/// The conditional linked list with one form of nodes and links.
#[repr(C, align(64))]
pub struct LinkedList<T: Table> {
    table: T,
}

impl<T: Table> Generator for LinkedList<T> {
    const CARD: Card = T::CARD;
    type Board = Board8x8;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(LinkedList { table: *T::new() }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Board8x8, list: &mut MoveList) {
        let stage = std::marker::PhantomData::<S>;
        board.visit::<S>(&mut Walk {
            table: &self.table,
            board,
            side: board.side(),
            list: list.cursor(),
            stage,
        });
        board.special_moves::<S>(list);
    }

    fn table_bytes(&self) -> usize {
        size_of::<T>() + self.table.bytes_elsewhere()
    }
}

/// The state of one generation.
struct Walk<'a, T, S> {
    table: &'a T,
    board: &'a Board8x8,
    side: Color,
    list: Cursor<'a>,
    stage: std::marker::PhantomData<S>,
}

impl<'a, T: Table, S: Stage> Walk<'a, T, S> {
    /// Walks one list and appends the moves of stage `Wanted`.
    ///
    /// `PROMOTES` selects the writer: four promotions, counted as four or none, or one move. It is
    /// selected once per pawn, so that the loop never tests the rank of a target.
    #[inline(always)]
    fn walk<Wanted: Stage, const PROMOTES: bool>(&mut self, from: Square, head: T::Head) {
        let mut node: &'a T::Node = self.table.first(head);
        loop {
            let code = self.board.code(node.to().number());
            let keep = kept::<Wanted, ColourBits>(code, self.side);
            let mv = node.mv(from);
            if PROMOTES {
                self.list.push_promotions_if(mv.from(), mv.to(), keep);
            } else {
                self.list.push_if(mv, keep);
            }
            match self.table.next(node, !ColourBits::is_empty(code)) {
                Some(next) => node = next,
                None => return,
            }
        }
    }

    #[inline(always)]
    fn pawn_lists<const PROMOTES: bool>(&mut self, from: Square) {
        let heads = self.table.heads();
        if S::QUIETS {
            self.walk::<Quiets, PROMOTES>(from, heads.pushes(self.side)[from.index()]);
        }
        if S::CAPTURES {
            self.walk::<Captures, PROMOTES>(from, heads.captures(self.side)[from.index()]);
        }
    }
}

impl<T: Table, S: Stage> Visitor for Walk<'_, T, S> {
    #[inline(always)]
    fn pawn(&mut self, from: u8) {
        let from = Square::from_low_bits(u32::from(from));
        if self.side.view(from).rank() == 6 {
            self.pawn_lists::<true>(from);
        } else {
            self.pawn_lists::<false>(from);
        }
    }

    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: u8) {
        let from = Square::from_low_bits(u32::from(from));
        self.walk::<S, false>(from, self.table.heads().pieces(kind)[from.index()]);
    }
}
