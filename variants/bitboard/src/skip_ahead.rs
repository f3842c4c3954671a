//! Captures by jumping to the first blocker: classical rays with the list writer.
//!
//! A derived variant, in no source. For captures a ray matters only where it ends: the first piece on
//! it is taken or is not. So the captures stage looks up the ray, scans for the blocker and writes
//! one conditional move, without building a set of targets and without a loop over its bits; one
//! scan and one store per direction, no branch within a piece. The other stages are those of
//! [`Classical`](crate::Classical), so that the two differ in this stage alone.

use raywalk_core::{
    Bitboards, Board, Card, Feature, Generator, Kind, Move, MoveList, Stage, StageId,
};

use crate::classical::ClassicalAttacks;
use crate::pawns::Pawns;
use crate::piecewise::{Attacks, Piecewise, each, write};

/// The design.
#[repr(transparent)]
pub struct SkipAhead(Piecewise<ClassicalAttacks>);

impl Generator for SkipAhead {
    const CARD: Card = Card {
        id: "bitboard/skip-ahead",
        name: "Classical rays, skipping ahead",
        author: "derived here from classical rays",
        year: Some(2026),
        reconstructed: "jumping to the first blocker of each ray in the captures stage is in no \
                        source; all and quiets are those of bitboard/classical",
        ..ClassicalAttacks::CARD
    };
    type Board = Bitboards;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(SkipAhead(*Piecewise::build()?)))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Bitboards, list: &mut MoveList) {
        if !matches!(S::ID, StageId::Captures) {
            return self.0.generate::<S>(board, list);
        }
        let (own, enemy, occupied) = (board.own(), board.enemy(), board.occupied());
        let Piecewise { leapers, sliders, pawns } = &self.0;
        pawns.generate::<S>(board, list);
        each(own & board.kind(Kind::Knight), |from| {
            write(from, leapers.knight[from.index()] & enemy, list);
        });
        for kind in [Kind::Bishop, Kind::Rook, Kind::Queen] {
            each(own & board.kind(kind), |from| {
                sliders.first_pieces(kind, from, occupied, |ray, to| {
                    // Where nobody stands on the ray, `to` is a corner that may hold an enemy.
                    list.push_if(Move::new(from, to), ray & enemy & to.bit() != 0);
                });
            });
        }
        let from = board.king(board.state().side);
        write(from, leapers.king[from.index()] & enemy, list);
    }

    fn table_bytes(&self) -> usize {
        self.0.table_bytes()
    }
}
