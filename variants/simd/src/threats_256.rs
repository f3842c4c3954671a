//! Attacked squares, checks and pins with AVX2: four directions up the board in one vector and four down in another.
//!
//! **Source.** The fills of `fill_256.rs`. Pins where the fills of king and enemy meet are Gerd Isenberg's DirGolem's.
//!
//! **Method.** AVX2 has no leading-zero count, so the king's ray up to the first piece is a fill as well. What an enemy
//! slider reaches upwards meets what the king sees downwards: a slider there gives check, and an own piece there is
//! pinned.

use std::arch::x86_64::*;

use raywalk_core::Square;
use raywalk_core::bitboards::sets::ones_if_empty;

use crate::fill_256::{lanes, leap, slide, splat, words};
use crate::sides::Sides;
use crate::threats::{Pins, Rays, Threats};

impl Threats {
    /// The threats against the side to move.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn find_by_halves(sides: &Sides) -> Threats {
        let Sides { own, enemy, .. } = *sides;
        let king = sides.king();
        let straight = splat(sides.straight & enemy);
        let diagonal = splat(sides.diagonal & enemy);
        let sliders = _mm256_blend_epi32::<0xf0>(straight, diagonal);
        let free = splat(!(enemy | own ^ king.bit()));
        let (slid_up, slid_down) = (slide::<true>(sliders, free), slide::<false>(sliders, free));
        let empty = splat(!(own | enemy));
        let from_king = splat(king.bit());
        let (seen_up, seen_down) =
            (slide::<true>(from_king, empty), slide::<false>(from_king, empty));

        let slid = _mm256_or_si256(slid_up, slid_down);
        let knights = splat(sides.knights & enemy);
        let [file, rank, diagonal, antidiagonal] = words(_mm256_or_si256(
            slid,
            _mm256_or_si256(leap::<true>(knights), leap::<false>(knights)),
        ));
        let attacked = file | rank | diagonal | antidiagonal | sides.attacked_nearby();

        // All squares in the lanes without a check.
        let resolving = |seen| {
            let checkers = _mm256_and_si256(seen, sliders);
            let no_check = _mm256_cmpeq_epi64(checkers, _mm256_setzero_si256());
            _mm256_or_si256(seen, no_check)
        };
        let [file, rank, diagonal, antidiagonal] =
            words(_mm256_and_si256(resolving(seen_up), resolving(seen_down)));
        let leapers = sides.checking_leapers();
        let evasion = file & rank & diagonal & antidiagonal & (leapers | ones_if_empty(leapers));

        let met = _mm256_or_si256(
            _mm256_and_si256(slid_up, seen_down),
            _mm256_and_si256(slid_down, seen_up),
        );
        let [file, rank, diagonal, antidiagonal] = words(_mm256_and_si256(met, splat(own)));
        let all = file | rank | diagonal | antidiagonal;
        Threats { attacked, evasion, pins: Pins { all, file, diagonal, antidiagonal } }
    }
}

impl Rays {
    /// The line from the king through a square that lies on one of its rays, to the edge.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn through_by_halves(&self, king: Square, square: Square) -> u64 {
        let (low, high) = self.from(king).split_at(4);
        let square = splat(square.bit());
        let holding = |rays: &[u64]| {
            let rays = lanes(rays.first_chunk().expect("half of eight rays"));
            let holds = _mm256_cmpeq_epi64(_mm256_and_si256(rays, square), square);
            _mm256_and_si256(rays, holds)
        };
        let [a, b, c, d] = words(_mm256_or_si256(holding(low), holding(high)));
        a | b | c | d
    }
}
