//! PEXT: the processor makes the index.
//!
//! **Source.** The instruction came with BMI2 in Intel's Haswell, 2013; Gerd Isenberg opened the
//! thread *PEXT Bitboards* in the Computer Chess Club on 7 June of that year. On AMD it is slow
//! before Zen 3 of 2020 (Chess Programming Wiki, *BMI2*).
//!
//! **Method.** `pext` gathers the occupied ones among the relevant squares into the low bits of a
//! word, three cycles, and that number is the index of the attack set. There is no magic factor to
//! search for and no two occupancies share an entry by accident, so the table is as small as a
//! table of one entry per occupancy can be.
//!
//! **Layout.** 107,648 sets of eight bytes, 861,184 bytes, and 128 records of sixteen (mask, first
//! entry). Hot it is the fastest lookup known (2,479 million queens per second in D. Infuehr's
//! *Chess_Movegen*); in a program that needs the cache for other things, a small table may win.

use raywalk_core::{Card, Control, Feature, Legality, Square};

use crate::bmi2::Bmi2;
use crate::occupancy::{ENTRIES, STORED, boxed, occupancies, relevant};
use crate::piecewise::{Attacks, Piecewise};

/// The design.
pub type Pext = Piecewise<PextAttacks>;

/// Masks and attack sets.
pub struct PextAttacks {
    bmi2: Bmi2,
    rooks: [Record; 64],
    bishops: [Record; 64],
    attacks: Box<[u64; ENTRIES]>,
}

/// Where the sets of one kind and square begin, and which squares choose among them.
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
        reconstructed: "The source shows attack sets; pawns, writing and castling are ours.",
    };

    fn build() -> Result<PextAttacks, Feature> {
        let bmi2 = Bmi2::detect()?;
        let mut attacks = boxed(0);
        let mut records = [[Record::default(); 64]; 2];
        let mut first = 0;
        for (kind, records) in STORED.into_iter().zip(&mut records) {
            for (square, record) in Square::all().zip(records) {
                let mask = relevant(kind, square);
                *record = Record { mask, first };
                for (occupied, set) in occupancies(kind, square) {
                    attacks[(first + bmi2.extract(occupied, mask)) as usize] = set;
                }
                first += 1 << mask.count_ones();
            }
        }
        // What makes `lookup` sound: the ranges of all records together are the table.
        assert_eq!(first, ENTRIES as u64);
        let [rooks, bishops] = records;
        Ok(PextAttacks { bmi2, rooks, bishops, attacks })
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
    /// Unchecked: a check is one more branch per lookup. On the machine it was tried on, checking
    /// made captures 3 to 9 % and quiets 6 to 10 % slower; all moves showed no clear difference.
    #[inline(always)]
    fn lookup(&self, record: &Record, occupied: u64) -> u64 {
        let index = record.first + self.bmi2.extract(occupied, record.mask);
        debug_assert!(index < ENTRIES as u64);
        // SAFETY: `pext` yields less than 2^bits of the mask, and `build` asserted that `first`
        // plus that ends within the table; the records never change.
        unsafe { *self.attacks.get_unchecked(index as usize) }
    }
}
