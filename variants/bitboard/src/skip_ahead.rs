//! Captures by jumping to the first blocker of each classical ray.
//!
//! **Source.** None: derived for this project from [`Classical`](crate::Classical).
//!
//! **Method.** For captures, a ray matters only where it ends: either its first piece can be taken
//! or it cannot. The captures stage therefore looks up the ray, scans for the blocker and writes
//! one conditional move. It builds no target set and has no loop over target bits.
//!
//! **Cost.** One scan and one store per direction, and no branch within a piece. The other stages
//! are those of `Classical`, so the two designs differ in this stage only.

use raywalk_core::{
    Bitboards, Board, Card, Feature, Generator, Kind, Move, MoveList, Stage, StageId,
};

use crate::classical::{ClassicalAttacks, Cut, Sentinels};
use crate::pawns::Pawns;
use crate::piecewise::Piecewise;
use crate::sets::{squares, write};

/// [`Classical`](crate::Classical) with its own captures stage.
#[repr(transparent)]
pub struct SkipAhead(Piecewise<ClassicalAttacks>);

impl Generator for SkipAhead {
    const CARD: Card = Card {
        id: "bitboard/skip-ahead",
        name: "Classical rays, skipping ahead",
        author: "Raywalk, after classical rays",
        year: Some(2026),
        source: "Raywalk: a variant of bitboard/classical, not published elsewhere",
        published_bytes: None,
        reconstructed: "Jumping to the first blocker of each ray in the captures stage is in no \
                        source. The other stages are those of bitboard/classical.",
        ..Sentinels::CARD
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
        for from in squares(own & board.kind(Kind::Knight)) {
            write(from, leapers.knight[from.index()] & enemy, list);
        }
        let mut cursor = list.cursor();
        for kind in [Kind::Bishop, Kind::Rook, Kind::Queen] {
            for from in squares(own & board.kind(kind)) {
                sliders.first_pieces(kind, from, occupied, |ray, to| {
                    // Without a piece on the ray, `to` is a corner that may hold an enemy.
                    cursor.push_if(Move::new(from, to), ray & enemy & to.bit() != 0);
                });
            }
        }
        drop(cursor);
        let from = board.king(board.state().side);
        write(from, leapers.king[from.index()] & enemy, list);
    }

    fn table_bytes(&self) -> usize {
        self.0.table_bytes()
    }
}

// Those of [`Classical`](crate::Classical): attack sets have no stage to skip.
attacks_of_inner!(SkipAhead);
