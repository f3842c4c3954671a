//! DirGolem in lanes: legal moves by direction, all eight directions in one register.
//!
//! **Source.** Gerd Isenberg's DirGolem, Chess Programming Wiki, with Steffan Westcott's parallel prefix
//! (Kogge–Stone) fill. His program had two directions in a register of SSE2. Eight directions, and how the moves are
//! written, are ours.
//!
//! **Method.** `threats.rs` finds attacked squares, checks and pins by fills, the king's too. A second fill moves
//! the own sliders in all directions, without those that are pinned along another line. The king and the pawns take
//! one step in the same lanes: a lane whose direction no pawn takes has no targets for pawns. So eight sets hold all
//! moves but those of knights.
//!
//! **Origins.** A set does not store where a target was reached from. The scalar designs look back along a ray, target
//! by target. Here the fill counts: a doubling that enters a square for the first time knows one bit of the number of
//! squares between, and carries the bits below along. Three more sets per direction hold that number, in the same
//! lanes and with the same rotations:
//!
//! ```text
//! steps from the slider      1 2 3 4 5 6 7
//! squares between, bit 1     0 1 0 1 0 1 0    entered by a step of one, then carried
//! bit 2                      0 0 1 1 0 0 1    entered by a step of two, then carried
//! bit 4                      0 0 0 0 1 1 1    entered by a step of four
//! ```
//!
//! To write a direction, its origins are computed for all 64 squares as bytes: the number of the square minus one
//! step, and one, two and four steps less where the three sets say so, which are masks. A byte compress of the
//! numbers by the targets, and a byte permutation of the origins by the result, give targets and origins in order.
//!
//! **Knights.** Two knights have at most two targets in a direction, the lowest bit of the lane and the highest. Both
//! are found in all lanes by leading zeros, and one word compress writes them.
//!
//! **Layout.** Neither sliders nor the origins of moves need a table. The squares next to the enemy's king and the
//! checks of knights and pawns are read from the tables of leapers in the core: 2,048 bytes.
//!
//! **Cost.** The same in every position. A store has room for 32 targets of a direction. Positions with
//! more, or with three knights that leap in one direction, are written target by target behind a branch that is seldom
//! taken. So are promotions and en passant.

use raywalk_core::bitboards::attacks::leaper_table_bytes;
use raywalk_core::{Bitboards, Card, Control, Feature, Generator, Legality, Move, MoveList, Stage};

use crate::cpu::{Vectors, with_vectors};

/// Legal moves by direction, without tables for sliders.
pub struct DirGolem {
    vectors: Vectors,
}

impl Generator for DirGolem {
    const CARD: Card = Card {
        id: "simd/dirgolem",
        name: "DirGolem, eight directions in one register",
        author: "Raywalk, after Gerd Isenberg and Steffan Westcott",
        year: Some(2026),
        source: "Raywalk; Chess Programming Wiki, DirGolem, Kogge-Stone Algorithm",
        control: Control::Branchless,
        legality: Legality::Legal,
        published_bytes: None,
        needs: &[Feature::Bmi2, Feature::Avx512Vbmi2],
        reconstructed: "The source shows fills and pins by fills, in scalar code and for two directions. Distances \
                        that the fill counts, writing by compress, knights, promotion, en passant and castling \
                        are ours.",
    };
    type Board = Bitboards;
    type Moves = Move;
    const WHOLE_VECTORS: bool = true;

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(DirGolem { vectors: Vectors::detect()? }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Bitboards, list: &mut MoveList) {
        with_vectors!(self.vectors, x86_64::generate::<S>(board, list));
    }

    /// The tables of leapers, which find checks and the squares that the enemy's king attacks.
    fn table_bytes(&self) -> usize {
        leaper_table_bytes()
    }
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::arch::x86_64::*;

    use raywalk_core::Cursor;

    use super::*;
    use crate::castling;
    use crate::en_passant;
    use crate::fill::{
        LEAPS, STEPS, entered, leap, slide_far, splat, step, steps, straight_and_diagonal, words,
    };
    use crate::pawns::{PawnTargets, behind, third_rank};
    use crate::sets::{LAST_RANKS, squares};
    use crate::sides::Sides;
    use crate::squares::numbers;
    use crate::store::{append_16, append_32};
    use crate::threats::{ByLines, Pins};

    /// The legal targets of a stage, each lane of a direction.
    struct Targets {
        /// Those of sliders, king and pawns, promotions and en passant aside.
        rays: __m512i,
        /// The bits 1, 2 and 4 of the number of squares between origin and target.
        between: [__m512i; 3],
        /// The targets of knights, each lane of a leap.
        leaps: __m512i,
        any_promotion: bool,
    }

    impl Targets {
        #[inline]
        #[target_feature(
            enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
        )]
        fn find<S: Stage>(sides: &Sides, threats: &ByLines) -> Targets {
            let &ByLines { attacked, evasion, lines } = threats;
            let Sides { side, own, enemy, .. } = *sides;
            let (wanted, empty) = (sides.wanted::<S>(), !(own | enemy));
            // All pins in each lane, and from them those along another line.
            let half = _mm512_or_si512(lines, _mm512_shuffle_i64x2::<0x4e>(lines, lines));
            let pinned = _mm512_or_si512(half, _mm512_shuffle_i64x2::<0xb1>(half, half));
            let held = _mm512_andnot_si512(lines, pinned);

            let sliders = straight_and_diagonal(own & sides.straight, own & sides.diagonal);
            let (slid, mut between) = slide_far(_mm512_andnot_si512(held, sliders), splat(empty));
            let mut targets = Targets {
                rays: _mm512_and_si512(slid, splat(wanted & evasion)),
                between,
                leaps: _mm512_setzero_si512(),
                any_promotion: false,
            };
            if S::SLIDERS_ONLY {
                return targets;
            }

            let ahead = |sets| _mm512_and_si512(_mm512_rolv_epi64(sets, steps()), entered());
            // The king resolves a check by leaving it.
            let king = ahead(splat(own & sides.kings));
            let king = _mm512_and_si512(king, splat(wanted & !attacked));
            // Black's lanes are the neighbours of White's: the push is north or south, the captures are
            // north-east and north-west or south-west and south-east.
            let (push, captures) = (1 << side.index(), 0x50 << side.index());
            let pawns = ahead(_mm512_andnot_si512(held, splat(own & sides.pawns)));
            let mut once = _mm512_setzero_si512();
            let mut twice = _mm512_setzero_si512();
            if S::CAPTURES {
                once = _mm512_maskz_and_epi64(captures, pawns, splat(enemy & evasion));
            }
            if S::QUIETS {
                let pushes = _mm512_maskz_and_epi64(push, pawns, splat(empty));
                // Only the last square of a push has to resolve a check.
                once = _mm512_or_si512(once, _mm512_and_si512(pushes, splat(evasion)));
                let passing = _mm512_and_si512(pushes, splat(third_rank(side)));
                twice = _mm512_and_si512(ahead(passing), splat(empty & evasion));
                between[0] = _mm512_or_si512(between[0], twice);
                targets.between = between;
            }
            targets.any_promotion = _mm512_test_epi64_mask(once, splat(LAST_RANKS)) != 0;
            let once = _mm512_andnot_si512(splat(LAST_RANKS), once);
            let steps = _mm512_or_si512(_mm512_or_si512(king, once), twice);
            targets.rays = _mm512_or_si512(targets.rays, steps);

            let knights = _mm512_andnot_si512(pinned, splat(own & sides.knights));
            targets.leaps = _mm512_and_si512(leap(knights), splat(wanted & evasion));
            targets
        }

        /// Whether a direction has more targets than the writing of whole vectors has room for.
        #[inline]
        #[target_feature(enable = "avx512f,avx512vpopcntdq")]
        fn has_many(&self) -> bool {
            let more = |sets, room| _mm512_cmpgt_epu64_mask(_mm512_popcnt_epi64(sets), splat(room));
            more(self.rays, 32) | more(self.leaps, 2) != 0
        }

        /// Appends the moves of knights, at most two in a direction.
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512vl,avx512vbmi2,popcnt")]
        fn write_leaps(&self, cursor: &mut Cursor<'_>) {
            /// The moves of knights that leap to h8, if that were their lowest target and their highest.
            const LAST: [i16; 16] = {
                let mut moves = [0; 16];
                let mut n = 0;
                while n < 16 {
                    moves[n] = 65 * 63 - step(LEAPS[n % 8]);
                    n += 1;
                }
                moves
            };
            let below = _mm512_sub_epi64(self.leaps, splat(1));
            let lowest = _mm512_andnot_si512(below, self.leaps);
            let (one, two) = (
                _mm512_test_epi64_mask(self.leaps, self.leaps),
                _mm512_test_epi64_mask(self.leaps, below),
            );
            let zeros = _mm256_inserti128_si256::<1>(
                _mm256_castsi128_si256(_mm512_cvtepi64_epi16(_mm512_lzcnt_epi64(self.leaps))),
                _mm512_cvtepi64_epi16(_mm512_lzcnt_epi64(lowest)),
            );
            // SAFETY: the array has the 32 bytes that are loaded, and the load needs no alignment.
            let last = unsafe { _mm256_loadu_si256(LAST.as_ptr().cast()) };
            let before_last = _mm256_mullo_epi16(zeros, _mm256_set1_epi16(65));
            let exist = u16::from(one) | u16::from(two) << 8;
            let moves = _mm256_sub_epi16(last, before_last);
            append_16(_mm256_maskz_compress_epi16(exist, moves), exist.count_ones(), cursor);
        }
    }

    #[target_feature(
        enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt"
    )]
    pub(super) fn generate<S: Stage>(board: &Bitboards, list: &mut MoveList) {
        let sides = Sides::of(board);
        let threats = ByLines::by_fills(&sides);
        let targets = Targets::find::<S>(&sides, &threats);
        if !S::SLIDERS_ONLY {
            let passes =
                S::CAPTURES && PawnTargets::attacked_by_own(board) & board.en_passant() != 0;
            if targets.any_promotion | passes {
                let ByLines { evasion, lines, .. } = threats;
                write_rare::<S>(board, evasion, Pins::of_lines(lines), list);
            }
        }
        let mut cursor = list.cursor();
        if !S::SLIDERS_ONLY && S::QUIETS {
            castling::push(sides.side, castling::allowed(board, threats.attacked), &mut cursor);
        }
        if targets.has_many() {
            drop(cursor);
            write_many(&targets, list);
            return;
        }
        if !S::SLIDERS_ONLY {
            targets.write_leaps(&mut cursor);
        }
        let (rays, between) = (words(targets.rays), targets.between.map(|sets| words(sets)));
        let [ones, twos, fours] = between;
        macro_rules! write_lanes {
            ($($lane:literal)+) => {$(
                let between = [ones[$lane], twos[$lane], fours[$lane]];
                write::<{ step(STEPS[$lane]) as i8 }>(rays[$lane], between, &mut cursor);
            )+};
        }
        write_lanes!(0 1 2 3 4 5 6 7);
    }

    /// Appends the moves of a direction, at most 32.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
    fn write<const STEP: i8>(targets: u64, between: [u64; 3], cursor: &mut Cursor<'_>) {
        let [ones, twos, fours] = between;
        let behind = |from, squares, n| {
            _mm512_mask_sub_epi8(from, squares, from, _mm512_set1_epi8(n * STEP))
        };
        let from = _mm512_sub_epi8(numbers(), _mm512_set1_epi8(STEP));
        let from = behind(behind(behind(from, ones, 1), twos, 2), fours, 4);
        let to = _mm512_maskz_compress_epi8(targets, numbers());
        let to = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(to));
        // The low byte of each word is the number of a target.
        let from = _mm512_maskz_permutexvar_epi8(0x5555_5555_5555_5555, to, from);
        let moves = _mm512_or_si512(_mm512_slli_epi16::<6>(to), from);
        append_32(moves, targets.count_ones(), cursor);
    }

    /// Appends promotions and en passant.
    #[cold]
    #[inline(never)]
    #[target_feature(
        enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
    )]
    fn write_rare<S: Stage>(board: &Bitboards, evasion: u64, pins: Pins, list: &mut MoveList) {
        let sides = Sides::of(board);
        PawnTargets::legal::<S>(&sides, evasion, pins).write_rare(list);
        en_passant::write::<S>(board, &sides, list);
    }

    /// Appends the moves of any number of pieces, target by target.
    #[cold]
    #[inline(never)]
    #[target_feature(enable = "avx512f")]
    fn write_many(targets: &Targets, list: &mut MoveList) {
        let (rays, leaps) = (words(targets.rays), words(targets.leaps));
        let [ones, twos, fours] = targets.between.map(|sets| words(sets));
        for lane in 0..8 {
            for to in squares(rays[lane]) {
                let bit = |set: u64, value| if set & to.bit() != 0 { value } else { 0 };
                let between = bit(ones[lane], 1) + bit(twos[lane], 2) + bit(fours[lane], 4);
                list.push(Move::new(behind(to, step(STEPS[lane]) * (1 + between)), to));
            }
            for to in squares(leaps[lane]) {
                list.push(Move::new(behind(to, step(LEAPS[lane])), to));
            }
        }
    }
}
