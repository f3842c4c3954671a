//! Magic factors, found by trial and error.
//!
//! A factor is magic for a square if multiplying the occupancies of its relevant squares by the
//! factor, and keeping the top bits, never gives the same number to two occupancies with different
//! attacks. No way to calculate such factors is known, but they are frequent among words with few
//! bits set. The search therefore draws candidates as the intersection of three random words (Chess
//! Programming Wiki, *Looking for Magics*).
//!
//! The search was made once and is kept as its result: for each square the first of the seeds 1, 2, 3, ... whose
//! candidate passes a quick test and is magic with as many top bits as the square has relevant squares. The test is
//! that all relevant squares together set six of the top eight bits. With more top bits a factor stays magic.
//! A search in every process that builds the tables took 65 ms on a Zen 1, a quarter of the start of a process.

use raywalk_core::{Kind, Square};

/// The magic factor of a square.
pub(crate) fn magic(kind: Kind, square: Square) -> u64 {
    let seeds = if kind == Kind::Rook { &ROOK_SEEDS } else { &BISHOP_SEEDS };
    candidate(seeds[square.index()])
}

/// The candidate of a seed.
fn candidate(seed: u32) -> u64 {
    let mut state = u64::from(seed);
    let mut word = || {
        // G. Marsaglia, *Xorshift RNGs*, 2003, with S. Vigna's multiplier.
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        state.wrapping_mul(0x2545_F491_4F6C_DD1D)
    };
    word() & word() & word()
}

const ROOK_SEEDS: [u32; 64] = [
    212_526, 318_683, 314_918, 131_184, 408_043, 203_876, 170_728, 65_676, 221_258, 29_989, 39_663,
    35_188, 253_791, 100_323, 38_953, 33_039, 143_233, 4656, 43_517, 419_288, 157_898, 425_489,
    41_312, 149_622, 472_491, 178_573, 43_517, 18_925, 25_289, 1_425_762, 30_453, 24_523, 29_648,
    18_532, 145_757, 35_188, 166_300, 100_323, 107_852, 26_039, 3842, 38_105, 34_037, 230_403,
    187_047, 82_072, 8277, 164_824, 5189, 56_136, 43_763, 84_731, 87_518, 82_072, 38_953, 49_225,
    241_848, 188_978, 3305, 545_611, 1_309_699, 6229, 10_121, 65_676,
];

const BISHOP_SEEDS: [u32; 64] = [
    2235, 5314, 337, 10_255, 523, 1119, 122, 26_896, 1680, 232, 858, 606, 1270, 1918, 2419, 1866,
    1034, 841, 2140, 22_832, 47_994, 17_623, 2542, 1827, 864, 1089, 5097, 79_512, 178_683, 350,
    926, 926, 344, 873, 18_513, 31_886, 314_942, 3897, 122, 664, 1391, 2089, 8099, 28_206, 6638,
    7954, 2022, 3858, 122, 1225, 1225, 522, 966, 3492, 3646, 5314, 26_896, 1866, 1052, 1235, 2958,
    181, 1680, 2235,
];

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::tables::{STORED, occupancies, relevant};

    /// Whether no two occupancies with different attacks share an index.
    fn is_magic(factor: u64, kind: Kind, square: Square, bits: u32) -> bool {
        let mut slots = HashMap::new();
        occupancies(kind, square).all(|(occupied, attacks)| {
            let index = occupied.wrapping_mul(factor) >> (64 - bits);
            *slots.entry(index).or_insert(attacks) == attacks
        })
    }

    #[test]
    fn every_factor_is_magic_with_the_relevant_bits_and_with_more() {
        for kind in STORED {
            for square in Square::all() {
                let bits = relevant(kind, square).count_ones();
                for bits in bits..=12 {
                    assert!(is_magic(magic(kind, square), kind, square, bits), "{kind:?} {square}");
                }
            }
        }
    }

    #[test]
    fn the_seed_before_that_of_a1_is_not_magic() {
        for (kind, seed) in [(Kind::Rook, ROOK_SEEDS[0]), (Kind::Bishop, BISHOP_SEEDS[0])] {
            let bits = relevant(kind, Square::new(0, 0)).count_ones();
            assert!(!is_magic(candidate(seed - 1), kind, Square::new(0, 0), bits));
        }
    }
}
