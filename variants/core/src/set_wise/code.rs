//! Moves in ten bits.

use super::{View, index};
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
    pub(crate) const fn new(target: Square, direction: usize) -> MoveCode {
        MoveCode::at(target.number() as u32, direction)
    }

    /// The same for a target as a plain number below 64.
    #[inline(always)]
    pub(crate) const fn at(target: u32, direction: usize) -> MoveCode {
        MoveCode(target as u16 | ((direction & 15) as u16) << 6)
    }

    /// The code as a word for a list of moves; `promotion` is the place of a promotion among the four, or
    /// 0. Takes twelve bits.
    #[inline(always)]
    pub(crate) const fn word(self, promotion: u16) -> Move {
        Move::from_bits(self.0 | promotion << 10)
    }

    /// The code and the place of the promotion in a [`word`](Self::word).
    #[inline(always)]
    pub(crate) const fn of_word(word: Move) -> (MoveCode, usize) {
        (MoveCode(word.bits() & 1023), (word.bits() >> 10 & 3) as usize)
    }

    /// The target, in the coordinates of a [`View`].
    #[inline(always)]
    pub(crate) const fn target(self) -> Square {
        Square::from_low_bits(self.0 as u32)
    }

    /// The index of the direction in [`DIRECTIONS`](super::DIRECTIONS).
    #[inline(always)]
    pub(crate) const fn direction(self) -> usize {
        (self.0 >> 6 & 15) as usize
    }

    /// Direction and target as one index below 1,024.
    #[inline(always)]
    pub(crate) const fn index(self) -> usize {
        (self.0 & 1023) as usize
    }

    /// The code of a move in board coordinates; `None` if no direction leads from its origin to its
    /// target.
    pub(crate) fn of(mv: Move, view: &View) -> Option<MoveCode> {
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
