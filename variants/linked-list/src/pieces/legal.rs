//! Legal moves of linked pieces: all stages into a list, and the number of all moves without one.

use raywalk_core::square_board::{Geometry, Grid10x12};
use raywalk_core::{
    Card, Color, Control, Counting, Feature, Generator, Legality, Move, MoveList, Stage,
};

use super::board::LinkedPieces;
use super::count;
use super::moves::moves;
use super::safety::{Black, White};
use super::tables::{Differences, Rays};

/// Legal moves from links between pieces.
#[repr(C, align(64))]
pub struct Legal {
    rays: Rays,
}

impl Generator for Legal {
    const CARD: Card = Card {
        id: "linked-list/legal",
        name: "Legal by linked pieces",
        author: "Raywalk",
        year: Some(2026),
        source: "Raywalk: links as in dancing links (Knuth 2000), not published elsewhere",
        control: Control::Branchy,
        legality: Legality::Legal,
        published_bytes: None,
        needs: &[],
        reconstructed: "",
    };
    type Board = LinkedPieces;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(Legal { rays: Rays::build() }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &LinkedPieces, list: &mut MoveList) {
        match board.side() {
            Color::White => moves::<S, White>(&self.rays, board, &mut list.cursor()),
            Color::Black => moves::<S, Black>(&self.rays, board, &mut list.cursor()),
        }
    }

    fn table_bytes(&self) -> usize {
        size_of::<Rays>() + size_of::<Differences>() + Grid10x12::MAP_BYTES
    }
}

impl Counting for Legal {
    #[inline(always)]
    fn count(&self, board: &LinkedPieces) -> u64 {
        match board.side() {
            Color::White => count::count::<White>(&self.rays, board),
            Color::Black => count::count::<Black>(&self.rays, board),
        }
    }
}
