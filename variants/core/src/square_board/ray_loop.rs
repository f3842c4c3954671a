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
    fn walk(&mut self, from: u8, steps: &[u8], slides: bool);

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
        let queen = W::Geometry::QUEEN_STEPS;
        let (rook, bishop) = queen.split_at(4);
        // One call per kind: inlined, each is a loop with constant steps. Looking up the arguments
        // and calling once would leave a single loop over variable steps.
        match kind {
            Kind::Knight => self.walk(from, W::Geometry::KNIGHT_STEPS, false),
            Kind::Bishop => self.walk(from, bishop, true),
            Kind::Rook => self.walk(from, rook, true),
            Kind::Queen => self.walk(from, queen, true),
            Kind::King => self.walk(from, queen, false),
            Kind::Pawn => {}
        }
    }
}

/// Handles the cell of a ray that holds `$code`: runs `$append` if stage `$stage` keeps the move to
/// it, and `$end` if a piece stands there. `$code` is a code of [`ColourBits`](super::ColourBits),
/// not a guard.
///
/// A macro, because a function with this body changes the machine code of Goulet's captures and
/// quiets.
#[macro_export]
macro_rules! ray_square {
    ($stage:ident, $code:ident, $side:expr, $append:expr, $end:expr) => {{
        use $crate::square_board::{Code, ColourBits};
        if !ColourBits::is_empty($code) {
            if $stage::CAPTURES && ColourBits::is_enemy($code, $side) {
                $append;
            }
            $end;
        }
        if $stage::QUIETS {
            $append;
        }
    }};
}
