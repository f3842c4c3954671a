//! The ray loop of sliders, and the single steps of king and knight.

use std::ops::Range;

use raywalk_core::square_board::Visitor;
use raywalk_core::{
    Color, Cursor, Kind, Move, MoveList, Origin, Square, Stage, Target, stay_a_branch,
};

use crate::Bell;
use crate::boards::{BoardOf, Boards};
use crate::tables::RayEnd;

pub(crate) struct Walk<'a, S, E: RayEnd, B: Boards> {
    tables: &'a Bell<E, B>,
    board: &'a BoardOf<B>,
    side: Color,
    list: Cursor<'a>,
    stage: std::marker::PhantomData<S>,
}

impl<'a, S: Stage, E: RayEnd, B: Boards> Walk<'a, S, E, B> {
    #[inline(always)]
    pub(crate) fn new(
        tables: &'a Bell<E, B>,
        board: &'a BoardOf<B>,
        list: &'a mut MoveList,
    ) -> Self {
        Walk {
            tables,
            board,
            side: board.side(),
            list: list.cursor(),
            stage: std::marker::PhantomData,
        }
    }

    #[inline(always)]
    fn append(&mut self, from: Origin, to: Square) {
        self.list.push(Move::between(from, Target::of(to)));
    }

    /// The routine that all sliders share. The source calls it with four directions, and twice for a queen;
    /// one call with eight is the same loop.
    #[inline(always)]
    fn rays(&mut self, directions: Range<usize>, from: u8) {
        let from = Square::from_low_bits(from.into());
        let origin = Origin::of(from);
        for direction in directions {
            let Some(mut ray) = self.tables.rays.ray(direction, from) else { continue };
            loop {
                // SAFETY: the loop ends after the last square.
                let to = unsafe { ray.enter() };
                let cell = to.number();
                // As published, three tests: own piece, occupied, last square. The stage of captures
                // visits the empty squares too.
                if !B::EMPTY_FIRST && B::is_own(self.board, self.side, cell) {
                    break;
                }
                if !B::is_empty(self.board, self.side, cell) {
                    if S::CAPTURES && !(B::EMPTY_FIRST && B::is_own(self.board, self.side, cell)) {
                        // Else the compiler would append before it tests, and the end of the list would be copied.
                        stay_a_branch();
                        self.append(origin, to);
                    }
                    break;
                }
                if S::QUIETS {
                    self.append(origin, to);
                }
                if ray.is_at_end() {
                    break;
                }
            }
        }
    }

    /// The king: one step in each direction whose ray is not empty.
    #[inline(always)]
    fn steps(&mut self, directions: Range<usize>, from: u8) {
        let from = Square::from_low_bits(from.into());
        for direction in directions {
            if let Some(to) = self.tables.rays.first(direction, from) {
                self.append_if_kept(Origin::of(from), to);
            }
        }
    }

    #[inline(always)]
    fn jumps(&mut self, jumps: Range<usize>, from: u8) {
        let origin = Origin::of(Square::from_low_bits(from.into()));
        let (steps, valid) = self.tables.jumps.of(from);
        for jump in jumps {
            let jump = jump & 7; // replaces a bounds check
            if valid >> jump & 1 != 0 {
                let to = Square::from_low_bits(from.wrapping_add(steps[jump]).into());
                self.append_if_kept(origin, to);
            }
        }
    }

    #[inline(always)]
    fn append_if_kept(&mut self, from: Origin, to: Square) {
        if B::keeps::<S>(self.board, self.side, to.number()) {
            self.append(from, to);
        }
    }
}

impl<S: Stage, E: RayEnd, B: Boards> Visitor for Walk<'_, S, E, B> {
    #[inline(always)]
    fn pawn(&mut self, from: u8) {
        self.board.pawn_moves::<S>(from, &mut self.list);
    }

    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: u8) {
        // Read before the kind is known, so that every loop has a number of iterations unknown to the compiler.
        // With eight it would copy the body of the loop and keep sixteen steps on the stack.
        let iterations = iterations_of(kind);
        match kind {
            Kind::Knight => self.jumps(iterations, from),
            Kind::King => self.steps(iterations, from),
            Kind::Bishop | Kind::Rook | Kind::Queen => self.rays(iterations, from),
            Kind::Pawn => {}
        }
    }
}

/// The directions or jumps of a kind. The rook's directions come first.
#[inline(always)]
fn iterations_of(kind: Kind) -> Range<usize> {
    const FIRST: [u8; 6] = [0, 0, 4, 0, 0, 0];
    const LAST: [u8; 6] = [0, 8, 8, 4, 8, 8];
    usize::from(FIRST[kind.index()])..usize::from(LAST[kind.index()])
}
