//! Appends vectors of moves to a list.
//!
//! Each function stores a whole vector behind the last move and counts the moves that matter. The rest lies in
//! the spare slots of the list or is overwritten by the next vector. The number of moves comes from the set
//! that the moves were made from, so the next store does not wait for this vector.

use std::arch::x86_64::*;

use raywalk_core::{Cursor, Move};

/// Appends the first `count` of 32 moves.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2")]
pub(crate) fn append_32(moves: __m512i, count: u32, cursor: &mut Cursor<'_>) {
    let (tail, end) = cursor.tail();
    // SAFETY: `tail` is 32 moves of two bytes, the 64 bytes that are stored, and every word is a move.
    unsafe { _mm512_storeu_si512(tail.as_mut_ptr().cast(), moves) };
    *end += count as usize;
}

/// Appends the selected ones of 32 moves by a compress to memory.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt")]
pub(crate) fn append_selected(moves: __m512i, selected: u32, cursor: &mut Cursor<'_>) {
    let (tail, end) = cursor.tail();
    // SAFETY: `tail` is 32 moves of two bytes, as many as are written at most, and every word is a move.
    unsafe { _mm512_mask_compressstoreu_epi16(tail.as_mut_ptr().cast(), selected, moves) };
    *end += selected.count_ones() as usize;
}

/// Appends the first `count` of 16 moves.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn append_16(moves: __m256i, count: u32, cursor: &mut Cursor<'_>) {
    let (tail, end) = cursor.tail();
    // SAFETY: `tail` is 32 moves of two bytes, of which 32 bytes are stored, and every word is a move.
    unsafe { _mm256_storeu_si256(tail.as_mut_ptr().cast(), moves) };
    *end += count as usize;
}

/// Appends the first `count` of 8 moves.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn append_8(moves: __m128i, count: u32, cursor: &mut Cursor<'_>) {
    let (tail, end) = cursor.tail();
    // SAFETY: `tail` is 32 moves of two bytes, of which 16 bytes are stored, and every word is a move.
    unsafe { _mm_storeu_si128(tail.as_mut_ptr().cast(), moves) };
    *end += count as usize;
}

/// Eight moves of a table as a vector.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn load_8(moves: &[Move; 8]) -> __m128i {
    // SAFETY: the array has the 16 bytes that are loaded, and the load needs no alignment.
    unsafe { _mm_loadu_si128(moves.as_ptr().cast()) }
}

/// Sixteen moves of a table as a vector.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn load_16(moves: &[Move; 16]) -> __m256i {
    // SAFETY: the array has the 32 bytes that are loaded, and the load needs no alignment.
    unsafe { _mm256_loadu_si256(moves.as_ptr().cast()) }
}
