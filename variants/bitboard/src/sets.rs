//! Constants and loops for sets of squares, shared by all designs of this crate.

use raywalk_core::{Bitboards, Move, MoveList, Square, Stage, StageId};

pub(crate) const FILE_A: u64 = 0x0101_0101_0101_0101;
pub(crate) const FILE_H: u64 = FILE_A << 7;
/// The first and the eighth rank, where the pawns of either colour promote.
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

/// Calls `action` with each square of the set, lowest first. Each turn costs one bit scan, one
/// reset of the lowest bit and one branch.
#[inline(always)]
pub(crate) fn each(mut set: u64, mut action: impl FnMut(Square)) {
    while set != 0 {
        action(Square::from_low_bits(set.trailing_zeros()));
        // Cannot wrap: the set has a bit.
        set &= set - 1;
    }
}

/// Appends a move from `from` to each target.
#[inline(always)]
pub(crate) fn write(from: Square, targets: u64, list: &mut MoveList) {
    each(targets, |to| list.push(Move::new(from, to)));
}
