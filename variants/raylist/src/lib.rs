//! One loop over the rays of all pieces (H. G. Muller, 2006), a reconstruction.
//!
//! # What is known
//! In 2006 H. G. Muller described a generator whose single loop steps through a linked list of the
//! rays of all pieces, nearly without branches. We know the idea and have not seen his code; what
//! stands here is built from that sentence.
//!
//! # The idea
//! A loop per piece and a loop per ray end at moments that depend on the position, and each end is
//! a branch that is hard to predict. If the last ray of a piece is linked to the first ray of the
//! next, there is one loop for the whole side. Each turn visits one cell, writes the move always
//! and counts it if it is one; then it goes on along the ray or to the piece of the next ray. The
//! choice is between two values that are known already, so no branch is needed for it.
//!
//! # What to expect now
//! There is no table: the rays live in the piece list and are kept by make and unmake, at eight
//! words for each piece that moves. One branch, and one misprediction, for all pieces of a
//! position: fewer than any list per piece can have. In exchange everything is one chain, from the
//! first cell of the first ray to the last: a load and five simple instructions per visited cell,
//! the guards beyond the edge included, and no second piece whose walk could overlap.
//!
//! # What is ours
//! The board (16x12 with guards), the word of a ray, the ring that begins with the king, and the
//! pawns, which have no rays: they are generated apart, by arithmetic, without branches too.

mod rays;
mod walk;

use raywalk_core::{Card, Control, Feature, Generator, Legality, Move, MoveList, Scope, Stage};

use walk::RayBoard;

/// One loop over a ring of rays. It has no tables: the rays are on the board.
pub struct RayLoop;

impl Generator for RayLoop {
    const CARD: Card = Card {
        id: "raylist",
        name: "Ring of rays",
        author: "H. G. Muller",
        year: Some(2006),
        source: "H. G. Muller, forum posts of 2006, known to us by their idea only: one loop over \
                 a linked list of the rays of all pieces",
        control: Control::Branchless,
        legality: Legality::Pseudo,
        published_bytes: None,
        needs: &[],
        reconstructed: "all but the idea: board, layout of a ray, order, pawns, stages; castling \
                        and en passant are those of the shared board",
    };
    type Board = RayBoard;
    type Moves = Move;
    // One ring holds the rays of all pieces: there is no walk of the sliders alone.
    const SCOPES: &'static [Scope] = &[Scope::Whole];

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(RayLoop))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &RayBoard, list: &mut MoveList) {
        walk::pawns::<S>(board, list);
        walk::pieces::<S>(board, list);
        board.special_moves::<S>(list);
    }
}

raywalk_core::entries!(RayLoop);
