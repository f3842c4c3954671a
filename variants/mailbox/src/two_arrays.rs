//! The textbook 10x12: one map from 64 squares to 120 cells and one map back.
//!
//! TSCP (Tom Kerrigan, from 1997) keeps its pieces on 64 squares. To step, it maps the square to one of
//! 120 cells, adds the step and maps back; the second map holds -1 for cells off the board. As
//! written, every square of a ray goes through both maps, so the next square depends on two loads in
//! a row. No other classical walk has loads on its carried dependency chain when every branch is
//! predicted. Staying in the 120 cells, and mapping back only to read the board, gives the same moves
//! with a chain of one addition. Both forms are implemented, the first also with maps of bytes.
//!
//! TSCP finds its pieces by scanning the board. A separate design measures that
//! ([`WithBoardScan`](crate::WithBoardScan)); here the pieces are listed as in the rest of the family.

use std::marker::PhantomData;

use raywalk_core::square_board::{Board8x8, Geometry, Grid10x12, RayLoop};
use raywalk_core::{
    Card, Color, Cursor, Feature, Generator, Move, MoveList, Square, Stage, ray_square,
};

use crate::layouts::MAILBOX;

/// What distinguishes the designs of this module.
pub trait Form: Send + Sync + 'static {
    type Entry: Entry;
    /// Whether the loop steps from cell to cell and does not return through the first map.
    const IN_120: bool;
    const CARD: Card;
}

/// An entry of a map: a signed integer that holds -1 to 98.
pub trait Entry: Copy + Into<i32> + TryFrom<i32> + Send + Sync + 'static {}
impl Entry for i8 {}
impl Entry for i32 {}

/// As in TSCP: entries of type `int`, and both maps on every square.
pub struct AsWritten;
/// As in TSCP, with entries of one byte.
pub struct Bytes;
/// Entries of type `int`; the loop stays in the 120 cells.
pub struct In120;

/// TSCP's loop with its two maps of `int`.
pub type TwoArraysAsWritten = TwoArrays<AsWritten>;
/// TSCP's loop with maps of bytes.
pub type TwoArraysBytes = TwoArrays<Bytes>;
/// TSCP's maps, with a loop that stays in the 120 cells: a chain of one addition.
pub type TwoArraysIn120 = TwoArrays<In120>;

const TSCP: Card = Card {
    id: "mailbox/10x12-two-arrays",
    name: "10x12, two arrays",
    author: "Tom Kerrigan (TSCP)",
    year: Some(1997),
    source: "Tom Kerrigan's Simple Chess Program; Chess Programming Wiki, 10x12 Board",
    reconstructed: "kind and colour in one byte instead of two boards, a piece list instead of the \
                    board scan, a quiet stage, and captures without promoting pushes",
    ..MAILBOX
};

impl Form for AsWritten {
    type Entry = i32;
    const IN_120: bool = false;
    const CARD: Card = TSCP;
}

impl Form for Bytes {
    type Entry = i8;
    const IN_120: bool = false;
    const CARD: Card =
        Card { id: "mailbox/10x12-two-arrays-bytes", name: "10x12, two byte arrays", ..TSCP };
}

impl Form for In120 {
    type Entry = i32;
    const IN_120: bool = true;
    const CARD: Card = Card {
        id: "mailbox/10x12-two-arrays-120",
        name: "10x12, two arrays, walked in 120",
        author: "Raywalk, after Tom Kerrigan (TSCP)",
        year: Some(2026),
        reconstructed: "the loop that stays in the 120 cells is not in any source",
        ..TSCP
    };
}

/// The maps from 64 squares to 120 cells and back.
#[repr(C, align(64))]
pub struct TwoArrays<F: Form> {
    to_120: [F::Entry; 64],
    /// 120 cells. The others, never read, make every `u8` an index without a mask.
    to_64: [F::Entry; 256],
}

/// Entry of a cell off the board.
const OFF: i32 = -1;

impl<F: Form> TwoArrays<F> {
    #[inline(always)]
    fn cell(&self, square: u8) -> u8 {
        let cell: i32 = self.to_120[usize::from(square & 63)].into();
        cell as u8
    }

    #[inline(always)]
    fn square(&self, cell: u8) -> i32 {
        self.to_64[usize::from(cell)].into()
    }
}

fn entry<E: Entry>(value: i32) -> E {
    let Ok(entry) = E::try_from(value) else { unreachable!("-1 to 98 fits every entry") };
    entry
}

impl<F: Form> Generator for TwoArrays<F> {
    const CARD: Card = F::CARD;
    type Board = Board8x8;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        let mut maps = TwoArrays { to_120: [entry(0); 64], to_64: [entry(OFF); 256] };
        for square in Square::all() {
            let cell = Grid10x12::cell(square);
            maps.to_120[square.index()] = entry(i32::from(cell));
            maps.to_64[usize::from(cell)] = entry(i32::from(square.number()));
        }
        Ok(Box::new(maps))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Board8x8, list: &mut MoveList) {
        let (side, cursor, stage) = (board.side(), list.cursor(), PhantomData);
        board.visit::<S>(&mut Walk::<S, F> { maps: self, board, side, list: cursor, stage });
        board.special_moves::<S>(list);
    }

    /// Excludes the cells that are never read.
    fn table_bytes(&self) -> usize {
        (64 + 120) * size_of::<F::Entry>()
    }
}

struct Walk<'a, S, F: Form> {
    maps: &'a TwoArrays<F>,
    board: &'a Board8x8,
    side: Color,
    list: Cursor<'a>,
    stage: PhantomData<S>,
}

impl<S: Stage, F: Form> RayLoop for Walk<'_, S, F> {
    type Geometry = Grid10x12;

    #[inline(always)]
    fn walk<const SLIDES: bool>(&mut self, from: u8, steps: &[u8]) {
        let origin = Square::from_low_bits(u32::from(from));
        for &step in steps {
            let mut cell = self.maps.cell(from);
            loop {
                cell = cell.wrapping_add(step);
                let square = self.maps.square(cell);
                if square == OFF {
                    break;
                }
                let to = Square::from_low_bits(square as u32);
                let code = self.board.code(to.number());
                ray_square!(S, code, self.side, self.list.push(Move::new(origin, to)), break);
                if !SLIDES {
                    break;
                }
                if !F::IN_120 {
                    // Already the value of `cell`, but the chain must go through both maps as in
                    // TSCP.
                    cell = self.maps.cell(to.number());
                }
            }
        }
    }

    #[inline(always)]
    fn walk_pawn(&mut self, from: u8) {
        self.board.pawn_moves::<S>(from, &mut self.list);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_maps_take_736_bytes_as_int_and_184_as_bytes() {
        assert_eq!(TwoArraysAsWritten::build().map(|maps| maps.table_bytes()), Ok(736));
        assert_eq!(TwoArraysBytes::build().map(|maps| maps.table_bytes()), Ok(184));
        assert_eq!(size_of::<TwoArraysAsWritten>(), (64 + 256) * 4);
        assert_eq!(size_of::<TwoArraysBytes>(), 64 + 256);
    }

    #[test]
    fn the_maps_are_inverse_and_cells_run_from_21_to_98() {
        let maps = TwoArraysBytes::build().expect("needs no feature");
        let cells: Vec<u8> = (0..64).map(|square| maps.cell(square)).collect();
        assert_eq!((cells[0], cells[63]), (21, 98));
        for (square, &cell) in (0..).zip(&cells) {
            assert_eq!(maps.square(cell), square);
        }
        let off = (0..120).filter(|&cell| maps.square(cell) == OFF).count();
        assert_eq!(off, 120 - 64);
    }
}
