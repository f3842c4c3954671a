//! Finds magic factors by trial and error.
//!
//! A factor is magic for a square if multiplying the occupancies of its relevant squares by the
//! factor, and keeping the top bits, never gives the same number to two occupancies with different
//! attacks. No way to calculate such factors is known, but they are frequent among words with few
//! bits set. The search therefore draws candidates as the intersection of three random words (Chess
//! Programming Wiki, *Looking for Magics*).
//!
//! The result depends on the seeds only, so every build of the tables holds the same factors. Other
//! seeds give other factors, but tables of the same size.

use raywalk_core::{Kind, Square};

use crate::tables::{occupancies, relevant};

/// A deterministic search for magic factors.
pub(crate) struct Search {
    random: u64,
    /// By index: the trial that wrote the slot last, and the attacks that it wrote. The trial
    /// number saves clearing the slots before each trial.
    slots: Vec<(u32, u64)>,
    trial: u32,
}

impl Search {
    pub(crate) fn new() -> Search {
        Search { random: 0, slots: vec![(0, 0); 1 << 12], trial: 0 }
    }

    /// A factor that maps all relevant occupancies of the square to indices of `bits` bits, at most
    /// twelve.
    pub(crate) fn magic(&mut self, kind: Kind, square: Square, bits: u32) -> u64 {
        let cases: Vec<(u64, u64)> = occupancies(kind, square).collect();
        let mask = relevant(kind, square);
        self.random = SEEDS[usize::from(square.rank())];
        loop {
            let magic = self.word() & self.word() & self.word();
            // A quick rejection: a factor that sets few of the top bits when all relevant squares
            // are occupied is unlikely to tell smaller occupancies apart.
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

/// One seed per rank: among 1 to 1,000, the seed that needs the fewest steps to find the rank's
/// sixteen factors of the fancy form. In one comparison, building the tables took 28 ms with these
/// seeds and 224 ms with the seeds 1 to 8.
const SEEDS: [u64; 8] = [728, 310, 786, 993, 577, 15, 334, 255];
