//! Sets of squares: what the designs of this crate share before vectors come in.

use raywalk_core::{Bitboards, Color, Square, Stage, StageId};

pub(crate) const FILE_A: u64 = 0x0101_0101_0101_0101;
pub(crate) const FILE_H: u64 = FILE_A << 7;
/// The ranks on which pawns of either colour promote.
pub(crate) const LAST_RANKS: u64 = 0xff00_0000_0000_00ff;

/// The squares on which moves of stage `S` end, promotions and en passant aside.
#[inline(always)]
pub(crate) fn wanted<S: Stage>(board: &Bitboards) -> u64 {
    match S::ID {
        StageId::All => !board.own(),
        StageId::Captures => board.enemy(),
        StageId::Quiets => !board.occupied(),
    }
}

/// Removes the lowest square of a set and returns its number, or 64 if the set is empty. Takes no branch:
/// tables of 65 records have one for the number 64 that gives no moves.
#[inline(always)]
pub(crate) fn take(set: &mut u64) -> usize {
    let lowest = set.trailing_zeros();
    *set &= set.wrapping_sub(1);
    lowest as usize
}

/// The squares of a set, lowest first.
#[inline(always)]
pub(crate) fn squares(mut set: u64) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        let number = set.trailing_zeros();
        (set != 0).then(|| {
            set &= set - 1;
            Square::from_low_bits(number)
        })
    })
}

/// The step of a pawn of this colour, in squares.
#[inline(always)]
pub(crate) fn ahead(side: Color) -> i16 {
    8 - 16 * side.index() as i16
}
