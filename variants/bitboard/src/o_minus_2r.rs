//! o^(o-2r): subtract a rook from a blocking piece.
//!
//! **Source.** Ryan Mack's *Hyperbola Project*, 2000, had the trick as `x ^ (x - 2)` together with
//! a second, reversed board. Chess Programming Wiki, *Subtracting a Rook from a Blocking Piece* and
//! *Reverse Bitboards*.
//!
//! **Method.** Let `o` be the pieces of a line, including the slider, and `r` the slider's bit.
//! Subtracting `r` once removes the slider; subtracting it again borrows from the nearest blocker
//! above. `o` and `o - 2r` differ in the squares above the slider, up to and including that
//! blocker. This works towards higher squares only. The other half of the line is reversed, treated
//! the same way, and reversed back.
//!
//! This is hyperbola quintessence before its simplification: both halves are computed separately
//! and each is cut to the line, where [`Hyperbola`](crate::Hyperbola) lets `o` cancel out. Files
//! and diagonals are reversed by a byte swap during the calculation, not kept on a second board.
//! Ranks are reversed with a table of all 256 bytes; attacks along a rank are calculated, not
//! looked up.
//!
//! **Layout.** 64 records of 24 bytes and 256 reversed bytes: 1,792 bytes, the smallest slider
//! tables of this crate.

use raywalk_core::bitboards::attacks::Lines;
use raywalk_core::{Card, Control, Feature, Legality, Square};

use crate::piecewise::{Attacks, Piecewise};

/// o^(o-2r) in the shared frame: 1,792 bytes of slider tables.
pub type OMinus2R = Piecewise<OMinus2RAttacks>;

/// Line masks and reversed bytes, 1,792 bytes.
pub struct OMinus2RAttacks {
    records: [Record; 64],
    reversed: [u8; 256],
}

/// The lines through a square that hold one square per rank, without the square itself.
struct Record {
    file: u64,
    diagonal: u64,
    antidiagonal: u64,
}

impl Attacks for OMinus2RAttacks {
    const CARD: Card = Card {
        id: "bitboard/o-minus-2r",
        name: "o^(o-2r)",
        author: "Ryan Mack, Gerd Isenberg",
        year: Some(2000),
        source: "Chess Programming Wiki, Subtracting a Rook from a Blocking Piece",
        control: Control::Mixed,
        legality: Legality::Pseudo,
        published_bytes: None,
        needs: &[],
        reconstructed: "Lines are reversed during the calculation instead of on a second board, \
                        ranks by a table of reversed bytes. Pawns, move writing and castling are \
                        ours.",
    };
    type Occupied = u64;

    fn build() -> Result<OMinus2RAttacks, Feature> {
        let records = std::array::from_fn(|n| {
            let Lines { file, diagonal, antidiagonal, .. } =
                Lines::through(Square::from_low_bits(n as u32));
            Record { file, diagonal, antidiagonal }
        });
        Ok(OMinus2RAttacks { records, reversed: std::array::from_fn(|n| (n as u8).reverse_bits()) })
    }

    #[inline(always)]
    fn bishop(&self, square: Square, occupied: u64) -> u64 {
        let record = &self.records[square.index()];
        line(square, record.diagonal, occupied) | line(square, record.antidiagonal, occupied)
    }

    #[inline(always)]
    fn rook(&self, square: Square, occupied: u64) -> u64 {
        let record = &self.records[square.index()];
        line(square, record.file, occupied) | self.rank(square, occupied)
    }
}

/// The attacks along a line that holds at most one square per rank.
#[inline(always)]
fn line(square: Square, line: u64, occupied: u64) -> u64 {
    // On h8 the shift drops the slider: nothing is subtracted, and the set is empty.
    let up = |pieces: u64, slider: u64| pieces ^ pieces.wrapping_sub(slider << 1);
    let pieces = occupied & line | square.bit();
    let above = up(pieces, square.bit()) & line;
    let below = up(pieces.swap_bytes(), square.bit().swap_bytes()).swap_bytes() & line;
    above | below
}

impl OMinus2RAttacks {
    /// The attacks along a rank, calculated in a byte. Without a blocker the borrow ends at the
    /// edge of the byte.
    #[inline(always)]
    fn rank(&self, square: Square, occupied: u64) -> u64 {
        let up = |pieces: u8, slider: u8| pieces ^ pieces.wrapping_sub(slider << 1);
        let shift = square.number() & 56;
        let slider = 1u8 << square.file();
        let pieces = (occupied >> shift) as u8 | slider;
        let reverse = |byte: u8| self.reversed[usize::from(byte)];
        let below = reverse(up(reverse(pieces), 0x80 >> square.file()));
        u64::from(up(pieces, slider) | below) << shift
    }
}
