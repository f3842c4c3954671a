//! The ray loop, generic over how a code is classified.

use std::marker::PhantomData;

use raywalk_core::square_board::{Geometry, Grid10x12, RayLoop};
use raywalk_core::{Cursor, Move, MoveList, Square, Stage};

use crate::GambietBoard;
use crate::class::{Class, Classify, inversion};

pub(crate) struct Walk<'a, S, K> {
    classes: &'a K,
    board: &'a GambietBoard,
    inversion: u8,
    list: Cursor<'a>,
    stage: PhantomData<S>,
}

impl<'a, S: Stage, K: Classify> Walk<'a, S, K> {
    #[inline(always)]
    pub(crate) fn new(classes: &'a K, board: &'a GambietBoard, list: &'a mut MoveList) -> Self {
        Walk {
            classes,
            board,
            inversion: inversion(board.side()),
            list: list.cursor(),
            stage: PhantomData,
        }
    }

    #[inline(always)]
    fn append(&mut self, from: Square, to: u8) {
        self.list.push(Move::to_target(from, Grid10x12::target(to)));
    }
}

impl<S: Stage, K: Classify> RayLoop for Walk<'_, S, K> {
    type Geometry = Grid10x12;

    #[inline(always)]
    fn walk<const SLIDES: bool>(&mut self, from: u8, steps: &[u8]) {
        let origin = Grid10x12::square(from);
        for &step in steps {
            let mut to = from;
            loop {
                to = to.wrapping_add(step);
                let code = self.board.code(to) ^ self.inversion;
                let class = self.classes.class(code);
                // Two comparisons: a match of five classes would compile to a jump table.
                if class == Class::Empty {
                    if S::QUIETS {
                        self.append(origin, to);
                    }
                    if SLIDES {
                        continue;
                    }
                } else if S::CAPTURES && class == Class::Enemy {
                    self.append(origin, to);
                }
                // In Gambiet a king in the way means check or an illegal position. Here it can only
                // be the king of the side to move: no reachable position lets the other be taken.
                break;
            }
        }
    }

    /// A pawn makes two tests, empty ahead and enemy beside, which need no chain of flags.
    #[inline(always)]
    fn walk_pawn(&mut self, from: u8) {
        self.board.pawn_moves::<S>(from, &mut self.list);
    }
}
