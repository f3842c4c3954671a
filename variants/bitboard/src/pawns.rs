//! Pawns, all at once or one by one.
//!
//! All designs of this crate but one take the pawns as a set, [`PawnSets`]: the usual compromise, *by
//! direction* for pawns and piece by piece for the rest. [`PawnsOneByOne`] treats them like pieces, so
//! that the worth of the compromise can be measured with nothing else changed.
//!
//! As a set: the set of pawns is shifted one rank ahead and intersected with the empty squares, or one rank
//! ahead and one file aside and intersected with the enemy's pieces; each bit that is left is the
//! target of one pawn, which stands the same shift behind. Targets on the last rank are promotions
//! and are split off first, so that no target is tested for its rank.
//!
//! No branch asks for the side to move. A test would be mispredicted on every other position of a
//! shuffled set, and a copy of the code per colour needs that test too. Instead the shift is a
//! *rotation*, by 8 for White and by 56, which is 8 the other way, for Black. No pawn stands on a
//! rank from which a step could rotate around the end of the board.

use raywalk_core::bitboards::attacks::ray;
use raywalk_core::{Bitboards, Board, Card, Color, Kind, Move, MoveList, Square, Stage};

use crate::hyperbola::HYPERBOLA;
use crate::piecewise::each;

/// A way to generate the pawns' moves.
pub trait Pawns: Sized + Send + Sync + 'static {
    /// The card of the design that has this way; none if the way is that of the common shape.
    const CARD: Option<Card>;

    /// Builds what tables it needs.
    fn build() -> Self;

    /// Appends the pawn moves of stage `S`.
    fn generate<S: Stage>(&self, board: &Bitboards, list: &mut MoveList);
}

pub(crate) const FILE_A: u64 = 0x0101_0101_0101_0101;
pub(crate) const FILE_H: u64 = FILE_A << 7;
/// The first and the eighth rank: where pawns of either colour promote.
pub(crate) const LAST_RANKS: u64 = 0xff00_0000_0000_00ff;
/// The mark alone, to be added without a branch.
const EN_PASSANT: u16 = Move::en_passant(Square::new(0, 0), Square::new(0, 0)).bits();

/// All pawns as one set, shifted. No table.
pub struct PawnSets;

impl Pawns for PawnSets {
    const CARD: Option<Card> = None;

    fn build() -> PawnSets {
        PawnSets
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Bitboards, list: &mut MoveList) {
        let Ahead { single, third_rank } = Ahead::of(board.state().side);
        let pawns = board.own() & board.kind(Kind::Pawn);

        if S::CAPTURES {
            let passed = board.en_passant();
            let takes = board.enemy() | passed;
            for (able, step) in [(!FILE_A, single + 63), (!FILE_H, single + 1)] {
                let targets = (pawns & able).rotate_left(step) & takes;
                each(targets & !LAST_RANKS, |to| {
                    list.push(taking(behind(to, step), to, passed));
                });
                each(targets & LAST_RANKS, |to| list.push_promotions(behind(to, step), to));
            }
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

/// Pawn by pawn, as pieces are treated: targets from a table of 64 sets per colour, 1,024 bytes, and
/// pushes by shifting the one pawn. Pawns that are about to promote are split off first.
pub struct PawnsOneByOne {
    attacks: [[u64; 64]; 2],
}

impl Pawns for PawnsOneByOne {
    const CARD: Option<Card> = Some(Card {
        id: "bitboard/pawns-one-by-one",
        name: "Hyperbola quintessence, pawns one by one",
        reconstructed: "The opposite of the mixed form that the wiki, Pieces versus Directions, \
                        calls a combination of both approaches; sliders by hyperbola quintessence.",
        ..HYPERBOLA
    });

    fn build() -> PawnsOneByOne {
        PawnsOneByOne {
            attacks: [1, -1].map(|up| {
                std::array::from_fn(|n| {
                    let from = Square::from_low_bits(n as u32);
                    ray(from, (-1, up), !0) | ray(from, (1, up), !0)
                })
            }),
        }
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Bitboards, list: &mut MoveList) {
        let side = board.state().side;
        let Ahead { single, third_rank } = Ahead::of(side);
        let (passed, empty) = (board.en_passant(), !board.occupied());
        let takes = board.enemy() | passed;
        let attacks = &self.attacks[side.index()];
        let targets = |from: Square| {
            let captures = attacks[from.index()] & takes;
            let once = from.bit().rotate_left(single) & empty;
            let twice = (once & third_rank).rotate_left(single) & empty;
            let quiets = once | twice;
            (if S::CAPTURES { captures } else { 0 }) | (if S::QUIETS { quiets } else { 0 })
        };
        let pawns = board.own() & board.kind(Kind::Pawn);
        let promoting = pawns & LAST_RANKS.rotate_right(single);
        each(pawns & !promoting, |from| {
            each(targets(from), |to| list.push(taking(from, to, passed)));
        });
        each(promoting, |from| each(targets(from), |to| list.push_promotions(from, to)));
    }
}

/// What it means to go ahead.
#[derive(Clone, Copy)]
pub(crate) struct Ahead {
    /// The rotation that is one step, 8 or 56.
    pub single: u32,
    /// The rank from which a pawn may step on: the third, as its own side counts.
    pub third_rank: u64,
}

impl Ahead {
    #[inline(always)]
    pub(crate) fn of(side: Color) -> Ahead {
        let black = side.index() as u32;
        Ahead { single: 8 + 48 * black, third_rank: 0xff << (16 + 24 * black) }
    }
}

/// A pawn's move, en passant if it arrives on the square that a pawn has just passed. A push never
/// does: that square lies before the enemy's pawn.
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
