//! Geometries: how the 64 squares are placed among the cells of a board.
//!
//! A padded geometry surrounds the squares with cells that hold a guard code, so a walk detects the
//! edge by reading the cell. 0x88 detects it from two bits of the index. Plain 8x8 has neither, so
//! a walk has to compare the file of both cells.

use super::{BoardPerSide, Cells, ColoursAndKinds};
use crate::{Kind, Square, Target, opaque};

/// A placement of the squares. Steps are `u8` values for `wrapping_add`: one file west is 255.
pub trait Geometry: Copy + Send + Sync + 'static {
    /// Storage for the cells: one array of bytes, or two.
    type Cells: Cells;
    /// The name in messages of tests, such as `10x12`.
    const NAME: &'static str;
    /// Cells per row: the distance from a square to the one north of it.
    const WIDTH: u8;
    /// The cell of a1.
    const ORIGIN: u8;
    /// Whether a step over the edge reaches a cell that holds the guard code.
    const PADDED: bool;
    /// Cells of the board: those that are written or read, and the rest of their rows. Storage may have
    /// more, so that every `u8` is an index. A board stored as two has those of both.
    const CELLS: usize;

    /// The cell of a square.
    #[inline(always)]
    fn cell(square: Square) -> u8 {
        cell_of(Self::ORIGIN, Self::WIDTH, square)
    }

    /// The square of a cell. The result for a cell off the board is unspecified.
    #[inline(always)]
    fn square(cell: u8) -> Square {
        Self::target(cell).square()
    }

    /// The square of a cell as the target of a move. The result for a cell off the board is unspecified.
    #[inline(always)]
    fn target(cell: u8) -> Target {
        const { assert!(Self::PADDED, "an unpadded geometry must compute its targets") };
        Self::TARGETS[usize::from(cell)]
    }

    /// [`target`](Geometry::target) for a walk, in which a geometry may leave out what only a cell off the board needs.
    ///
    /// # Safety
    /// [`stepped`](Geometry::stepped) of this geometry returned a number whose low eight bits are `cell`.
    #[inline(always)]
    unsafe fn target_of_step(cell: u8) -> Target {
        Self::target(cell)
    }

    /// The target of each cell, for geometries in which computing it is expensive.
    const TARGETS: [Target; 256] = {
        // Guard cells keep a1. A walk may look one up, but it does not keep the move.
        let mut targets = [Target::of(Square::A1); 256];
        let mut n = 0;
        while n < 64 {
            let square = Square::from_low_bits(n as u32);
            targets[cell_of(Self::ORIGIN, Self::WIDTH, square) as usize] = Target::of(square);
            n += 1;
        }
        targets
    };

    /// Bytes of [`TARGETS`](Geometry::TARGETS) that can be read: two for each cell of the board, and
    /// none if the geometry computes its squares.
    const MAP_BYTES: usize = if Self::PADDED { Self::CELLS * size_of::<Target>() } else { 0 };

    /// The step of so many files (east) and ranks (north), for `wrapping_add`.
    #[inline(always)]
    fn step(files: i8, ranks: i8) -> u8 {
        step_of(Self::WIDTH, files, ranks)
    }

    /// The steps of queen and king in the order of [`Kind::steps`]: four of the rook, then four of
    /// the bishop.
    const QUEEN_STEPS: &'static [u8; 8] = &steps(Kind::Queen, Self::WIDTH);
    /// The leaps of the knight, in the order of [`Kind::steps`].
    const KNIGHT_STEPS: &'static [u8; 8] = &steps(Kind::Knight, Self::WIDTH);
    /// The steps of each kind; none of the pawn. A loop over an entry has a number of iterations unknown to
    /// the compiler, so it stays a loop in every design.
    const STEPS: [&'static [u8]; 6] = {
        let (rook, bishop) = Self::QUEEN_STEPS.split_at(4);
        [&[], Self::KNIGHT_STEPS, bishop, rook, Self::QUEEN_STEPS, Self::QUEEN_STEPS]
    };

    /// The cell behind one step of any piece from a square, or `None` if the step leaves the board, judged by the
    /// two indexes: the cell is in the low eight bits. Always a cell for a padded geometry, where the cell holds a
    /// guard instead.
    ///
    /// Cells are numbers of full width here, and a step to lower cells is negative: in eight bits each sum would be
    /// copied before it is extended to an index, and a test of the index would tell the compiler nothing about the
    /// bits above them. Each sum is [`opaque`], or the compiler would add the step to several numbers at once, to the
    /// cell, to its low bits and to the target, and narrow some of the sums again.
    #[inline(always)]
    fn stepped(from: usize, step: isize) -> Option<usize> {
        const { assert!(Self::PADDED, "an unpadded geometry must test the index") };
        // Not masked: every sum has the cell in its low eight bits, and a cell is used in eight bits.
        Some(opaque(from.wrapping_add_signed(step)))
    }

    /// Whether a step of so many files (negative: west) leaves the board, judged by the index. This
    /// is the only edge test of a pawn, which never leaves by rank. Always false for a padded
    /// geometry.
    #[inline(always)]
    fn wraps(_from: u8, _files: i8) -> bool {
        const { assert!(Self::PADDED, "an unpadded geometry must test the index") };
        false
    }
}

/// The cell of a square in rows of `width` cells, where a1 is in cell `origin`. [`Geometry::cell`] cannot be called
/// in constant expressions.
#[inline(always)]
pub(super) const fn cell_of(origin: u8, width: u8, square: Square) -> u8 {
    origin + width * square.rank() + square.file()
}

/// The step of so many files and ranks in rows of `width` cells.
#[inline(always)]
pub(super) const fn step_of(width: u8, files: i8, ranks: i8) -> u8 {
    ranks.wrapping_mul(width as i8).wrapping_add(files) as u8
}

/// A step of [`Geometry::STEPS`] as a signed number, for [`Geometry::stepped`].
#[inline(always)]
pub(super) const fn signed(step: u8) -> isize {
    step.cast_signed() as isize
}

const fn steps(kind: Kind, width: u8) -> [u8; 8] {
    let mut steps = [0; 8];
    let mut n = 0;
    while n < 8 {
        let (files, ranks) = kind.steps()[n];
        steps[n] = step_of(width, files, ranks);
        n += 1;
    }
    steps
}

/// Implements [`Geometry`] for a padded board, which uses the provided methods throughout.
macro_rules! padded_geometry {
    ($grid:ident { NAME: $name:literal, WIDTH: $width:literal, ORIGIN: $origin:literal }) => {
        impl Geometry for $grid {
            type Cells = [u8; 256];
            const NAME: &'static str = $name;
            const WIDTH: u8 = $width;
            const ORIGIN: u8 = $origin;
            const PADDED: bool = true;
            // Eight ranks and two guard ranks on each side.
            const CELLS: usize = 12 * Self::WIDTH as usize;
        }
    };
}

/// Implements [`Geometry`] for a board of 64 squares without padding, whatever stores its cells.
macro_rules! plain_geometry {
    ($grid:ident { NAME: $name:literal, Cells: $cells:ty }) => {
        impl Geometry for $grid {
            type Cells = $cells;
            const CELLS: usize = size_of::<$cells>();
            const NAME: &'static str = $name;
            const WIDTH: u8 = 8;
            const ORIGIN: u8 = 0;
            const PADDED: bool = false;
            #[inline(always)]
            fn square(cell: u8) -> Square {
                Square::from_low_bits(u32::from(cell))
            }
            #[inline(always)]
            fn target(cell: u8) -> Target {
                Target::of(Self::square(cell))
            }
            /// A step over the first or last rank wraps to 64 or more. A step over the a- or h-file
            /// lands six or seven files away, but no single step of a piece is longer than two files.
            #[inline(always)]
            fn stepped(from: usize, step: isize) -> Option<usize> {
                let to = opaque(from.wrapping_add_signed(step));
                // The difference of the files plus two, which is 0 to 4 and wraps above that
                // otherwise.
                let is_off = to >= 64 || ((from & 7) + 2).wrapping_sub(to & 7) > 4;
                (!is_off).then_some(to)
            }
            #[inline(always)]
            fn wraps(from: u8, files: i8) -> bool {
                // One file west of the a-file is 255.
                (from & 7).wrapping_add(files as u8) > 7
            }
        }
    };
}

/// 64 cells, one per square, without padding.
#[derive(Clone, Copy, Debug)]
pub struct Grid8x8;
plain_geometry!(Grid8x8 { NAME: "8x8", Cells: [u8; 64] });

/// [`Grid8x8`] with a board of colours and a board of kinds.
#[derive(Clone, Copy, Debug)]
pub struct SplitGrid8x8;
plain_geometry!(SplitGrid8x8 { NAME: "8x8, colours and kinds", Cells: ColoursAndKinds });

/// [`Grid8x8`] with a board for each side.
#[derive(Clone, Copy, Debug)]
pub struct TwoGrids8x8;
plain_geometry!(TwoGrids8x8 { NAME: "8x8 for each side", Cells: BoardPerSide });

/// Two guard ranks above and below, because knights jump two ranks. One guard file on each side is
/// enough, because the right one of a row is next to the left one of the following row.
#[derive(Clone, Copy, Debug)]
pub struct Grid10x12;
padded_geometry!(Grid10x12 { NAME: "10x12", WIDTH: 10, ORIGIN: 21 });

/// Rows of sixteen cells of which eight are squares: a cell is on the board iff `cell & 0x88 == 0`.
#[derive(Clone, Copy, Debug)]
pub struct Grid0x88;
impl Grid0x88 {
    /// Whether the cell is a square. Valid for every cell that a step from a square can reach.
    #[inline(always)]
    pub const fn on_board(cell: u8) -> bool {
        cell & 0x88 == 0
    }

    /// Twice the number of the square of a cell: 16 × rank + 2 × file, where the cell is 16 × rank + file.
    #[inline(always)]
    fn doubled(cell: u8) -> u32 {
        u32::from(cell) + (u32::from(cell) & 7)
    }
}
impl Geometry for Grid0x88 {
    type Cells = [u8; 256];
    // A cell off the board is recognised by its index and never read.
    const CELLS: usize = 128;
    const NAME: &'static str = "0x88";
    const WIDTH: u8 = 16;
    const ORIGIN: u8 = 0;
    const PADDED: bool = false;
    #[inline(always)]
    fn square(cell: u8) -> Square {
        Target::square_of_doubled(Self::doubled(cell))
    }
    #[inline(always)]
    fn target(cell: u8) -> Target {
        Target::of(Self::square(cell))
    }
    #[inline(always)]
    unsafe fn target_of_step(cell: u8) -> Target {
        // SAFETY: a cell that `stepped` returns has no bit outside 0x77, so twice its square is even and below 128.
        unsafe { Target::of_doubled(Self::doubled(cell)) }
    }
    #[inline(always)]
    fn stepped(from: usize, step: isize) -> Option<usize> {
        let to = opaque(from.wrapping_add_signed(step));
        // Not only the two bits of 0x88: all bits that no square has. The test is the same instruction, and with it
        // the compiler knows that the cell is an index.
        (to & !0x77 == 0).then_some(to)
    }
    #[inline(always)]
    fn wraps(from: u8, files: i8) -> bool {
        !Self::on_board(from.wrapping_add(files as u8))
    }
}

/// Rows of fifteen cells, with two guard ranks above and below (Reul 2009). Fifteen is the smallest
/// width for which the difference of two cells determines direction and distance.
#[derive(Clone, Copy, Debug)]
pub struct Grid15x12;
padded_geometry!(Grid15x12 { NAME: "15x12", WIDTH: 15, ORIGIN: 34 });

/// Padded like [`Grid15x12`], with the row width of 0x88.
#[derive(Clone, Copy, Debug)]
pub struct Grid16x12;
padded_geometry!(Grid16x12 { NAME: "16x12", WIDTH: 16, ORIGIN: 36 });

#[cfg(test)]
mod tests;
