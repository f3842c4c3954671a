//! Selects one of four branch-free pawn writers by the rank of the pawn.
//!
//! Derived here; no source describes it. The rank determines what a pawn can do: on its home rank it
//! may advance two squares, on the fifth rank it may capture en passant, on the seventh it promotes,
//! elsewhere none of these. The rank is tested once per pawn. After that, every target is stored
//! unconditionally and counted only if its square allows the move. The rest is `mailbox/10x12`.

use raywalk_core::square_board::{
    Code, ColourBits, CountedArrays, Geometry, Grid10x12, SquareBoard, StepWalk, Visitor,
};
use raywalk_core::{Card, Color, Cursor, Feature, Generator, Kind, Move, MoveList, Stage};

use crate::layouts::MAILBOX;

type Board = SquareBoard<Grid10x12, ColourBits, CountedArrays>;

/// 10x12 with a branch-free pawn writer for each of four groups of ranks.
pub struct PawnWriters;

impl Generator for PawnWriters {
    const CARD: Card = Card {
        id: "mailbox/10x12-pawn-writers",
        name: "10x12, pawns by rank",
        author: "Raywalk, after the 10x12 mailbox",
        year: Some(2026),
        source: "Raywalk: a variant of mailbox/10x12, not published elsewhere",
        reconstructed: "the four branch-free pawn writers are not in any source; the rest is \
                        mailbox/10x12",
        ..MAILBOX
    };
    type Board = Board;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(PawnWriters))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Board, list: &mut MoveList) {
        let side = board.side();
        let ahead = match side {
            Color::White => Grid10x12::WIDTH,
            Color::Black => Grid10x12::WIDTH.wrapping_neg(),
        };
        // Cell 0 is a guard outside the reach of every pawn, so it never equals a capture target.
        let passed = board.en_passant().map_or(0, Grid10x12::cell);
        let steps = StepWalk::<S, _, _, _>::new(board, list);
        board.visit::<S>(&mut Walk::<S> { board, side, ahead, passed, steps });
        board.castling_moves::<S>(list);
    }

    /// Bytes of the map from cells to squares, which writing a move needs.
    fn table_bytes(&self) -> usize {
        Grid10x12::MAP_BYTES
    }
}

struct Walk<'a, S> {
    board: &'a Board,
    side: Color,
    /// Step to the next rank, as a wrapping `u8`.
    ahead: u8,
    /// Cell of the en passant target, or 0.
    passed: u8,
    steps: StepWalk<'a, S, Grid10x12, ColourBits, CountedArrays>,
}

impl<S: Stage> Walk<'_, S> {
    /// Calls `write` with each of the two capture targets and whether an enemy piece stands there.
    #[inline(always)]
    fn captures(&mut self, from: u8, mut write: impl FnMut(&mut Cursor<'_>, u8, bool)) {
        if S::CAPTURES {
            for to in [self.ahead.wrapping_sub(1), self.ahead.wrapping_add(1)] {
                let to = from.wrapping_add(to);
                write(self.steps.cursor(), to, ColourBits::takes(self.board.code(to), self.side));
            }
        }
    }

    /// Calls `write` with the square ahead and whether it is empty. Returns whether it is empty.
    #[inline(always)]
    fn push(&mut self, from: u8, write: impl FnOnce(&mut Cursor<'_>, u8, bool)) -> bool {
        let to = from.wrapping_add(self.ahead);
        let free = ColourBits::is_empty(self.board.code(to));
        if S::QUIETS {
            write(self.steps.cursor(), to, free);
        }
        free
    }
}

/// Writes one move: always stored, counted if `keep`.
#[inline(always)]
fn one(from: u8) -> impl Fn(&mut Cursor<'_>, u8, bool) + Copy {
    let origin = Grid10x12::square(from);
    move |list, to, keep| list.push_if(Move::new(origin, Grid10x12::square(to)), keep)
}

/// Writes the four promotions: always stored, counted if `keep`.
#[inline(always)]
fn four(from: u8) -> impl Fn(&mut Cursor<'_>, u8, bool) + Copy {
    let origin = Grid10x12::square(from);
    move |list, to, keep| list.push_promotions_if(origin, Grid10x12::square(to), keep)
}

impl<S: Stage> Visitor for Walk<'_, S> {
    #[inline(always)]
    fn pawn(&mut self, from: u8) {
        let origin = Grid10x12::square(from);
        match self.side.view(origin).rank() {
            1 => {
                let free = self.push(from, one(from));
                if S::QUIETS {
                    let two = from.wrapping_add(self.ahead).wrapping_add(self.ahead);
                    // `&`, not `&&`: the second square is read even if the first is occupied.
                    let both = free & ColourBits::is_empty(self.board.code(two));
                    one(from)(self.steps.cursor(), two, both);
                }
                self.captures(from, one(from));
            }
            4 => {
                self.push(from, one(from));
                let passed = self.passed;
                self.captures(from, |list, to, takes| {
                    one(from)(list, to, takes);
                    let mv = Move::en_passant(origin, Grid10x12::square(to));
                    list.push_if(mv, to == passed);
                });
            }
            6 => {
                self.push(from, four(from));
                self.captures(from, four(from));
            }
            _ => {
                self.push(from, one(from));
                self.captures(from, one(from));
            }
        }
    }

    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: u8) {
        self.steps.piece(kind, from);
    }
}
