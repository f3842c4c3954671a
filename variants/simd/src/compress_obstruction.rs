//! Byte compress of attack sets that obstruction difference finds, four lines in one vector.
//!
//! **Source.** Obstruction difference by Michael Hoffmann, in Daniel Infuehr's form of 2022; Chess Programming
//! Wiki, *Obstruction Difference*. The lines in lanes are ours.
//!
//! **Method.** The blockers of a line are split into those above the slider and those below it. The highest
//! blocker below, subtracted from those above, changes the bits up to the nearest one above. Counting leading
//! zeros and shifting by a count per lane make this the same six instructions for four lines as for one.
//!
//! **Layout.** 65 records of two sets per line: 4,160 bytes.

use raywalk_core::bitboards::attacks::Lines;
use raywalk_core::{Card, Square};

use crate::compress::{Attacks, COMMON, Compress};
use crate::cpu::{Vectors, with_vectors};

/// Byte compress with obstruction difference.
pub type CompressObstruction = Compress<ObstructionAttacks>;

/// The parts of all lines by square.
pub struct ObstructionAttacks {
    records: [Record; 65],
    vectors: Vectors,
}

/// The lines through a square in the order rank, file, diagonal, antidiagonal.
#[repr(C, align(32))]
#[derive(Clone, Copy)]
struct Record {
    /// Squares with lower numbers than the slider's.
    lower: [u64; 4],
    /// Squares with higher numbers than the slider's.
    upper: [u64; 4],
}

impl Record {
    fn new(square: Square) -> Record {
        let Lines { rank, file, diagonal, antidiagonal } = Lines::through(square);
        let lines = [rank, file, diagonal, antidiagonal];
        let below = square.bit() - 1;
        Record { lower: lines.map(|line| line & below), upper: lines.map(|line| line & !below) }
    }
}

impl Attacks for ObstructionAttacks {
    const CARD: Card = Card {
        id: "simd/compress-obstruction",
        name: "Byte compress, obstruction difference",
        author: "Stockfish developers; Michael Hoffmann, Daniel Infuehr (attacks)",
        source: "Stockfish, commit d173a06, 18 March 2026; Chess Programming Wiki, Obstruction Difference",
        reconstructed: "The first source writes pieces in loops and looks attacks up. Slots for pieces, the \
                        order of writing, four lines in a vector and castling are ours.",
        ..COMMON
    };

    fn build(vectors: Vectors) -> ObstructionAttacks {
        let mut records = [Record { lower: [0; 4], upper: [0; 4] }; 65];
        for (square, record) in Square::all().zip(&mut records) {
            *record = Record::new(square);
        }
        ObstructionAttacks { records, vectors }
    }

    #[inline(always)]
    fn bishop(&self, slot: usize, occupied: u64) -> u64 {
        self.lines(slot, occupied)[1]
    }

    #[inline(always)]
    fn rook(&self, slot: usize, occupied: u64) -> u64 {
        self.lines(slot, occupied)[0]
    }

    #[inline(always)]
    fn queen(&self, slot: usize, occupied: u64) -> u64 {
        let [straight, diagonal] = self.lines(slot, occupied);
        straight | diagonal
    }
}

impl ObstructionAttacks {
    /// The attacks along rank and file, and those along both diagonals.
    ///
    /// Not a function with features of its own: the compiler may leave that out of line, and this never.
    #[inline(always)]
    fn lines(&self, slot: usize, occupied: u64) -> [u64; 2] {
        #[cfg(target_arch = "x86_64")]
        use std::arch::x86_64::*;
        let Record { lower, upper } = &self.records[slot];
        // SAFETY of the loads, which stand in the `unsafe` block of the macro: both are of the 32 bytes of an array,
        // and need no alignment.
        with_vectors!(self.vectors, {
            let lower = _mm256_loadu_si256(lower.as_ptr().cast());
            let upper = _mm256_loadu_si256(upper.as_ptr().cast());
            let occupied = _mm256_set1_epi64x(occupied.cast_signed());
            let below = _mm256_and_si256(lower, occupied);
            let above = _mm256_and_si256(upper, occupied);
            // Without a blocker below, the lowest bit is subtracted: it is below every square of the line above.
            let zeros = _mm256_lzcnt_epi64(_mm256_or_si256(below, _mm256_set1_epi64x(1)));
            let nearest = _mm256_srlv_epi64(_mm256_set1_epi64x(i64::MIN), zeros);
            let changed = _mm256_xor_si256(above, _mm256_sub_epi64(above, nearest));
            let attacks = _mm256_and_si256(changed, _mm256_or_si256(lower, upper));
            // Rank and file are in the lower half, the diagonals in the upper one.
            let union = _mm256_or_si256(attacks, _mm256_unpackhi_epi64(attacks, attacks));
            let straight = _mm_cvtsi128_si64(_mm256_castsi256_si128(union));
            let diagonal = _mm_cvtsi128_si64(_mm256_extracti128_si256::<1>(union));
            [straight.cast_unsigned(), diagonal.cast_unsigned()]
        })
    }
}
