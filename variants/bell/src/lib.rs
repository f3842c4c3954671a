//! The Bell ray loop: step and last square, on a bare 8x8 board.
//!
//! Alex Bell wrote it in 1967, in Algol, for the Atlas program on the ICL Atlas, and printed the
//! listing in *Games Playing with Computers* (1972). It is the oldest documented answer to the
//! question that every mailbox has to answer: where does a ray end? Guarded boards answer by
//! reading a cell outside, 0x88 by two bits of the index. Bell knew it beforehand: a table tells,
//! for each square and direction, the last square of the ray. The test for it comes before the step,
//! so no index ever leaves the board, and neither border nor wrap check is needed.
//!
//! The original had two boards, one of each side, numbered from 1 to 65, and a table of four
//! increments and four last squares per square for each of rook and bishop; one routine served
//! both, and a queen called it twice. The form here is the one of the Chess Programming Wiki,
//! `delta_table[dir]` and `lastsq_table[dir][from]`, on one board that holds both sides: 8 + 512
//! bytes. A ray that ends at once has the origin as its last square; 92 of the 512 do.
//!
//! What it costs: three branches per empty square (own? occupied? last?), two table loads per ray,
//! and a carried chain of one addition. The question about the last square depends on where the piece
//! stands, so it is hard to predict near the edge. [`Steps`] is our variation: the length of the ray
//! instead of its end, so that the number of turns is known up front.
//!
//! The source shows sliders. The king is the same loop, left after one step; knights ask a table
//! which of their eight jumps are valid; pawns go by rank and file.

mod tables;
mod walk;

use raywalk_core::square_board::Board8x8;
use raywalk_core::{Card, Control, Feature, Generator, Legality, Move, MoveList, Stage};
pub use tables::{Jumps, LastSquare, RayEnd, Rays, Steps};
use walk::Walk;

/// The ray loop, generic over what its table says of the end of a ray.
#[repr(C, align(64))]
pub struct Bell<E: RayEnd> {
    rays: Rays<E>,
    jumps: Jumps,
}

/// The published form: the table holds the last square of the ray.
pub type BellLastSquare = Bell<LastSquare>;
/// Our variation: the table holds the length of the ray.
pub type BellSteps = Bell<Steps>;

raywalk_core::entries!(BellLastSquare, BellSteps);

impl<E: RayEnd> Generator for Bell<E> {
    const CARD: Card = E::CARD;
    type Board = Board8x8;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(Bell { rays: Rays::new(), jumps: Jumps::new() }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Board8x8, list: &mut MoveList) {
        board.visit::<S>(&mut Walk::<S, E>::new(self, board, list));
        board.special_moves::<S>(list);
    }

    /// Without the padding behind the tables.
    fn table_bytes(&self) -> usize {
        size_of::<Rays<E>>() + size_of::<Jumps>()
    }
}

/// The card of the published form.
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
    reconstructed: "one board of both sides instead of one of each; knights, king, pawns, promotion, \
                    en passant, castling and the split into stages: the source shows sliders only",
};
