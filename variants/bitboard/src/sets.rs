//! Constants and loops for sets of squares, shared by all designs of this crate.

pub(crate) use raywalk_core::bitboards::sets::{FILE_A, FILE_H, LAST_RANKS, wanted};
use raywalk_core::{Move, MoveList, Square};

/// The squares of a set, lowest first. Each iteration of a loop over them costs one bit scan, one reset
/// of the lowest bit and one branch.
pub(crate) struct Squares(u64);

/// The squares of a set, lowest first.
#[inline(always)]
pub(crate) fn squares(set: u64) -> Squares {
    Squares(set)
}

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square::from_low_bits(self.0.trailing_zeros());
        // Cannot wrap: the set has a bit.
        self.0 &= self.0 - 1;
        Some(square)
    }
}

/// Calls `action` with each square of the set, lowest first.
///
/// For actions of a line. The compiler may leave a larger closure out of line in one design and
/// not in another; the body of a `for` over [`squares`] is always part of the function around it.
#[inline(always)]
pub(crate) fn each(set: u64, mut action: impl FnMut(Square)) {
    for square in squares(set) {
        action(square);
    }
}

/// Appends a move from `from` to each target.
#[inline(always)]
pub(crate) fn write(from: Square, targets: u64, list: &mut MoveList) {
    let mut cursor = list.cursor();
    for to in squares(targets) {
        cursor.push(Move::new(from, to));
    }
}
