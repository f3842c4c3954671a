//! Castling, with the test for attacked squares by one fill.
//!
//! Rights and path rule castling out in most positions. Otherwise the squares that the enemy attacks are
//! found all at once, in eight directions, which serves both wings. The other bitboard designs look from each
//! square of the king's way instead.

use raywalk_core::{Bitboards, Board, Color, Cursor, Move, MoveList, Square, State};

use crate::sides::Sides;
use crate::threats::attacked_by_enemy;

/// The squares between king and rook on the first rank, and the way of the king: on the king's wing and on
/// the queen's.
pub(crate) const BETWEEN: [u64; 2] = [0x60, 0x0e];
pub(crate) const WAY: [u64; 2] = [0x70, 0x1c];

/// For each wing, whether the right is held and the squares between king and rook are empty.
#[inline(always)]
fn unobstructed(state: State, occupied: u64) -> [bool; 2] {
    let side = state.side.index();
    // White's rights are the upper two bits.
    let own = state.rights.bits() >> (2 - 2 * side);
    let rank = occupied >> (56 * side);
    // Not `&&`, which would be a branch.
    [(own & 2 != 0) & (rank & BETWEEN[0] == 0), (own & 1 != 0) & (rank & BETWEEN[1] == 0)]
}

/// Whether the way of the king on each wing is free of the squares in `attacked`.
#[inline(always)]
fn safe(board: &Bitboards, attacked: u64) -> [bool; 2] {
    let rank = attacked >> (56 * board.state().side.index());
    WAY.map(|way| rank & way == 0)
}

/// For each wing, whether castling is legal. `attacked` has what the enemy attacks.
#[inline(always)]
pub(crate) fn allowed(board: &Bitboards, attacked: u64) -> [bool; 2] {
    let [king_side, queen_side] = unobstructed(board.state(), board.occupied());
    let [safe_king_side, safe_queen_side] = safe(board, attacked);
    [king_side & safe_king_side, queen_side & safe_queen_side]
}

/// Stores both castling moves, and counts those that are allowed.
#[inline(always)]
pub(crate) fn push(side: Color, [king_side, queen_side]: [bool; 2], cursor: &mut Cursor<'_>) {
    let rank = 7 * side.index() as u8;
    let king = Square::new(4, rank);
    cursor.push_if(Move::castle(king, Square::new(6, rank)), king_side);
    cursor.push_if(Move::castle(king, Square::new(2, rank)), queen_side);
}

/// Whether a wing is [`unobstructed`].
#[inline(always)]
pub(crate) fn is_unobstructed(state: State, occupied: u64) -> bool {
    let [king_side, queen_side] = unobstructed(state, occupied);
    king_side | queen_side
}

/// Appends the castling moves, which are legal, if a wing is unobstructed.
#[cold]
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn write(board: &Bitboards, list: &mut MoveList) {
    push(board.state().side, by_fill(board), &mut list.cursor());
}

/// For each wing, whether castling is legal, if a wing is unobstructed.
#[cold]
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn legal(board: &Bitboards) -> [bool; 2] {
    by_fill(board)
}

/// For each wing, whether castling is legal. What the enemy attacks is found by a fill.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn by_fill(board: &Bitboards) -> [bool; 2] {
    allowed(board, attacked_by_enemy(&Sides::of(board)))
}
