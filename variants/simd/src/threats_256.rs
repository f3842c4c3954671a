//! Attacked squares, checks and pins with AVX2: four directions up the board in one vector and four down in another.
//!
//! **Source.** Steffan Westcott's parallel prefix (Kogge–Stone) fill, Chess Programming Wiki, *Kogge-Stone Algorithm*;
//! Gerd Isenberg's *AVX2* page there has four directions in one vector. Pins where the fills of king and enemy meet
//! are his DirGolem's.
//!
//! **Method.** AVX2 shifts each lane by a number of its own, but rotates none, so directions that go up shift left and
//! those that go down shift right. There is no leading-zero count either, so the king's ray up to the first piece is
//! a fill as well. What an enemy slider reaches upwards meets what the king sees downwards: a slider there gives
//! check, and an own piece there is pinned.

use std::arch::x86_64::*;

use raywalk_core::Square;
use raywalk_core::bitboards::sets::ones_if_empty;

use crate::sets::{FILE_A, FILE_H};
use crate::sides::Sides;
use crate::threats::{Pins, Rays, Threats};

/// The shift of a step along the lines of [`Pins`]: file, rank, diagonal, antidiagonal.
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
fn lanes(words: &[u64; 4]) -> __m256i {
    // SAFETY: the array has the 32 bytes of the vector, and the load needs no alignment.
    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn splat(set: u64) -> __m256i {
    _mm256_set1_epi64x(set.cast_signed())
}

/// The lanes one by one.
#[inline]
#[target_feature(enable = "avx2")]
fn words(lanes: __m256i) -> [u64; 4] {
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
fn slide<const UP: bool>(sliders: __m256i, free: __m256i) -> __m256i {
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
fn shift<const UP: bool>(sets: __m256i, step: __m256i) -> __m256i {
    if UP { _mm256_sllv_epi64(sets, step) } else { _mm256_srlv_epi64(sets, step) }
}

/// The squares that knights attack, in two times four lanes that are joined.
#[inline]
#[target_feature(enable = "avx2")]
fn leap(knights: __m256i) -> __m256i {
    let up = _mm256_and_si256(shift::<true>(knights, lanes(&LEAPS)), lanes(&LEAPT_UP));
    let down = _mm256_and_si256(shift::<false>(knights, lanes(&LEAPS)), lanes(&LEAPT_DOWN));
    _mm256_or_si256(up, down)
}

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
        let [file, rank, diagonal, antidiagonal] =
            words(_mm256_or_si256(slid, leap(splat(sides.knights & enemy))));
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
