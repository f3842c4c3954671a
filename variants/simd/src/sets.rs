//! Sets of squares: what the designs of this crate share before vectors come in.

pub(crate) use raywalk_core::bitboards::sets::{FILE_A, FILE_H, LAST_RANKS, wanted};
use raywalk_core::{Color, Square};

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

/// The rotation of a step ahead.
#[inline(always)]
pub(crate) fn up(side: Color) -> u32 {
    8 + 48 * side.index() as u32
}

/// The squares that the pawns of a colour attack.
#[inline(always)]
pub(crate) fn attacked_by_pawns(color: Color, pawns: u64) -> u64 {
    // No pawn stands on a rank from which it could wrap around the end of the board.
    let ahead = pawns.rotate_left(up(color));
    (ahead & !FILE_A) >> 1 | (ahead & !FILE_H) << 1
}
