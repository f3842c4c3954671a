//! Pawns, all at once.
//!
//! The set of pawns is shifted one rank ahead and intersected with the empty squares, or one rank
//! ahead and one file aside and intersected with the enemy's men; each bit that is left is the
//! target of one pawn, which stands the same shift behind. Targets on the last rank are promotions
//! and are split off first, so that no target is tested for its rank.
//!
//! No branch asks for the side to move. A test would be mispredicted on every other position of a
//! shuffled set, and a copy of the code per colour needs that test too. Instead the shift is a
//! *rotation*, by 8 for White and by 56, which is 8 the other way, for Black. No pawn stands on a
//! rank from which a step could rotate around the end of the board.

use raywalk_core::{Bitboards, Board, Kind, Move, MoveList, Square, Stage};

use crate::piecewise::each;

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;
/// The first and the eighth rank: where pawns of either colour promote.
const LAST_RANKS: u64 = 0xff00_0000_0000_00ff;
/// The mark alone, to be added without a branch.
const EN_PASSANT: u16 = Move::en_passant(Square::new(0, 0), Square::new(0, 0)).bits();

/// Appends the pawn moves of stage `S`.
#[inline(always)]
pub(crate) fn generate<S: Stage>(board: &Bitboards, list: &mut MoveList) {
    let black = board.state().side.index() as u32;
    let ahead = 8 + 48 * black;
    let pawns = board.own() & board.kind(Kind::Pawn);

    if S::CAPTURES {
        let passed = board.en_passant();
        let takes = board.enemy() | passed;
        for (able, step) in [(!FILE_A, ahead + 63), (!FILE_H, ahead + 1)] {
            let targets = (pawns & able).rotate_left(step) & takes;
            each(targets & !LAST_RANKS, |to| {
                let mark = EN_PASSANT * (passed >> to.number() & 1) as u16;
                list.push(Move::from_bits(Move::new(behind(to, step), to).bits() | mark));
            });
            each(targets & LAST_RANKS, |to| list.push_promotions(behind(to, step), to));
        }
    }
    if S::QUIETS {
        let empty = !board.occupied();
        let single = pawns.rotate_left(ahead) & empty;
        let third_rank = 0xff << (16 + 24 * black);
        let double = (single & third_rank).rotate_left(ahead) & empty;
        each(single & !LAST_RANKS, |to| list.push(Move::new(behind(to, ahead), to)));
        each(double, |to| list.push(Move::new(behind(to, 2 * ahead), to)));
        each(single & LAST_RANKS, |to| list.push_promotions(behind(to, ahead), to));
    }
}

/// The square from which a rotation by `step` leads to `to`.
#[inline(always)]
fn behind(to: Square, step: u32) -> Square {
    Square::from_low_bits(u32::from(to.number()).wrapping_sub(step))
}
