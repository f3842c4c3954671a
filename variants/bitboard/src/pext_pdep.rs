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
use raywalk_core::{Card, Control, Feature, Kind, Legality, Square};

use crate::bmi2::Bmi2;
use crate::dense_attacks::{DenseAttacks, Indexing};
use crate::piecewise::Piecewise;
use crate::tables::relevant;

/// PEXT and PDEP bitboards in the shared frame: 218,368 bytes of slider tables.
pub type PextPdep = Piecewise<PextPdepAttacks>;

/// Masks and compressed attack sets, 218,368 bytes.
pub(crate) type PextPdepAttacks = DenseAttacks<Compression>;

/// Extracts the relevant squares of the occupancy, and stores attack sets as subsets of the lines.
pub struct Compression(Bmi2);

/// The relevant squares of one kind and square, its lines on the empty board, and the index of its
/// first entry.
#[derive(Clone, Copy, Default)]
pub struct Record {
    mask: u64,
    lines: u64,
    first: u64,
}

// SAFETY: `pext` reads the squares of the mask only.
unsafe impl Indexing for Compression {
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
    type Record = Record;
    type Entry = u16;

    fn new() -> Result<Compression, Feature> {
        Bmi2::detect().map(Compression)
    }

    fn records() -> impl FnMut(Kind, Square, u64) -> Record {
        |kind, square, first| Record {
            mask: relevant(kind, square),
            lines: walk(kind, square, 0),
            first,
        }
    }

    #[inline(always)]
    fn index(&self, record: &Record, occupied: u64) -> u64 {
        record.first + self.0.extract(occupied, record.mask)
    }

    fn encode(&self, record: &Record, attacks: u64) -> u64 {
        self.0.extract(attacks, record.lines)
    }

    #[inline(always)]
    fn decode(&self, record: &Record, entry: u64) -> u64 {
        self.0.deposit(entry, record.lines)
    }
}
