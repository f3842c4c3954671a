//! Obstruction difference: one subtraction reaches from blocker to blocker.
//!
//! **Source.** Michael Hoffmann, Computer Chess Club; simplified by Daniel Infuehr in 2022. Chess
//! Programming Wiki, *Obstruction Difference*.
//!
//! **Method.** Split the blockers of a line into those above the slider and those below it. The
//! nearest blocker below is the highest bit of the lower part. Subtracting that bit from the upper
//! part borrows from the nearest blocker above, so the bits that change are the squares from one
//! blocker to the other. Hoffmann isolates the nearest blocker above as well, doubles it, and
//! subtracts; in Infuehr's form, used here, the subtraction finds it:
//!
//! ```text
//! upper                1 0 1 0 0 . 0 0 0 0     . slider
//! nearest lower bit    0 0 0 0 0 . 0 1 0 0
//! upper - nearest      1 0 0 1 1 1 1 1 0 0
//! upper ^ difference   0 0 1 1 1 1 1 1 0 0     the line mask removes the slider and other lines
//! ```
//!
//! Without a blocker below, bit 0 is subtracted; without a blocker above, the borrow runs off the
//! top. In both cases the line mask removes the bits beyond the line. All four lines use the same
//! function, ranks included.
//!
//! **Layout.** Three words per line and square (the part below the slider, the part above, both):
//! 256 × 24 bytes, 6,144 bytes, as in D. Infuehr's *Chess_Movegen*.
//!
//! **Cost.** About nine simple instructions per line, one of them a scan from the top, and three
//! loads that do not depend on one another. *Chess_Movegen* counts 794 million queens per second.

use raywalk_core::bitboards::attacks::Lines;
use raywalk_core::{Card, Control, Feature, Legality, Square};

use crate::piecewise::{Attacks, Piecewise};

/// Obstruction difference in the shared frame: 6,144 bytes of slider tables.
pub type Obstruction = Piecewise<ObstructionAttacks>;

/// The parts of all lines by square, 6,144 bytes.
pub struct ObstructionAttacks {
    records: [Record; 64],
}

/// The lines through a square.
#[repr(C)]
struct Record {
    diagonal: Line,
    antidiagonal: Line,
    rank: Line,
    file: Line,
}

/// A line without the slider's square, and its two parts.
#[repr(C)]
struct Line {
    /// Squares with lower numbers than the slider's.
    lower: u64,
    /// Squares with higher numbers than the slider's.
    upper: u64,
    both: u64,
}

impl Line {
    fn new(square: Square, both: u64) -> Line {
        let below = square.bit() - 1;
        Line { lower: both & below, upper: both & !below, both }
    }

    #[inline(always)]
    fn attacks(&self, occupied: u64) -> u64 {
        // `| 1` makes the result defined without a blocker below: bit 0 is then the nearest. It
        // does not change which bit is the highest if there is one.
        let nearest = 1 << 63 >> (self.lower & occupied | 1).leading_zeros();
        let upper = self.upper & occupied;
        (upper ^ upper.wrapping_sub(nearest)) & self.both
    }
}

impl Attacks for ObstructionAttacks {
    const CARD: Card = Card {
        id: "bitboard/obstruction-difference",
        name: "Obstruction difference",
        author: "Michael Hoffmann, Daniel Infuehr",
        year: Some(2022),
        source: "Chess Programming Wiki, Obstruction Difference; D. Infuehr, Chess_Movegen",
        control: Control::Mixed,
        legality: Legality::Pseudo,
        published_bytes: Some(6_144),
        needs: &[],
        reconstructed: "The year is that of Infuehr's simplification; Hoffmann proposed the method \
                        earlier. Pawns, move writing and castling are ours.",
    };
    type Occupied = u64;

    fn build() -> Result<ObstructionAttacks, Feature> {
        let records = std::array::from_fn(|n| {
            let square = Square::from_low_bits(n as u32);
            let Lines { rank, file, diagonal, antidiagonal } = Lines::through(square);
            let line = |both| Line::new(square, both);
            Record {
                diagonal: line(diagonal),
                antidiagonal: line(antidiagonal),
                rank: line(rank),
                file: line(file),
            }
        });
        Ok(ObstructionAttacks { records })
    }

    #[inline(always)]
    fn bishop(&self, square: Square, occupied: u64) -> u64 {
        let Record { diagonal, antidiagonal, .. } = &self.records[square.index()];
        diagonal.attacks(occupied) | antidiagonal.attacks(occupied)
    }

    #[inline(always)]
    fn rook(&self, square: Square, occupied: u64) -> u64 {
        let Record { rank, file, .. } = &self.records[square.index()];
        rank.attacks(occupied) | file.attacks(occupied)
    }
}
