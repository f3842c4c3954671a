//! PEXT bitboards: one instruction computes the index.
//!
//! **Source.** The instruction came with BMI2 in Intel's Haswell, 2013. Gerd Isenberg opened the
//! thread *PEXT Bitboards* in the Computer Chess Club on 7 June of that year. On AMD processors it
//! is slow before Zen 3 of 2020 (Chess Programming Wiki, *BMI2*).
//!
//! **Method.** `pext` gathers the occupancy of the relevant squares into the low bits of a word, in
//! three cycles. That number is the index of the attack set. There is no magic factor to search
//! for, and every occupancy has an entry of its own.
//!
//! **Layout.** 107,648 sets of eight bytes, 861,184 bytes, and 128 records of sixteen (mask, first
//! entry).
//!
//! **Cost.** With its tables in the cache it is the fastest look-up known (2,479 million queens per
//! second in D. Infuehr's *Chess_Movegen*). In a program that needs the cache for other data, a
//! small table may win.

use raywalk_core::{Card, Control, Feature, Kind, Legality, Square};

use crate::bmi2::Bmi2;
use crate::dense_attacks::{DenseAttacks, Indexing};
use crate::piecewise::Piecewise;
use crate::tables::relevant;

/// PEXT bitboards in the shared frame: 863,232 bytes of slider tables.
pub type Pext = Piecewise<PextAttacks>;

/// Masks and attack sets, 863,232 bytes.
pub(crate) type PextAttacks = DenseAttacks<Extraction>;

/// Extracts the relevant squares of the occupancy.
pub struct Extraction(Bmi2);

/// The relevant squares of one kind and square, and the index of its first entry.
#[derive(Clone, Copy, Default)]
pub struct Record {
    mask: u64,
    first: u64,
}

// SAFETY: `pext` reads the squares of the mask only.
unsafe impl Indexing for Extraction {
    const CARD: Card = Card {
        id: "bitboard/pext",
        name: "PEXT bitboards",
        author: "Intel (instruction), Gerd Isenberg and others (use)",
        year: Some(2013),
        source: "Computer Chess Club, PEXT Bitboards, 7 June 2013; Chess Programming Wiki, BMI2",
        control: Control::Mixed,
        legality: Legality::Pseudo,
        published_bytes: Some(861_184),
        needs: &[Feature::Bmi2],
        reconstructed: "The source shows attack sets. Pawns, move writing and castling are ours.",
    };
    type Record = Record;
    type Entry = u64;

    fn new() -> Result<Extraction, Feature> {
        Bmi2::detect().map(Extraction)
    }

    fn records() -> impl FnMut(Kind, Square, u64) -> Record {
        |kind, square, first| Record { mask: relevant(kind, square), first }
    }

    #[inline(always)]
    fn index(&self, record: &Record, occupied: u64) -> u64 {
        record.first + self.0.extract(occupied, record.mask)
    }
}
