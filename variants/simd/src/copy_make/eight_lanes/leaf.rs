//! The number of legal moves of a board, counted direction by direction.
//!
//! A lane holds the targets of all pieces in one direction. No two pieces reach a square in the same direction, so
//! the bits of all lanes are the moves. Pawns share the lanes of sliders for the same reason: a slider behind a pawn
//! ends at the pawn. Knights have eight lanes of their own, and double pushes have one.

use std::arch::x86_64::*;

use raywalk_core::bitboards::attacks;

use super::restrictions::{Restrictions, colors, sliders};
use crate::copy_make::register::{Register, castling, side, takers_en_passant};
use crate::fill::{entered, leap, slide, splat, steps};
use crate::homes::HOMES;
use crate::legal_tables::CompressTables;
use crate::pawns::{seventh_rank, third_rank};
use crate::sets::LAST_RANKS;

/// Adds the moves of all pieces to the lanes of `counted`, and returns the number of the others: moves of the king,
/// castling and en passant.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi2,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt"
)]
pub(super) fn count<const WHITE: bool>(
    tables: &CompressTables,
    board: &Register,
    counted: &mut __m512i,
) -> u64 {
    let (own_set, _) = board.sides::<WHITE>();
    let (own, enemy) = colors::<WHITE>(board);
    let sliders = sliders(board);
    let limits = Restrictions::find::<WHITE>(&tables.rays, board, (own, enemy), sliders);
    let Restrictions { king, attacked, along, pinned, .. } = limits;
    let mut others = u64::from((attacks::king(king) & !own_set & !attacked).count_ones());

    let mut unwanted = own;
    if limits.any_check() {
        if limits.checks() > 1 {
            return others;
        }
        unwanted = splat(!limits.resolving());
    }

    // The pieces that may move along the line of the lane: 0x8c is `b & !(a & !c)`.
    let movable = _mm512_ternarylogic_epi64::<0x8c>(pinned, own, along);
    // 0x11 is `!b & !c`.
    let empty = _mm512_ternarylogic_epi64::<0x11>(own, own, enemy);
    let slid = slide(_mm512_and_si512(sliders, movable), empty);

    let directions = if WHITE { 0b0101_0001 } else { 0b1010_0010 };
    let pawns = _mm512_maskz_and_epi64(directions, movable, splat(board.pawns));
    let ahead = if WHITE { 0b01 } else { 0b10 };
    let reached = _mm512_mask_blend_epi64(ahead, enemy, empty);
    let stepped = _mm512_rolv_epi64(pawns, steps());
    let stepped = _mm512_ternarylogic_epi64::<0x80>(stepped, entered(), reached);
    let third_rank = third_rank(side::<WHITE>()).cast_signed();
    let passing = _mm512_maskz_and_epi64(ahead, stepped, _mm512_set1_epi64(third_rank));
    let twice = _mm512_rolv_epi64(passing, steps());
    // 0x20 is `a & !b & c`.
    let twice = _mm512_ternarylogic_epi64::<0x20>(twice, unwanted, empty);

    // 0x40 is `a & b & !c`. A pinned knight has no move.
    let knights = _mm512_ternarylogic_epi64::<0x40>(splat(board.knights), own, pinned);
    let lept = _mm512_andnot_si512(unwanted, leap(knights));

    // 0x0e is `!a & (b | c)`.
    let targets = _mm512_ternarylogic_epi64::<0x0e>(unwanted, slid, stepped);
    let mut sum = _mm512_add_epi64(
        _mm512_popcnt_epi64(targets),
        _mm512_add_epi64(_mm512_popcnt_epi64(twice), _mm512_popcnt_epi64(lept)),
    );
    if board.pawns & own_set & seventh_rank(side::<WHITE>()) != 0 {
        let promoting = _mm512_ternarylogic_epi64::<0x20>(stepped, unwanted, splat(LAST_RANKS));
        let promotions = _mm512_popcnt_epi64(promoting);
        // A promotion is four moves, of which one is counted.
        sum =
            _mm512_add_epi64(sum, _mm512_add_epi64(promotions, _mm512_slli_epi64::<1>(promotions)));
    }
    *counted = _mm512_add_epi64(*counted, sum);

    if board.special != 0 {
        let [king_side, queen_side] = castling::<WHITE>(board, attacked);
        others += u64::from(king_side) + u64::from(queen_side);
        if board.special & !HOMES != 0 {
            others += u64::from(takers_en_passant::<WHITE>(board).count_ones());
        }
    }
    others
}
