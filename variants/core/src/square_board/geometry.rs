//! Where the 64 squares lie among the cells of a board.
//!
//! A padded geometry surrounds them with cells that hold a guard code, so that a walk ends at the
//! edge by reading; 0x88 has a second half that is told apart by two bits of the index; plain 8x8
//! has neither, and whoever walks on it must know where the edge is.

use crate::{Kind, Square};

/// The cells of a board: any `u8` is a valid index, so reading needs no check and no `unsafe`.
pub trait Cells: Copy + Send + Sync + 'static {
    /// All cells hold `code`.
    fn filled(code: u8) -> Self;
    /// The code in a cell.
    fn get(&self, cell: u8) -> u8;
    /// Writes a cell.
    fn set(&mut self, cell: u8, code: u8);
}

/// Sixty-four bytes, one cache line; the index is taken modulo 64.
impl Cells for [u8; 64] {
    #[inline(always)]
    fn filled(code: u8) -> Self {
        [code; 64]
    }
    #[inline(always)]
    fn get(&self, cell: u8) -> u8 {
        self[usize::from(cell & 63)]
    }
    #[inline(always)]
    fn set(&mut self, cell: u8, code: u8) {
        self[usize::from(cell & 63)] = code;
    }
}

/// More cells than any geometry has, because then the index needs no mask either; cells that are
/// never read stay out of the cache.
impl Cells for [u8; 256] {
    #[inline(always)]
    fn filled(code: u8) -> Self {
        [code; 256]
    }
    #[inline(always)]
    fn get(&self, cell: u8) -> u8 {
        self[usize::from(cell)]
    }
    #[inline(always)]
    fn set(&mut self, cell: u8, code: u8) {
        self[usize::from(cell)] = code;
    }
}

/// One layout of the squares. Steps are wrapping `u8` sums: west is 255.
pub trait Geometry: Copy + Send + Sync + 'static {
    /// The storage.
    type Cells: Cells;
    /// `8x8`, `10x12`, `0x88`, `15x12`, `16x12`.
    const NAME: &'static str;
    /// Cells from a square to the one north of it.
    const WIDTH: u8;
    /// The cell of a1.
    const ORIGIN: u8;
    /// Whether a step over the edge meets a cell that holds the guard code.
    const PADDED: bool;

    /// The cell of a square.
    #[inline(always)]
    fn cell(square: Square) -> u8 {
        Self::ORIGIN + Self::WIDTH * square.rank() + square.file()
    }

    /// The square of a cell on the board. Off the board the answer means nothing.
    #[inline(always)]
    fn square(cell: u8) -> Square {
        const { assert!(Self::PADDED, "an unpadded geometry computes its squares") };
        Self::SQUARES[usize::from(cell)]
    }

    /// The square of each cell, for geometries whose inverse is no cheap arithmetic.
    const SQUARES: [Square; 256] = {
        let mut squares = [Square::from_low_bits(0); 256];
        let mut n = 0;
        while n < 64 {
            let cell = Self::ORIGIN as usize + Self::WIDTH as usize * (n / 8) + n % 8;
            squares[cell] = Square::from_low_bits(n as u32);
            n += 1;
        }
        squares
    };

    /// The step of so many files and ranks, to be added with `wrapping_add`.
    #[inline(always)]
    fn step(files: i8, ranks: i8) -> u8 {
        (ranks.wrapping_mul(Self::WIDTH as i8)).wrapping_add(files) as u8
    }

    /// The steps of the queen and king, in the order of [`Kind::steps`]: four of the rook, then
    /// four of the bishop.
    const QUEEN_STEPS: &'static [u8; 8] = &steps(Kind::Queen, Self::WIDTH);
    /// The leaps of the knight, in the order of [`Kind::steps`].
    const KNIGHT_STEPS: &'static [u8; 8] = &steps(Kind::Knight, Self::WIDTH);

    /// Whether one step of any piece, from a square to a cell, leaves the board, where the two
    /// indexes tell. A padded geometry always says no: there the cell itself tells.
    #[inline(always)]
    fn leaves(_from: u8, _to: u8) -> bool {
        const { assert!(Self::PADDED, "an unpadded geometry tells its edge by index") };
        false
    }

    /// Whether so many files to the east (or, negative, to the west) of a square lie beyond the
    /// edge, where the index tells: all that a pawn must ask, since it never leaves by rank.
    #[inline(always)]
    fn wraps(_from: u8, _files: i8) -> bool {
        const { assert!(Self::PADDED, "an unpadded geometry tells its edge by index") };
        false
    }
}

const fn steps(kind: Kind, width: u8) -> [u8; 8] {
    let mut steps = [0; 8];
    let mut n = 0;
    while n < 8 {
        let (files, ranks) = kind.steps()[n];
        steps[n] = ranks.wrapping_mul(width as i8).wrapping_add(files) as u8;
        n += 1;
    }
    steps
}

/// The bare board: a cell is a square.
#[derive(Clone, Copy, Debug)]
pub struct Grid8x8;
impl Geometry for Grid8x8 {
    type Cells = [u8; 64];
    const NAME: &'static str = "8x8";
    const WIDTH: u8 = 8;
    const ORIGIN: u8 = 0;
    const PADDED: bool = false;
    #[inline(always)]
    fn square(cell: u8) -> Square {
        Square::from_low_bits(u32::from(cell))
    }
    /// Beyond the first or last rank the number is 64 or more. Beyond the a- or h-file it is that
    /// of a square six or seven files away, and no piece moves further than two files in one step.
    #[inline(always)]
    fn leaves(from: u8, to: u8) -> bool {
        to >= 64 || (from & 7).abs_diff(to & 7) > 2
    }
    #[inline(always)]
    fn wraps(from: u8, files: i8) -> bool {
        (from & 7).wrapping_add(files as u8) > 7
    }
}

/// Two guard ranks above and below, because knights jump two; one guard file on each side serves,
/// because the right one of a row adjoins the left one of the next.
#[derive(Clone, Copy, Debug)]
pub struct Grid10x12;
impl Geometry for Grid10x12 {
    type Cells = [u8; 256];
    const NAME: &'static str = "10x12";
    const WIDTH: u8 = 10;
    const ORIGIN: u8 = 21;
    const PADDED: bool = true;
}

/// Sixteen files of which eight are real: a cell is on the board iff `cell & 0x88 == 0`.
#[derive(Clone, Copy, Debug)]
pub struct Grid0x88;
impl Grid0x88 {
    /// Whether the cell is a square. Holds for every cell that a step from a square can reach.
    #[inline(always)]
    pub const fn on_board(cell: u8) -> bool {
        cell & 0x88 == 0
    }
}
impl Geometry for Grid0x88 {
    type Cells = [u8; 256];
    const NAME: &'static str = "0x88";
    const WIDTH: u8 = 16;
    const ORIGIN: u8 = 0;
    const PADDED: bool = false;
    #[inline(always)]
    fn square(cell: u8) -> Square {
        Square::from_low_bits(u32::from(cell.wrapping_add(cell & 7) >> 1))
    }
    #[inline(always)]
    fn leaves(_from: u8, to: u8) -> bool {
        !Self::on_board(to)
    }
    #[inline(always)]
    fn wraps(from: u8, files: i8) -> bool {
        !Self::on_board(from.wrapping_add(files as u8))
    }
}

/// Fifteen files, the least width for which the difference of two cells determines direction and
/// distance, with two guard ranks above and below (Reul 2009).
#[derive(Clone, Copy, Debug)]
pub struct Grid15x12;
impl Geometry for Grid15x12 {
    type Cells = [u8; 256];
    const NAME: &'static str = "15x12";
    const WIDTH: u8 = 15;
    const ORIGIN: u8 = 34;
    const PADDED: bool = true;
}

/// The same with the width of 0x88.
#[derive(Clone, Copy, Debug)]
pub struct Grid16x12;
impl Geometry for Grid16x12 {
    type Cells = [u8; 256];
    const NAME: &'static str = "16x12";
    const WIDTH: u8 = 16;
    const ORIGIN: u8 = 36;
    const PADDED: bool = true;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip<G: Geometry>() {
        for square in Square::all() {
            assert_eq!(G::square(G::cell(square)), square, "{}", G::NAME);
        }
    }

    #[test]
    fn a_cell_gives_back_its_square_in_every_geometry() {
        round_trip::<Grid8x8>();
        round_trip::<Grid10x12>();
        round_trip::<Grid0x88>();
        round_trip::<Grid15x12>();
        round_trip::<Grid16x12>();
    }

    /// One step of any piece from any square: the right square, or no square.
    fn steps_respect_the_edge<G: Geometry>() {
        let squares: Vec<u8> = Square::all().map(G::cell).collect();
        for from in Square::all() {
            for &(files, ranks) in Kind::Knight.steps().iter().chain(Kind::Queen.steps()) {
                let cell = G::cell(from).wrapping_add(G::step(files, ranks));
                match from.offset(files, ranks) {
                    Some(to) => assert_eq!(cell, G::cell(to)),
                    None => assert!(!squares.contains(&cell), "{} {from} {files} {ranks}", G::NAME),
                }
            }
        }
    }

    #[test]
    fn a_step_over_the_edge_never_lands_on_a_square() {
        steps_respect_the_edge::<Grid10x12>();
        steps_respect_the_edge::<Grid0x88>();
        steps_respect_the_edge::<Grid15x12>();
        steps_respect_the_edge::<Grid16x12>();
    }

    #[test]
    fn two_bits_tell_every_cell_off_the_0x88_board() {
        for from in Square::all() {
            for &(files, ranks) in Kind::Knight.steps().iter().chain(Kind::Queen.steps()) {
                let cell = Grid0x88::cell(from).wrapping_add(Grid0x88::step(files, ranks));
                assert_eq!(Grid0x88::on_board(cell), from.offset(files, ranks).is_some());
            }
        }
    }
    /// Geometries that tell their edge by index: every step of every piece from every square.
    fn the_index_tells_the_edge<G: Geometry>() {
        for from in Square::all() {
            let cell = G::cell(from);
            for (kind, steps) in [(Kind::Queen, G::QUEEN_STEPS), (Kind::Knight, G::KNIGHT_STEPS)] {
                for (&(files, ranks), step) in kind.steps().iter().zip(steps) {
                    assert_eq!(*step, G::step(files, ranks), "{} {kind:?}", G::NAME);
                    let outside = from.offset(files, ranks).is_none();
                    let to = cell.wrapping_add(*step);
                    assert_eq!(G::leaves(cell, to), outside && !G::PADDED, "{} {from}", G::NAME);
                }
            }
            for files in [-1, 1] {
                let outside = from.offset(files, 0).is_none();
                assert_eq!(G::wraps(cell, files), outside && !G::PADDED, "{} {from}", G::NAME);
            }
        }
    }

    #[test]
    fn the_index_tells_the_edge_unless_the_cell_does() {
        the_index_tells_the_edge::<Grid8x8>();
        the_index_tells_the_edge::<Grid10x12>();
        the_index_tells_the_edge::<Grid0x88>();
        the_index_tells_the_edge::<Grid15x12>();
        the_index_tells_the_edge::<Grid16x12>();
    }
}
