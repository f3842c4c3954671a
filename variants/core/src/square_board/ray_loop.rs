//! The visitor for designs that have their own loop over cells.
//!
//! Other designs use [`StepWalk`](super::StepWalk), a complete loop for every geometry and code.

use super::{Geometry, Visitor};
use crate::Kind;

/// A loop that serves sliders and leapers alike. It makes its type a [`Visitor`].
pub trait RayLoop {
    /// The board on whose cells the loop runs.
    type Geometry: Geometry;

    /// Appends the moves of the piece on cell `from`. A piece that slides follows each step up to
    /// the first obstacle; any other piece takes each step once.
    fn walk<const SLIDES: bool>(&mut self, from: u8, steps: &[u8]);

    /// Appends the moves of the pawn on cell `from`.
    fn walk_pawn(&mut self, from: u8);
}

impl<W: RayLoop> Visitor for W {
    #[inline(always)]
    fn pawn(&mut self, from: u8) {
        self.walk_pawn(from);
    }

    /// Runs [`walk`](RayLoop::walk) with the steps of `kind`.
    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: u8) {
        let steps = W::Geometry::STEPS[kind.index()];
        // Two loops, so that neither tests at every cell whether the piece slides.
        if kind.is_slider() {
            self.walk::<true>(from, steps);
        } else {
            self.walk::<false>(from, steps);
        }
    }
}
