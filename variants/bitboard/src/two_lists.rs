//! Piece by piece, the captures of the piece to one list and its quiet moves to another.
//!
//! **Source.** Chess Programming Wiki, *Pieces versus Directions*, which leaves it open whether the loop over
//! capture targets and the loop over empty targets write to one list or to two.
//!
//! **Method.** The loops of [`CapturesThenQuiets`](crate::CapturesThenQuiets). That design writes to one list,
//! in which the captures of the next piece follow the quiet moves of this one. Here captures go downwards from
//! the end of the slots and other moves upwards from their start, so that one call leaves all captures
//! together, as two calls would.
//!
//! **Cost.** One more list pointer that is alive during generation. A program that generates all moves and
//! tries captures first saves the search for them.

use raywalk_core::{
    Bitboards, Board, Card, Context, Cursor, Feature, Generator, InTwoLists, Kind, Move,
    MoveFormat, MoveList, Piece, Square, Stage, Takes,
};

use crate::captures_then_quiets::CapturesThenQuiets;
use crate::hyperbola::HyperbolaAttacks;
use crate::pawns::{Ahead, behind, taking};
use crate::piecewise::{Attacks, Piecewise};
use crate::sets::{FILE_A, FILE_H, LAST_RANKS, squares};

/// [`CapturesThenQuiets`](crate::CapturesThenQuiets) with captures and quiet moves in two lists.
#[repr(transparent)]
pub struct TwoLists(Piecewise<HyperbolaAttacks>);

impl Generator for TwoLists {
    const CARD: Card = Card {
        id: "bitboard/two-lists",
        name: "Hyperbola quintessence, captures and quiets in two lists",
        reconstructed: "The source mentions two lists and shows the two loops; sliders by hyperbola \
                        quintessence. The place of the lists, pawns, move writing and castling are ours; \
                        everything else is bitboard/captures-then-quiets.",
        ..CapturesThenQuiets::CARD
    };
    type Board = Bitboards;
    type Moves = InTwoLists;

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(TwoLists(*Piecewise::build()?)))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Bitboards, list: &mut MoveList<InTwoLists>) {
        let (own, occupied) = (board.own(), board.occupied());
        let Piecewise { leapers, sliders, .. } = &self.0;
        let of = |kind| squares(own & board.kind(kind));
        let mut lists = Lists::new(board, list);
        if !S::SLIDERS_ONLY {
            lists.pawns::<S>(board);
            for from in of(Kind::Knight) {
                lists.write::<S>(from, leapers.knight[from.index()]);
            }
        }
        for from in of(Kind::Bishop) {
            lists.write::<S>(from, sliders.bishop(from, occupied));
        }
        for from in of(Kind::Rook) {
            lists.write::<S>(from, sliders.rook(from, occupied));
        }
        for from in of(Kind::Queen) {
            lists.write::<S>(from, sliders.queen(from, occupied));
        }
        if S::SLIDERS_ONLY {
            return;
        }
        let from = board.king(board.state().side);
        lists.write::<S>(from, leapers.king[from.index()]);
        if S::QUIETS {
            for to in squares(board.castling()) {
                lists.push(Move::castle(from, to), Takes::Never);
            }
        }
    }

    fn table_bytes(&self) -> usize {
        self.0.table_bytes()
    }
}

/// Both lists, and the targets of the moves in them.
struct Lists<'list> {
    cursor: Cursor<'list, InTwoLists>,
    /// A board of sets has no codes, and this format reads none.
    context: Context,
    enemy: u64,
    empty: u64,
}

impl<'list> Lists<'list> {
    #[inline(always)]
    fn new(board: &Bitboards, list: &'list mut MoveList<InTwoLists>) -> Lists<'list> {
        let piece = Piece::new(board.state().side, Kind::Pawn);
        Lists {
            cursor: list.cursor(),
            context: Context { piece, code: 0, empty: 0, takes: Takes::Never },
            enemy: board.enemy(),
            empty: !board.occupied(),
        }
    }

    #[inline(always)]
    fn push(&mut self, mv: Move, takes: Takes) {
        let context = Context { takes, ..self.context };
        self.cursor.push_word_if(InTwoLists::pack(mv), &context, true);
    }

    #[inline(always)]
    fn promote(&mut self, from: Square, to: Square, takes: Takes) {
        let context = Context { takes, ..self.context };
        self.cursor.push_promotions_with_if(from, to, &context, true);
    }

    /// Writes the captures of a piece, then its quiet moves.
    #[inline(always)]
    fn write<S: Stage>(&mut self, from: Square, attacks: u64) {
        if S::CAPTURES {
            for to in squares(attacks & self.enemy) {
                self.push(Move::new(from, to), Takes::Always);
            }
        }
        if S::QUIETS {
            for to in squares(attacks & self.empty) {
                self.push(Move::new(from, to), Takes::Never);
            }
        }
    }

    #[inline(always)]
    fn pawn_captures(&mut self, targets: u64, step: u32, passed: u64) {
        for to in squares(targets & !LAST_RANKS) {
            self.push(taking(behind(to, step), to, passed), Takes::Always);
        }
        for to in squares(targets & LAST_RANKS) {
            self.promote(behind(to, step), to, Takes::Always);
        }
    }

    /// The pawn moves of [`PawnSets`](crate::pawns::PawnSets), which have parts already.
    #[inline(always)]
    fn pawns<S: Stage>(&mut self, board: &Bitboards) {
        let Ahead { single, third_rank } = Ahead::of(board.state().side);
        let pawns = board.own() & board.kind(Kind::Pawn);
        if S::CAPTURES {
            let passed = board.en_passant();
            let takes = self.enemy | passed;
            let (west, east) = (single + 63, single + 1);
            self.pawn_captures((pawns & !FILE_A).rotate_left(west) & takes, west, passed);
            self.pawn_captures((pawns & !FILE_H).rotate_left(east) & takes, east, passed);
        }
        if S::QUIETS {
            let once = pawns.rotate_left(single) & self.empty;
            let twice = (once & third_rank).rotate_left(single) & self.empty;
            for to in squares(once & !LAST_RANKS) {
                self.push(Move::new(behind(to, single), to), Takes::Never);
            }
            for to in squares(twice) {
                self.push(Move::new(behind(to, 2 * single), to), Takes::Never);
            }
            for to in squares(once & LAST_RANKS) {
                self.promote(behind(to, single), to, Takes::Never);
            }
        }
    }
}

// Those of [`Hyperbola`](crate::Hyperbola): attack sets have no parts.
attacks_of_inner!(TwoLists);
