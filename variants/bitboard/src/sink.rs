//! Where a generator puts its sets of targets: into a list, move by move, or into a count, set by set.

use raywalk_core::{Kind, Move, MoveList, Square};

use crate::pawns::behind;
use crate::sets::{each, write};

/// What takes the moves: a list, or a count of them.
pub(crate) trait Sink {
    /// Takes the moves of a piece to all squares of a set.
    fn piece(&mut self, kind: Kind, from: Square, targets: u64);
    /// Takes the moves of pawns that end on the squares of a set, a rotation by `step` away.
    fn pawns(&mut self, targets: u64, step: u32);
    /// Takes the moves of pawns that end on the squares of a set, twice a rotation by `step` away.
    fn double_pushes(&mut self, targets: u64, step: u32);
    /// Takes as many promotions to each square of a set as there are pieces to promote to.
    fn promotions(&mut self, targets: u64, step: u32);
    /// Takes castling of the king on `from` to each square of a set.
    fn castling(&mut self, from: Square, targets: u64);
    /// Takes an en passant capture, if it is legal.
    fn en_passant(&mut self, from: Square, to: Square, legal: bool);
    /// Takes a move of the king, if it is legal.
    fn king(&mut self, from: Square, to: Square, legal: bool);
}

impl Sink for MoveList {
    #[inline(always)]
    fn piece(&mut self, _: Kind, from: Square, targets: u64) {
        write(from, targets, self);
    }

    #[inline(always)]
    fn pawns(&mut self, targets: u64, step: u32) {
        each(targets, |to| self.push(Move::new(behind(to, step), to)));
    }

    #[inline(always)]
    fn double_pushes(&mut self, targets: u64, step: u32) {
        self.pawns(targets, 2 * step);
    }

    #[inline(always)]
    fn promotions(&mut self, targets: u64, step: u32) {
        each(targets, |to| self.push_promotions(behind(to, step), to));
    }

    #[inline(always)]
    fn castling(&mut self, from: Square, targets: u64) {
        each(targets, |to| self.push(Move::castle(from, to)));
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square, legal: bool) {
        self.push_if(Move::en_passant(from, to), legal);
    }

    #[inline(always)]
    fn king(&mut self, from: Square, to: Square, legal: bool) {
        self.push_if(Move::new(from, to), legal);
    }
}

/// Counts moves and stores none.
#[derive(Default)]
pub(crate) struct Counter(u64);

impl Counter {
    /// The number of moves so far.
    #[inline(always)]
    pub(crate) fn moves(&self) -> u64 {
        self.0
    }

    #[inline(always)]
    fn add(&mut self, targets: u64) {
        self.0 += u64::from(targets.count_ones());
    }
}

impl Sink for Counter {
    #[inline(always)]
    fn piece(&mut self, _: Kind, _: Square, targets: u64) {
        self.add(targets);
    }

    #[inline(always)]
    fn pawns(&mut self, targets: u64, _: u32) {
        self.add(targets);
    }

    #[inline(always)]
    fn double_pushes(&mut self, targets: u64, _: u32) {
        self.add(targets);
    }

    #[inline(always)]
    fn promotions(&mut self, targets: u64, _: u32) {
        self.0 += Kind::PROMOTIONS.len() as u64 * u64::from(targets.count_ones());
    }

    #[inline(always)]
    fn castling(&mut self, _: Square, targets: u64) {
        self.add(targets);
    }

    #[inline(always)]
    fn en_passant(&mut self, _: Square, _: Square, legal: bool) {
        self.0 += u64::from(legal);
    }

    #[inline(always)]
    fn king(&mut self, _: Square, _: Square, legal: bool) {
        self.0 += u64::from(legal);
    }
}
