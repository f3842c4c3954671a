//! One loop over the rays of all pieces, after an idea of H. G. Muller.
//!
//! # What is known
//! One sentence: a generator whose single loop steps through a linked list of the rays of all
//! pieces, nearly without branches. It is ascribed to forum posts by H. G. Muller in 2006. We found
//! neither the posts nor his code, and the founding texts of this project do not name it. The idea is
//! all that this crate takes from him.
//!
//! # The idea
//! A loop per piece and a loop per ray have trip counts that depend on the position, and the exit
//! of each is a branch that is hard to predict. If the last ray of a piece is linked to the first
//! ray of the next piece, one loop serves the whole side. Each iteration visits one cell, always
//! writes the move, and advances the end of the list if it is one. Then it continues along the ray
//! or with the next ray. Both continuations are known in advance, so a conditional move selects one
//! without a branch.
//!
//! # What to expect now
//! There is no table of moves, only the map from cells to squares that every padded board needs. The
//! rays are stored in the piece list; make and unmake update eight words for each piece that moves.
//! All pieces of a position share one loop exit, and so one
//! misprediction, fewer than any design with a list per piece. In exchange the loop is a single
//! dependency chain from the first cell of the first ray to the last: a load and five simple
//! instructions per visited cell, guards included. No walk of another piece can overlap with it.
//!
//! # What is ours
//! The board (16x12 with guards), the layout of a ray in one word, the ring that starts with the
//! king, and the pawns. Pawns have no rays: they are generated separately, by arithmetic and also
//! without branches.

mod rays;
mod walk;

use raywalk_core::square_board::{Geometry, Grid16x12};
use raywalk_core::{Card, Control, Feature, Generator, Legality, Move, MoveList, Scope, Stage};

use walk::RayBoard;

/// One loop over a ring of rays. The board holds the rays.
pub struct RayLoop;

impl Generator for RayLoop {
    const CARD: Card = Card {
        id: "raylist",
        name: "Ring of rays",
        author: "Raywalk, after an idea of H. G. Muller",
        year: Some(2026),
        source: "no publication found; the idea, one loop over a linked list of the rays of all \
                 pieces, is ascribed to forum posts of 2006",
        control: Control::Branchless,
        legality: Legality::Pseudo,
        published_bytes: None,
        needs: &[],
        reconstructed: "everything except the idea: board, layout of a ray, order, pawns, stages; \
                        castling and en passant are those of the shared board",
    };
    type Board = RayBoard;
    type Moves = Move;
    // One ring holds the rays of all pieces, so the sliders cannot be walked alone.
    const SCOPES: &'static [Scope] = &[Scope::Whole];

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(RayLoop))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &RayBoard, list: &mut MoveList) {
        let mut cursor = list.cursor();
        walk::pawns::<S>(board, &mut cursor);
        walk::pieces::<S>(board, &mut cursor);
        drop(cursor);
        board.special_moves::<S>(list);
    }

    /// The map from cells to squares that writing a move needs.
    fn table_bytes(&self) -> usize {
        Grid16x12::MAP_BYTES
    }
}

raywalk_core::entries!(RayLoop);
