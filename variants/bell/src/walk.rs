//! The ray loop of sliders, and the single steps of king and knight.

use std::hint::black_box;
use std::ops::Range;

use raywalk_core::square_board::{Board8x8, Code, ColourBits, Visitor, kept};
use raywalk_core::{Color, Cursor, Kind, Move, MoveList, Square, Stage};

use crate::Bell;
use crate::tables::RayEnd;

pub(crate) struct Walk<'a, S, E: RayEnd> {
    tables: &'a Bell<E>,
    board: &'a Board8x8,
    side: Color,
    list: Cursor<'a>,
    stage: std::marker::PhantomData<S>,
}

impl<'a, S: Stage, E: RayEnd> Walk<'a, S, E> {
    #[inline(always)]
    pub(crate) fn new(tables: &'a Bell<E>, board: &'a Board8x8, list: &'a mut MoveList) -> Self {
        Walk {
            tables,
            board,
            side: board.side(),
            list: list.cursor(),
            stage: std::marker::PhantomData,
        }
    }

    #[inline(always)]
    fn append(&mut self, from: u8, to: u8) {
        let square = |cell: u8| Square::from_low_bits(u32::from(cell));
        self.list.push(Move::new(square(from), square(to)));
    }

    /// The routine that all sliders share. The source calls it with four directions, and twice for a queen;
    /// one call with eight is the same loop.
    #[inline(always)]
    fn rays(&mut self, directions: Range<usize>, from: u8) {
        for direction in directions {
            let (step, mut end) = self.tables.rays.ray(direction, from);
            if E::is_empty(end, from) {
                continue;
            }
            let mut to = from;
            loop {
                // Wraps on purpose: a step to lower squares is stored as 256 minus its length.
                to = to.wrapping_add(step);
                let code = self.board.code(to);
                // Three tests: own piece, occupied, last square. The stage of captures visits the
                // empty squares too.
                if ColourBits::is_own(code, self.side) {
                    break;
                }
                let empty = ColourBits::is_empty(code);
                // Both flags are constants, so the stage of all moves has no test here.
                if if empty { S::QUIETS } else { S::CAPTURES } {
                    self.append(from, to);
                }
                if !empty || E::ends(&mut end, to) {
                    break;
                }
            }
        }
    }

    /// The king: one step in each direction whose ray is not empty.
    fn eight_steps(&mut self, from: u8) {
        for direction in 0..eight() {
            let (step, end) = self.tables.rays.ray(direction, from);
            if !E::is_empty(end, from) {
                self.append_if_kept(from, from.wrapping_add(step));
            }
        }
    }

    fn eight_jumps(&mut self, from: u8) {
        let (steps, valid) = self.tables.jumps.of(from);
        for jump in 0..eight() {
            if valid >> jump & 1 != 0 {
                self.append_if_kept(from, from.wrapping_add(steps[jump & 7]));
            }
        }
    }

    #[inline(always)]
    fn append_if_kept(&mut self, from: u8, to: u8) {
        if kept::<S, ColourBits>(self.board.code(to), self.side) {
            self.append(from, to);
        }
    }
}

impl<S: Stage, E: RayEnd> Visitor for Walk<'_, S, E> {
    #[inline(always)]
    fn pawn(&mut self, from: u8) {
        self.board.pawn_moves::<S>(from, &mut self.list);
    }

    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: u8) {
        match kind {
            Kind::Knight => self.eight_jumps(from),
            Kind::King => self.eight_steps(from),
            Kind::Bishop | Kind::Rook | Kind::Queen => self.rays(directions_of(kind), from),
            Kind::Pawn => {}
        }
    }
}

/// Eight, as a number that the compiler does not know: it would unroll one loop over eight steps and not another.
#[inline(always)]
fn eight() -> usize {
    black_box(8)
}

/// The directions of a slider: the rook's come first. From a table, so that the compiler sees one loop with an unknown
/// number of turns, and not one for each kind.
#[inline(always)]
fn directions_of(slider: Kind) -> Range<usize> {
    const FIRST: [u8; 6] = [0, 0, 4, 0, 0, 0];
    const LAST: [u8; 6] = [0, 0, 8, 4, 8, 0];
    usize::from(FIRST[slider.index()])..usize::from(LAST[slider.index()])
}
