//! Rotated bitboards: the occupied squares are kept in four orders.
//!
//! **Source.** Robert Hyatt, *Rotated bitmaps, a new twist on an old idea*, ICCA Journal 22 (1999),
//! 213–222. He developed them for Crafty, which he began in late 1994; Ernst Heinz and Peter Gillgasch
//! used them in DarkThought. Chess Programming Wiki, *Rotated Bitboards*.
//!
//! **Method.** The squares of a rank are eight neighbouring bits of the occupied set, which select
//! one of 256 attack sets of the slider's square. The squares of a file or a diagonal are scattered.
//! Therefore the board keeps the occupied set three more times, in orders in which the squares of a
//! file, a diagonal, or an antidiagonal are neighbours ([`RotatedBoard`]). Each line is then a shift,
//! a mask and a look-up. For a line of less than eight squares, the upper bits of the index belong to
//! other lines, and the table has the same entry for all of their values.
//!
//! The two squares at the ends of a line do not matter, so six bits are enough for an index: later
//! versions of Crafty have 64 entries per line and square. Both forms are designs here; they differ
//! in the size of their tables only.
//!
//! **Layout.** Four tables of 64 × 256 sets, 524,288 bytes, or of 64 × 64 sets, 131,072 bytes, and
//! 128 bytes for the shifts of the diagonals. The board needs three words more.
//!
//! **Cost.** One load per line, two for a diagonal, and hardly any calculation. The price is paid by
//! make and unmake, which update four sets in place of one. D. Infuehr's *Chess_Movegen*, which
//! measures another form (14 KiB), counts 488 million queens per second.

use raywalk_core::bitboards::attacks::ray;
use raywalk_core::{Card, Control, Feature, Legality, Square};

use crate::piecewise::{Attacks, Piecewise};
use crate::rotated_board::{Order, Orders};
use crate::tables::boxed;

/// Rotated bitboards with an index of all eight squares: 524,416 bytes of slider tables.
pub type Rotated = Piecewise<RotatedAttacks<256>>;

/// Rotated bitboards with an index of the six inner squares: 131,200 bytes of slider tables.
pub type RotatedInner = Piecewise<RotatedAttacks<64>>;

/// Attack sets along each line by square and `N` occupancies, and the shifts of the diagonals.
pub struct RotatedAttacks<const N: usize> {
    ranks: Table<N>,
    files: Table<N>,
    diagonals: Table<N>,
    antidiagonals: Table<N>,
    diagonal_shifts: [u8; 64],
    antidiagonal_shifts: [u8; 64],
}

type Table<const N: usize> = Box<[[u64; N]; 64]>;

impl<const N: usize> RotatedAttacks<N> {
    /// Squares at the lower end of a line that the index leaves out.
    const SKIPPED: u32 = match N {
        256 => 0,
        64 => 1,
        _ => panic!("an index has eight bits or six"),
    };

    /// The sets along the lines of one order, which lead in `step` and against it.
    fn table(order: Order, step: (i8, i8)) -> Table<N> {
        let back = (-step.0, -step.1);
        let mut table = boxed([0; N]);
        for square in Square::all() {
            let start = order.start(square);
            for (index, set) in table[square.index()].iter_mut().enumerate() {
                // The window of the index, in the order of the board. Bits that belong to other
                // lines block no ray of this one.
                let turned = (index as u64) << Self::SKIPPED << start;
                let occupied = order.restored(turned);
                *set = ray(square, step, occupied) | ray(square, back, occupied);
            }
        }
        table
    }

    /// The shift that moves the first square of the index to bit 0.
    fn shift(order: Order, square: Square) -> u8 {
        // A line of one square may begin at bit 63. It has no attacks, so any index will do.
        (order.start(square) + Self::SKIPPED).min(63) as u8
    }

    #[inline(always)]
    fn index(occupied: u64, shift: u8) -> usize {
        (occupied >> (shift & 63)) as usize & (N - 1)
    }
}

impl<const N: usize> Attacks for RotatedAttacks<N> {
    const CARD: Card = Card {
        id: if N == 256 { "bitboard/rotated" } else { "bitboard/rotated-inner" },
        name: if N == 256 { "Rotated bitboards" } else { "Rotated bitboards, inner squares" },
        author: "Robert Hyatt; Ernst Heinz, Peter Gillgasch",
        year: Some(1999),
        source: "R. Hyatt, Rotated bitmaps, a new twist on an old idea, ICCA Journal 22 (1999)",
        control: Control::Mixed,
        legality: Legality::Pseudo,
        published_bytes: Some(4 * 64 * N * 8),
        needs: &[],
        reconstructed: "The year is that of the article; the work on Crafty began in late 1994. \
                        Order of the turned squares, pawns, move writing and castling are ours.",
    };
    type Occupied = Orders;

    fn build() -> Result<RotatedAttacks<N>, Feature> {
        let shifts =
            |order| std::array::from_fn(|n| Self::shift(order, Square::from_low_bits(n as u32)));
        Ok(RotatedAttacks {
            ranks: Self::table(Order::Ranks, (1, 0)),
            files: Self::table(Order::Files, (0, 1)),
            diagonals: Self::table(Order::Diagonals, (1, 1)),
            antidiagonals: Self::table(Order::Antidiagonals, (1, -1)),
            diagonal_shifts: shifts(Order::Diagonals),
            antidiagonal_shifts: shifts(Order::Antidiagonals),
        })
    }

    #[inline(always)]
    fn bishop(&self, square: Square, occupied: Orders) -> u64 {
        let n = square.index();
        let diagonal = Self::index(occupied.diagonals, self.diagonal_shifts[n]);
        let antidiagonal = Self::index(occupied.antidiagonals, self.antidiagonal_shifts[n]);
        self.diagonals[n][diagonal] | self.antidiagonals[n][antidiagonal]
    }

    #[inline(always)]
    fn rook(&self, square: Square, occupied: Orders) -> u64 {
        let n = square.index();
        let skipped = Self::SKIPPED as u8;
        let rank = Self::index(occupied.ranks, 8 * square.rank() + skipped);
        let file = Self::index(occupied.files, 8 * square.file() + skipped);
        self.ranks[n][rank] | self.files[n][file]
    }

    fn table_bytes(&self) -> usize {
        let tables = [&self.ranks, &self.files, &self.diagonals, &self.antidiagonals];
        tables.map(|table| size_of_val(&**table)).iter().sum::<usize>()
            + size_of_val(&self.diagonal_shifts)
            + size_of_val(&self.antidiagonal_shifts)
    }
}
