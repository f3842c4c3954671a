//! The loop of every board that is walked by adding steps.
//!
//! A ray goes on until something stops it. What differs between the boards is how the edge is
//! noticed, and that is the geometry's business: a guarded board is read, 0x88 and the bare board
//! test the index. So the loop is written once, and two boards that differ in one parameter differ
//! in nothing else.
//!
//! One branch per empty square where cells are guarded, two where the index is tested; one load per
//! square; one addition on the carried chain as long as the branches are predicted. The stages share
//! the walk: whoever wants captures only, walks all the empty squares too.

use std::marker::PhantomData;

use super::{Code, Geometry, PieceList, SquareBoard, Visitor};
use crate::{Color, Kind, Move, MoveFormat, MoveList, Square, Stage, StageId};

/// Writes the moves of stage `S` of every piece it is shown, except castling and en passant.
pub struct StepWalk<'a, S, G: Geometry, C: Code, L: PieceList<G>, F: MoveFormat = Move> {
    board: &'a SquareBoard<G, C, L>,
    side: Color,
    list: &'a mut MoveList<F>,
    stage: PhantomData<S>,
}

impl<'a, S: Stage, G: Geometry, C: Code, L: PieceList<G>, F: MoveFormat>
    StepWalk<'a, S, G, C, L, F>
{
    /// A walk for the side to move.
    #[inline(always)]
    pub fn new(board: &'a SquareBoard<G, C, L>, list: &'a mut MoveList<F>) -> Self {
        StepWalk { board, side: board.side(), list, stage: PhantomData }
    }

    #[inline(always)]
    fn append(&mut self, from: Square, to: u8) {
        self.list.push(Move::new(from, G::square(to)));
    }

    /// An enemy piece. A guard is none, but only a padded board has guards to tell apart.
    #[inline(always)]
    fn takes(&self, code: u8) -> bool {
        if G::PADDED { C::takes(code, self.side) } else { C::is_enemy(code, self.side) }
    }

    #[inline(always)]
    fn slide(&mut self, from: u8, steps: &[u8]) {
        let origin = G::square(from);
        for &step in steps {
            let mut at = from;
            loop {
                let to = at.wrapping_add(step);
                // Never on a padded board, where the guard below ends the ray.
                if G::leaves(at, to) {
                    break;
                }
                let code = self.board.code(to);
                if !C::is_empty(code) {
                    if S::CAPTURES && self.takes(code) {
                        self.append(origin, to);
                    }
                    break;
                }
                if S::QUIETS {
                    self.append(origin, to);
                }
                at = to;
            }
        }
    }

    /// One step each way. What is not empty is never asked for, so there is one test per target.
    #[inline(always)]
    fn leap(&mut self, from: u8, steps: &[u8; 8]) {
        let origin = G::square(from);
        for &step in steps {
            let to = from.wrapping_add(step);
            if G::leaves(from, to) {
                continue;
            }
            let code = self.board.code(to);
            let wanted = match S::ID {
                // A guard is own to both sides.
                StageId::All => !C::is_own(code, self.side),
                StageId::Captures => self.takes(code),
                StageId::Quiets => C::is_empty(code),
            };
            if wanted {
                self.append(origin, to);
            }
        }
    }
}

impl<S: Stage, G: Geometry, C: Code, L: PieceList<G>, F: MoveFormat> Visitor
    for StepWalk<'_, S, G, C, L, F>
{
    #[inline(always)]
    fn pawn(&mut self, from: u8) {
        self.board.pawn_moves::<S>(from, self.list);
    }

    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: u8) {
        let queen = G::QUEEN_STEPS;
        let (rook, bishop) = queen.split_at(4);
        match kind {
            Kind::Knight => self.leap(from, G::KNIGHT_STEPS),
            Kind::Bishop => self.slide(from, bishop),
            Kind::Rook => self.slide(from, rook),
            Kind::Queen => self.slide(from, queen),
            Kind::King => self.leap(from, queen),
            Kind::Pawn => {}
        }
    }
}
