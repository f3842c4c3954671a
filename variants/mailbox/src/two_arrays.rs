//! The textbook 10x12: one map from 64 squares to 120 cells and one map back.
//!
//! TSCP (Tom Kerrigan, from 1997) keeps its pieces on 64 squares. To step, it maps the square to one of
//! 120 cells, adds the step and maps back; the second map holds -1 for cells off the board. As
//! written, every square of a ray goes through both maps, so the next square depends on two loads in
//! a row. No other classical walk has loads on its carried dependency chain when every branch is
//! predicted. Staying in the 120 cells, and mapping back only to read the board, gives the same moves
//! with a chain of one addition. Both forms are implemented, the first also with maps of bytes.
//!
//! TSCP has no piece list, and two boards, of kinds and of colours, where an empty square has a third colour. Its one
//! loop serves all pieces and asks behind each empty square whether the piece slides. [`Tscp`] has all three; the
//! first forms have the piece list, the one board and the two loops of this family, and [`TwoBoards`] changes the
//! board alone.

use std::marker::PhantomData;

use raywalk_core::square_board::{
    BoardScan, Code, ColourBits, CountedArrays, Geometry, Grid8x8, Grid10x12, NeutralColour,
    PieceList, SplitGrid8x8, SquareBoard, Visitor,
};
use raywalk_core::{
    Card, Color, Cursor, Feature, Generator, Kind, Move, MoveList, Origin, Square, Stage, Target,
    opaque,
};

use crate::layouts::MAILBOX;

/// What distinguishes the designs of this module.
pub trait Form: Send + Sync + 'static {
    type Entry: Entry;
    /// Whether the loop steps from cell to cell and does not return through the first map.
    const IN_120: bool = false;
    /// Whether one loop serves sliders and leapers and asks on every square which of them it has.
    const ONE_LOOP: bool = false;
    type Grid: Geometry;
    type Code: Code;
    type List: PieceList<Self::Grid>;
    const CARD: Card;
}

type BoardOf<F> = SquareBoard<<F as Form>::Grid, <F as Form>::Code, <F as Form>::List>;

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
/// As in TSCP, with boards of kinds and colours.
pub struct OnTwoBoards;
/// As in TSCP, with boards of kinds and colours, no piece list, and one loop.
pub struct Whole;

/// TSCP's loop with its two maps of `int`.
pub type TwoArraysAsWritten = TwoArrays<AsWritten>;
/// TSCP's loop with maps of bytes.
pub type TwoArraysBytes = TwoArrays<Bytes>;
/// TSCP's maps, with a loop that stays in the 120 cells: a chain of one addition.
pub type TwoArraysIn120 = TwoArrays<In120>;

/// [`TwoArraysAsWritten`] on a board of colours and a board of kinds.
pub type TwoBoards = TwoArrays<OnTwoBoards>;
/// TSCP's generator, with our moves and lists.
pub type Tscp = TwoArrays<Whole>;

const TSCP: Card = Card {
    id: "mailbox/10x12-two-arrays",
    name: "10x12, two arrays",
    author: "Tom Kerrigan (TSCP)",
    year: Some(1997),
    source: "Tom Kerrigan's Simple Chess Program; Chess Programming Wiki, 10x12 Board",
    reconstructed: "kind and colour in one byte instead of two boards, a piece list instead of the \
                    board scan, two loops instead of one, a quiet stage, and captures without promoting \
                    pushes",
    ..MAILBOX
};

/// Declares forms as `Name(entry, geometry, code, piece list) { card, and constants that differ }`.
macro_rules! forms {
    ($($name:ident($entry:ty, $grid:ty, $code:ty, $list:ty) { $($rest:tt)* })+) => {$(
        impl Form for $name {
            type Entry = $entry;
            type Grid = $grid;
            type Code = $code;
            type List = $list;
            $($rest)*
        }
    )+};
}

forms! {
    AsWritten(i32, Grid8x8, ColourBits, CountedArrays) {
        const CARD: Card = TSCP;
    }
    Bytes(i8, Grid8x8, ColourBits, CountedArrays) {
        const CARD: Card = Card {
            id: "mailbox/10x12-two-arrays-bytes",
            name: "10x12, two byte arrays",
            author: "Raywalk, after Tom Kerrigan (TSCP)",
            year: Some(2026),
            source: "Raywalk: a variant of mailbox/10x12-two-arrays, not published elsewhere",
            reconstructed: "maps of bytes instead of int; the rest is mailbox/10x12-two-arrays",
            ..TSCP
        };
    }
    In120(i32, Grid8x8, ColourBits, CountedArrays) {
        const IN_120: bool = true;
        const CARD: Card = Card {
            id: "mailbox/10x12-two-arrays-120",
            name: "10x12, two arrays, walked in 120",
            author: "Raywalk, after Tom Kerrigan (TSCP)",
            year: Some(2026),
            source: "Raywalk: a variant of mailbox/10x12-two-arrays, not published elsewhere",
            reconstructed: "the loop that stays in the 120 cells is not in any source",
            ..TSCP
        };
    }
    OnTwoBoards(i32, SplitGrid8x8, NeutralColour, CountedArrays) {
        const CARD: Card = Card {
            id: "mailbox/10x12-two-arrays-two-boards",
            name: "10x12, two arrays, boards of colours and kinds",
            reconstructed: "a piece list instead of the board scan, two loops instead of one, a quiet \
                            stage, and captures without promoting pushes; castling joins both boards",
            ..TSCP
        };
    }
    Whole(i32, SplitGrid8x8, NeutralColour, BoardScan) {
        const ONE_LOOP: bool = true;
        const CARD: Card = Card {
            id: "mailbox/tscp",
            name: "TSCP",
            source: "Tom Kerrigan's Simple Chess Program",
            reconstructed: "moves of 16 bits in one list, without the score and the stack of plies of the \
                            source; a quiet stage; captures without promoting pushes, which the source counts \
                            among them; promotion decided once for each pawn; castling and en passant are \
                            those of the shared board, which joins both boards and stores the kings' \
                            squares",
            ..TSCP
        };
    }
}

/// The maps from 64 squares to 120 cells and back.
#[repr(C, align(64))]
pub struct TwoArrays<F: Form> {
    to_120: [F::Entry; 64],
    to_64: [F::Entry; CELLS],
}

/// The cells of the board with its guards.
const CELLS: usize = Grid10x12::CELLS;

/// Entry of a cell off the board.
const OFF: i32 = -1;

impl<F: Form> TwoArrays<F> {
    /// The cell of a square, sign-extended and not masked: a step is added to it as it is loaded.
    #[inline(always)]
    fn cell(&self, square: Square) -> isize {
        let cell: i32 = self.to_120[square.index()].into();
        cell as isize
    }

    /// The square of a cell, or `None` off the board. One unsigned comparison tells both that the entry is not
    /// [`OFF`] and that it is a square, which then needs no mask.
    ///
    /// # Safety
    /// `cell` is that of a square, or one step of a piece away from it.
    #[inline(always)]
    unsafe fn square(&self, cell: isize) -> Option<Square> {
        debug_assert!((0..CELLS as isize).contains(&cell), "guards surround the squares");
        // SAFETY: two rows of guards stand above and below the squares and one on each side, and no step is longer
        // than two rows and one cell. A mask would be part of the dependency chain.
        let square: i32 = unsafe { *self.to_64.get_unchecked(cell as usize) }.into();
        // Opaque, or the compiler would compare 32 bits and extend them again before the square is an index.
        let square = opaque(square as usize);
        if square > 63 {
            return None;
        }
        Some(Square::from_low_bits(square as u32))
    }
}

fn entry<E: Entry>(value: i32) -> E {
    let Ok(entry) = E::try_from(value) else { unreachable!("-1 to 98 fits every entry") };
    entry
}

impl<F: Form> Generator for TwoArrays<F> {
    const CARD: Card = F::CARD;
    type Board = BoardOf<F>;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        let mut maps = TwoArrays { to_120: [entry(0); 64], to_64: [entry(OFF); CELLS] };
        for square in Square::all() {
            let cell = Grid10x12::cell(square);
            maps.to_120[square.index()] = entry(i32::from(cell));
            maps.to_64[usize::from(cell)] = entry(i32::from(square.number()));
        }
        Ok(Box::new(maps))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &BoardOf<F>, list: &mut MoveList) {
        let (side, cursor, stage) = (board.side(), list.cursor(), PhantomData);
        board.visit::<S>(&mut Walk::<S, F> { maps: self, board, side, list: cursor, stage });
        board.special_moves::<S>(list);
    }

    fn table_bytes(&self) -> usize {
        size_of_val(&self.to_120) + size_of_val(&self.to_64)
    }
}

struct Walk<'a, S, F: Form> {
    maps: &'a TwoArrays<F>,
    board: &'a BoardOf<F>,
    side: Color,
    list: Cursor<'a>,
    stage: PhantomData<S>,
}

impl<S: Stage, F: Form> Walk<'_, S, F> {
    #[inline(always)]
    fn walk(&mut self, from: u8, steps: &[u8], slides: bool) {
        let square = Square::from_low_bits(u32::from(from));
        let origin = Origin::of(square);
        for &step in steps {
            // Cells are added in a register of full width, as in the step walk.
            let (mut cell, step) = (self.maps.cell(square), step.cast_signed() as isize);
            loop {
                cell += step;
                // SAFETY: before the step it was the cell of a square.
                let Some(to) = (unsafe { self.maps.square(cell) }) else { break };
                let code = self.board.occupant(to.number());
                if !F::Code::is_empty(code) {
                    if S::CAPTURES && F::Code::is_enemy(code, self.side) {
                        self.list.push(Move::between(origin, Target::of(to)));
                    }
                    break;
                }
                if S::QUIETS {
                    self.list.push(Move::between(origin, Target::of(to)));
                }
                // Opaque in the one loop: the compiler would test it once, in front of two copies of the loop.
                let slides = if F::ONE_LOOP { opaque(slides.into()) != 0 } else { slides };
                if !slides {
                    break;
                }
                if !F::IN_120 {
                    // Already the value of `cell`, but the chain must go through both maps as in
                    // TSCP.
                    cell = self.maps.cell(to);
                }
            }
        }
    }
}

impl<S: Stage, F: Form> Visitor for Walk<'_, S, F> {
    #[inline(always)]
    fn pawn(&mut self, from: u8) {
        self.board.pawn_moves::<S>(from, &mut self.list);
    }

    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: u8) {
        let steps = Grid10x12::STEPS[kind.index()];
        if F::ONE_LOOP {
            self.walk(from, steps, kind.is_slider());
        } else if kind.is_slider() {
            // Two loops, so that neither tests at every cell whether the piece slides.
            self.walk(from, steps, true);
        } else {
            self.walk(from, steps, false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_maps_take_736_bytes_as_int_and_184_as_bytes() {
        assert_eq!(TwoArraysAsWritten::build().map(|maps| maps.table_bytes()), Ok(736));
        assert_eq!(TwoArraysBytes::build().map(|maps| maps.table_bytes()), Ok(184));
    }

    #[test]
    fn the_maps_are_inverse_and_cells_run_from_21_to_98() {
        let maps = TwoArraysBytes::build().expect("needs no feature");
        let cells: Vec<isize> = Square::all().map(|square| maps.cell(square)).collect();
        assert_eq!((cells[0], cells[63]), (21, 98));
        for (square, &cell) in (0..).zip(&cells) {
            assert_eq!(i32::from(maps.to_64[cell as usize]), square);
        }
        let off = maps.to_64.iter().filter(|&&entry| i32::from(entry) == OFF).count();
        assert_eq!(off, 120 - 64);
    }

    #[test]
    fn no_step_from_a_square_leaves_the_cells() {
        for step in Grid10x12::STEPS.into_iter().flatten() {
            for square in Square::all() {
                let cell = usize::from(Grid10x12::cell(square));
                let reached = cell.checked_add_signed(step.cast_signed().into());
                assert!(reached.is_some_and(|cell| cell < CELLS), "{square} {step}");
            }
        }
    }
}
