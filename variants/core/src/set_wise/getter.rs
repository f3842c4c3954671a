//! Moves one at a time, as a search requests them.

use super::view::mark_on;
use super::{DIRECTIONS, Marks, Rays, TargetSets, View, index};
use crate::{Move, Square};

/// A move in ten bits: target in bits 0–5, direction in bits 6–9.
///
/// The source square is computed only when it is needed. The four promotions of a pawn share one
/// code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MoveCode(u16);

impl MoveCode {
    /// The move to `target`, in the coordinates of a [`View`], along the direction with this index.
    #[inline(always)]
    pub const fn new(target: Square, direction: usize) -> MoveCode {
        MoveCode(target.number() as u16 | ((direction & 15) as u16) << 6)
    }

    /// The target, in the coordinates of a [`View`].
    #[inline(always)]
    pub const fn target(self) -> Square {
        Square::from_low_bits(self.0 as u32)
    }

    /// The index of the direction in [`DIRECTIONS`](super::DIRECTIONS).
    #[inline(always)]
    pub const fn direction(self) -> usize {
        (self.0 >> 6 & 15) as usize
    }

    /// The code of a move in board coordinates; `None` if no direction leads from its origin to its
    /// target.
    pub fn of(mv: Move, view: &View) -> Option<MoveCode> {
        let (from, to) = (view.square(mv.from()), view.square(mv.to()));
        let files = to.file() as i8 - from.file() as i8;
        let ranks = to.rank() as i8 - from.rank() as i8;
        let line = files == 0 || ranks == 0 || files.abs() == ranks.abs();
        let leap = files.abs() * ranks.abs() == 2;
        let direction = match (line, leap) {
            _ if from == to => return None,
            (true, _) => index(files.signum(), ranks.signum()),
            (_, true) => index(files, ranks),
            _ => return None,
        };
        Some(MoveCode::new(to, direction))
    }
}

impl Marks {
    /// Whether a code represents four promotions.
    #[inline(always)]
    pub const fn promotes(&self, code: MoveCode) -> bool {
        let promotions = match DIRECTIONS[code.direction()] {
            (0, 1) => self.promotions::<0, 1>(),
            (1, 1) => self.promotions::<1, 1>(),
            (-1, 1) => self.promotions::<-1, 1>(),
            _ => 0,
        };
        promotions & code.target().bit() != 0
    }

    /// The mark of a move: bits to OR with its squares, 0 for an ordinary move.
    #[inline(always)]
    pub const fn mark(&self, code: MoveCode) -> u16 {
        let marked = match DIRECTIONS[code.direction()] {
            (1, 0) => self.marked::<1, 0>(),
            (-1, 0) => self.marked::<-1, 0>(),
            (1, 1) => self.marked::<1, 1>(),
            (-1, 1) => self.marked::<-1, 1>(),
            _ => (0, 0),
        };
        mark_on(code.target(), marked)
    }
}

/// An iterator that removes the moves from the sets one by one.
///
/// Its state is the remaining sets and the current direction. A search tries some moves before it
/// generates any (the hash move, killers); [`remove`](MoveGetter::remove) takes such a move out, so
/// that it is not returned again.
#[derive(Clone, Debug)]
pub struct MoveGetter<'a> {
    rays: &'a Rays,
    view: View,
    pieces: u64,
    marks: Marks,
    sets: TargetSets,
    direction: usize,
    /// The promotions of the current pawn move.
    promotions: [Move; 4],
    /// How many of `promotions` are still to be returned, at most 3.
    pending: usize,
}

impl<'a> MoveGetter<'a> {
    /// An iterator over all moves of the sets.
    #[inline]
    pub fn new(rays: &'a Rays, view: View, sets: TargetSets) -> MoveGetter<'a> {
        MoveGetter {
            rays,
            pieces: view.occupied(),
            marks: Marks::new(&view),
            view,
            sets,
            direction: 0,
            promotions: [Move::from_bits(0); 4],
            pending: 0,
        }
    }

    /// Removes a move and returns whether it was still to come (test and reset). Removing a
    /// promotion also removes the other three of the same pawn and target.
    pub fn remove(&mut self, mv: Move) -> bool {
        let Some(code) = MoveCode::of(mv, &self.view) else { return false };
        // The target may belong to another piece that reaches it along the same direction.
        let from = self.rays.source_from(code.direction(), code.target(), self.pieces);
        from == self.view.square(mv.from())
            && self.sets.test_and_reset(code.direction(), code.target())
    }

    /// Removes and returns the next target with its direction.
    #[inline(always)]
    fn take(&mut self) -> Option<MoveCode> {
        loop {
            let set = self.sets.of(self.direction);
            if set != 0 {
                let target = Square::from_low_bits(set.trailing_zeros());
                self.sets.test_and_reset(self.direction, target);
                return Some(MoveCode::new(target, self.direction));
            }
            if self.direction == 15 {
                return None;
            }
            self.direction += 1;
        }
    }
}

impl Iterator for MoveGetter<'_> {
    type Item = Move;

    #[inline(always)]
    fn next(&mut self) -> Option<Move> {
        if self.pending > 0 {
            self.pending -= 1;
            // The mask replaces a bounds check.
            return Some(self.promotions[3 - (self.pending & 3)]);
        }
        let code = self.take()?;
        let from = self.rays.source_from(code.direction(), code.target(), self.pieces);
        if self.marks.promotes(code) {
            let (from, to) = (self.view.square(from), self.view.square(code.target()));
            self.promotions = Move::promotions(from, to);
            self.pending = 3;
            return Some(self.promotions[0]);
        }
        Some(self.view.mv(from, code.target(), self.marks.mark(code)))
    }
}
