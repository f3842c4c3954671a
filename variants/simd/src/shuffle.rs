//! Ready moves without AVX-512: a byte shuffle packs the moves that exist.
//!
//! **Source.** The ready moves are those of [`Records`](crate::Records). Packing by a shuffle whose pattern a
//! table gives for each mask is common practice; no published engine is known to write moves with it.
//!
//! **Method.** AVX2 has no compress. A shuffle of sixteen bytes packs eight moves if its pattern brings the
//! words whose bits are set to the front, and there are 256 patterns. A leaper takes one shuffle, a slider two.
//!
//! A pawn's moves have no records. The squares of all pawns are put into the bytes of one word instead: `pext` by
//! the pawns gathers one bit of every square's number at a time, and `pdep` puts it into its byte. Six bits make
//! six pairs of instructions. A multiplication turns squares into origins and targets, an addition moves the
//! targets ahead, and a mask by pawns selects, as for pieces.
//!
//! Slots and order are those of [`Records`](crate::Records).
//!
//! **Layout.** The tables of `ready.rs` and 4,096 bytes of patterns.

use raywalk_core::{Bitboards, Card, Control, Feature, Generator, Legality, Move, MoveList, Stage};

use crate::cpu::{Shuffles, with_vectors};
use crate::patterns::Patterns;
use crate::ready::ReadyMoves;

/// Moves from records, packed by shuffles.
#[repr(C, align(64))]
pub struct RecordsShuffle {
    ready: ReadyMoves,
    patterns: Patterns,
    shuffles: Shuffles,
}

impl Generator for RecordsShuffle {
    const CARD: Card = Card {
        id: "simd/records-shuffle",
        name: "Ready moves, byte shuffle",
        author: "Raywalk, after Stockfish developers",
        year: Some(2026),
        source: "Raywalk; Stockfish, commit 1554a2c, 4 May 2026",
        control: Control::Branchless,
        legality: Legality::Pseudo,
        published_bytes: None,
        needs: &[Feature::Bmi2, Feature::Avx2],
        reconstructed: "The source selects ready moves by AVX-512. Shuffles and the squares of pawns by pext and \
                        pdep are ours.",
    };
    type Board = Bitboards;
    type Moves = Move;
    const WHOLE_VECTORS: bool = true;

    fn build() -> Result<Box<Self>, Feature> {
        let shuffles = Shuffles::detect()?;
        let (ready, patterns) = (ReadyMoves::build(), Patterns::build());
        Ok(Box::new(RecordsShuffle { ready, patterns, shuffles }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Bitboards, list: &mut MoveList) {
        with_vectors!(self.shuffles, x86_64::generate::<S>(self, board, list));
    }

    fn table_bytes(&self) -> usize {
        self.ready.table_bytes() + size_of_val(&self.patterns)
    }
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use raywalk_core::{Board, Kind};

    use super::*;
    use crate::patterns::{append, append_pawns, append_slider};
    use crate::pawns::{DOUBLE_PUSHES, PawnTargets};
    use crate::ready::{View, leaps};
    use crate::sets::{squares, wanted};
    use crate::slots::{Pieces, Slots, before_slots};
    use crate::store::load_8;

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn generate<S: Stage>(
        design: &RecordsShuffle,
        board: &Bitboards,
        list: &mut MoveList,
    ) {
        let RecordsShuffle { ready, patterns, .. } = design;
        let (slots, pawns) = before_slots!(
            S,
            board,
            write_castling(board, list),
            write_rare::<S>(design, board, list)
        );

        let (wanted, occupied) = (wanted::<S>(board), board.occupied());
        let view = View { wanted, occupied, pinned: 0 };
        let Slots { knights, bishops, rooks, queen } = slots;
        let mut cursor = list.cursor();
        if !S::SLIDERS_ONLY {
            let own_pawns = board.own() & board.kind(Kind::Pawn);
            append_pawns::<S>(patterns, own_pawns, pawns, &mut cursor);

            if S::QUIETS {
                let doubles = load_8(&DOUBLE_PUSHES[pawns.side.index()]);
                append(patterns, doubles, pawns.double_pushes(), &mut cursor);
            }
            let king = &ready.kings[board.king(board.state().side).index()];
            append(patterns, load_8(&king.moves), leaps(king, wanted) as u8, &mut cursor);
            let knight = &ready.knights[knights.0];
            append(patterns, load_8(&knight.moves), leaps(knight, wanted) as u8, &mut cursor);
            let knight = &ready.knights[knights.1];
            append(patterns, load_8(&knight.moves), leaps(knight, wanted) as u8, &mut cursor);
        }
        append_slider((ready, patterns), (&ready.bishops[bishops.0], !0), view, &mut cursor);
        append_slider((ready, patterns), (&ready.bishops[bishops.1], !0), view, &mut cursor);
        append_slider((ready, patterns), (&ready.rooks[rooks.0], !0), view, &mut cursor);
        append_slider((ready, patterns), (&ready.rooks[rooks.1], !0), view, &mut cursor);
        append_slider((ready, patterns), (&ready.bishops[queen], !0), view, &mut cursor);
        append_slider((ready, patterns), (&ready.rooks[queen], !0), view, &mut cursor);
    }

    /// Appends the castling moves, which are legal.
    #[cold]
    #[inline(never)]
    fn write_castling(board: &Bitboards, list: &mut MoveList) {
        let king = board.king(board.state().side);
        for to in squares(board.castling()) {
            list.push(Move::castle(king, to));
        }
    }

    /// Appends promotions, en passant and the moves of pieces without a slot. It finds everything again, so that
    /// a position without such moves keeps no values for it.
    #[cold]
    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn write_rare<S: Stage>(design: &RecordsShuffle, board: &Bitboards, list: &mut MoveList) {
        let RecordsShuffle { ready, patterns, .. } = design;
        let (_, more) = Slots::of(Pieces::own::<S>(board));
        let view = View { wanted: wanted::<S>(board), occupied: board.occupied(), pinned: 0 };
        let mut cursor = list.cursor();
        for from in squares(more.knights) {
            let knight = &ready.knights[from.index()];
            let selected = leaps(knight, view.wanted) as u8;
            append(patterns, load_8(&knight.moves), selected, &mut cursor);
        }
        for from in squares(more.bishops | more.queens) {
            append_slider((ready, patterns), (&ready.bishops[from.index()], !0), view, &mut cursor);
        }
        for from in squares(more.rooks | more.queens) {
            append_slider((ready, patterns), (&ready.rooks[from.index()], !0), view, &mut cursor);
        }
        drop(cursor);
        if !S::SLIDERS_ONLY {
            PawnTargets::of::<S>(board).write_rare(list);
        }
    }
}
