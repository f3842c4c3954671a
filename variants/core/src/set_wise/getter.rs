//! One move at a time.

use super::{DIRECTIONS, Marks, Rays, TargetSets, View, index};
use crate::{Move, Square};

/// A move in ten bits: target in bits 0–5, direction in bits 6–9. The source is found when it is
/// needed. The four promotions of a pawn share one code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Code(u16);

impl Code {
    /// The move to `target`, as the side to move sees it, along the direction with this index.
    #[inline(always)]
    pub const fn new(target: Square, direction: usize) -> Code {
        Code(target.number() as u16 | ((direction & 15) as u16) << 6)
    }

    /// The target.
    #[inline(always)]
    pub const fn target(self) -> Square {
        Square::from_low_bits(self.0 as u32)
    }

    /// The index of the direction in [`DIRECTIONS`](super::DIRECTIONS).
    #[inline(always)]
    pub const fn direction(self) -> usize {
        (self.0 >> 6 & 15) as usize
    }

    /// The code of a move of the board, or `None` if no direction leads from its origin to its
    /// target.
    pub fn of(mv: Move, view: &View) -> Option<Code> {
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
        Some(Code::new(to, direction))
    }
}

impl Marks {
    /// Whether a target stands for four promotions.
    #[inline(always)]
    pub const fn promotes(&self, code: Code) -> bool {
        let promotions = match DIRECTIONS[code.direction()] {
            (0, 1) => self.promotions::<0, 1>(),
            (1, 1) => self.promotions::<1, 1>(),
            (-1, 1) => self.promotions::<-1, 1>(),
            _ => 0,
        };
        promotions & code.target().bit() != 0
    }

    /// The mark of a move, to be put beside its squares.
    #[inline(always)]
    pub const fn mark(&self, code: Code) -> u16 {
        let (marked, mark) = match DIRECTIONS[code.direction()] {
            (1, 0) => self.marked::<1, 0>(),
            (-1, 0) => self.marked::<-1, 0>(),
            (1, 1) => self.marked::<1, 1>(),
            (-1, 1) => self.marked::<-1, 1>(),
            _ => (0, 0),
        };
        mark * (marked >> code.target().number() & 1) as u16
    }
}

/// A finite-state machine that takes the moves out of the sets one by one.
///
/// It holds the sets that are left and the direction it is at. A search tries a few moves before it
/// generates any (the hash move, killers); [`remove`](MoveGetter::remove) takes such a move out, and
/// it does not come a second time.
#[derive(Clone, Debug)]
pub struct MoveGetter<'a> {
    rays: &'a Rays,
    view: View,
    pieces: u64,
    marks: Marks,
    sets: TargetSets,
    direction: usize,
    /// Promotions of the pawn that was met last, and how many of them are still to come.
    promotions: [Move; 4],
    waiting: usize,
}

impl<'a> MoveGetter<'a> {
    /// All moves of the sets.
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
            waiting: 0,
        }
    }

    /// Takes a move out and tells whether it was there: test and reset. With a promotion the other
    /// three of the same pawn and square go too.
    pub fn remove(&mut self, mv: Move) -> bool {
        let Some(code) = Code::of(mv, &self.view) else { return false };
        // The target may be another piece's, met from the same side.
        let from = self.rays.source_from(code.direction(), code.target(), self.pieces);
        from == self.view.square(mv.from())
            && self.sets.test_and_reset(code.direction(), code.target())
    }

    /// The next target with its direction, taken out of its set.
    #[inline(always)]
    fn take(&mut self) -> Option<Code> {
        loop {
            let set = self.sets.of(self.direction);
            if set != 0 {
                let target = Square::from_low_bits(set.trailing_zeros());
                self.sets.test_and_reset(self.direction, target);
                return Some(Code::new(target, self.direction));
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
        if self.waiting > 0 {
            self.waiting -= 1;
            return Some(self.promotions[3 - (self.waiting & 3)]);
        }
        let code = self.take()?;
        let from = self.rays.source_from(code.direction(), code.target(), self.pieces);
        if self.marks.promotes(code) {
            let (from, to) = (self.view.square(from), self.view.square(code.target()));
            self.promotions = Move::promotions(from, to);
            self.waiting = 3;
            return Some(self.promotions[0]);
        }
        Some(self.view.mv(from, code.target(), self.marks.mark(code)))
    }
}
