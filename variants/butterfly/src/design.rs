//! The designs: one table layout and one loop each.

use std::marker::PhantomData;

use raywalk_core::{Card, Control, Feature, Generator, Legality, Move, MoveList, Stage};

use crate::{
    layout::{HalfBoard, Interleaved, Layout, Split, Words},
    link::{Byte, Short},
    walk::{BoardOf, BranchFree, Branchy, Steering, Walker},
};

/// A butterfly table and the loop that walks it. Two designs whose variants differ in one line
/// differ in one thing.
pub struct Butterfly<V: Variant> {
    pub(crate) table: V::Layout,
    variant: PhantomData<V>,
}

/// What distinguishes one butterfly from another.
pub trait Variant: Send + Sync + 'static {
    /// What its source says of it.
    const CARD: Card;
    /// How links lie in memory.
    type Layout: Layout;
    /// How a walk chooses its way.
    type Steering: Steering;
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
        board.visit::<S>(&mut Walker::<S, V::Layout, V::Steering>::new(&self.table, board, list));
        board.special_moves::<S>(list);
    }
}

const RULES: &str =
    "castling and en passant are those of the shared board; the pieces are found in counted arrays";

/// What the cards of the documented forms share.
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
    reconstructed: RULES,
};

/// Variant of [`I16`](crate::I16).
pub struct InterleavedShorts;
impl Variant for InterleavedShorts {
    const CARD: Card = Card {
        id: "butterfly/i16",
        name: "Butterfly, pairs of 16 bits",
        // The wiki's figure, which is one of the two halves.
        published_bytes: Some(65_536),
        ..SANDSTROM
    };
    type Layout = Interleaved<Short>;
    type Steering = Branchy;
}

/// Variant of [`I16Split`](crate::I16Split).
pub struct SplitShorts;
impl Variant for SplitShorts {
    const CARD: Card = Card {
        id: "butterfly/i16-split",
        name: "Butterfly, two arrays of 16 bits",
        year: Some(1990),
        source: "GNU Chess change log, 4 March 1990: split at Stuart Cracraft's request, to work \
                 better on PCs",
        ..SANDSTROM
    };
    type Layout = Split<Short>;
    type Steering = Branchy;
}

/// Variant of [`U8`](crate::U8).
pub struct InterleavedBytes;
impl Variant for InterleavedBytes {
    const CARD: Card = Card {
        id: "butterfly/u8",
        name: "Butterfly, pairs of bytes",
        source: "Chess Programming Wiki, Table-driven Move Generation: bytes might suffice",
        reconstructed: "the layout: the source supposes bytes and shows none; castling and en \
                        passant are those of the shared board",
        ..SANDSTROM
    };
    type Layout = Interleaved<Byte>;
    type Steering = Branchy;
}

/// Variant of [`U8Split`](crate::U8Split).
pub struct SplitBytes;
impl Variant for SplitBytes {
    const CARD: Card = Card {
        id: "butterfly/u8-split",
        name: "Butterfly, two arrays of bytes",
        year: Some(1992),
        source: "GNU Chess 4.0 patch level 60, 30 October 1992, as distributed",
        ..SANDSTROM
    };
    type Layout = Split<Byte>;
    type Steering = Branchy;
}

/// Variant of [`HalfBoard`](crate::HalfBoard).
pub struct HalfBoardRows;
impl Variant for HalfBoardRows {
    const CARD: Card = Card {
        id: "butterfly/half-board",
        name: "Butterfly, half boards",
        author: "Michael Sherwin",
        year: Some(2007),
        source: "Computer Chess Club, Did someone mention the GNUChess move Generator?, 2007",
        reconstructed: "captures and pawns: the source shows a loop for quiet moves; castling and \
                        en passant are those of the shared board",
        ..SANDSTROM
    };
    type Layout = HalfBoard;
    type Steering = Branchy;
}

/// What the cards of our own forms share.
const OURS: Card = Card {
    author: "Raywalk, after Hans Eric Sandström",
    year: Some(2026),
    source: "this project: a derived form, in no source",
    control: Control::Branchless,
    reconstructed: "all but the table, which is the documented one",
    ..SANDSTROM
};

/// Variant of [`BranchFree`](crate::BranchFree).
pub struct BranchFreeWords;
impl Variant for BranchFreeWords {
    const CARD: Card = Card { id: "butterfly/branch-free", name: "Butterfly, branch-free", ..OURS };
    type Layout = Words;
    type Steering = BranchFree;
}

/// Variant of [`HalfBoardBranchFree`](crate::HalfBoardBranchFree).
pub struct BranchFreeHalfBoard;
impl Variant for BranchFreeHalfBoard {
    const CARD: Card = Card {
        id: "butterfly/half-board-branch-free",
        name: "Butterfly, half boards, branch-free",
        author: "Raywalk, after Michael Sherwin",
        ..OURS
    };
    type Layout = HalfBoard;
    type Steering = BranchFree;
}
