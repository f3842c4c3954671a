//! PEXT and PDEP bitboards: table entries of 16 bits.
//!
//! **Source.** Zach Wegner had the idea (Computer Chess Club, *Haswell New Instructions*, 9
//! September 2011); Ronald de Man wrote it (6 October 2013). Chess Programming Wiki, *BMI2*.
//!
//! **Method.** As in [`Pext`](crate::Pext), `pext` turns the occupancy of the relevant squares into
//! the index. A slider has at most 14 squares on its lines, so 14 bits are enough to store which of
//! *them* it attacks, and `pdep` spreads these bits over the board.
//!
//! **Layout.** 107,648 entries of two bytes, 215,296 bytes, a quarter of the `Pext` table, and 128
//! records of 24 (relevant squares, lines, first entry).
//!
//! **Cost.** One more instruction of three cycles in the dependency chain. On AMD processors before
//! Zen 3 both instructions are slow.

use raywalk_core::bitboards::attacks::walk;
use raywalk_core::{Card, Control, Feature, Legality, Square};

use crate::bmi2::Bmi2;
use crate::piecewise::{Attacks, Piecewise};
use crate::tables::{Dense, ENTRIES, relevant};

/// PEXT and PDEP bitboards in the shared frame: 218,368 bytes of slider tables.
pub type PextPdep = Piecewise<PextPdepAttacks>;

/// Masks and compressed attack sets, 218,368 bytes.
pub struct PextPdepAttacks {
    bmi2: Bmi2,
    rooks: [Record; 64],
    bishops: [Record; 64],
    attacks: Box<[u16; ENTRIES]>,
}

/// The relevant squares of one kind and square, its lines on the empty board, and the index of its
/// first entry.
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
        source: "Z. Wegner, Computer Chess Club, 9 September 2011; R. de Man, ibid., 6 October \
                 2013; Chess Programming Wiki, BMI2",
        control: Control::Mixed,
        legality: Legality::Pseudo,
        published_bytes: Some(215_296),
        needs: &[Feature::Bmi2],
        reconstructed: "The source shows attack sets. Pawns, move writing and castling are ours.",
    };

    fn build() -> Result<PextPdepAttacks, Feature> {
        let bmi2 = Bmi2::detect()?;
        let Dense { rooks, bishops, entries } = Dense::build(
            |kind, square, first| Record {
                mask: relevant(kind, square),
                lines: walk(kind, square, 0),
                first,
            },
            |record: &Record, occupied, attacks| {
                let index = record.first + bmi2.extract(occupied, record.mask);
                (index, bmi2.extract(attacks, record.lines) as u16)
            },
        );
        Ok(PextPdepAttacks { bmi2, rooks, bishops, attacks: entries })
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
    /// Reads without a bounds check, for the reason given in `magic.rs`.
    #[inline(always)]
    fn lookup(&self, record: &Record, occupied: u64) -> u64 {
        let index = record.first + self.bmi2.extract(occupied, record.mask);
        debug_assert!(index < ENTRIES as u64);
        // SAFETY: the index depends on the relevant squares only. `Dense::build` has checked that
        // each of their occupancies leads into the table, and the records never change.
        let entry = unsafe { *self.attacks.get_unchecked(index as usize) };
        self.bmi2.deposit(u64::from(entry), record.lines)
    }
}
