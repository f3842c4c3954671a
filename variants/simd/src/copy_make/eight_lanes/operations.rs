//! Operations on sets in eight lanes, one board in each.

use std::arch::x86_64::*;

use raywalk_core::Move;

use crate::copy_make::siblings::operations;
pub(super) use crate::fill::splat;

/// Number of lanes, with one board in each.
pub(super) const WIDTH: usize = 8;

/// A set, or a number, in each lane.
pub(super) type Lanes = __m512i;

/// Some of the lanes: those whose bits are set.
type Chosen = __mmask8;

operations! {
    "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi2,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt";

    fn and(a: Lanes, b: Lanes) -> Lanes { _mm512_and_si512(a, b) }
    fn or(a: Lanes, b: Lanes) -> Lanes { _mm512_or_si512(a, b) }
    /// `a & !b`.
    fn and_not(a: Lanes, b: Lanes) -> Lanes { _mm512_andnot_si512(b, a) }
    /// `!a | b`: 0xcf is that for the first two operands.
    fn not_but(a: Lanes, b: Lanes) -> Lanes { _mm512_ternarylogic_epi64::<0xcf>(a, b, b) }
    /// `a | b & c`.
    fn or_and(a: Lanes, b: Lanes, c: Lanes) -> Lanes { _mm512_ternarylogic_epi64::<0xf8>(a, b, c) }
    fn up(a: Lanes, by: u32) -> Lanes { _mm512_sllv_epi64(a, splat(by.into())) }
    fn down(a: Lanes, by: u32) -> Lanes { _mm512_srlv_epi64(a, splat(by.into())) }

    /// The lanes in which two sets have a square in common.
    fn meets(a: Lanes, b: Lanes) -> Chosen { _mm512_test_epi64_mask(a, b) }
    /// The lanes in which a set is empty.
    fn is_empty(a: Lanes) -> Chosen { _mm512_testn_epi64_mask(a, a) }
    fn or_if(a: Lanes, chosen: Chosen, b: Lanes) -> Lanes { _mm512_mask_or_epi64(a, chosen, a, b) }
    fn and_if(a: Lanes, chosen: Chosen, b: Lanes) -> Lanes { _mm512_mask_and_epi64(a, chosen, a, b) }

    /// The number of squares of the set in each lane.
    fn bits(a: Lanes) -> Lanes { _mm512_popcnt_epi64(a) }
    fn add(a: Lanes, b: Lanes) -> Lanes { _mm512_add_epi64(a, b) }
    fn add_if(a: Lanes, chosen: Chosen, b: Lanes) -> Lanes { _mm512_mask_add_epi64(a, chosen, a, b) }
    /// Adds the numbers of a group of boards to those of all groups.
    fn accumulate(all: Lanes, chosen: Chosen, numbers: Lanes) -> Lanes { add_if(all, chosen, numbers) }

    /// A set after a move: without the origin, and with the target if it had the origin.
    fn moved(set: Lanes, from: Lanes, to: Lanes) -> Lanes {
        // 0xba is `a & !b | c`.
        _mm512_mask_ternarylogic_epi64::<0xba>(set, meets(set, from), from, to)
    }

    /// A ray of rising squares up to its first piece.
    fn rising(ray: Lanes, pieces: Lanes) -> Lanes {
        // 0x60 is `a & (b ^ c)`.
        _mm512_ternarylogic_epi64::<0x60>(ray, pieces, add(pieces, splat(!0)))
    }
    /// A ray of falling squares up to its first piece.
    fn falling<const RANK: bool>(ray: Lanes, pieces: Lanes) -> Lanes {
        and(ray, _mm512_srav_epi64(splat(1 << 63), _mm512_lzcnt_epi64(pieces)))
    }

    /// Origin and target of at most eight moves, and their lanes.
    fn squares_of(moves: &[Move]) -> ((Lanes, Lanes), Chosen) {
        debug_assert!(moves.len() <= WIDTH);
        let valid = ((1u32 << moves.len()) - 1) as u8;
        // SAFETY: the lanes of `valid` are in the slice, and the load reads no others.
        let words = unsafe { _mm_maskz_loadu_epi16(valid, moves.as_ptr().cast()) };
        let words = _mm512_cvtepu16_epi64(words);
        let square = |number| _mm512_sllv_epi64(splat(1), and(number, splat(63)));
        ((square(words), square(down(words, 6))), valid)
    }
}
