//! The walk of a piece, ray by ray.

use std::marker::PhantomData;

use raywalk_core::square_board::{Geometry, Grid10x12, RayLoop};
use raywalk_core::{Cursor, MoveList, Stage};

use crate::GambietBoard;
use crate::class::inversion;
use crate::ray::{Ray, Rays};

pub(crate) struct Walk<'a, S, K> {
    rays: &'a K,
    board: &'a GambietBoard,
    inversion: u8,
    list: Cursor<'a>,
    stage: PhantomData<S>,
}

impl<'a, S: Stage, K: Rays> Walk<'a, S, K> {
    #[inline(always)]
    pub(crate) fn new(rays: &'a K, board: &'a GambietBoard, list: &'a mut MoveList) -> Self {
        let inversion = inversion(board.side());
        Walk { rays, board, inversion, list: list.cursor(), stage: PhantomData }
    }
}

impl<S: Stage, K: Rays> RayLoop for Walk<'_, S, K> {
    type Geometry = Grid10x12;

    #[inline(always)]
    fn walk<const SLIDES: bool>(&mut self, from: u8, steps: &[u8]) {
        let origin = Grid10x12::square(from);
        for &step in steps {
            let ray = Ray { board: self.board, inversion: self.inversion, origin, from, step };
            self.rays.walk::<S, SLIDES>(ray, &mut self.list);
        }
    }

    /// A pawn makes two tests, empty ahead and enemy beside, which need no chain of flags.
    #[inline(always)]
    fn walk_pawn(&mut self, from: u8) {
        self.board.pawn_moves::<S>(from, &mut self.list);
    }
}
