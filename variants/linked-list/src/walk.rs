//! The loop, generic over the form of nodes and links.

use raywalk_core::square_board::{Board8x8, Code, ColourBits, Visitor, kept};
use raywalk_core::two_way::Heads;
use raywalk_core::{
    Captures, Card, Color, Context, Cursor, Feature, Generator, Kind, Move, MoveFormat, MoveList,
    Piece, Quiets, Square, Stage, StageId, Takes,
};

/// One target square of one list.
pub trait Node: Send + Sync + 'static {
    /// The format in which the design writes moves.
    type Moves: MoveFormat;

    /// The target square.
    fn to(&self) -> Square;

    /// The move to the target by the piece on `from`, which owns the list.
    fn mv(&self, from: Square) -> Move;

    /// The move as it is written.
    #[inline(always)]
    fn word(&self, from: Square, context: &Context) -> Self::Moves {
        Self::Moves::pack_with(self.mv(from), context)
    }
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
    type Moves = <T::Node as Node>::Moves;

    fn build() -> Result<Box<Self>, Feature> {
        T::CARD.needs.iter().try_for_each(|need| need.require())?;
        Ok(Box::new(LinkedList { table: *T::new() }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Board8x8, list: &mut MoveList<Self::Moves>) {
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
struct Walk<'a, T: Table, S> {
    table: &'a T,
    board: &'a Board8x8,
    side: Color,
    list: Cursor<'a, <T::Node as Node>::Moves>,
    stage: std::marker::PhantomData<S>,
}

impl<'a, T: Table, S: Stage> Walk<'a, T, S> {
    /// Walks one list and appends the moves of stage `Wanted`.
    ///
    /// `PROMOTES` selects the writer: four promotions, counted as four or none, or one move. It is
    /// selected once per pawn, so that the loop never tests the rank of a target.
    #[inline(always)]
    fn walk<Wanted: Stage, const PROMOTES: bool>(
        &mut self,
        kind: Kind,
        from: Square,
        head: T::Head,
    ) {
        let mut node: &'a T::Node = self.table.first(head);
        loop {
            let code = self.board.code(node.to().number());
            let keep = kept::<Wanted, ColourBits>(code, self.side);
            let takes = match Wanted::ID {
                StageId::All => Takes::Depends,
                StageId::Captures => Takes::Always,
                StageId::Quiets => Takes::Never,
            };
            let piece = Piece::new(self.side, kind);
            let context = Context { piece, code, empty: ColourBits::EMPTY, takes };
            let word = node.word(from, &context);
            if PROMOTES {
                let mv = word.unpack();
                self.list.push_promotions_with_if(mv.from(), mv.to(), &context, keep);
            } else {
                self.list.push_word_if(word, &context, keep);
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
            self.walk::<Quiets, PROMOTES>(Kind::Pawn, from, heads.pushes(self.side)[from.index()]);
        }
        if S::CAPTURES {
            self.walk::<Captures, PROMOTES>(
                Kind::Pawn,
                from,
                heads.captures(self.side)[from.index()],
            );
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
        self.walk::<S, false>(kind, from, self.table.heads().pieces(kind)[from.index()]);
    }
}
