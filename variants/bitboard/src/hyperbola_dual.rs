//! Hyperbola quintessence in one AVX2 register: file and both diagonals at once.
//!
//! **Source.** Stockfish, May 2026, where it is called *dual*: file and diagonals of a square are
//! computed together, and ranks come from a table. Chess Programming Wiki, *Hyperbola Quintessence*,
//! has the same for two lines in SSE registers.
//!
//! **Method.** As in [`Hyperbola`](crate::Hyperbola). A register has four words, for the file, the
//! diagonal, nothing, and the antidiagonal. One shuffle swaps the bytes of all words, one
//! subtraction serves all lines. The unused word puts each diagonal into its own half: the union of
//! both halves is the file in the lower word and both diagonals in the upper one.
//!
//! **Layout.** 64 records of 64 bytes (masks of the four words, the slider's bit, and the bit with
//! swapped bytes) and the 512 bytes for the ranks: 4,608 bytes.
//!
//! **Cost.** A queen costs as many vector instructions as a bishop. The occupied set has to be moved
//! to a vector register and the result back, which costs a rook more than it saves.

use raywalk_core::bitboards::attacks::Lines;
use raywalk_core::{Card, Control, Feature, Legality, Square};

use crate::avx2::Avx2;
use crate::hyperbola::RankTable;
use crate::piecewise::{Attacks, Piecewise};

/// Dual hyperbola quintessence in the shared frame: 4,608 bytes of slider tables.
pub type HyperbolaDual = Piecewise<HyperbolaDualAttacks>;

/// Line masks and rank table, 4,608 bytes.
#[repr(C)]
pub struct HyperbolaDualAttacks {
    records: [Record; 64],
    ranks: RankTable,
    avx2: Avx2,
}

/// A square and the lines through it, without the square. One cache line.
#[repr(C, align(64))]
struct Record {
    /// File, diagonal, nothing, antidiagonal.
    masks: [u64; 4],
    slider: u64,
    /// The slider's bit with the bytes of the word swapped.
    reversed: u64,
}

impl Attacks for HyperbolaDualAttacks {
    const CARD: Card = Card {
        id: "bitboard/hyperbola-dual",
        name: "Dual hyperbola quintessence",
        author: "Stockfish developers, after Gerd Isenberg, Aleks Peshkov, Ryan Mack",
        year: Some(2026),
        source: "Stockfish, commits of May 2026; Chess Programming Wiki, Hyperbola Quintessence",
        control: Control::Mixed,
        legality: Legality::Pseudo,
        published_bytes: Some(4_096 + 512),
        needs: &[Feature::Avx2],
        reconstructed: "Contents of a record beside the masks. Pawns, move writing and castling \
                        are ours.",
    };
    type Occupied = u64;

    fn build() -> Result<HyperbolaDualAttacks, Feature> {
        let avx2 = Avx2::detect()?;
        let records = std::array::from_fn(|n| {
            let square = Square::from_low_bits(n as u32);
            let Lines { file, diagonal, antidiagonal, .. } = Lines::through(square);
            let slider = square.bit();
            Record {
                masks: [file, diagonal, 0, antidiagonal],
                slider,
                reversed: slider.swap_bytes(),
            }
        });
        Ok(HyperbolaDualAttacks { records, ranks: RankTable::build(), avx2 })
    }

    #[inline(always)]
    fn bishop(&self, square: Square, occupied: u64) -> u64 {
        self.lines(square, occupied)[1]
    }

    #[inline(always)]
    fn rook(&self, square: Square, occupied: u64) -> u64 {
        self.lines(square, occupied)[0] | self.ranks.attacks(square, occupied)
    }

    #[inline(always)]
    fn queen(&self, square: Square, occupied: u64) -> u64 {
        let [file, diagonals] = self.lines(square, occupied);
        file | diagonals | self.ranks.attacks(square, occupied)
    }
}

impl HyperbolaDualAttacks {
    /// The attacks along the file, and those along both diagonals.
    #[inline(always)]
    fn lines(&self, square: Square, occupied: u64) -> [u64; 2] {
        let Record { masks, slider, reversed } = &self.records[square.index()];
        self.avx2.hyperbola(masks, *slider, *reversed, occupied)
    }
}
