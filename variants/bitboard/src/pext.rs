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

use raywalk_core::{Card, Control, Feature, Legality, Square};

use crate::bmi2::Bmi2;
use crate::piecewise::{Attacks, Piecewise};
use crate::tables::{Dense, ENTRIES, relevant};

/// PEXT bitboards in the shared frame: 863,232 bytes of slider tables.
pub type Pext = Piecewise<PextAttacks>;

/// Masks and attack sets, 863,232 bytes.
pub struct PextAttacks {
    bmi2: Bmi2,
    rooks: [Record; 64],
    bishops: [Record; 64],
    attacks: Box<[u64; ENTRIES]>,
}

/// The relevant squares of one kind and square, and the index of its first entry.
#[derive(Clone, Copy, Default)]
struct Record {
    mask: u64,
    first: u64,
}

impl Attacks for PextAttacks {
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

    fn build() -> Result<PextAttacks, Feature> {
        let bmi2 = Bmi2::detect()?;
        let Dense { rooks, bishops, entries } = Dense::build(
            |kind, square, first| Record { mask: relevant(kind, square), first },
            |record: &Record, occupied, attacks| {
                (record.first + bmi2.extract(occupied, record.mask), attacks)
            },
        );
        Ok(PextAttacks { bmi2, rooks, bishops, attacks: entries })
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

impl PextAttacks {
    /// Reads without a bounds check, for the reason given in `magic.rs`.
    #[inline(always)]
    fn lookup(&self, record: &Record, occupied: u64) -> u64 {
        let index = record.first + self.bmi2.extract(occupied, record.mask);
        debug_assert!(index < ENTRIES as u64);
        // SAFETY: the index depends on the relevant squares only. `Dense::build` has checked that
        // each of their occupancies leads into the table, and the records never change.
        unsafe { *self.attacks.get_unchecked(index as usize) }
    }
}
