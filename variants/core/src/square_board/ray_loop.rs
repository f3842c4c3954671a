//! The steps of each kind, for designs whose loop over cells is their own.
//!
//! Other designs use [`StepWalk`](super::StepWalk), a complete loop for every geometry and code.

use super::Geometry;
use crate::Kind;

/// A loop that serves sliders and leapers alike, on the cells of `G`.
pub trait RayLoop<G: Geometry> {
    /// Appends the moves of the piece on cell `from`. A piece that slides follows each step up to
    /// the first obstacle; any other piece takes each step once.
    fn walk(&mut self, from: u8, steps: &[u8], slides: bool);

    /// Runs [`walk`](RayLoop::walk) with the steps of `kind`. A pawn has none.
    #[inline(always)]
    fn walk_piece(&mut self, kind: Kind, from: u8) {
        let queen = G::QUEEN_STEPS;
        let (rook, bishop) = queen.split_at(4);
        // One call per kind: inlined, each is a loop with constant steps. Looking up the arguments
        // and calling once would leave a single loop over variable steps.
        match kind {
            Kind::Knight => self.walk(from, G::KNIGHT_STEPS, false),
            Kind::Bishop => self.walk(from, bishop, true),
            Kind::Rook => self.walk(from, rook, true),
            Kind::Queen => self.walk(from, queen, true),
            Kind::King => self.walk(from, queen, false),
            Kind::Pawn => {}
        }
    }
}
