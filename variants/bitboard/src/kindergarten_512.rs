//! Kindergarten bitboards with one table of 512 bytes for all lines.
//!
//! **Source.** Gerd Isenberg and others, 2006; Chess Programming Wiki, *Kindergarten Bitboards*,
//! section on the shared rank lookup.
//!
//! **Method.** As in [`Kindergarten`](crate::Kindergarten), a multiplication gathers the six inner
//! squares of a line into an index. There, an entry is a set that is ready to be intersected with
//! the line. Here, it is the byte of the first rank, and a second multiplication spreads it: by the
//! a-file, which repeats the byte on all ranks, or, for a file, by the diagonal from a1 to h8. That
//! product has bit *i* of the byte on the h-file, *i* ranks below the eighth, and is then shifted
//! to the file of the slider. The first multiplication of a file turns the file around as well, so
//! both agree: the slider's place in the byte is its rank, counted from the eighth.
//!
//! **Layout.** 512 bytes for all lines and 64 records of three line masks, 1,536: 2,048 bytes.
//!
//! **Cost.** A second multiplication in the dependency chain of each line, three cycles, for a
//! sixteenth of the attack tables.

use raywalk_core::bitboards::attacks::ray;
use raywalk_core::{Card, Feature, Square};

use crate::kindergarten::{DIAGONAL_C2_H7, FILE_B, KindergartenAttacks, Record};
use crate::piecewise::{Attacks, Piecewise};
use crate::sets::{FILE_A, FILE_H};

/// Kindergarten bitboards with a shared table: 2,048 bytes of slider tables.
pub type Kindergarten512 = Piecewise<Kindergarten512Attacks>;

const DIAGONAL_A1_H8: u64 = 0x8040_2010_0804_0201;

/// Line masks and the shared table, 2,048 bytes.
pub struct Kindergarten512Attacks {
    records: [Record; 64],
    /// Attacks along the first rank, by inner occupancy and file.
    first_rank: [[u8; 8]; 64],
}

impl Attacks for Kindergarten512Attacks {
    const CARD: Card = Card {
        id: "bitboard/kindergarten-512",
        name: "Kindergarten bitboards, shared table",
        published_bytes: Some(512 + 1_536),
        ..KindergartenAttacks::CARD
    };
    type Occupied = u64;

    fn build() -> Result<Kindergarten512Attacks, Feature> {
        let first_rank = std::array::from_fn(|inner| {
            let occupied = (inner as u64) << 1;
            std::array::from_fn(|file| {
                let square = Square::new(file as u8, 0);
                (ray(square, (1, 0), occupied) | ray(square, (-1, 0), occupied)) as u8
            })
        });
        Ok(Kindergarten512Attacks { records: Record::of_all_squares(), first_rank })
    }

    #[inline(always)]
    fn rook(&self, square: Square, occupied: u64) -> u64 {
        let rank = self.line(square, self.records[square.index()].rank, occupied);
        rank | self.file(square, occupied)
    }

    #[inline(always)]
    fn bishop(&self, square: Square, occupied: u64) -> u64 {
        self.records[square.index()].of_bishop(|line| self.line(square, line, occupied))
    }
}

impl Kindergarten512Attacks {
    /// The attacks along a line that holds at most one square per file.
    #[inline(always)]
    fn line(&self, square: Square, line: u64, occupied: u64) -> u64 {
        let inner = (occupied & line).wrapping_mul(FILE_B) >> 58;
        let attacks = self.first_rank[inner as usize][usize::from(square.file())];
        u64::from(attacks).wrapping_mul(FILE_A) & line
    }

    /// The attacks along a file.
    #[inline(always)]
    fn file(&self, square: Square, occupied: u64) -> u64 {
        let on_a_file = occupied >> square.file() & FILE_A;
        let inner = on_a_file.wrapping_mul(DIAGONAL_C2_H7) >> 58;
        let attacks = self.first_rank[inner as usize][usize::from(7 - square.rank())];
        (u64::from(attacks).wrapping_mul(DIAGONAL_A1_H8) & FILE_H) >> (7 - square.file())
    }
}
