//! Fills in four lanes: pseudo-legal moves by direction with AVX2.
//!
//! **Source.** Chess Programming Wiki, *Pieces versus Directions*, for sixteen sets of targets; *Kogge-Stone Algorithm*
//! for Steffan Westcott's fill; and Gerd Isenberg's *AVX2* page for four directions in one vector.
//!
//! **Method.** The four directions up the board are one vector and the four down another: see `fill_256.rs`. Sliders
//! fill, the king takes one step, and knights leap in two more vectors. A direction and its opposite are the same lane,
//! so the sliders of a lane and its shift are found once. The lanes are in the order of the sixteen sets of
//! `raywalk_core::set_wise`, which are written out as in the scalar designs: target by target, each origin by a look
//! back along its ray.
//!
//! **Layout.** The rays of all squares in eight directions: 4,096 bytes.
//!
//! **Cost.** Compare it with `setwise/kogge-stone-getter`, which has eight fills instead of two. The writing of moves
//! is the same, and it takes most of the time: sixteen loops whose ends the processor has to guess.

use raywalk_core::set_wise::{LookBack, Rays};
use raywalk_core::{
    Bitboards, Card, Control, Feature, Generator, Legality, Move, MoveList, Stage, StageId,
};

use crate::cpu::{Shuffles, with_vectors};

/// Pseudo-legal moves by direction, four directions in one register.
#[repr(C, align(64))]
pub struct Fills {
    rays: Rays,
    shuffles: Shuffles,
}

impl Generator for Fills {
    const CARD: Card = Card {
        id: "simd/fills",
        name: "Kogge-Stone fills in four lanes, getter",
        author: "Raywalk, after Gerd Isenberg and Steffan Westcott",
        year: Some(2026),
        source: "Raywalk; Chess Programming Wiki, Kogge-Stone Algorithm, AVX2, Pieces versus Directions",
        control: Control::Mixed,
        legality: Legality::Pseudo,
        published_bytes: None,
        needs: &[Feature::Bmi2, Feature::Avx2],
        reconstructed: "The sources show fills in lanes and sixteen sets of targets. The order of lanes, king and \
                        knights in lanes, pawns and castling are ours. Finding the targets takes no branch, writing \
                        the moves does.",
    };
    type Board = Bitboards;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        let shuffles = Shuffles::detect()?;
        Ok(Box::new(Fills { rays: Rays::build(), shuffles }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Bitboards, list: &mut MoveList) {
        with_vectors!(self.shuffles, x86_64::generate::<S>(&self.rays, board, list));
    }

    fn table_bytes(&self) -> usize {
        size_of_val(&self.rays)
    }
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::arch::x86_64::*;

    use raywalk_core::set_wise::{Getter, Serialiser, TargetSets, View};

    use super::*;
    use crate::fill_256::{self, leap, slide, splat, words};

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn generate<S: Stage>(rays: &Rays, board: &Bitboards, list: &mut MoveList) {
        let view = View::new(board);
        let mut sets = piece_targets::<S>(&view);
        if !S::SLIDERS_ONLY {
            if S::QUIETS {
                sets.add_castling(view.turned(board.castling()));
            }
            sets.add_pawns::<S>(&view);
        }
        Getter::write::<S>(rays, &view, &sets, list);
    }

    /// The targets of sliders, and those of king and knights if they are in the scope of the stage.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn piece_targets<S: Stage>(view: &View) -> TargetSets {
        let View { own, enemy, straight, diagonal, kings, knights, .. } = *view;
        let empty = !(own | enemy);
        let wanted = splat(match S::ID {
            StageId::All => !own,
            StageId::Captures => enemy,
            StageId::Quiets => empty,
        });
        // File and rank are the lower lanes, the diagonals the upper ones.
        let sliders = _mm256_blend_epi32::<0xf0>(splat(own & straight), splat(own & diagonal));
        let mut up = slide::<true>(sliders, splat(empty));
        let mut down = slide::<false>(sliders, splat(empty));
        if !S::SLIDERS_ONLY {
            let king = splat(own & kings);
            up = _mm256_or_si256(up, fill_256::step::<true>(king));
            down = _mm256_or_si256(down, fill_256::step::<false>(king));
        }
        let both = |up, down| {
            let wanted = |sets| words(_mm256_and_si256(sets, wanted));
            let ([a, b, c, d], [e, f, g, h]) = (wanted(up), wanted(down));
            [a, b, c, d, e, f, g, h]
        };
        let knights = splat(if S::SLIDERS_ONLY { 0 } else { own & knights });
        TargetSets::new(both(up, down), both(leap::<true>(knights), leap::<false>(knights)))
    }
}
