//! The designs: each combines one table layout with one loop.

use std::marker::PhantomData;

use raywalk_core::{Card, Control, Feature, Generator, Legality, Move, MoveList, Stage};

use crate::{
    layout::{HalfBoard, Interleaved, Layout, OnTwoBoards, Split, UsedKinds, Words},
    link::{Byte, Short},
    walk::{BoardOf, BranchFree, Branchy, LeapersByDirection, RowVisitor, Steering},
};

/// A butterfly design: a table and the loop that follows its links.
pub struct Butterfly<V: Variant> {
    pub(crate) table: V::Layout,
    variant: PhantomData<V>,
}

/// What distinguishes the designs: two variants that differ in one line differ in one thing.
pub trait Variant: Send + Sync + 'static {
    const CARD: Card;
    type Layout: Layout;
    type Steering: Steering;
}

/// Declares variants as `Name(layout, steering) = card;`.
macro_rules! variants {
    ($($name:ident($layout:ty, $steering:ty) = $card:expr;)+) => {$(
        pub struct $name;

        impl Variant for $name {
            const CARD: Card = $card;
            type Layout = $layout;
            type Steering = $steering;
        }
    )+};
}

impl<V: Variant> Generator for Butterfly<V> {
    const CARD: Card = V::CARD;
    type Board = BoardOf<V::Layout>;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(Butterfly { table: V::Layout::build(), variant: PhantomData }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Self::Board, list: &mut MoveList) {
        board.visit::<S>(&mut RowVisitor::<S, V::Layout, V::Steering>::new(
            &self.table,
            board,
            list,
        ));
        board.special_moves::<S>(list);
    }
}

/// Base of the cards of the documented forms.
const SANDSTROM: Card = Card {
    id: "",
    name: "",
    author: "Hans Eric Sandström",
    year: Some(1989),
    source: "Hans Eric Sandström, New move generation algorithm, 6 September 1989, in the GNU \
             Chess distribution; Chess Programming Wiki, Table-driven Move Generation",
    control: Control::Branchy,
    legality: Legality::Pseudo,
    published_bytes: None,
    needs: &[],
    reconstructed: "castling and en passant are those of the shared board; the pieces are found in \
                    counted arrays",
};

/// Base of the cards of the derived forms.
const DERIVED: Card = Card {
    author: "Raywalk, after Hans Eric Sandström",
    year: Some(2026),
    source: "this project: a derived form, not in any source",
    control: Control::Branchless,
    ..SANDSTROM
};

variants! {
    InterleavedShorts(Interleaved<Short>, Branchy) = Card {
        id: "butterfly/i16",
        name: "Butterfly, pairs of 16 bits",
        // The figure of the wiki, which counts one of the two halves.
        published_bytes: Some(65_536),
        ..SANDSTROM
    };

    SplitShorts(Split<Short>, Branchy) = Card {
        id: "butterfly/i16-split",
        name: "Butterfly, two arrays of 16 bits",
        year: Some(1990),
        source: "GNU Chess change log, 4 March 1990: split at Stuart Cracraft's request, to work \
                 better on PCs",
        ..SANDSTROM
    };

    InterleavedBytes(Interleaved<Byte>, Branchy) = Card {
        id: "butterfly/u8",
        name: "Butterfly, pairs of bytes",
        author: "Chess Programming Wiki, after Hans Eric Sandström",
        year: None,
        source: "Chess Programming Wiki, Table-driven Move Generation, which conjectures that bytes \
                 might suffice; Sandström's note has links of 16 bits",
        reconstructed: "the layout: the wiki shows no table of bytes, and GNU Chess later shipped two \
                        arrays of them; castling and en passant are those of the shared board",
        ..SANDSTROM
    };

    SplitBytes(Split<Byte>, Branchy) = Card {
        id: "butterfly/u8-split",
        name: "Butterfly, two arrays of bytes",
        year: Some(1992),
        source: "GNU Chess 4.0 patch level 60, 30 October 1992, as distributed",
        ..SANDSTROM
    };

    ByDirection(Split<Byte>, LeapersByDirection) = Card {
        id: "butterfly/gnu-captures",
        name: "Butterfly, captures of GNU Chess",
        year: Some(1992),
        source: "GNU Chess 4.0 patch level 60, 30 October 1992: captures of knight, king and pawn follow \
                 the next-direction links alone",
        reconstructed: "captures without promoting pushes and with en passant, unlike the source, which \
                        has the former and lacks the latter; the other stages are those of \
                        butterfly/u8-split",
        ..SANDSTROM
    };

    TwoBoards(OnTwoBoards<Split<Byte>>, Branchy) = Card {
        id: "butterfly/colour-board",
        name: "Butterfly, boards of colours and kinds",
        year: Some(1992),
        source: "GNU Chess 4.0 patch level 60, 30 October 1992: the loop reads a board of colours with a \
                 value for neutral",
        reconstructed: "castling and en passant are those of the shared board, which joins both boards; \
                        the pieces are found in counted arrays; the rest is butterfly/u8-split",
        ..SANDSTROM
    };

    SevenKinds(UsedKinds<Byte>, Branchy) = Card {
        id: "butterfly/u8-used-kinds",
        name: "Butterfly, two arrays of bytes, used kinds",
        author: "Raywalk, after Hans Eric Sandström",
        year: Some(2026),
        source: "Raywalk: a variant of butterfly/u8-split, not published elsewhere",
        reconstructed: "the rows of kind 0, which no piece has, are left out; the rest is \
                        butterfly/u8-split",
        ..SANDSTROM
    };

    HalfBoardRows(HalfBoard, Branchy) = Card {
        id: "butterfly/half-board",
        name: "Butterfly, half boards",
        author: "Michael Sherwin",
        year: Some(2007),
        source: "Computer Chess Club, Did someone mention the GNUChess move Generator?, 2007",
        reconstructed: "captures and pawns: the source shows a loop for quiet moves; castling and \
                        en passant are those of the shared board",
        ..SANDSTROM
    };

    BranchFreeWords(Words, BranchFree) = Card {
        id: "butterfly/branch-free",
        name: "Butterfly, branch-free",
        reconstructed: "everything except the links, which are the documented ones: both links of a \
                        cell share a word, and the loop selects one without a branch",
        ..DERIVED
    };

    BranchFreeHalfBoard(HalfBoard, BranchFree) = Card {
        id: "butterfly/half-board-branch-free",
        name: "Butterfly, half boards, branch-free",
        author: "Raywalk, after Michael Sherwin",
        reconstructed: "everything except the layout of a row, which is Sherwin's: he shows a loop \
                        for quiet moves, with a branch",
        ..DERIVED
    };
}
