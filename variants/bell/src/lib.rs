//! The Bell ray loop: a table of last squares, on a bare 8x8 board.
//!
//! Alex Bell wrote it in 1967, in Algol, for the Atlas program on the ICL Atlas, and printed the
//! listing in *Games Playing with Computers* (1972). It is the oldest documented way to find the end
//! of a ray. Guarded boards read a cell outside the board; 0x88 tests two bits of the index. Bell
//! precomputed the end: a table holds the last square of the ray for each square and direction. The
//! loop tests for it before the step, so no index ever leaves the board, and neither a border nor a
//! wrap check is needed.
//!
//! The original had two boards, one for each side, numbered from 1 to 65, and a table of four
//! increments and four last squares per square for each of rook and bishop. One routine served both,
//! and a queen called it twice. The routine got the boards as *mine* and *the opponent's*, both with
//! the same codes. [`BellTwoBoards`] has these boards: its loop asks each of them whether it has a
//! piece on the square. The other designs follow the form of the Chess Programming Wiki and have one
//! board for both sides. All have its tables, `delta_table[dir]` and `lastsq_table[dir][from]`: 8 + 512
//! bytes. An empty ray has the origin as its last square; 92 of the 512 are empty.
//!
//! # Cost
//! Three branches per empty square (own piece, occupied, last square), two table loads per ray, and a
//! carried dependency chain of one addition. With two boards an empty square costs two loads. The test for
//! the last square depends on where the piece stands, so it is hard to predict near the edge. [`BellSteps`] is derived
//! here: its table holds the length of the ray, so the number of iterations is known before the loop.
//! [`BellEmptyFirst`] is a control for the tables: it asks for an empty square first, as loops on other boards do, so
//! that an empty square costs two branches.
//!
//! The source shows sliders only. Here the king takes the first step of each ray, knights read from a
//! table which of their eight jumps stay on the board, and pawns are tested by rank and file.

mod boards;
#[allow(unsafe_code, reason = "the loop ends after the last square")]
mod sets;
#[allow(unsafe_code, reason = "a mask of the square would be part of the dependency chain")]
mod tables;
#[allow(unsafe_code, reason = "the loop ends after the last square")]
mod walk;

use std::marker::PhantomData;

use boards::{BoardOf, BoardPerSide, Boards, EmptyFirst, OneBoard};
use raywalk_core::{Card, Control, Feature, Generator, Legality, Move, MoveList, Stage};
use tables::{Jumps, LastSquare, RayEnd, Rays, Steps};
use walk::Walk;

/// The ray loop, generic over how its table encodes the end of a ray and over the boards.
#[repr(C, align(64))]
pub struct Bell<E: RayEnd, B> {
    rays: Rays<E>,
    jumps: Jumps,
    boards: PhantomData<B>,
}

/// The published form: the table holds the last square of the ray.
pub type BellLastSquare = Bell<LastSquare, OneBoard>;
/// Derived here: the table holds the length of the ray.
pub type BellSteps = Bell<Steps, OneBoard>;
/// Derived here: the published table, and the order of tests that loops on other boards have.
pub type BellEmptyFirst = Bell<LastSquare, EmptyFirst>;
/// The boards of 1967, one for each side.
pub type BellTwoBoards = Bell<LastSquare, BoardPerSide>;

raywalk_core::entries!(
    BellLastSquare: Attacking,
    BellSteps: Attacking,
    BellEmptyFirst: Attacking,
    BellTwoBoards: Attacking,
);

/// An encoding of the end of a ray and the boards that together form a design.
pub trait Variant {
    /// The card of the design.
    const CARD: Card;
}

impl Variant for (LastSquare, OneBoard) {
    const CARD: Card = CARD;
}

impl Variant for (Steps, OneBoard) {
    const CARD: Card = Card {
        id: "bell/steps",
        name: "Bell ray loop, counted",
        author: "Raywalk, after Alex Bell",
        year: Some(2026),
        source: "Raywalk: a variant of bell/last-square, not published elsewhere",
        reconstructed: "the length of a ray instead of its last square is not in any source",
        ..CARD
    };
}

impl Variant for (LastSquare, EmptyFirst) {
    const CARD: Card = Card {
        id: "bell/empty-first",
        name: "Bell ray loop, empty square first",
        author: "Raywalk, after Alex Bell",
        year: Some(2026),
        source: "Raywalk: a control between bell/last-square and mailbox/unguarded-8x8, not published elsewhere",
        reconstructed: "the loop first asks whether a square is empty, as that of mailbox/unguarded-8x8 does; the \
                        rest is bell/last-square",
        ..CARD
    };
}

impl Variant for (LastSquare, BoardPerSide) {
    const CARD: Card = Card {
        id: "bell/two-boards",
        name: "Bell ray loop, a board for each side",
        reconstructed: "one call for a queen instead of two; one table of last squares by direction instead of \
                        one by square for rooks and one for bishops; counted arrays; knights, king, pawns, promotion, en passant, castling \
                        and the split into stages: the source shows sliders only",
        ..CARD
    };
}

impl<E: RayEnd, B: Boards> Generator for Bell<E, B>
where
    (E, B): Variant,
{
    const CARD: Card = <(E, B) as Variant>::CARD;
    type Board = BoardOf<B>;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(Bell { rays: Rays::new(), jumps: Jumps::new(), boards: PhantomData }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &BoardOf<B>, list: &mut MoveList) {
        board.visit::<S>(&mut Walk::<S, E, B>::new(self, board, list));
        board.special_moves::<S>(list);
    }

    /// Excludes the padding after the tables.
    fn table_bytes(&self) -> usize {
        size_of::<Rays<E>>() + size_of::<Jumps>()
    }
}

const CARD: Card = Card {
    id: "bell/last-square",
    name: "Bell ray loop",
    author: "Alex Bell",
    year: Some(1967),
    source: "Alex Bell, Games Playing with Computers (1972); Chess Programming Wiki, Table-driven Move Generation",
    control: Control::Branchy,
    legality: Legality::Pseudo,
    published_bytes: None,
    needs: &[],
    reconstructed: "one call for a queen instead of two; one board for both sides instead of one for each; knights, king, pawns, promotion, \
                    en passant, castling and the split into stages: the source shows sliders only",
};
