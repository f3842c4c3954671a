//! Pawns one by one, treated like any other piece.
//!
//! **Source.** Derived from Chess Programming Wiki, *Pieces versus Directions*, which calls the
//! usual mixture (pawns by direction, other pieces one by one) a combination of both approaches.
//! This design does not mix. Its sliders are those of [`Hyperbola`](crate::Hyperbola), so that the
//! two designs differ in their pawns only.
//!
//! **Method.** Capture targets come from a table of 64 sets per colour, 1,024 bytes. Pushes shift
//! the bit of the single pawn. Pawns that are about to promote are split off first, as a set.

use raywalk_core::bitboards::attacks::ray;
use raywalk_core::{Bitboards, Board, Card, Kind, MoveList, Square, Stage};

use crate::hyperbola::HyperbolaAttacks;
use crate::pawns::{Ahead, Pawns, taking};
use crate::piecewise::{Attacks, Pair, Piecewise};
use crate::sets::{LAST_RANKS, each};

/// Hyperbola quintessence with pawns one by one: 2,560 bytes of slider tables and 1,024 for pawns.
pub type HyperbolaPawnsOneByOne = Piecewise<HyperbolaAttacks, PawnsOneByOne>;

/// Capture targets by colour and square, 1,024 bytes.
pub struct PawnsOneByOne {
    attacks: [[u64; 64]; 2],
}

impl Pair for (HyperbolaAttacks, PawnsOneByOne) {
    const CARD: Card = Card {
        id: "bitboard/pawns-one-by-one",
        name: "Hyperbola quintessence, pawns one by one",
        author: "Raywalk",
        year: Some(2026),
        source: "Raywalk: a control for bitboard/hyperbola, not published elsewhere",
        published_bytes: None,
        reconstructed: "The opposite of the mixed form that the wiki, Pieces versus Directions, \
                        calls a combination of both approaches; sliders by hyperbola quintessence.",
        ..HyperbolaAttacks::CARD
    };
}

impl Pawns for PawnsOneByOne {
    fn build() -> PawnsOneByOne {
        PawnsOneByOne {
            attacks: [1, -1].map(|up| {
                std::array::from_fn(|n| {
                    let from = Square::from_low_bits(n as u32);
                    // With all squares occupied a ray ends after one step.
                    ray(from, (-1, up), !0) | ray(from, (1, up), !0)
                })
            }),
        }
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Bitboards, list: &mut MoveList) {
        let list = &mut list.cursor();
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
        // Pawns whose next step reaches a last rank.
        let promoting = pawns & LAST_RANKS.rotate_right(single);
        each(pawns & !promoting, |from| {
            each(targets(from), |to| list.push(taking(from, to, passed)));
        });
        each(promoting, |from| each(targets(from), |to| list.push_promotions(from, to)));
    }
}
