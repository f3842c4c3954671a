//! The loop.

use std::marker::PhantomData;

use raywalk_core::square_board::{Geometry, Grid10x12, Visitor};
use raywalk_core::{Kind, Move, MoveList, Square, Stage};

use crate::class::inversion;
use crate::{Class, Classify, GambietBoard};

pub(crate) struct Walk<'a, S, K> {
    classes: &'a K,
    board: &'a GambietBoard,
    inversion: u8,
    list: &'a mut MoveList,
    stage: PhantomData<S>,
}

impl<'a, S: Stage, K: Classify> Walk<'a, S, K> {
    #[inline(always)]
    pub(crate) fn new(classes: &'a K, board: &'a GambietBoard, list: &'a mut MoveList) -> Self {
        Walk { classes, board, inversion: inversion(board.side()), list, stage: PhantomData }
    }

    #[inline(always)]
    fn append(&mut self, from: Square, to: u8) {
        self.list.push(Move::new(from, Grid10x12::square(to)));
    }

    /// Along the rays, or one step each way.
    #[inline(always)]
    fn walk(&mut self, from: u8, steps: &[u8], slides: bool) {
        let origin = Grid10x12::square(from);
        for &step in steps {
            let mut to = from;
            loop {
                to = to.wrapping_add(step);
                let code = self.board.code(to) ^ self.inversion;
                let class = self.classes.class(code);
                // Two comparisons, not a match of five classes: that becomes a table of jumps.
                if class == Class::Empty {
                    if S::QUIETS {
                        self.append(origin, to);
                    }
                    if slides {
                        continue;
                    }
                } else if S::CAPTURES && class == Class::Enemy {
                    self.append(origin, to);
                }
                // In Gambiet a king met is a check or an illegal position. In no position that can
                // arise may the enemy's be taken, so here it is the own one.
                break;
            }
        }
    }
}

impl<S: Stage, K: Classify> Visitor for Walk<'_, S, K> {
    /// A pawn asks two questions that need no chain: empty ahead? enemy beside it?
    #[inline(always)]
    fn pawn(&mut self, from: u8) {
        self.board.pawn_moves::<S>(from, self.list);
    }

    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: u8) {
        let queen = Grid10x12::QUEEN_STEPS;
        let (rook, bishop) = queen.split_at(4);
        match kind {
            Kind::Knight => self.walk(from, Grid10x12::KNIGHT_STEPS, false),
            Kind::Bishop => self.walk(from, bishop, true),
            Kind::Rook => self.walk(from, rook, true),
            Kind::Queen => self.walk(from, queen, true),
            Kind::King => self.walk(from, queen, false),
            Kind::Pawn => {}
        }
    }
}
