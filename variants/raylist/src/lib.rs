//! One loop over the rays of all pieces (H. G. Muller, 2006), a reconstruction.
//!
//! # What is known
//! In 2006 H. G. Muller described a generator whose single loop steps through a linked list of the
//! rays of all pieces, nearly without branches. We know this description but have not seen his
//! code; this crate is built from the description alone.
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
//! There are no tables. The rays are stored in the piece list; make and unmake update eight words
//! for each piece that moves. All pieces of a position share one loop exit, and so one
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

use raywalk_core::{Card, Control, Feature, Generator, Legality, Move, MoveList, Scope, Stage};

use walk::RayBoard;

/// One loop over a ring of rays. It has no tables: the board holds the rays.
pub struct RayLoop;

impl Generator for RayLoop {
    const CARD: Card = Card {
        id: "raylist",
        name: "Ring of rays",
        author: "H. G. Muller",
        year: Some(2006),
        source: "H. G. Muller, forum posts of 2006, of which we know only the idea: one loop over \
                 a linked list of the rays of all pieces",
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
}

raywalk_core::entries!(RayLoop);
