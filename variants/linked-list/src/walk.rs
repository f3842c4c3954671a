//! The loop, generic over the form of nodes and links.

use raywalk_core::square_board::{Board8x8, Code, ColourBits, Visitor, kept};
use raywalk_core::two_way::Heads;
use raywalk_core::{
    Captures, Card, Color, Context, Cursor, Feature, Generator, Kind, Move, MoveFormat, MoveList,
    Piece, Quiets, Square, Stage, StageId, Takes, opaque,
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

/// A node as a walk holds it.
pub trait Place: Copy {
    /// The format in which the design writes moves.
    type Moves: MoveFormat;

    /// The target square.
    fn to(self) -> Square;

    /// The move to the target by the piece on `from`, as it is written.
    fn word(self, from: Square, context: &Context) -> Self::Moves;
}

impl<N: Node> Place for &N {
    type Moves = N::Moves;

    #[inline(always)]
    fn to(self) -> Square {
        Node::to(self)
    }

    #[inline(always)]
    fn word(self, from: Square, context: &Context) -> N::Moves {
        Node::word(self, from, context)
    }
}

/// All nodes and the head of each list.
pub trait Table: Send + Sync + Sized + 'static {
    /// The card of the design with this table.
    const CARD: Card;
    /// The format in which the design writes moves.
    type Moves: MoveFormat;
    /// How a walk holds a node: by reference, or with what it has read of it.
    type Place<'table>: Place<Moves = Self::Moves>;
    /// The stored form of a head: an index or a pointer.
    type Head: Copy;
    /// What a walk keeps in a register to recognise the end of its list.
    type End: Copy;
    /// Whether a queen walks the list of a bishop and that of a rook.
    const QUEENS_HAVE_TWO_LISTS: bool = false;

    /// Builds the table: all nodes and the heads of all lists.
    fn new() -> Box<Self>;

    /// The head of each list.
    fn heads(&self) -> &Heads<Self::Head>;

    /// The first node of a list.
    fn first(&self, head: Self::Head) -> Self::Place<'_>;

    /// How the end of a list, whose piece is on `from`, is recognised.
    fn end(&self, head: Self::Head, from: Square) -> Self::End;

    /// The node that follows `place`, given whether its target is occupied; `None` at the end.
    fn next<'table>(
        &'table self,
        place: Self::Place<'table>,
        occupied: bool,
        end: Self::End,
    ) -> Option<Self::Place<'table>>;

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
    type Moves = T::Moves;

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

/// The kinds whose lists make up the moves of a kind, where queens have no list of their own.
const LISTS: [&[Kind]; 6] = [
    &[],
    &[Kind::Knight],
    &[Kind::Bishop],
    &[Kind::Rook],
    &[Kind::Bishop, Kind::Rook],
    &[Kind::King],
];

/// The state of one generation.
struct Walk<'a, T: Table, S> {
    table: &'a T,
    board: &'a Board8x8,
    side: Color,
    list: Cursor<'a, T::Moves>,
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
        let mut place: T::Place<'a> = self.table.first(head);
        let end = self.table.end(head, from);
        let mut own = ColourBits::bit_of(self.side);
        loop {
            let code = self.board.code(place.to().number());
            let keep = match Wanted::ID {
                // Two lists ask for captures as well, and compare masks.
                StageId::All if !T::Moves::TWO_LISTS => {
                    // Opaque in each iteration, so that the bit stays a number: one instruction puts it into the carry.
                    own = opaque(own);
                    usize::from(code) >> own & 1 == 0
                }
                _ => kept::<Wanted, ColourBits>(code, self.side),
            };
            let takes = match Wanted::ID {
                StageId::All => Takes::Depends,
                StageId::Captures => Takes::Always,
                StageId::Quiets => Takes::Never,
            };
            let piece = Piece::new(self.side, kind);
            let context = Context { piece, code, empty: ColourBits::EMPTY, takes };
            let word = place.word(from, &context);
            if PROMOTES {
                let mv = word.unpack();
                self.list.push_promotions_with_if(mv.from(), mv.to(), &context, keep);
            } else {
                self.list.push_word_if(word, &context, keep);
            }
            match self.table.next(place, !ColourBits::is_empty(code), end) {
                Some(next) => place = next,
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
        let heads = self.table.heads();
        if T::QUEENS_HAVE_TWO_LISTS {
            // From a table, so that the compiler sees one loop with an unknown number of iterations.
            for &list in LISTS[kind.index()] {
                self.walk::<S, false>(kind, from, heads.pieces(list)[from.index()]);
            }
        } else {
            self.walk::<S, false>(kind, from, heads.pieces(kind)[from.index()]);
        }
    }
}
