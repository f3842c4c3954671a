//! How magic factors are found: by trying.
//!
//! A factor is magic for a square if multiplying any occupancy of the relevant squares by it, and
//! keeping the top bits, never gives two occupancies with different attacks the same number. There
//! is no known way to calculate one, but they are frequent among words with few bits, so the search
//! takes the intersection of three random words and tries them all (Chess Programming Wiki, *Looking
//! for Magics*).
//!
//! The result depends on nothing but the seeds, so every build of the tables holds the same
//! factors. Tables of other seeds would be of the same size.

use raywalk_core::{Kind, Square};

use crate::occupancy::{occupancies, relevant};

/// Searches the magic factors of one board, always with the same result.
pub(crate) struct Search {
    random: u64,
    /// Trial that wrote the slot last, and the attacks that it wrote.
    slots: Vec<(u32, u64)>,
    trial: u32,
}

impl Search {
    pub(crate) fn new() -> Search {
        Search { random: 0, slots: vec![(0, 0); 1 << 12], trial: 0 }
    }

    /// A factor that maps all occupancies of the square into `bits` bits, at most twelve.
    pub(crate) fn magic(&mut self, kind: Kind, square: Square, bits: u32) -> u64 {
        let cases: Vec<(u64, u64)> = occupancies(kind, square).collect();
        let mask = relevant(kind, square);
        self.random = SEEDS[usize::from(square.rank())];
        loop {
            let magic = self.word() & self.word() & self.word();
            // A factor that fills few of the top bits from all squares fills fewer from some.
            let spread = (mask.wrapping_mul(magic) >> 56).count_ones() >= 6;
            if spread && self.separates(&cases, magic, bits) {
                return magic;
            }
        }
    }

    /// Whether no two occupancies with different attacks share an index.
    fn separates(&mut self, cases: &[(u64, u64)], magic: u64, bits: u32) -> bool {
        self.trial += 1;
        cases.iter().all(|&(occupied, attacks)| {
            let slot = &mut self.slots[(occupied.wrapping_mul(magic) >> (64 - bits)) as usize];
            let free = slot.0 != self.trial;
            if free {
                *slot = (self.trial, attacks);
            }
            free || slot.1 == attacks
        })
    }

    /// The next random word (G. Marsaglia, *Xorshift RNGs*, 2003, with S. Vigna's multiplier).
    fn word(&mut self) -> u64 {
        self.random ^= self.random >> 12;
        self.random ^= self.random << 25;
        self.random ^= self.random >> 27;
        self.random.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }
}

/// One seed per rank: of 1 to 1,000 the one with the fewest steps for the rank's sixteen factors of
/// the fancy form. Where it was tried, tables took 28 ms to build with them and 224 ms with 1 to 8.
const SEEDS: [u64; 8] = [728, 310, 786, 993, 577, 15, 334, 255];
