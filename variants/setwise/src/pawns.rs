//! Pawns by direction with the other pieces, or one by one.
//!
//! The source calls pawns by direction and pieces one by one a combination of both approaches. With
//! both by direction and with the opposite combination here, and with `bitboard/hyperbola` and
//! `bitboard/pawns-one-by-one`, all four cases exist.

use raywalk_core::bitboards::attacks::ray;
use raywalk_core::set_wise::{View, each};
use raywalk_core::{Move, MoveList, Square, Stage};

/// A way to generate pawn moves.
pub trait Pawns: Send + Sync + 'static {
    /// Whether the target sets hold the pawn moves.
    const IN_SETS: bool;

    /// Builds the table, if there is one.
    fn build() -> Self;

    /// Appends the pawn moves of stage `S` that the target sets do not hold.
    fn write<S: Stage>(&self, view: &View, list: &mut MoveList);
}

/// The target sets hold the pawn moves.
pub struct ByDirection;

impl Pawns for ByDirection {
    const IN_SETS: bool = true;

    fn build() -> ByDirection {
        ByDirection
    }

    #[inline(always)]
    fn write<S: Stage>(&self, _: &View, _: &mut MoveList) {}
}

/// Pawns are visited one by one, as pieces are in other generators. The table has the capture targets
/// of a pawn that moves north, 512 bytes.
pub struct OneByOne {
    attacks: [u64; 64],
}

/// The rank that a double push passes.
const THIRD_RANK: u64 = 0xff << 16;
/// The rank from which pawns promote.
const SEVENTH_RANK: u64 = 0xff << 48;
/// The mark of en passant: the kind bits of a move.
const EN_PASSANT: u16 = Move::en_passant(Square::new(0, 0), Square::new(0, 0)).bits();

impl Pawns for OneByOne {
    const IN_SETS: bool = false;

    fn build() -> OneByOne {
        OneByOne {
            attacks: std::array::from_fn(|n| {
                let from = Square::from_low_bits(n as u32);
                // With all squares occupied a ray ends after one step.
                ray(from, (-1, 1), !0) | ray(from, (1, 1), !0)
            }),
        }
    }

    #[inline(always)]
    fn write<S: Stage>(&self, view: &View, list: &mut MoveList) {
        let (pawns, mut list) = (view.own & view.pawns, list.cursor());
        each(pawns & !SEVENTH_RANK, |from| {
            each(self.targets::<S>(from, view), |to| {
                // A push never ends on the square of en passant: the pawn that passed it stands
                // where the push would come from.
                let mark = EN_PASSANT * (view.en_passant >> to.number() & 1) as u16;
                list.push(view.mv(from.number().into(), to, mark));
            });
        });
        each(pawns & SEVENTH_RANK, |from| {
            each(self.targets::<S>(from, view), |to| {
                list.push_promotions(view.square(from), view.square(to));
            });
        });
    }
}

impl OneByOne {
    /// The targets of the pawn on a square.
    #[inline(always)]
    fn targets<S: Stage>(&self, from: Square, view: &View) -> u64 {
        let empty = !view.occupied();
        let once = from.bit() << 8 & empty;
        let twice = (once & THIRD_RANK) << 8 & empty;
        let captures = self.attacks[from.index()] & (view.enemy | view.en_passant);
        (if S::CAPTURES { captures } else { 0 }) | (if S::QUIETS { once | twice } else { 0 })
    }
}
