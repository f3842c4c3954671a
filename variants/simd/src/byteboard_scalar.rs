//! The byteboard without vectors: the same lists and the same subtraction, with scalar loads and stores.
//!
//! **Source.** 87flowers, articles of 2025 on the byteboard of the chess engine Rose. The scalar form is ours.
//!
//! **Method.** As in `byteboard.rs`, a list names the squares that a piece could see, direction by direction, and one
//! subtraction on a word of occupied places finds the nearest piece in all of them (see `places.rs`). Here, the cells
//! of these squares are read one by one. The cells that are equally far away in different directions become the
//! bytes of one word. A mask and a shift for each distance then bring the colour bits of the word to their places:
//!
//! ```text
//! byte of the word       3     2     1     0      four directions
//! cells at distance 2    -     N     -     p      a white knight and a black pawn
//! bits of White's cells  0     1     0     0      bit 3 of each byte, then bit 2: the place of distance 2
//! ```
//!
//! Only the places that the kind can reach are read. Targets are written from the lowest place to the highest, in a
//! loop that ends when no bit is left: it is the only branch on cells in the moves of pieces.
//!
//! **Layout.** That of `byteboard.rs`, 4,680 bytes, on a board with a piece list.

use std::marker::PhantomData;

use raywalk_core::square_board::Board8x8;
use raywalk_core::{
    Card, Color, Cursor, Feature, Generator, Kind, Move, MoveList, Square, Stage, StageId,
};

use crate::byteboard::Byteboard;
use crate::places::{BOTH, DIAGONAL, KNIGHT, Places, STEPS, STRAIGHT};

/// Rays by scalar loads, moves one by one.
pub struct ByteboardScalar(Places);

impl Generator for ByteboardScalar {
    const CARD: Card = Card {
        id: "simd/byteboard-scalar",
        name: "Byteboard, scalar",
        needs: &[],
        reconstructed: "The source has vectors only. Scalar loads and stores, the piece list, stages, the order of \
                        directions, and pawns and castling by the rules of the square boards are ours. Finding the \
                        targets of pieces takes no branch, pawns and castling do.",
        ..Byteboard::CARD
    };
    type Board = Board8x8;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(ByteboardScalar(Places::new())))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Board8x8, list: &mut MoveList) {
        let places = &self.0;
        let mut walk: Walk<'_, S> =
            Walk { places, board, side: board.side(), list: list.cursor(), stage: PhantomData };
        if !S::SLIDERS_ONLY {
            for &from in board.list().of(walk.side, Kind::Pawn) {
                board.pawn_moves::<S>(from, &mut walk.list);
            }
            walk.pieces(Kind::King, STEPS);
            walk.pieces(Kind::Knight, KNIGHT);
        }
        walk.pieces(Kind::Bishop, DIAGONAL);
        walk.pieces(Kind::Rook, STRAIGHT);
        walk.pieces(Kind::Queen, BOTH);
        drop(walk);
        board.special_moves::<S>(list);
    }

    fn table_bytes(&self) -> usize {
        self.0.table_bytes()
    }
}

struct Walk<'a, S> {
    places: &'a Places,
    board: &'a Board8x8,
    side: Color,
    list: Cursor<'a>,
    stage: PhantomData<S>,
}

/// The places that hold a piece, by colour.
#[derive(Clone, Copy)]
struct Seen {
    white: u64,
    black: u64,
}

impl<S: Stage> Walk<'_, S> {
    /// Appends the moves of the pieces of a kind, which can reach certain places.
    #[inline(always)]
    fn pieces(&mut self, kind: Kind, reach: u64) {
        let board = self.board;
        for &from in board.list().of(self.side, kind) {
            let from = Square::from_low_bits(from.into());
            let seen = self.seen(from, reach);
            let visible = self.places.visible(from.index(), seen.white | seen.black);
            let mut targets = visible & self.wanted(seen) & reach;
            while targets != 0 {
                let to = self.places.lists[from.index()][targets.trailing_zeros() as usize & 63];
                self.list.push(Move::new(from, to));
                targets &= targets - 1;
            }
        }
    }

    /// The places of `reach` that hold a piece.
    #[inline(always)]
    fn seen(&self, from: Square, reach: u64) -> Seen {
        let mut seen = Seen { white: 0, black: 0 };
        for place in 0..8 {
            let mut cells = 0;
            for direction in 0..8 {
                if reach >> (8 * direction + place) & 1 == 1 {
                    let square = self.places.lists[from.index()][8 * direction + place];
                    cells |= u64::from(self.board.code(square.number())) << (8 * direction);
                }
            }
            // From the place of the colour bit to that of the square. No bit leaves its byte.
            seen.white |= (cells & WHITE).rotate_right(3).rotate_left(place as u32);
            seen.black |= (cells & (WHITE << 1)).rotate_right(4).rotate_left(place as u32);
        }
        seen
    }

    /// The places on which moves of stage `S` may end.
    #[inline(always)]
    fn wanted(&self, Seen { white, black }: Seen) -> u64 {
        // All bits set for Black.
        let black_moves = (self.side.index() as u64).wrapping_neg();
        let own = white ^ ((white ^ black) & black_moves);
        match S::ID {
            StageId::All => !own,
            StageId::Captures => own ^ white ^ black,
            StageId::Quiets => !(white | black),
        }
    }
}

/// The bit of White's pieces in each of eight cells.
const WHITE: u64 = 0x0808_0808_0808_0808;
