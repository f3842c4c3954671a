//! Fancy magic bitboards: one multiplication hashes both lines of a slider at once.
//!
//! **Source.** Lasse Hansen, 2006, had the idea to map the up to twelve relevant squares of both
//! lines with one factor. Pradu Kannan gave each square a table of its own size (*Magic
//! Move-Bitboard Generation in Computer Chess*, 30 April 2007). Robert Purves later named the two
//! forms plain and fancy. Chess Programming Wiki, *Magic Bitboards*.
//!
//! **Method.** Mask the relevant squares, multiply by the square's magic factor, and shift the top
//! bits down. The result is the index of the attack set. The factor is chosen so that occupancies
//! with the same index have the same attacks.
//!
//! **Layout.** 107,648 sets of eight bytes, 861,184 bytes, and 128 records of 32 bytes (mask,
//! factor, first entry, shift).
//!
//! **Cost.** Loads of four parameters and of the set itself. The dependency chain is mask,
//! multiplication of three cycles, shift, load. The wiki calls the method a de facto standard of
//! modern bitboard engines. D. Infuehr's *Chess_Movegen* counts 1,459 million queens per second.

use raywalk_core::{Card, Control, Feature, Kind, Legality, Square};

use crate::dense_attacks::{DenseAttacks, Indexing};
use crate::magic_factors::magic;
use crate::piecewise::Piecewise;
use crate::tables::relevant;

/// Fancy magic bitboards in the shared frame: 865,280 bytes of slider tables.
pub type Magic = Piecewise<MagicAttacks>;

/// Magic factors and attack sets, 865,280 bytes.
pub(crate) type MagicAttacks = DenseAttacks<Factors>;

/// Multiplies the occupancy by the factor of the square.
pub struct Factors;

/// What turns an occupancy into an index, per kind and square. Half a cache line, as published.
#[derive(Clone, Copy, Default)]
#[repr(C, align(32))]
pub struct Record {
    mask: u64,
    magic: u64,
    first: u64,
    shift: u64,
}

// SAFETY: the mask of a record removes all other squares.
unsafe impl Indexing for Factors {
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
        reconstructed: "Factors from our own search. Pawns, move writing and castling are ours.",
    };
    type Record = Record;
    type Entry = u64;

    fn new() -> Result<Factors, Feature> {
        Ok(Factors)
    }

    fn records() -> impl FnMut(Kind, Square, u64) -> Record {
        |kind, square, first| {
            let mask = relevant(kind, square);
            let bits = mask.count_ones();
            let magic = magic(kind, square);
            Record { mask, magic, first, shift: u64::from(64 - bits) }
        }
    }

    #[inline(always)]
    fn index(&self, record: &Record, occupied: u64) -> u64 {
        let Record { mask, magic, first, shift } = record;
        // Shift counts are below 64 anyway. `& 63` removes the overflow check of debug builds and
        // is free, because x86-64 shifts by the count modulo 64.
        first + ((occupied & mask).wrapping_mul(*magic) >> (shift & 63))
    }
}
