//! Attacked squares, checks and pins of a board in one register, direction by direction.
//!
//! The method is that of `threats.rs`. Here the colour is a constant, and a check is a branch: counting wants to end
//! early at a double check.

use std::arch::x86_64::*;

use raywalk_core::Square;
use raywalk_core::bitboards::attacks;

use crate::copy_make::register::{Register, side};
use crate::fill::{lanes, leap, slide, splat, union};
use crate::legal_tables::CompressTables;
use crate::sets::attacked_by_pawns;
use crate::sides::{Sides, lowest};
use crate::threats::{Pins, Rays, Threats};

/// What restricts the moves of a side.
pub(super) struct Restrictions {
    /// The king of the side to move.
    pub(super) king: Square,
    /// The squares that the enemy attacks if that king is not on the board.
    pub(super) attacked: u64,
    /// The rays of the king up to the first piece, each in the lane of the direction that ends at the king.
    rays: __m512i,
    /// The lanes whose ray ends at a slider that gives check.
    checks: __mmask8,
    /// The knights and pawns that give check.
    leapers: u64,
    /// The pinned pieces along the line of each lane.
    pub(super) along: __m512i,
    /// The pinned pieces along any line, in all lanes.
    pub(super) pinned: __m512i,
}

/// The pieces of the side to move and those of the other side, in all lanes.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn colors<const WHITE: bool>(board: &Register) -> (__m512i, __m512i) {
    let (own, enemy) = board.sides::<WHITE>();
    (splat(own), splat(enemy))
}

/// Rooks and queens in the straight lanes, bishops and queens in the diagonal ones, of both colours.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn sliders(board: &Register) -> __m512i {
    let (straight, diagonal) = (splat(board.straight), splat(board.diagonal));
    _mm512_mask_blend_epi64(0xf0, straight, diagonal)
}

/// The restrictions of a board as the shared code has them.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi2,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt"
)]
pub(super) fn threats<const WHITE: bool>(
    tables: &CompressTables,
    board: &Register,
    _: &Sides,
) -> Threats {
    let (colors, sliders) = (colors::<WHITE>(board), sliders(board));
    let limits = Restrictions::find::<WHITE>(&tables.rays, board, colors, sliders);
    let evasion = match limits.any_check() {
        false => !0,
        true if limits.checks() > 1 => 0,
        true => limits.resolving(),
    };
    Threats { attacked: limits.attacked, evasion, pins: limits.pins() }
}

impl Restrictions {
    /// The restrictions of a board. `own` and `enemy` are its [`colors`], and `sliders` its
    /// [`sliders`].
    #[inline]
    #[target_feature(
        enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi2,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt"
    )]
    pub(super) fn find<const WHITE: bool>(
        rays: &Rays,
        board: &Register,
        (own, enemy): (__m512i, __m512i),
        sliders: __m512i,
    ) -> Restrictions {
        let enemy_set = board.sides::<WHITE>().1;
        let king = board.view::<WHITE>().king();
        let enemy_sliders = _mm512_and_si512(sliders, enemy);
        let others = _mm512_andnot_si512(splat(board.kings), own);
        // 0x11 is `!b & !c`: the king does not stop a slider.
        let free = _mm512_ternarylogic_epi64::<0x11>(own, others, enemy);
        let slid = slide(enemy_sliders, free);
        let lept = leap(_mm512_and_si512(splat(board.knights), enemy));
        let enemy_king = lowest(board.kings & enemy_set);
        let attacked = union(_mm512_or_si512(slid, lept))
            | attacked_by_pawns(!side::<WHITE>(), board.pawns & enemy_set)
            | attacks::king(enemy_king);

        let rays = lanes(rays.from(king));
        // 0xe0 is `a & (b | c)`.
        let on_ray = _mm512_ternarylogic_epi64::<0xe0>(rays, own, enemy);
        let up_to_lowest = _mm512_xor_si512(on_ray, _mm512_add_epi64(on_ray, splat(!0)));
        let down_to_highest = _mm512_srav_epi64(splat(1 << 63), _mm512_lzcnt_epi64(on_ray));
        let cut = _mm512_mask_blend_epi64(0xaa, down_to_highest, up_to_lowest);
        let rays = _mm512_and_si512(rays, cut);
        let checks = _mm512_test_epi64_mask(rays, enemy_sliders);
        let leapers = attacks::knight(king) & board.knights
            | attacks::pawn(side::<WHITE>(), king) & board.pawns;

        // 0x80 is `a & b & c`. Opposite directions are neighbours: each lane gets the pins of its line.
        let pinned = _mm512_ternarylogic_epi64::<0x80>(slid, rays, own);
        let along = _mm512_or_si512(pinned, _mm512_shuffle_epi32::<0x4e>(pinned));
        let two_lines = _mm512_or_si512(along, _mm512_shuffle_i64x2::<0xb1>(along, along));
        let four_lines = _mm512_shuffle_i64x2::<0x4e>(two_lines, two_lines);
        let pinned = _mm512_or_si512(two_lines, four_lines);
        let leapers = leapers & enemy_set;
        Restrictions { king, attacked, rays, checks, leapers, along, pinned }
    }

    /// The number of pieces that give check.
    #[inline]
    #[target_feature(enable = "popcnt")]
    pub(super) fn checks(&self) -> u32 {
        self.checks.count_ones() + self.leapers.count_ones()
    }

    /// Whether there is a check.
    #[inline(always)]
    pub(super) fn any_check(&self) -> bool {
        u64::from(self.checks) | self.leapers != 0
    }

    /// The pinned pieces of each line.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn pins(&self) -> Pins {
        Pins::of_lines(self.along)
    }

    /// The squares that resolve the only check.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn resolving(&self) -> u64 {
        self.leapers | union(_mm512_maskz_mov_epi64(self.checks, self.rays))
    }
}
