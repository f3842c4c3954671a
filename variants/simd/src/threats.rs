//! Attacked squares, checks and pins, found in all eight directions at once and without a branch.
//!
//! **Method.** The enemy's sliders slide in eight directions as if the own king were not on the board, which
//! gives the squares that the king must avoid. In each direction, the king's ray towards the enemy's sliders is
//! cut at its first piece. If that piece is an enemy slider of the direction, it gives check, and the cut ray
//! holds the squares that resolve it. If it is an own piece that an enemy slider reaches in the direction, it is
//! pinned along it.
//!
//! The nearest piece of a ray with rising numbers is the lowest bit, and subtracting one changes all bits up to
//! it. Of a ray with falling numbers it is the highest bit, and an arithmetic shift of the top bit by the number
//! of leading zeros sets all bits down to it. Both are computed in all lanes, and each lane keeps one.

use raywalk_core::Square;
use raywalk_core::bitboards::attacks::ray;

/// For each square the rays to the edge, against the directions of the fill: from the king to where a slider of
/// that direction comes from.
pub(crate) struct Rays([[u64; 8]; 64]);

/// The directions in lanes, as (files, ranks); opposite directions are neighbours.
const DIRECTIONS: [(i8, i8); 8] =
    [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1), (-1, 1), (1, -1)];

impl Rays {
    pub(crate) fn build() -> Rays {
        let towards = |square, lane: usize| {
            let (files, ranks) = DIRECTIONS[lane];
            ray(square, (-files, -ranks), 0)
        };
        Rays(std::array::from_fn(|n| {
            std::array::from_fn(|lane| towards(Square::from_low_bits(n as u32), lane))
        }))
    }
}

/// What restricts the moves of the side to move.
#[derive(Clone, Copy)]
pub(crate) struct Threats {
    /// The squares that the enemy attacks if the own king is not on the board.
    pub(crate) attacked: u64,
    /// The squares that resolve every check: all squares without a check, none if only the king can.
    pub(crate) evasion: u64,
    pub(crate) pins: Pins,
}

/// The own pieces that are pinned, by line.
#[derive(Clone, Copy)]
pub(crate) struct Pins {
    /// The pieces pinned along any line.
    pub(crate) all: u64,
    /// The pieces pinned along a file.
    pub(crate) file: u64,
    /// The pieces pinned along a diagonal that goes up to the east.
    pub(crate) diagonal: u64,
    /// The pieces pinned along a diagonal that goes up to the west.
    pub(crate) antidiagonal: u64,
}

impl Pins {
    /// No pinned piece, as in most positions.
    pub(crate) const NONE: Pins = Pins { all: 0, file: 0, diagonal: 0, antidiagonal: 0 };
}

#[cfg(target_arch = "x86_64")]
pub(crate) use x86_64::{ByLines, Sniped, attacked_by_enemy};

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::arch::x86_64::*;

    use raywalk_core::bitboards::sets::ones_if_empty;

    use super::*;
    use crate::fill::{lanes, leap, slide, slide_and_step, splat, straight_and_diagonal, union};
    use crate::sides::Sides;

    impl Threats {
        /// The threats against the side to move.
        #[inline]
        #[target_feature(
            enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
        )]
        pub(crate) fn find(rays: &Rays, sides: &Sides) -> Threats {
            let enemy = Attacks::of_enemy(sides);
            let rays = lanes(rays.from(sides.king()));
            let cut = up_to_nearest(rays, sides.own | sides.enemy);
            let ByLines { attacked, evasion, lines } =
                enemy.towards_king(sides, _mm512_and_si512(rays, cut));
            Threats { attacked, evasion, pins: Pins::of_lines(lines) }
        }
    }

    /// The squares that the enemy attacks if the own king is not on the board.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn attacked_by_enemy(sides: &Sides) -> u64 {
        let Sides { side, own, enemy, straight, diagonal, knights, pawns, kings } = *sides;
        let sliders = straight_and_diagonal(straight & enemy, diagonal & enemy);
        // Both captures of Black's pawns are in the lanes behind those of White's.
        let captures = 0x50 << (!side).index();
        let king = splat(kings & enemy);
        let steppers = _mm512_mask_or_epi64(king, captures, king, splat(pawns & enemy));
        let reached = slide_and_step(sliders, splat(!(enemy | own ^ (kings & own))), steppers);
        union(_mm512_or_si512(reached, leap(splat(enemy & knights))))
    }

    /// What stands on the rays of a king, in the lanes of their directions.
    pub(crate) struct Sniped {
        /// The rays up to the nearest enemy piece.
        line: __m512i,
        /// Own pieces on those rays, before the nearest enemy piece.
        between: __m512i,
        /// The lanes whose nearest enemy piece slides along them, with at most one own piece before it: a check or a
        /// pin.
        lanes: u8,
        /// Knights and pawns that give check.
        leapers: u64,
    }

    impl Sniped {
        /// Finds them without the attacks of the enemy.
        #[inline]
        #[target_feature(
            enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
        )]
        pub(crate) fn find(rays: &Rays, sides: &Sides) -> Sniped {
            let Sides { own, enemy, straight, diagonal, .. } = *sides;
            let rays = lanes(rays.from(sides.king()));
            let line = _mm512_and_si512(rays, up_to_nearest(rays, enemy));
            let sliders = straight_and_diagonal(straight & enemy, diagonal & enemy);
            let snipers = _mm512_test_epi64_mask(line, sliders);
            let between = _mm512_and_si512(line, splat(own));
            let below = _mm512_sub_epi64(between, splat(1));
            let lanes = _mm512_mask_testn_epi64_mask(snipers, between, below);
            Sniped { line, between, lanes, leapers: sides.checking_leapers() }
        }

        /// Whether there is neither a check nor a pin.
        #[inline(always)]
        pub(crate) fn is_safe(&self) -> bool {
            (u64::from(self.lanes) | self.leapers) == 0
        }

        /// The squares that resolve every check, and the pins.
        #[inline]
        #[target_feature(
            enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
        )]
        pub(crate) fn evasion_and_pins(&self) -> (u64, Pins) {
            let Sniped { line, between, lanes, leapers } = *self;
            let checks = _mm512_mask_testn_epi64_mask(lanes, between, between);
            let pinned = _mm512_maskz_mov_epi64(lanes, between);
            let evasions = _mm512_mask_blend_epi64(checks, splat(!0), line);
            let evasion = _mm512_reduce_and_epi64(evasions).cast_unsigned()
                & (leapers | ones_if_empty(leapers));
            let lines = _mm512_or_si512(pinned, _mm512_shuffle_epi32::<0x4e>(pinned));
            (evasion, Pins::of_lines(lines))
        }
    }

    /// In each lane, the squares up to the nearest piece of a set on the ray of the king, and further ones off the ray.
    #[inline]
    #[target_feature(enable = "avx512f,avx512cd")]
    fn up_to_nearest(rays: __m512i, set: u64) -> __m512i {
        let on_ray = _mm512_and_si512(rays, splat(set));
        let up_to_lowest = _mm512_xor_si512(on_ray, _mm512_sub_epi64(on_ray, splat(1)));
        let down_to_highest = _mm512_srav_epi64(splat(1 << 63), _mm512_lzcnt_epi64(on_ray));
        // The rays of the odd lanes rise.
        _mm512_mask_blend_epi64(0xaa, down_to_highest, up_to_lowest)
    }

    /// Threats with the pinned pieces in lanes; neighbouring lanes hold the same line.
    #[derive(Clone, Copy)]
    pub(crate) struct ByLines {
        pub(crate) attacked: u64,
        pub(crate) evasion: u64,
        pub(crate) lines: __m512i,
    }

    impl ByLines {
        /// The threats against the side to move, without a table of rays: those of the king are a fill too.
        #[inline]
        #[target_feature(
            enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
        )]
        pub(crate) fn by_fills(sides: &Sides) -> ByLines {
            let enemy = Attacks::of_enemy(sides);
            let king = splat(sides.kings & sides.own);
            let from_king = slide(king, splat(!(sides.own | sides.enemy)));
            // Opposite directions are neighbours.
            enemy.towards_king(sides, _mm512_shuffle_epi32::<0x4e>(from_king))
        }
    }

    /// What the enemy attacks if the own king is not on the board.
    struct Attacks {
        sliders: __m512i,
        slid: __m512i,
        attacked: u64,
    }

    impl Attacks {
        #[inline]
        #[target_feature(
            enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
        )]
        fn of_enemy(sides: &Sides) -> Attacks {
            let Sides { own, enemy, straight, diagonal, knights, .. } = *sides;
            let sliders = straight_and_diagonal(straight & enemy, diagonal & enemy);
            let slid = slide(sliders, splat(!(enemy | own ^ sides.king().bit())));
            let lept = leap(splat(enemy & knights));
            let attacked = union(_mm512_or_si512(slid, lept)) | sides.attacked_nearby();
            Attacks { sliders, slid, attacked }
        }

        /// The threats, from what the king sees against the direction of each lane up to the first piece.
        #[inline]
        #[target_feature(
            enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
        )]
        fn towards_king(self, sides: &Sides, seen: __m512i) -> ByLines {
            let Attacks { sliders, slid, attacked } = self;
            let checks = _mm512_test_epi64_mask(seen, sliders);
            let evasions = _mm512_mask_blend_epi64(checks, splat(!0), seen);
            let leapers = sides.checking_leapers();
            let evasion = _mm512_reduce_and_epi64(evasions).cast_unsigned()
                & (leapers | ones_if_empty(leapers));

            // 0x80 is `a & b & c`.
            let pinned = _mm512_ternarylogic_epi64::<0x80>(slid, seen, splat(sides.own));
            // Opposite directions are neighbours: each lane gets the pins of its line.
            let lines = _mm512_or_si512(pinned, _mm512_shuffle_epi32::<0x4e>(pinned));
            ByLines { attacked, evasion, lines }
        }
    }

    impl Pins {
        /// The pins in lanes; neighbouring lanes hold the same line.
        #[inline]
        #[target_feature(enable = "avx512f")]
        pub(crate) fn of_lines(lines: __m512i) -> Pins {
            let word = |lane: __m128i| _mm_cvtsi128_si64(lane).cast_unsigned();
            let file = word(_mm512_castsi512_si128(lines));
            let rank = word(_mm512_extracti32x4_epi32::<1>(lines));
            let diagonal = word(_mm512_extracti32x4_epi32::<2>(lines));
            let antidiagonal = word(_mm512_extracti32x4_epi32::<3>(lines));
            Pins { all: file | rank | diagonal | antidiagonal, file, diagonal, antidiagonal }
        }
    }

    impl Rays {
        /// The rays of a king, each in the lane of the direction that ends at it.
        #[inline(always)]
        pub(crate) fn from(&self, king: Square) -> &[u64; 8] {
            &self.0[king.index()]
        }

        /// The line from the king through a square that lies on one of its rays, to the edge.
        #[inline]
        #[target_feature(enable = "avx512f")]
        pub(crate) fn through(&self, king: Square, square: Square) -> u64 {
            let rays = lanes(self.from(king));
            let mask = _mm512_test_epi64_mask(rays, splat(square.bit()));
            union(_mm512_maskz_mov_epi64(mask, rays))
        }
    }
}
