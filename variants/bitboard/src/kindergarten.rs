//! Kindergarten bitboards: a multiplication gathers the six squares that matter.
//!
//! **Source.** Developed in forum discussions of 2006 by Gerd Isenberg, Urban Koistinen and others;
//! the name dates from 4 December 2006 (Winboard Forum). Chess Programming Wiki, *Kindergarten
//! Bitboards*.
//!
//! **Method.** The pieces on a rank or a diagonal stand on different files. Multiplying their set
//! by the b-file gathers their bits, without carries, in the top byte, shifted by one. The upper
//! six bits of the word are then the occupancy of the six inner files. They select one of 64 bytes,
//! repeated on all eight ranks; intersected with the line, it gives the attacks. The pieces of a
//! file are first shifted to the a-file and multiplied by the diagonal from c2 to h7, which turns
//! the file into six top bits.
//!
//! **Layout.** 4,096 bytes for ranks and diagonals, 4,096 for the a-file, 64 records of three line
//! masks, 1,536: 9,728 bytes. [`Kindergarten512`](crate::Kindergarten512) needs 2,048.
//!
//! **Cost.** A multiplication of three cycles per line, four lines for a queen. The method led to
//! magics, which hash two lines at once (Chess Programming Wiki, *Magic Bitboards*, history). D.
//! Infuehr's *Chess_Movegen* counts 1,173 million queens per second.

use raywalk_core::bitboards::attacks::{Lines, ray};
use raywalk_core::{Card, Control, Feature, Legality, Square};

use crate::piecewise::{Attacks, Piecewise};
use crate::sets::FILE_A;
use crate::tables::subsets;

/// Kindergarten bitboards in the shared frame: 9,728 bytes of slider tables.
pub type Kindergarten = Piecewise<KindergartenAttacks>;

pub(crate) const FILE_B: u64 = FILE_A << 1;
pub(crate) const DIAGONAL_C2_H7: u64 = 0x0080_4020_1008_0400;

/// Line masks and attacks by inner occupancy, 9,728 bytes.
pub struct KindergartenAttacks {
    records: [Record; 64],
    /// Attacks along a rank, repeated on all ranks, by file of the slider and inner occupancy.
    fill: [[u64; 64]; 8],
    /// Attacks along the a-file, by rank of the slider and inner occupancy.
    file: [[u64; 64]; 8],
}

/// The lines through a square that hold one square per file, without the square itself.
pub(crate) struct Record {
    pub rank: u64,
    pub diagonal: u64,
    pub antidiagonal: u64,
}

impl Record {
    pub(crate) fn of_all_squares() -> [Record; 64] {
        std::array::from_fn(|n| {
            let Lines { rank, diagonal, antidiagonal, .. } =
                Lines::through(Square::from_low_bits(n as u32));
            Record { rank, diagonal, antidiagonal }
        })
    }

    /// The attacks along both diagonals.
    #[inline(always)]
    pub(crate) fn of_bishop(&self, along: impl Fn(u64) -> u64) -> u64 {
        along(self.diagonal) | along(self.antidiagonal)
    }
}

impl Attacks for KindergartenAttacks {
    const CARD: Card = Card {
        id: "bitboard/kindergarten",
        name: "Kindergarten bitboards",
        author: "Gerd Isenberg, Urban Koistinen and others",
        year: Some(2006),
        source: "Winboard Forum, 4 December 2006; Chess Programming Wiki, Kindergarten Bitboards",
        control: Control::Mixed,
        legality: Legality::Pseudo,
        published_bytes: Some(9_728),
        needs: &[],
        reconstructed: "The source shows attack sets. Pawns, move writing and castling are ours.",
    };
    type Occupied = u64;

    fn build() -> Result<KindergartenAttacks, Feature> {
        let fill = std::array::from_fn(|file| {
            let square = Square::new(file as u8, 0);
            std::array::from_fn(|inner| {
                let occupied = (inner as u64) << 1;
                (ray(square, (1, 0), occupied) | ray(square, (-1, 0), occupied)) * FILE_A
            })
        });
        let mut file = [[0; 64]; 8];
        for (rank, attacks) in (0..).zip(&mut file) {
            let square = Square::new(0, rank);
            // Subsets that differ in the outer squares only share an index and an attack set.
            for occupied in subsets(FILE_A) {
                let set = ray(square, (0, 1), occupied) | ray(square, (0, -1), occupied);
                attacks[file_index(occupied)] = set;
            }
        }
        Ok(KindergartenAttacks { records: Record::of_all_squares(), fill, file })
    }

    #[inline(always)]
    fn bishop(&self, square: Square, occupied: u64) -> u64 {
        self.records[square.index()].of_bishop(|line| self.line(square, line, occupied))
    }

    #[inline(always)]
    fn rook(&self, square: Square, occupied: u64) -> u64 {
        let rank = self.line(square, self.records[square.index()].rank, occupied);
        let on_a_file = occupied >> square.file() & FILE_A;
        let file = self.file[usize::from(square.rank())][file_index(on_a_file)];
        rank | file << square.file()
    }
}

impl KindergartenAttacks {
    /// The attacks along a line that holds at most one square per file.
    #[inline(always)]
    fn line(&self, square: Square, line: u64, occupied: u64) -> u64 {
        let inner = (occupied & line).wrapping_mul(FILE_B) >> 58;
        self.fill[usize::from(square.file())][inner as usize] & line
    }
}

/// The occupancy of the six inner squares of the a-file as a number below 64.
#[inline(always)]
fn file_index(on_a_file: u64) -> usize {
    (on_a_file.wrapping_mul(DIAGONAL_C2_H7) >> 58) as usize
}
