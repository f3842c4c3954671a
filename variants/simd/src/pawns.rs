//! Pawn moves as sets, written by byte compress.
//!
//! The targets of all pawns in one direction are one set. A byte compress of the numbers 0 to 63 by that set
//! gives the targets as eight bytes, widened to words. The origin lies a constant step behind, so target and
//! origin together are one multiplication and one subtraction.
//!
//! Promotions and en passant are rare. They are split off as sets and written first, behind one branch that is
//! seldom taken, so that nothing in the straight code depends on them.

use std::arch::x86_64::*;
use std::hint::black_box;

use raywalk_core::{Bitboards, Board, Color, Cursor, Kind, Move, MoveList, Square, Stage};

use crate::sets::{FILE_A, FILE_H, LAST_RANKS, ahead, attacked_by_pawns, squares, up};
use crate::sides::Sides;
use crate::squares::numbers;
use crate::store::{append_8, append_16, append_32, load_8};
use crate::threats::Pins;

/// The targets of the pawns of the side to move.
#[derive(Clone, Copy)]
pub(crate) struct PawnTargets {
    pub(crate) side: Color,
    /// Targets of captures towards the a-file.
    pub(crate) west: u64,
    /// Targets of captures towards the h-file.
    pub(crate) east: u64,
    /// Targets of single pushes.
    pub(crate) once: u64,
    /// Targets of double pushes.
    pub(crate) twice: u64,
    /// The square that an enemy pawn has just passed, if pawns may capture there.
    pub(crate) passed: u64,
}

impl PawnTargets {
    /// The pseudo-legal targets of stage `S`.
    ///
    /// Rotations serve both colours without a branch: by 8 for White and by 56, which is 8 in the other
    /// direction, for Black.
    #[inline(always)]
    pub(crate) fn of<S: Stage>(board: &Bitboards) -> PawnTargets {
        let pawns = board.own() & board.kind(Kind::Pawn);
        let (enemy, empty) = (board.enemy(), !board.occupied());
        PawnTargets::from_sets::<S>(board.state().side, pawns, enemy, empty, board.en_passant())
    }

    /// The pseudo-legal targets of stage `S`, from the pawns of a side, the pieces of the other side, the empty
    /// squares and the square that an enemy pawn has just passed.
    #[inline(always)]
    pub(crate) fn from_sets<S: Stage>(
        side: Color,
        pawns: u64,
        enemy: u64,
        empty: u64,
        passed: u64,
    ) -> PawnTargets {
        let mut targets = PawnTargets { side, west: 0, east: 0, once: 0, twice: 0, passed: 0 };
        let moved = pawns.rotate_left(up(side));
        if S::CAPTURES {
            targets.passed = passed;
            let takes = enemy | passed;
            // A shift by one can wrap only from file a or h, which is masked.
            targets.west = (moved & !FILE_A) >> 1 & takes;
            targets.east = (moved & !FILE_H) << 1 & takes;
        }
        if S::QUIETS {
            targets.once = moved & empty;
            targets.twice = (targets.once & third_rank(side)).rotate_left(up(side)) & empty;
        }
        targets
    }

    /// The legal targets of stage `S`, en passant aside: pinned pawns stay on their lines, and the squares of
    /// `evasion` resolve a check.
    #[inline(always)]
    pub(crate) fn legal<S: Stage>(sides: &Sides, evasion: u64, pins: Pins) -> PawnTargets {
        let Sides { side, own, enemy, .. } = *sides;
        let (pawns, empty) = (own & sides.pawns, !(own | enemy));
        let mut targets = PawnTargets { side, west: 0, east: 0, once: 0, twice: 0, passed: 0 };
        let moved = |along: u64| (pawns & (!pins.all | along)).rotate_left(up(side));
        if S::CAPTURES {
            let takes = enemy & evasion;
            // Towards the a-file, White's pawns move along antidiagonals and Black's along diagonals.
            let (west, east) = match side {
                Color::White => (pins.antidiagonal, pins.diagonal),
                Color::Black => (pins.diagonal, pins.antidiagonal),
            };
            targets.west = (moved(west) & !FILE_A) >> 1 & takes;
            targets.east = (moved(east) & !FILE_H) << 1 & takes;
        }
        if S::QUIETS {
            let once = moved(pins.file) & empty;
            // Only the last square of a push has to resolve a check.
            targets.twice = (once & third_rank(side)).rotate_left(up(side)) & empty & evasion;
            targets.once = once & evasion;
        }
        targets
    }

    /// The squares that the pawns of the side to move attack.
    #[inline(always)]
    pub(crate) fn attacked_by_own(board: &Bitboards) -> u64 {
        attacked_by_pawns(board.state().side, board.own() & board.kind(Kind::Pawn))
    }

    /// Whether there is a promotion or an en passant capture. Most positions have neither.
    #[inline(always)]
    pub(crate) fn any_rare(&self) -> bool {
        let takes = self.west | self.east;
        (takes | self.once) & LAST_RANKS | takes & self.passed != 0
    }

    /// The number of moves, en passant aside. A promotion is one move for each piece to promote to.
    #[inline]
    #[target_feature(enable = "popcnt")]
    pub(crate) fn count(&self) -> u32 {
        let PawnTargets { west, east, once, twice, .. } = *self;
        let more = Kind::PROMOTIONS.len() as u32 - 1;
        let with_promotions =
            |targets: u64| targets.count_ones() + more * (targets & LAST_RANKS).count_ones();
        with_promotions(west) + with_promotions(east) + with_promotions(once) + twice.count_ones()
    }

    /// Appends promotions and en passant.
    #[inline(always)]
    pub(crate) fn write_rare(&self, list: &mut MoveList) {
        let PawnTargets { side, west, east, once, passed, .. } = *self;
        let ahead = ahead(side);
        // Hidden from the compiler, which would copy the loops for each of the three. Few positions come here.
        let directions = [(west, ahead - 1), (east, ahead + 1), (once, ahead)];
        for &(targets, step) in black_box(&directions[..]) {
            for to in squares(targets & LAST_RANKS) {
                list.push_promotions(behind(to, step), to);
            }
            // A push never ends on the square that an enemy pawn has just passed.
            for to in squares(targets & passed) {
                list.push(Move::en_passant(behind(to, step), to));
            }
        }
    }

    /// Appends the captures and single pushes that are neither promotions nor en passant.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt")]
    pub(crate) fn write<S: Stage>(&self, cursor: &mut Cursor<'_>) {
        let ahead = ahead(self.side);
        if S::CAPTURES {
            let usual = !(LAST_RANKS | self.passed);
            append_behind(self.west & usual, ahead - 1, cursor);
            append_behind(self.east & usual, ahead + 1, cursor);
        }
        if S::QUIETS {
            append_behind(self.once & !LAST_RANKS, ahead, cursor);
        }
    }

    /// Appends all moves that are neither promotions nor en passant.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt")]
    pub(crate) fn write_usual<S: Stage>(&self, cursor: &mut Cursor<'_>) {
        self.write::<S>(cursor);
        if S::QUIETS {
            let mask = self.double_pushes();
            let moves = load_8(&DOUBLE_PUSHES[self.side.index()]);
            append_8(_mm_maskz_compress_epi16(mask, moves), mask.count_ones(), cursor);
        }
    }

    /// The targets without those of promotions and en passant.
    #[inline(always)]
    pub(crate) fn usual(self) -> PawnTargets {
        let usual = !(LAST_RANKS | self.passed);
        let PawnTargets { west, east, once, .. } = self;
        PawnTargets { west: west & usual, east: east & usual, once: once & usual, ..self }
    }

    /// Appends all moves, which are [`usual`](Self::usual), in one vector, eight places for each direction.
    ///
    /// A place without a target has the number 0. That is a1, on which no such move ends.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt")]
    pub(crate) fn write_together<S: Stage>(&self, cursor: &mut Cursor<'_>) {
        debug_assert!(!self.any_rare());
        let pair = |one, other| _mm_unpacklo_epi64(numbers_of(one), numbers_of(other));
        let captures = || pair(self.west, self.east);
        let pushes = || pair(self.once, self.twice);
        let [capturing, pushing] = &STEPS[self.side.index()];
        if S::CAPTURES && S::QUIETS {
            let to = _mm512_cvtepu8_epi16(_mm256_set_m128i(pushes(), captures()));
            let steps = _mm512_inserti64x4::<1>(
                _mm512_castsi256_si512(words_16(capturing)),
                words_16(pushing),
            );
            let moves = _mm512_sub_epi16(_mm512_mullo_epi16(to, _mm512_set1_epi16(65)), steps);
            let exist = _mm512_test_epi16_mask(to, to);
            append_32(_mm512_maskz_compress_epi16(exist, moves), exist.count_ones(), cursor);
        } else {
            let (to, steps) =
                if S::CAPTURES { (captures(), capturing) } else { (pushes(), pushing) };
            let to = _mm256_cvtepu8_epi16(to);
            let moves =
                _mm256_sub_epi16(_mm256_mullo_epi16(to, _mm256_set1_epi16(65)), words_16(steps));
            let exist = _mm256_test_epi16_mask(to, to);
            append_16(_mm256_maskz_compress_epi16(exist, moves), exist.count_ones(), cursor);
        }
    }

    /// One bit for each file on which a pawn has a double push: a mask for [`DOUBLE_PUSHES`].
    #[inline(always)]
    pub(crate) fn double_pushes(&self) -> u8 {
        (self.twice >> (24 + 8 * self.side.index())) as u8
    }
}

/// The square that lies `step` squares behind another.
#[inline(always)]
pub(crate) fn behind(to: Square, step: i16) -> Square {
    Square::from_low_bits((i16::from(to.number()) - step) as u32)
}

/// The rank that a double push passes.
#[inline(always)]
pub(crate) fn third_rank(side: Color) -> u64 {
    0xff << (16 + 24 * side.index())
}

/// The rank on which the next push promotes.
#[inline(always)]
pub(crate) fn seventh_rank(side: Color) -> u64 {
    0xff << (48 - 40 * side.index())
}

/// The double pushes of each colour by file.
pub(crate) static DOUBLE_PUSHES: [[Move; 8]; 2] = {
    let mut moves = [[Move::from_bits(0); 8]; 2];
    let mut file = 0;
    while file < 8 {
        moves[0][file as usize] = Move::new(Square::new(file, 1), Square::new(file, 3));
        moves[1][file as usize] = Move::new(Square::new(file, 6), Square::new(file, 4));
        file += 1;
    }
    moves
};

/// The steps of each colour: of eight captures towards the a-file and eight towards the h-file, and of eight single
/// pushes and eight double ones.
static STEPS: [[[i16; 16]; 2]; 2] = {
    let mut steps = [[[0; 16]; 2]; 2];
    let mut n = 0;
    while n < 16 {
        let (white, black) = (8, -8);
        let aside = if n < 8 { -1 } else { 1 };
        let squares = if n < 8 { 1 } else { 2 };
        steps[0][0][n] = white + aside;
        steps[0][1][n] = white * squares;
        steps[1][0][n] = black + aside;
        steps[1][1][n] = black * squares;
        n += 1;
    }
    steps
};

/// Sixteen words of a table as a vector.
#[inline]
#[target_feature(enable = "avx2")]
fn words_16(words: &[i16; 16]) -> __m256i {
    // SAFETY: the array has the 32 bytes that are loaded, and the load needs no alignment.
    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
}

/// The numbers of at most eight squares of a set, a byte each, lowest first.
#[inline]
#[target_feature(enable = "avx512f,avx512vbmi2")]
fn numbers_of(set: u64) -> __m128i {
    _mm512_castsi512_si128(_mm512_maskz_compress_epi8(set, numbers()))
}

/// Appends the move to each of at most eight targets whose origin lies `step` squares behind.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt")]
fn append_behind(targets: u64, step: i16, cursor: &mut Cursor<'_>) {
    let to = _mm_cvtepu8_epi16(numbers_of(targets));
    // The target in bits 6 to 11 and the origin below: 64 * to + (to - step).
    let moves = _mm_sub_epi16(_mm_mullo_epi16(to, _mm_set1_epi16(65)), _mm_set1_epi16(step));
    append_8(moves, targets.count_ones(), cursor);
}
