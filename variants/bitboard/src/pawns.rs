//! Generates pawn moves for all pawns at once.
//!
//! All designs of this crate but one generate pawn moves as sets. That is the usual compromise of bitboard
//! programs: *by direction* for pawns, piece by piece for the rest. The exception, in file
//! `pawns_one_by_one.rs`, shows what the compromise is worth. Most designs use [`PawnSets`]; those of `legal.rs`
//! restrict the sets by pins, and that of `two_lists.rs` writes them to two lists.
//!
//! **Method.** A push shifts the set of pawns one rank ahead and intersects it with the empty
//! squares. A capture shifts the set one rank ahead and one file aside and intersects it with the
//! enemy's pieces. Each remaining bit is the target of one pawn, whose origin lies the same shift
//! back. Targets on the last rank are promotions; they are split off as a set, so no single target
//! is tested for its rank.
//!
//! **No branch on the side to move.** Such a branch would be mispredicted on every other position
//! of a shuffled set, and one copy of the code per colour would need the same branch to choose the
//! copy. Instead the shift is a *rotation*: by 8 for White and by 56, which is 8 in the other
//! direction, for Black. No pawn stands on a rank from which a rotation could wrap around the end
//! of the board.

use raywalk_core::{Bitboards, Board, Color, Cursor, Kind, Move, MoveList, Square, Stage};

use crate::sets::{FILE_A, FILE_H, LAST_RANKS, each};

/// A method that generates pawn moves.
pub trait Pawns: Sized + Send + Sync + 'static {
    /// Builds the tables, if the method has any.
    fn build() -> Self;

    /// Appends the pawn moves of stage `S`.
    fn generate<S: Stage>(&self, board: &Bitboards, list: &mut MoveList);
}

/// Shifts all pawns as one set. Needs no table.
pub struct PawnSets;

impl Pawns for PawnSets {
    fn build() -> PawnSets {
        PawnSets
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Bitboards, list: &mut MoveList) {
        let Ahead { single, third_rank } = Ahead::of(board.state().side);
        let pawns = board.own() & board.kind(Kind::Pawn);

        if S::CAPTURES {
            PawnSets::captures(board, board.enemy(), board.en_passant(), list);
        }
        if S::QUIETS {
            let empty = !board.occupied();
            let once = pawns.rotate_left(single) & empty;
            let twice = (once & third_rank).rotate_left(single) & empty;
            each(once & !LAST_RANKS, |to| list.push(Move::new(behind(to, single), to)));
            each(twice, |to| list.push(Move::new(behind(to, 2 * single), to)));
            each(once & LAST_RANKS, |to| list.push_promotions(behind(to, single), to));
        }
    }
}

impl PawnSets {
    /// Appends the captures on these squares, and those en passant on the square that an enemy pawn has just passed.
    #[inline(always)]
    pub(crate) fn captures(board: &Bitboards, victims: u64, passed: u64, list: &mut MoveList) {
        let Ahead { single, .. } = Ahead::of(board.state().side);
        let pawns = board.own() & board.kind(Kind::Pawn);
        let takes = victims | passed;
        // Towards the a-file a pawn moves 8 - 1 squares, towards the h-file 8 + 1. The -1 is
        // written as 63 because rotations are modulo 64.
        let (west, east) = (single + 63, single + 1);
        // One cursor for both: a list whose end is stored and read again in between takes ten instructions more.
        let list = &mut list.cursor();
        let targets = (pawns & !FILE_A).rotate_left(west) & takes;
        PawnSets::captures_towards(targets, west, passed, list);
        let targets = (pawns & !FILE_H).rotate_left(east) & takes;
        PawnSets::captures_towards(targets, east, passed, list);
    }

    /// Appends the captures on these squares by pawns that lie one `step` behind.
    #[inline(always)]
    fn captures_towards(targets: u64, step: u32, passed: u64, list: &mut Cursor<'_>) {
        each(targets & !LAST_RANKS, |to| list.push(taking(behind(to, step), to, passed)));
        each(targets & LAST_RANKS, |to| list.push_promotions(behind(to, step), to));
    }
}

/// The direction in which the pawns of a side move.
#[derive(Clone, Copy)]
pub(crate) struct Ahead {
    /// Rotation to the left that is one step ahead: 8 for White, 56 for Black.
    pub single: u32,
    /// The rank that a double push passes: the third rank for White, the sixth for Black.
    pub third_rank: u64,
}

impl Ahead {
    #[inline(always)]
    pub(crate) fn of(side: Color) -> Ahead {
        let black = side.index() as u32;
        Ahead { single: 8 + 48 * black, third_rank: 0xff << (16 + 24 * black) }
    }
}

/// The en passant mark of a move without its squares, so that it can be added without a branch.
const EN_PASSANT: u16 = Move::en_passant(Square::new(0, 0), Square::new(0, 0)).bits();

/// A pawn move that is marked as en passant if it ends on `passed`, the set of at most one square
/// that an enemy pawn has just passed. A push never ends there: it would come from the square on
/// which the enemy's pawn stands.
#[inline(always)]
pub(crate) fn taking(from: Square, to: Square, passed: u64) -> Move {
    let mark = EN_PASSANT * (passed >> to.number() & 1) as u16;
    Move::from_bits(Move::new(from, to).bits() | mark)
}

/// The square from which a rotation by `step` leads to `to`.
#[inline(always)]
pub(crate) fn behind(to: Square, step: u32) -> Square {
    Square::from_low_bits(u32::from(to.number()).wrapping_sub(step))
}
