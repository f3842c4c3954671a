//! Slides in all eight directions at once: one vector, one direction in each of its eight words.
//!
//! **Source.** Steffan Westcott's parallel prefix (Kogge–Stone) fill, Chess Programming Wiki, *Kogge-Stone
//! Algorithm*. Eight directions in one vector are ours.
//!
//! **Method.** A step is a rotation, so one instruction with a count per lane moves eight sets in eight
//! directions. A rotation wraps around the edges of the board. The squares that a step can enter without a
//! wrap are one constant per direction, and they are taken out of the empty squares before the fill and out of
//! its result after it. Three doublings cover seven squares.

use std::arch::x86_64::*;

use crate::sets::{FILE_A, FILE_H};

const RANK_1: u64 = 0xff;
const RANK_8: u64 = 0xff << 56;

/// The rotation of one step: north, south, east, west, north-east, south-west, north-west, south-east.
/// Opposite directions are neighbours.
pub(crate) const STEPS: [u64; 8] = [8, 56, 1, 63, 9, 55, 7, 57];

/// The squares that a step in each direction enters without a wrap.
pub(crate) const ENTERED: [u64; 8] = [
    !RANK_1,
    !RANK_8,
    !FILE_A,
    !FILE_H,
    !(RANK_1 | FILE_A),
    !(RANK_8 | FILE_H),
    !(RANK_1 | FILE_H),
    !(RANK_8 | FILE_A),
];

/// The step of a rotation, in squares.
pub(crate) const fn step(rotation: u64) -> i16 {
    if rotation < 32 { rotation as i16 } else { rotation as i16 - 64 }
}

/// The rotations of the eight knight moves and the squares that they enter without a wrap.
pub(crate) const LEAPS: [u64; 8] = [17, 15, 10, 6, 47, 49, 54, 58];
const LEAPT: [u64; 8] = {
    let (files_ab, files_gh) = (FILE_A | FILE_A << 1, FILE_H | FILE_H >> 1);
    let (ranks_12, ranks_78) = (RANK_1 | RANK_1 << 8, RANK_8 | RANK_8 >> 8);
    [
        !(FILE_A | ranks_12),
        !(FILE_H | ranks_12),
        !(files_ab | RANK_1),
        !(files_gh | RANK_1),
        !(FILE_H | ranks_78),
        !(FILE_A | ranks_78),
        !(files_gh | RANK_8),
        !(files_ab | RANK_8),
    ]
};

/// A vector of eight sets, or of eight numbers.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn lanes(words: &[u64; 8]) -> __m512i {
    // SAFETY: the array has the 64 bytes of the vector, and the load needs no alignment.
    unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
}

/// The lanes one by one.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn words(lanes: __m512i) -> [u64; 8] {
    let mut words = [0; 8];
    // SAFETY: the array has the 64 bytes of the vector, and the store needs no alignment.
    unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), lanes) };
    words
}

/// The same set in all lanes.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn splat(set: u64) -> __m512i {
    _mm512_set1_epi64(set.cast_signed())
}

/// The union of all lanes.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn union(sets: __m512i) -> u64 {
    _mm512_reduce_or_epi64(sets).cast_unsigned()
}

/// The rotation of one step in each direction.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn steps() -> __m512i {
    lanes(&STEPS)
}

/// The squares that a step enters without a wrap, for each direction.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn entered() -> __m512i {
    lanes(&ENTERED)
}

/// One set for the four straight directions and one for the four diagonal ones.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn straight_and_diagonal(straight: u64, diagonal: u64) -> __m512i {
    _mm512_mask_blend_epi64(0xf0, splat(straight), splat(diagonal))
}

/// The squares that sliders attack in each direction, up to and including the first square that is not in
/// `free`.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn slide(sliders: __m512i, free: __m512i) -> __m512i {
    ahead(fill(sliders, free))
}

/// The squares that sliders attack as in [`slide`], and those one step ahead of other pieces.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn slide_and_step(sliders: __m512i, free: __m512i, steppers: __m512i) -> __m512i {
    ahead(_mm512_or_si512(fill(sliders, free), steppers))
}

/// The squares one step ahead in each direction.
#[inline]
#[target_feature(enable = "avx512f")]
fn ahead(sets: __m512i) -> __m512i {
    _mm512_and_si512(_mm512_rolv_epi64(sets, steps()), entered())
}

/// Sliders, and the squares that they reach through `free` ones.
#[inline]
#[target_feature(enable = "avx512f")]
fn fill(sliders: __m512i, free: __m512i) -> __m512i {
    let one = steps();
    let two = _mm512_add_epi64(one, one);
    let four = _mm512_add_epi64(two, two);
    // 0xf8 is `a | b & c`.
    let spread = |sets, free, step| {
        _mm512_ternarylogic_epi64::<0xf8>(sets, free, _mm512_rolv_epi64(sets, step))
    };
    let halved = |free, step| _mm512_and_si512(free, _mm512_rolv_epi64(free, step));
    let free = _mm512_and_si512(free, entered());
    let sets = spread(sliders, free, one);
    let free = halved(free, one);
    let sets = spread(sets, free, two);
    let free = halved(free, two);
    spread(sets, free, four)
}

/// The squares that sliders attack as in [`slide`], and how far behind each its slider stands: the number of free
/// squares between as three sets, those with the bit 1, 2 and 4 of the number.
///
/// The sets hold nothing but these bits on squares that are attacked, and nothing one step ahead of a square that is
/// not free.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn slide_far(sliders: __m512i, free: __m512i) -> (__m512i, [__m512i; 3]) {
    let (one, entered) = (steps(), entered());
    let two = _mm512_add_epi64(one, one);
    let four = _mm512_add_epi64(two, two);
    let reached = |sets, free, step| _mm512_and_si512(free, _mm512_rolv_epi64(sets, step));
    // 0xf8 is `a | b & c`.
    let spread = |sets, free, step| {
        _mm512_ternarylogic_epi64::<0xf8>(sets, free, _mm512_rolv_epi64(sets, step))
    };
    let free = _mm512_and_si512(free, entered);
    let ones = reached(sliders, free, one);
    let sets = _mm512_or_si512(sliders, ones);
    let free = reached(free, free, one);
    let twos = reached(sets, free, two);
    let (ones, sets) = (spread(ones, free, two), _mm512_or_si512(sets, twos));
    let free = reached(free, free, two);
    let fours = reached(sets, free, four);
    let (ones, twos) = (spread(ones, free, four), spread(twos, free, four));
    let sets = _mm512_or_si512(sets, fours);
    let ahead = |sets| _mm512_rolv_epi64(sets, one);
    (_mm512_and_si512(ahead(sets), entered), [ahead(ones), ahead(twos), ahead(fours)])
}

/// The squares that knights attack, by direction.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn leap(knights: __m512i) -> __m512i {
    _mm512_and_si512(_mm512_rolv_epi64(knights, lanes(&LEAPS)), lanes(&LEAPT))
}
