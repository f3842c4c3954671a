//! Operations on sets in four lanes, one board in each.

use std::arch::x86_64::*;

use raywalk_core::Move;

use crate::copy_make::siblings::operations;
pub(super) use crate::fill_256::splat;

/// Number of lanes, with one board in each.
pub(super) const WIDTH: usize = 4;

/// A set in each lane, or a number that is the sum of its bytes.
pub(super) type Lanes = __m256i;

/// Some of the lanes: those whose bits are *not* set, because comparisons find empty sets.
#[derive(Clone, Copy)]
pub(super) struct Chosen(__m256i);

/// The bytes of a lane from the last to the first.
const TURNED: [u8; 16] = [7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8];

/// The number of bits of each number below 16.
const BITS: [u8; 16] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];

operations! {
    "avx2,bmi1,bmi2,lzcnt,popcnt";

    fn and(a: Lanes, b: Lanes) -> Lanes { _mm256_and_si256(a, b) }
    fn or(a: Lanes, b: Lanes) -> Lanes { _mm256_or_si256(a, b) }
    /// `a & !b`.
    fn and_not(a: Lanes, b: Lanes) -> Lanes { _mm256_andnot_si256(b, a) }
    /// `!a | b`.
    fn not_but(a: Lanes, b: Lanes) -> Lanes { or(_mm256_xor_si256(a, splat(!0)), b) }
    /// `a | b & c`.
    fn or_and(a: Lanes, b: Lanes, c: Lanes) -> Lanes { or(a, and(b, c)) }
    fn up(a: Lanes, by: u32) -> Lanes { _mm256_sllv_epi64(a, splat(by.into())) }
    fn down(a: Lanes, by: u32) -> Lanes { _mm256_srlv_epi64(a, splat(by.into())) }

    /// The lanes in which two sets have a square in common.
    fn meets(a: Lanes, b: Lanes) -> Chosen { Chosen(_mm256_cmpeq_epi64(and(a, b), splat(0))) }
    /// The lanes in which a set is empty.
    fn is_empty(a: Lanes) -> Chosen {
        Chosen(_mm256_xor_si256(_mm256_cmpeq_epi64(a, splat(0)), splat(!0)))
    }
    fn or_if(a: Lanes, chosen: Chosen, b: Lanes) -> Lanes { or(a, and_not(b, chosen.0)) }
    fn and_if(a: Lanes, chosen: Chosen, b: Lanes) -> Lanes { and(a, or(b, chosen.0)) }

    /// Number of squares. No byte overflows: a board adds at most 8 for the king, for each of 8 directions and of 10
    /// knights, 24 for the promotions of each of 3 directions, and 2 for castling.
    fn bits(a: Lanes) -> Lanes {
        let low = _mm256_set1_epi8(15);
        let of = |halves| _mm256_shuffle_epi8(both(&BITS), and(halves, low));
        add(of(a), of(_mm256_srli_epi16::<4>(a)))
    }
    fn add(a: Lanes, b: Lanes) -> Lanes { _mm256_add_epi8(a, b) }
    fn add_if(a: Lanes, chosen: Chosen, b: Lanes) -> Lanes { add(a, and_not(b, chosen.0)) }
    /// Adds the numbers of a group of boards to those of all groups, in which a number is a lane.
    fn accumulate(all: Lanes, chosen: Chosen, numbers: Lanes) -> Lanes {
        _mm256_add_epi64(all, _mm256_sad_epu8(and_not(numbers, chosen.0), splat(0)))
    }

    /// A set after a move: without the origin, and with the target if it had the origin.
    fn moved(set: Lanes, from: Lanes, to: Lanes) -> Lanes {
        or_if(and_not(set, from), meets(set, from), to)
    }

    /// A ray of rising squares up to its first piece.
    fn rising(ray: Lanes, pieces: Lanes) -> Lanes {
        and(ray, up_to_lowest(pieces))
    }
    /// A ray of falling squares up to its first piece; `RANK` if the ray is along a rank.
    fn falling<const RANK: bool>(ray: Lanes, pieces: Lanes) -> Lanes {
        if RANK {
            // All squares below the first piece, by doubling.
            let below = down(pieces, 1);
            let below = or(below, down(below, 1));
            let below = or(below, down(below, 2));
            let below = or(below, down(below, 4));
            and_not(ray, below)
        } else {
            // With its bytes turned, a ray that falls from rank to rank rises.
            let turned = |sets| _mm256_shuffle_epi8(sets, both(&TURNED));
            and(ray, turned(up_to_lowest(turned(pieces))))
        }
    }
    fn up_to_lowest(pieces: Lanes) -> Lanes {
        _mm256_xor_si256(pieces, _mm256_add_epi64(pieces, splat(!0)))
    }

    /// Sixteen bytes in both halves.
    fn both(bytes: &[u8; 16]) -> __m256i {
        // SAFETY: the array has the 16 bytes that are loaded, and the load needs no alignment.
        _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
    }

    /// Origin and target of at most four moves, and their lanes.
    fn squares_of(moves: &[Move]) -> ((Lanes, Lanes), Chosen) {
        debug_assert!(moves.len() <= WIDTH);
        let word = |n: usize| moves.get(n).map_or(0, |mv| i64::from(mv.bits()));
        let words = _mm256_setr_epi64x(word(0), word(1), word(2), word(3));
        let beyond = _mm256_cmpgt_epi64(_mm256_setr_epi64x(1, 2, 3, 4), splat(moves.len() as u64));
        let square = |number| _mm256_sllv_epi64(splat(1), and(number, splat(63)));
        ((square(words), square(down(words, 6))), Chosen(beyond))
    }
}
