//! The memory layouts of the two links of a cell.
//!
//! A row of 64 byte links is one cache line, so the walk of a piece touches two lines, interleaved or
//! split, and four with 16-bit links. All layouts are aligned to a cache line.

use std::hint::select_unpredictable;

use raywalk_core::{
    Square,
    square_board::{Code, ColourBits, Geometry, Grid0x88, Grid8x8, NeutralColour, SplitGrid8x8},
};

use crate::{
    link::{HalfBoardByte, Link},
    row::{PlainRow, ROW_KINDS},
};

/// A table in one layout.
pub trait Layout: Send + Sync + Sized + 'static {
    /// The board whose cells the links number.
    type Geometry: Geometry;
    /// The code on that board.
    type Code: Code;
    /// Reference to one row, cheap to copy.
    type Row<'table>: Row;

    fn build() -> Self;

    /// The row of a kind, numbered as in [`ROW_KINDS`], and of the origin cell.
    fn row(&self, row_kind: usize, origin: u8) -> Self::Row<'_>;
}

/// One row of a table. Cells are numbered as in the layout's [`Geometry`].
pub trait Row: Copy {
    /// The link to follow from an empty cell.
    fn next_position(self, cell: usize) -> usize;
    /// The link to follow from an occupied cell.
    fn next_direction(self, cell: usize) -> usize;

    /// One of the two links, selected without a branch.
    ///
    /// If the links are separate loads, the compiler selects the address instead of the value, which
    /// puts the selection before the load. [`Words`] avoids that.
    #[inline(always)]
    fn successor(self, cell: usize, occupied: bool) -> usize {
        select_unpredictable(occupied, self.next_direction(cell), self.next_position(cell))
    }
}

/// Builds an array of all rows, each converted by `store`.
fn rows<T>(mut store: impl FnMut(PlainRow) -> T) -> [[T; 64]; ROW_KINDS] {
    std::array::from_fn(|kind| {
        std::array::from_fn(|n| store(PlainRow::new(kind, Square::from_low_bits(n as u32))))
    })
}

/// `posdata[8][64][64]` of pairs, as in the note of 1989.
#[repr(C, align(64))]
pub struct Interleaved<L> {
    rows: [[[Pair<L>; 64]; 64]; ROW_KINDS],
}

/// Both links of a cell.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Pair<L> {
    next_position: L,
    next_direction: L,
}

impl<L: Link> Layout for Interleaved<L> {
    type Geometry = L::Geometry;
    type Code = ColourBits;
    type Row<'table> = &'table [Pair<L>; 64];

    fn build() -> Self {
        Interleaved {
            rows: rows(|row| {
                std::array::from_fn(|cell| Pair {
                    next_position: L::to(row.next_position[cell]),
                    next_direction: L::to(row.next_direction[cell]),
                })
            }),
        }
    }

    #[inline(always)]
    fn row(&self, row_kind: usize, origin: u8) -> &[Pair<L>; 64] {
        &self.rows[row_kind & 7][L::Geometry::square(origin).index()]
    }
}

impl<L: Link> Row for &[Pair<L>; 64] {
    #[inline(always)]
    fn next_position(self, cell: usize) -> usize {
        self[cell & 63].next_position.cell()
    }
    #[inline(always)]
    fn next_direction(self, cell: usize) -> usize {
        self[cell & 63].next_direction.cell()
    }
}

/// `nextpos[8][64][64]` and `nextdir[8][64][64]`, as in GNU Chess since 4 March 1990.
#[repr(C, align(64))]
pub struct Split<L> {
    next_position: [[[L; 64]; 64]; ROW_KINDS],
    next_direction: [[[L; 64]; 64]; ROW_KINDS],
}

/// The same row of both arrays.
pub struct SplitRow<'table, L> {
    next_position: &'table [L; 64],
    next_direction: &'table [L; 64],
}

// Written by hand, because a derive would require `L: Clone`.
impl<L> Clone for SplitRow<'_, L> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<L> Copy for SplitRow<'_, L> {}

impl<L: Link> Layout for Split<L> {
    type Geometry = L::Geometry;
    type Code = ColourBits;
    type Row<'table> = SplitRow<'table, L>;

    fn build() -> Self {
        Split {
            next_position: rows(|row| row.next_position.map(L::to)),
            next_direction: rows(|row| row.next_direction.map(L::to)),
        }
    }

    #[inline(always)]
    fn row(&self, row_kind: usize, origin: u8) -> SplitRow<'_, L> {
        let origin = L::Geometry::square(origin).index();
        SplitRow {
            next_position: &self.next_position[row_kind & 7][origin],
            next_direction: &self.next_direction[row_kind & 7][origin],
        }
    }
}

impl<L: Link> Row for SplitRow<'_, L> {
    #[inline(always)]
    fn next_position(self, cell: usize) -> usize {
        self.next_position[cell & 63].cell()
    }
    #[inline(always)]
    fn next_direction(self, cell: usize) -> usize {
        self.next_direction[cell & 63].cell()
    }
}

/// [`Split`] without the rows of the unused kind.
#[repr(C, align(64))]
pub struct UsedKinds<L> {
    next_position: [[[L; 64]; 64]; ROW_KINDS - 1],
    next_direction: [[[L; 64]; 64]; ROW_KINDS - 1],
}

impl<L: Link> Layout for UsedKinds<L> {
    type Geometry = L::Geometry;
    type Code = ColourBits;
    type Row<'table> = SplitRow<'table, L>;

    fn build() -> Self {
        let [_unused, next_position @ ..] = rows(|row| row.next_position.map(L::to));
        let [_unused, next_direction @ ..] = rows(|row| row.next_direction.map(L::to));
        UsedKinds { next_position, next_direction }
    }

    #[inline(always)]
    fn row(&self, row_kind: usize, origin: u8) -> SplitRow<'_, L> {
        let origin = L::Geometry::square(origin).index();
        SplitRow {
            next_position: &self.next_position[row_kind - 1][origin],
            next_direction: &self.next_direction[row_kind - 1][origin],
        }
    }
}

/// Both links of a cell in one word, so that one load fetches both and the selection is between
/// values instead of addresses.
///
/// The link of an empty cell is in the six low bits, that of an occupied cell in the six high bits.
/// One instruction extracts either, and no mask follows the selection.
#[repr(C, align(64))]
pub struct Words {
    rows: [[[u16; 64]; 64]; ROW_KINDS],
}

impl Layout for Words {
    type Geometry = Grid8x8;
    type Code = ColourBits;
    type Row<'table> = &'table [u16; 64];

    fn build() -> Self {
        let word = |row: &PlainRow, cell: usize| {
            u16::from(row.next_position[cell].number())
                | u16::from(row.next_direction[cell].number()) << 10
        };
        Words { rows: rows(|row| std::array::from_fn(|cell| word(&row, cell))) }
    }

    #[inline(always)]
    fn row(&self, row_kind: usize, origin: u8) -> &[u16; 64] {
        &self.rows[row_kind & 7][usize::from(origin & 63)]
    }
}

impl Row for &[u16; 64] {
    #[inline(always)]
    fn next_position(self, cell: usize) -> usize {
        usize::from(self[cell & 63] & 63)
    }
    #[inline(always)]
    fn next_direction(self, cell: usize) -> usize {
        usize::from(self[cell & 63] >> 10)
    }
}

/// Rows of 128 cells, laid out like a 0x88 board: the link of an empty cell is in the left half, that
/// of an occupied cell eight cells to the right. The unused kind has no rows, which leaves seven.
#[repr(C, align(64))]
pub struct HalfBoard {
    rows: [[[HalfBoardByte; 128]; 64]; ROW_KINDS - 1],
}

/// Offset from the link of an empty cell to the link of the same cell when occupied.
const RIGHT_HALF: usize = 8;

impl Layout for HalfBoard {
    type Geometry = Grid0x88;
    type Code = ColourBits;
    type Row<'table> = &'table [HalfBoardByte; 128];

    fn build() -> Self {
        let [_unused, rows @ ..] = rows(|row| {
            std::array::from_fn(|cell| {
                let links =
                    if cell & RIGHT_HALF == 0 { &row.next_position } else { &row.next_direction };
                HalfBoardByte::to(links[Grid0x88::square((cell & !RIGHT_HALF) as u8).index()])
            })
        });
        HalfBoard { rows }
    }

    #[inline(always)]
    fn row(&self, row_kind: usize, origin: u8) -> &[HalfBoardByte; 128] {
        &self.rows[row_kind - 1][Grid0x88::square(origin).index()]
    }
}

impl Row for &[HalfBoardByte; 128] {
    #[inline(always)]
    fn next_position(self, cell: usize) -> usize {
        self[cell & 127].cell()
    }
    #[inline(always)]
    fn next_direction(self, cell: usize) -> usize {
        // `+`, not `|`: the compiler knows that no link exceeds 119, so the mask costs nothing.
        self[(cell + RIGHT_HALF) & 127].cell()
    }
    /// The purpose of this layout: occupancy is part of the address of a single load.
    #[inline(always)]
    fn successor(self, cell: usize, occupied: bool) -> usize {
        self[(cell + RIGHT_HALF * usize::from(occupied)) & 127].cell()
    }
}

/// A table for a board of colours and a board of kinds, as in GNU Chess. Only the board differs: the rows are those
/// of the table inside.
pub struct OnTwoBoards<T>(T);

impl<T: Layout<Geometry = Grid8x8>> Layout for OnTwoBoards<T> {
    type Geometry = SplitGrid8x8;
    type Code = NeutralColour;
    type Row<'table> = T::Row<'table>;

    fn build() -> Self {
        OnTwoBoards(T::build())
    }

    #[inline(always)]
    fn row(&self, row_kind: usize, origin: u8) -> T::Row<'_> {
        self.0.row(row_kind, origin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::{Byte, Short};

    fn a_layout_holds_the_plain_rows<L: Layout>() {
        let table = L::build();
        for (kind, origin) in
            (1..ROW_KINDS).flat_map(|kind| Square::all().map(move |at| (kind, at)))
        {
            let plain = PlainRow::new(kind, origin);
            let row = table.row(kind, L::Geometry::cell(origin));
            for at in Square::all() {
                let cell = usize::from(L::Geometry::cell(at));
                let position = usize::from(L::Geometry::cell(plain.next_position[at.index()]));
                let direction = usize::from(L::Geometry::cell(plain.next_direction[at.index()]));
                assert_eq!(row.next_position(cell), position, "{kind} {origin} {at}");
                assert_eq!(row.next_direction(cell), direction, "{kind} {origin} {at}");
                assert_eq!(row.successor(cell, false), position, "{kind} {origin} {at}");
                assert_eq!(row.successor(cell, true), direction, "{kind} {origin} {at}");
            }
        }
    }

    #[test]
    fn every_layout_holds_the_plain_rows() {
        a_layout_holds_the_plain_rows::<Interleaved<Short>>();
        a_layout_holds_the_plain_rows::<Interleaved<Byte>>();
        a_layout_holds_the_plain_rows::<Split<Short>>();
        a_layout_holds_the_plain_rows::<Split<Byte>>();
        a_layout_holds_the_plain_rows::<UsedKinds<Byte>>();
        a_layout_holds_the_plain_rows::<Words>();
        a_layout_holds_the_plain_rows::<HalfBoard>();
        a_layout_holds_the_plain_rows::<OnTwoBoards<Split<Byte>>>();
    }

    #[test]
    fn the_documented_table_has_twice_the_bytes_that_the_wiki_gives() {
        assert_eq!(size_of::<Interleaved<Short>>(), 131_072);
        assert_eq!(size_of::<Split<Short>>(), 131_072);
        // 64 KiB is one of the two halves, or the whole in bytes.
        assert_eq!(size_of::<Split<Short>>() / 2, 65_536);
    }

    #[test]
    fn the_tables_of_bytes_take_64_kib_and_the_half_boards_56() {
        assert_eq!(size_of::<Interleaved<Byte>>(), 65_536);
        assert_eq!(size_of::<Split<Byte>>(), 65_536);
        assert_eq!(size_of::<Words>(), 65_536);
        assert_eq!(size_of::<HalfBoard>(), 57_344);
        assert_eq!(size_of::<UsedKinds<Byte>>(), 57_344);
        assert_eq!(size_of::<OnTwoBoards<Split<Byte>>>(), 65_536);
    }
}
