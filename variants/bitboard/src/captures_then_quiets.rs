//! Piece by piece, first the captures of the piece and then its quiet moves.
//!
//! **Source.** Chess Programming Wiki, *Pieces versus Directions*, whose loop over the pieces has a
//! loop over capture targets inside, and after it a loop over empty targets.
//!
//! **Method.** The other designs of this family write the targets of a piece in the order of their
//! squares, captures and quiet moves mixed. Here the attack set is intersected twice, and each part
//! has a loop of its own. The sliders are those of [`Hyperbola`](crate::Hyperbola), so that the two
//! designs differ in their loops only. The stages captures and quiets have one part each, so they
//! are the same in both designs.
//!
//! The wiki lets the two loops write to one list or to two. This is the form with one list;
//! [`TwoLists`](crate::TwoLists) is the other.
//!
//! **Cost.** The same number of iterations, in twice as many loops. Most pieces attack no enemy, so the
//! additional loop mostly ends before its first iteration.

use raywalk_core::{
    Bitboards, Board, Card, Feature, Generator, Kind, Move, MoveList, Square, Stage, StageId,
};

use crate::hyperbola::HyperbolaAttacks;
use crate::pawns::Pawns;
use crate::piecewise::{Attacks, Piecewise};
use crate::sets::{each, squares, write};

/// [`Hyperbola`](crate::Hyperbola) with two loops per piece.
#[repr(transparent)]
pub struct CapturesThenQuiets(Piecewise<HyperbolaAttacks>);

impl Generator for CapturesThenQuiets {
    const CARD: Card = Card {
        id: "bitboard/captures-then-quiets",
        name: "Hyperbola quintessence, captures then quiets of each piece",
        author: "Chess Programming Wiki",
        year: None,
        source: "Chess Programming Wiki, Pieces versus Directions",
        reconstructed: "The source shows the two loops; sliders by hyperbola quintessence. Pawns, \
                        move writing and castling are ours.",
        ..HyperbolaAttacks::CARD
    };
    type Board = Bitboards;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(CapturesThenQuiets(*Piecewise::build()?)))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Bitboards, list: &mut MoveList) {
        if !matches!(S::ID, StageId::All) {
            return self.0.generate::<S>(board, list);
        }
        let (own, enemy, occupied) = (board.own(), board.enemy(), board.occupied());
        let Piecewise { leapers, sliders, pawns } = &self.0;
        let of = |kind| squares(own & board.kind(kind));
        if !S::SLIDERS_ONLY {
            pawns.generate::<S>(board, list);
            for from in of(Kind::Knight) {
                write_parts(from, leapers.knight[from.index()], enemy, occupied, list);
            }
        }
        for from in of(Kind::Bishop) {
            write_parts(from, sliders.bishop(from, occupied), enemy, occupied, list);
        }
        for from in of(Kind::Rook) {
            write_parts(from, sliders.rook(from, occupied), enemy, occupied, list);
        }
        for from in of(Kind::Queen) {
            write_parts(from, sliders.queen(from, occupied), enemy, occupied, list);
        }
        if S::SLIDERS_ONLY {
            return;
        }
        let from = board.king(board.state().side);
        write_parts(from, leapers.king[from.index()], enemy, occupied, list);
        each(board.castling(), |to| list.push(Move::castle(from, to)));
    }

    fn table_bytes(&self) -> usize {
        self.0.table_bytes()
    }
}

/// Appends the captures of a piece, then its quiet moves.
#[inline(always)]
fn write_parts(from: Square, attacks: u64, enemy: u64, occupied: u64, list: &mut MoveList) {
    write(from, attacks & enemy, list);
    write(from, attacks & !occupied, list);
}

// Those of [`Hyperbola`](crate::Hyperbola): attack sets have no parts.
attacks_of_inner!(CapturesThenQuiets);
