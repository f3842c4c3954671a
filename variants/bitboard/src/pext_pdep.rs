//! PEXT and PDEP: tables of 16 bits.
//!
//! **Source.** Zach Wegner had the idea (Computer Chess Club, *Haswell New Instructions*, 9 September
//! 2011), Ronald de Man wrote it (6 October 2013). Chess Programming Wiki, *BMI2*.
//!
//! **Method.** As with PEXT the occupied ones among the relevant squares are the index. But a slider
//! attacks at most 14 squares of its lines, so the entry names those of its *lines* that it reaches,
//! in 14 bits, and `pdep` spreads them over the board.
//!
//! **Layout.** 107,648 entries of two bytes, 215,296 bytes, a quarter of the plain table, and 128
//! records of 24 (relevant squares, lines, first entry). One more instruction of three cycles in
//! the chain is the price; on AMD before Zen 3 it is paid twice.

use raywalk_core::bitboards::attacks::walk;
use raywalk_core::{Card, Control, Feature, Legality, Square};

use crate::bmi2::Bmi2;
use crate::occupancy::{ENTRIES, STORED, boxed, occupancies, relevant};
use crate::piecewise::{Attacks, Piecewise};

/// The design.
pub type PextPdep = Piecewise<PextPdepAttacks>;

/// Masks and compressed attack sets.
pub struct PextPdepAttacks {
    bmi2: Bmi2,
    rooks: [Record; 64],
    bishops: [Record; 64],
    attacks: Box<[u16; ENTRIES]>,
}

/// The relevant squares, the lines on the empty board, and where the entries begin.
#[derive(Clone, Copy, Default)]
struct Record {
    mask: u64,
    lines: u64,
    first: u64,
}

impl Attacks for PextPdepAttacks {
    const CARD: Card = Card {
        id: "bitboard/pext-pdep",
        name: "PEXT and PDEP",
        author: "Zach Wegner, Ronald de Man",
        year: Some(2011),
        source: "Z. Wegner, Computer Chess Club, 9 September 2011; R. de Man, there, 6 October \
                 2013; Chess Programming Wiki, BMI2",
        control: Control::Mixed,
        legality: Legality::Pseudo,
        published_bytes: Some(215_296),
        needs: &[Feature::Bmi2],
        reconstructed: "The source shows attack sets; pawns, writing and castling are ours.",
    };

    fn build() -> Result<PextPdepAttacks, Feature> {
        let bmi2 = Bmi2::detect()?;
        let mut attacks = boxed(0);
        let mut records = [[Record::default(); 64]; 2];
        let mut first = 0;
        for (kind, records) in STORED.into_iter().zip(&mut records) {
            for (square, record) in Square::all().zip(records) {
                let (mask, lines) = (relevant(kind, square), walk(kind, square, 0));
                *record = Record { mask, lines, first };
                for (occupied, set) in occupancies(kind, square) {
                    let index = first + bmi2.extract(occupied, mask);
                    attacks[index as usize] = bmi2.extract(set, lines) as u16;
                }
                first += 1 << mask.count_ones();
            }
        }
        // What makes `lookup` sound: the ranges of all records together are the table.
        assert_eq!(first, ENTRIES as u64);
        let [rooks, bishops] = records;
        Ok(PextPdepAttacks { bmi2, rooks, bishops, attacks })
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

impl PextPdepAttacks {
    /// Unchecked: a check is one more branch per lookup. On the machine it was tried on, checking
    /// made captures 3 to 9 % and quiets 6 to 10 % slower; all moves showed no clear difference.
    #[inline(always)]
    fn lookup(&self, record: &Record, occupied: u64) -> u64 {
        let index = record.first + self.bmi2.extract(occupied, record.mask);
        debug_assert!(index < ENTRIES as u64);
        // SAFETY: `pext` yields less than 2^bits of the mask, and `build` asserted that `first`
        // plus that ends within the table; the records never change.
        let entry = unsafe { *self.attacks.get_unchecked(index as usize) };
        self.bmi2.deposit(u64::from(entry), record.lines)
    }
}
