//! Sets of squares and masks that bitboard designs share.

use super::Bitboards;
use crate::{Stage, StageId};

/// The squares of the a-file.
pub const FILE_A: u64 = 0x0101_0101_0101_0101;
/// The squares of the h-file.
pub const FILE_H: u64 = FILE_A << 7;
/// The first and the eighth rank, where the pawns of either colour promote.
pub const LAST_RANKS: u64 = 0xff00_0000_0000_00ff;

/// The squares on which moves of stage `S` end, promotions and en passant aside.
#[inline(always)]
pub fn wanted<S: Stage>(board: &Bitboards) -> u64 {
    match S::ID {
        StageId::All => !board.own(),
        StageId::Captures => board.enemy(),
        StageId::Quiets => !board.occupied(),
    }
}

/// All bits set if the set is empty, else zero: a condition as a mask.
///
/// A comparison with one sets the borrow exactly if the set is empty, and spreading the borrow makes it two
/// instructions.
#[inline(always)]
pub const fn ones_if_empty(set: u64) -> u64 {
    0u64.wrapping_sub((set == 0) as u64)
}
