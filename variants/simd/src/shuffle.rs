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
use crate::ready::ReadyMoves;

/// Moves from records, packed by shuffles.
#[repr(C, align(64))]
pub struct RecordsShuffle {
    ready: ReadyMoves,
    patterns: Patterns,
    shuffles: Shuffles,
}

/// For each mask of eight words, the bytes of the words whose bits are set.
struct Patterns([[u8; 16]; 256]);

impl Patterns {
    fn build() -> Patterns {
        Patterns(std::array::from_fn(|mask| {
            let mut pattern = [0; 16];
            let set = (0..8_u8).filter(|word| mask >> word & 1 == 1);
            for (slot, word) in pattern.chunks_exact_mut(2).zip(set) {
                slot.copy_from_slice(&[2 * word, 2 * word + 1]);
            }
            pattern
        }))
    }
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
    use std::arch::x86_64::*;

    use raywalk_core::{Board, Cursor, Kind};

    use super::*;
    use crate::pawns::{DOUBLE_PUSHES, PawnTargets};
    use crate::ready::{Slider, View, leaps};
    use crate::sets::{LAST_RANKS, ahead, squares, wanted};
    use crate::slots::{Pieces, Slots, before_slots};
    use crate::store::{append_8, load_8};

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
            append_pawns::<S>(patterns, board, pawns, &mut cursor);
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
        append_slider(design, &ready.bishops[bishops.0], view, &mut cursor);
        append_slider(design, &ready.bishops[bishops.1], view, &mut cursor);
        append_slider(design, &ready.rooks[rooks.0], view, &mut cursor);
        append_slider(design, &ready.rooks[rooks.1], view, &mut cursor);
        append_slider(design, &ready.bishops[queen], view, &mut cursor);
        append_slider(design, &ready.rooks[queen], view, &mut cursor);
    }

    /// Appends the selected moves of eight.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    fn append(patterns: &Patterns, moves: __m128i, selected: u8, cursor: &mut Cursor<'_>) {
        let pattern = &patterns.0[usize::from(selected)];
        // SAFETY: a pattern has the 16 bytes of the vector, and the load needs no alignment.
        let pattern = unsafe { _mm_loadu_si128(pattern.as_ptr().cast()) };
        append_8(_mm_shuffle_epi8(moves, pattern), selected.count_ones(), cursor);
    }

    /// Appends the moves of a slider.
    #[inline]
    #[target_feature(enable = "avx2,bmi2,popcnt")]
    fn append_slider(
        design: &RecordsShuffle,
        slider: &Slider,
        view: View,
        cursor: &mut Cursor<'_>,
    ) {
        let mask = design.ready.slides(slider, view);
        let (low, high) =
            slider.moves.split_first_chunk().expect("sixteen moves are two times eight");
        let high = high.first_chunk().expect("sixteen moves are two times eight");
        append(&design.patterns, load_8(low), mask as u8, cursor);
        append(&design.patterns, load_8(high), (mask >> 8) as u8, cursor);
    }

    /// For each bit of a square's number, the squares that have it.
    const NUMBERED: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];

    /// Appends captures and single pushes that are neither promotions nor en passant.
    #[inline]
    #[target_feature(enable = "avx2,bmi2,popcnt")]
    fn append_pawns<S: Stage>(
        patterns: &Patterns,
        board: &Bitboards,
        targets: PawnTargets,
        cursor: &mut Cursor<'_>,
    ) {
        let pawns = board.own() & board.kind(Kind::Pawn);
        let mut from = 0;
        for (n, numbered) in NUMBERED.into_iter().enumerate() {
            from |= _pdep_u64(_pext_u64(numbered, pawns), 0x0101_0101_0101_0101 << n);
        }
        let from = _mm_cvtepu8_epi16(_mm_cvtsi64_si128(from.cast_signed()));
        // Origin and target are the same square: the target, in bits 6 to 11, is still to be moved ahead.
        let still = _mm_mullo_epi16(from, _mm_set1_epi16(65));
        let ahead = ahead(targets.side);
        let mut append_to = |targets: u64, step: i16| {
            let origins = targets.rotate_right(step as u32 & 63);
            let moves = _mm_add_epi16(still, _mm_set1_epi16(64 * step));
            append(patterns, moves, _pext_u64(origins, pawns) as u8, cursor);
        };
        if S::CAPTURES {
            let usual = !(LAST_RANKS | targets.passed);
            append_to(targets.west & usual, ahead - 1);
            append_to(targets.east & usual, ahead + 1);
        }
        if S::QUIETS {
            append_to(targets.once & !LAST_RANKS, ahead);
        }
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
            append_slider(design, &ready.bishops[from.index()], view, &mut cursor);
        }
        for from in squares(more.rooks | more.queens) {
            append_slider(design, &ready.rooks[from.index()], view, &mut cursor);
        }
        drop(cursor);
        if !S::SLIDERS_ONLY {
            PawnTargets::of::<S>(board).write_rare(list);
        }
    }
}
