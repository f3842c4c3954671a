//! Chooses the lists of a pawn. Designs share the choice and bring their own loops.

use raywalk_core::two_way::Heads;
use raywalk_core::{Captures, Color, Quiets, Square, Stage};

/// Whether the next move of a pawn is a promotion. Tested once per pawn, so that the loop never
/// tests the rank of a target.
#[inline(always)]
pub(crate) fn promotes(side: Color, from: Square) -> bool {
    side.view(from).rank() == 6
}

/// A generation that walks a list of pushes and a list of captures for each pawn.
pub(crate) trait PawnWalk {
    /// The stage to generate.
    type Stage: Stage;

    /// Walks one list of the pawn on `from` and appends the moves of stage `Wanted`. `PROMOTES`
    /// selects the writer: four promotions per target, or one move.
    fn walk_pawn_list<Wanted: Stage, const PROMOTES: bool>(
        &mut self,
        from: Square,
        heads: &[u16; 64],
    );

    /// Appends the moves of the pawn on `from`. `promotes` is a parameter because the compiler
    /// derives it with fewer instructions in the caller than here.
    #[inline(always)]
    fn walk_pawn(&mut self, side: Color, from: Square, promotes: bool, heads: &Heads<u16>) {
        if promotes {
            self.walk_pawn_lists::<true>(side, from, heads);
        } else {
            self.walk_pawn_lists::<false>(side, from, heads);
        }
    }

    /// Walks the lists that the stage needs.
    #[inline(always)]
    fn walk_pawn_lists<const PROMOTES: bool>(
        &mut self,
        side: Color,
        from: Square,
        heads: &Heads<u16>,
    ) {
        if Self::Stage::QUIETS {
            self.walk_pawn_list::<Quiets, PROMOTES>(from, heads.pushes(side));
        }
        if Self::Stage::CAPTURES {
            self.walk_pawn_list::<Captures, PROMOTES>(from, heads.captures(side));
        }
    }
}
