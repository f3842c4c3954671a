//! Hyperbola quintessence without a rank table: ranks are reversed bit by bit.
//!
//! **Source.** Gerd Isenberg, Aleks Peshkov; Chess Programming Wiki, *Hyperbola Quintessence* and
//! *Reverse Bitboards*. On processors that reverse the bits of a word in one instruction (`rbit` on
//! ARM), the formula for files and diagonals works for ranks as well.
//!
//! **Method.** As in [`Hyperbola`](crate::Hyperbola), which reads attacks along ranks from a table
//! because a byte swap does not reverse a rank. Here a rank is reversed with all bits of its word.
//! The two designs differ in their ranks only.
//!
//! **Layout.** 64 records of 32 bytes (slider, file, diagonal, antidiagonal): 2,048 bytes. The mask
//! of a rank follows from the square.
//!
//! **Cost.** On ARM a rank costs as much as a file. x86-64 has no such instruction: each of the
//! three reversals of a rank is a byte swap and three rounds of shifts and masks, and there the
//! table of 512 bytes is the better choice, unless the cache is needed for other data.

use raywalk_core::{Card, Feature, Square};

use crate::hyperbola::{HyperbolaAttacks, Record, line};
use crate::piecewise::{Attacks, Piecewise};

/// Hyperbola quintessence by bit reversal in the shared frame: 2,048 bytes of slider tables.
pub type HyperbolaReversal = Piecewise<HyperbolaReversalAttacks>;

/// Line masks, 2,048 bytes.
pub struct HyperbolaReversalAttacks {
    records: [Record; 64],
}

impl Attacks for HyperbolaReversalAttacks {
    const CARD: Card = Card {
        id: "bitboard/hyperbola-reversal",
        name: "Hyperbola quintessence by bit reversal",
        source: "Chess Programming Wiki, Hyperbola Quintessence",
        published_bytes: Some(2_048),
        reconstructed: "The source shows attack sets, and reversed ranks as a remark. Pawns, move \
                        writing and castling are ours.",
        ..HyperbolaAttacks::CARD
    };
    type Occupied = u64;

    fn build() -> Result<HyperbolaReversalAttacks, Feature> {
        Ok(HyperbolaReversalAttacks { records: Record::of_all_squares() })
    }

    #[inline(always)]
    fn rook(&self, square: Square, occupied: u64) -> u64 {
        let record = &self.records[square.index()];
        line(record.slider, record.file, occupied) | rank(square, record.slider, occupied)
    }

    #[inline(always)]
    fn bishop(&self, square: Square, occupied: u64) -> u64 {
        self.records[square.index()].bishop(occupied)
    }
}

/// The attacks along a rank.
#[inline(always)]
fn rank(square: Square, slider: u64, occupied: u64) -> u64 {
    let rank = 0xff << (square.number() & 56);
    let blockers = occupied & rank & !slider;
    // Wraps on purpose, as for the other lines.
    let above = blockers.wrapping_sub(slider);
    let below = blockers.reverse_bits().wrapping_sub(slider.reverse_bits());
    // The slider's bit is set in both differences, so it cancels out.
    (above ^ below.reverse_bits()) & rank
}
