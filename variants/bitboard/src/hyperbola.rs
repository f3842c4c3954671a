//! Hyperbola quintessence: two subtractions and a byte swap per line.
//!
//! **Source.** Gerd Isenberg, made competitive by a simplification of Aleks Peshkov (Computer Chess
//! Club, 25 August 2007). The idea to calculate with reversed sets is from Ryan Mack's *Hyperbola
//! Project* of 2000. Chess Programming Wiki, *Hyperbola Quintessence*.
//!
//! **Method.** Let `o` be the blockers of a line without the slider, and `r` the slider's bit. `o -
//! r` borrows from the nearest blocker above, so the bits that change are the squares up to that
//! blocker. The same subtraction on the reversed line gives the squares down to the nearest blocker
//! below. On a file or a diagonal each rank holds one square, so swapping the bytes of the word, a
//! single instruction, reverses the line. With `rev` as byte swap the unchanged parts cancel out:
//!
//! ```text
//! attacks = ((o - r) ^ rev(rev(o) - rev(r))) & line
//! ```
//!
//! A rank lies within one byte, which a byte swap does not reverse. Attacks along ranks therefore
//! come from a table: eight files times 64 occupancies of the six inner squares.
//! [`HyperbolaReversal`](crate::HyperbolaReversal) reverses the bits of a rank instead.
//!
//! **Layout.** 64 records of 32 bytes (slider, file, diagonal, antidiagonal) and 512 bytes for the
//! ranks: 2,560 bytes, a small part of any first-level cache today.
//!
//! **Cost.** Three lines of about ten simple instructions each, and a dependency chain of three
//! loads for the rank. Measured in isolation it loses to the large tables (1,047 against 2,479
//! million queens per second for PEXT in D. Infuehr's *Chess_Movegen*). It need not lose in a
//! program that uses the cache for other data.

use raywalk_core::bitboards::attacks::{Lines, ray};
use raywalk_core::{Card, Control, Feature, Legality, Square};

use crate::piecewise::{Attacks, Piecewise};

/// Hyperbola quintessence in the shared frame: 2,560 bytes of slider tables.
pub type Hyperbola = Piecewise<HyperbolaAttacks>;

/// Line masks and rank table, 2,560 bytes.
#[repr(C)]
pub struct HyperbolaAttacks {
    records: [Record; 64],
    ranks: RankTable,
}

/// The bit of a square and the lines through it, without the square. Half a cache line.
#[repr(C)]
pub(crate) struct Record {
    pub slider: u64,
    pub file: u64,
    diagonal: u64,
    antidiagonal: u64,
}

impl Record {
    pub(crate) fn of_all_squares() -> [Record; 64] {
        std::array::from_fn(|n| {
            let square = Square::from_low_bits(n as u32);
            let Lines { file, diagonal, antidiagonal, .. } = Lines::through(square);
            Record { slider: square.bit(), file, diagonal, antidiagonal }
        })
    }

    /// The attacks along both diagonals.
    #[inline(always)]
    pub(crate) fn bishop(&self, occupied: u64) -> u64 {
        line(self.slider, self.diagonal, occupied) | line(self.slider, self.antidiagonal, occupied)
    }
}

impl Attacks for HyperbolaAttacks {
    const CARD: Card = Card {
        id: "bitboard/hyperbola",
        name: "Hyperbola quintessence",
        author: "Gerd Isenberg, Aleks Peshkov, Ryan Mack",
        year: Some(2007),
        source: "A. Peshkov, Computer Chess Club, 25 August 2007; Chess Programming Wiki, \
                 Hyperbola Quintessence",
        control: Control::Mixed,
        legality: Legality::Pseudo,
        published_bytes: Some(2_560),
        needs: &[],
        reconstructed: "The source shows attack sets. Pawns, move writing and castling are ours.",
    };
    type Occupied = u64;

    fn build() -> Result<HyperbolaAttacks, Feature> {
        Ok(HyperbolaAttacks { records: Record::of_all_squares(), ranks: RankTable::build() })
    }

    #[inline(always)]
    fn bishop(&self, square: Square, occupied: u64) -> u64 {
        self.records[square.index()].bishop(occupied)
    }

    #[inline(always)]
    fn rook(&self, square: Square, occupied: u64) -> u64 {
        let record = &self.records[square.index()];
        line(record.slider, record.file, occupied) | self.ranks.attacks(square, occupied)
    }
}

/// The attacks along a line that holds at most one square per rank.
#[inline(always)]
pub(crate) fn line(slider: u64, line: u64, occupied: u64) -> u64 {
    let blockers = occupied & line;
    // Wraps on purpose: without a blocker above, the borrow runs to the top of the word.
    let above = blockers.wrapping_sub(slider);
    let below = blockers.swap_bytes().wrapping_sub(slider.swap_bytes());
    (above ^ below.swap_bytes()) & line
}

/// Attacks along a rank: one byte for each occupancy of the six inner squares and each file.
///
/// The occupancy of the two edge squares does not matter: the slider reaches them in either case
/// and goes no further.
pub(crate) struct RankTable([u8; 512]);

impl RankTable {
    pub(crate) fn build() -> RankTable {
        RankTable(std::array::from_fn(|n| {
            // The index is inner occupancy times eight plus file; the occupancy moves to bits 1 to
            // 6.
            let (square, inner) = (Square::new(n as u8 & 7, 0), n as u64 >> 2 & 0x7e);
            (ray(square, (1, 0), inner) | ray(square, (-1, 0), inner)) as u8
        }))
    }

    #[inline(always)]
    pub(crate) fn attacks(&self, square: Square, occupied: u64) -> u64 {
        // Eight times the rank: the shift that moves the rank to the lowest byte.
        let shift = square.number() & 56;
        let inner = (occupied >> shift) as usize & 0x7e;
        u64::from(self.0[inner << 2 | square.index() & 7]) << shift
    }
}
