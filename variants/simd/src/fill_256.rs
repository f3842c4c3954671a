//! Slides in four directions at once with AVX2: those up the board in one vector and those down in another.
//!
//! **Source.** Steffan Westcott's parallel prefix (Kogge–Stone) fill, Chess Programming Wiki, *Kogge-Stone Algorithm*;
//! Gerd Isenberg's *AVX2* page there has four directions in one vector.
//!
//! **Method.** AVX2 shifts each lane by a number of its own, but rotates none, so directions that go up shift left and
//! those that go down shift right.

use std::arch::x86_64::*;

use crate::sets::{FILE_A, FILE_H};

/// The shift of a step along the lines of [`Pins`](crate::threats::Pins): file, rank, diagonal, antidiagonal.
const STEPS: [u64; 4] = [8, 1, 9, 7];
/// The squares that a step up enters without a wrap, and those that a step down enters. A shift over the end of the
/// board loses the bit.
const ENTERED_UP: [u64; 4] = [!0, !FILE_A, !FILE_A, !FILE_H];
const ENTERED_DOWN: [u64; 4] = [!0, !FILE_H, !FILE_H, !FILE_A];

/// The shifts of knight moves up the board, and the squares that they enter without a wrap; down the board the same
/// mirrored.
const LEAPS: [u64; 4] = [17, 10, 15, 6];
const LEAPT_UP: [u64; 4] = {
    let (files_ab, files_gh) = (FILE_A | FILE_A << 1, FILE_H | FILE_H >> 1);
    [!FILE_A, !files_ab, !FILE_H, !files_gh]
};
const LEAPT_DOWN: [u64; 4] = {
    let (files_ab, files_gh) = (FILE_A | FILE_A << 1, FILE_H | FILE_H >> 1);
    [!FILE_H, !files_gh, !FILE_A, !files_ab]
};

#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn lanes(words: &[u64; 4]) -> __m256i {
    // SAFETY: the array has the 32 bytes of the vector, and the load needs no alignment.
    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn splat(set: u64) -> __m256i {
    _mm256_set1_epi64x(set.cast_signed())
}

/// The lanes one by one.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn words(lanes: __m256i) -> [u64; 4] {
    let (low, high) = (_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    let word = i64::cast_unsigned;
    [
        word(_mm_cvtsi128_si64(low)),
        word(_mm_extract_epi64::<1>(low)),
        word(_mm_cvtsi128_si64(high)),
        word(_mm_extract_epi64::<1>(high)),
    ]
}

/// What sliders reach in four directions, up the board or down, up to and including the first square that is not in
/// `free`.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn slide<const UP: bool>(sliders: __m256i, free: __m256i) -> __m256i {
    let (one, entered) = (lanes(&STEPS), lanes(if UP { &ENTERED_UP } else { &ENTERED_DOWN }));
    let two = _mm256_add_epi64(one, one);
    let four = _mm256_add_epi64(two, two);
    let spread =
        |sets, free, step| _mm256_or_si256(sets, _mm256_and_si256(free, shift::<UP>(sets, step)));
    let halved = |free, step| _mm256_and_si256(free, shift::<UP>(free, step));
    let free = _mm256_and_si256(free, entered);
    let sets = spread(sliders, free, one);
    let free = halved(free, one);
    let sets = spread(sets, free, two);
    let free = halved(free, two);
    let sets = spread(sets, free, four);
    _mm256_and_si256(shift::<UP>(sets, one), entered)
}

/// A step up the board or down, without a test for wraps.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn shift<const UP: bool>(sets: __m256i, step: __m256i) -> __m256i {
    if UP { _mm256_sllv_epi64(sets, step) } else { _mm256_srlv_epi64(sets, step) }
}

/// One step up the board or down of the pieces in each lane.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn step<const UP: bool>(pieces: __m256i) -> __m256i {
    let entered = lanes(if UP { &ENTERED_UP } else { &ENTERED_DOWN });
    _mm256_and_si256(shift::<UP>(pieces, lanes(&STEPS)), entered)
}

/// The squares that knights attack up the board or down.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn leap<const UP: bool>(knights: __m256i) -> __m256i {
    let entered = lanes(if UP { &LEAPT_UP } else { &LEAPT_DOWN });
    _mm256_and_si256(shift::<UP>(knights, lanes(&LEAPS)), entered)
}
