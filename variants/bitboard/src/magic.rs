//! Fancy magic bitboards: one multiplication hashes both lines of a slider at once.
//!
//! **Source.** Lasse Hansen, 2006, had the idea to map the up to twelve relevant squares of both
//! lines with one factor; Pradu Kannan gave each square a table of its own size (*Magic
//! Move-Bitboard Generation in Computer Chess*, 30 April 2007); Robert Purves later named the two
//! forms plain and fancy. Chess Programming Wiki, *Magic Bitboards*.
//!
//! **Method.** Mask the relevant squares, multiply by the square's magic factor, shift the top bits
//! down: that is the index of the attack set. The factor is chosen so that occupancies which share
//! an index share their attacks.
//!
//! **Layout.** 107,648 sets of eight bytes, 861,184 bytes, and 128 records of 32 bytes (mask,
//! factor, first entry, shift).
//!
//! **Cost.** Four parameters and the set itself are loaded; the chain is mask, multiplication of
//! three cycles, shift, load. The wiki calls it a de facto standard of modern bitboard engines. D.
//! Infuehr's *Chess_Movegen* counts 1,459 million queens per second.

use raywalk_core::{Card, Control, Feature, Legality, Square};

use crate::magic_search::Search;
use crate::occupancy::{ENTRIES, STORED, boxed, occupancies, relevant};
use crate::piecewise::{Attacks, Piecewise};

/// The design.
pub type Magic = Piecewise<MagicAttacks>;

/// Magic factors and attack sets.
pub struct MagicAttacks {
    rooks: [Record; 64],
    bishops: [Record; 64],
    attacks: Box<[u64; ENTRIES]>,
}

/// Half a cache line per kind and square, as published.
#[derive(Clone, Copy, Default)]
#[repr(C, align(32))]
struct Record {
    mask: u64,
    magic: u64,
    first: u64,
    shift: u64,
}

impl Record {
    #[inline(always)]
    fn index(&self, occupied: u64) -> u64 {
        // Shift counts are below 64; the mask says so and costs nothing.
        self.first + ((occupied & self.mask).wrapping_mul(self.magic) >> (self.shift & 63))
    }
}

impl Attacks for MagicAttacks {
    const CARD: Card = Card {
        id: "bitboard/magic",
        name: "Fancy magic bitboards",
        author: "Lasse Hansen, Pradu Kannan",
        year: Some(2007),
        source: "P. Kannan, Magic Move-Bitboard Generation in Computer Chess, 30 April 2007",
        control: Control::Mixed,
        legality: Legality::Pseudo,
        published_bytes: Some(861_184),
        needs: &[],
        reconstructed: "Factors from our own search; pawns, writing and castling are ours.",
    };

    fn build() -> Result<MagicAttacks, Feature> {
        let mut attacks = boxed(0);
        let mut records = [[Record::default(); 64]; 2];
        let mut first = 0;
        let mut search = Search::new();
        for (kind, records) in STORED.into_iter().zip(&mut records) {
            for (square, record) in Square::all().zip(records) {
                let mask = relevant(kind, square);
                let bits = mask.count_ones();
                let magic = search.magic(kind, square, bits);
                *record = Record { mask, magic, first, shift: u64::from(64 - bits) };
                for (occupied, set) in occupancies(kind, square) {
                    attacks[record.index(occupied) as usize] = set;
                }
                first += 1 << bits;
            }
        }
        // What makes `lookup` sound: the ranges of all records together are the table.
        assert_eq!(first, ENTRIES as u64);
        let [rooks, bishops] = records;
        Ok(MagicAttacks { rooks, bishops, attacks })
    }

    #[inline(always)]
    fn bishop(&self, square: Square, occupied: u64) -> u64 {
        self.lookup(&self.bishops[square.index()], occupied)
    }

    #[inline(always)]
    fn rook(&self, square: Square, occupied: u64) -> u64 {
        self.lookup(&self.rooks[square.index()], occupied)
    }

    fn table_bytes(&self) -> usize {
        size_of_val(&self.rooks) + size_of_val(&self.bishops) + size_of_val(&*self.attacks)
    }
}

impl MagicAttacks {
    /// Unchecked: a check is one more branch per lookup. On the machine it was tried on, checking
    /// made captures 3 to 9 % and quiets 6 to 10 % slower; all moves showed no clear difference.
    #[inline(always)]
    fn lookup(&self, record: &Record, occupied: u64) -> u64 {
        let index = record.index(occupied);
        debug_assert!(index < ENTRIES as u64);
        // SAFETY: a shift by 64 - bits leaves less than 2^bits, and `build` asserted that `first`
        // plus that ends within the table; the records never change.
        unsafe { *self.attacks.get_unchecked(index as usize) }
    }
}
