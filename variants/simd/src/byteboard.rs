//! The byteboard: one register holds the board, and one permutation puts all rays of a square in order.
//!
//! **Source.** 87flowers, three articles of 2025 on the byteboard of the chess engine Rose. The word comes from
//! takotto, the author of a shogi engine.
//!
//! **Method.** A mailbox of 64 bytes fills one register. For each square, 64 numbers list what a queen and a knight
//! on it could see: for each of eight directions a knight's target and then the seven squares of a ray. One byte
//! permutation by these numbers brings the pieces into that order, so a byte of a mask belongs to a direction.
//! Occupied places become a mask, in which one subtraction finds the nearest piece of every direction (see
//! `places.rs`). The places that the kind can reach, and those that hold what the stage wants, are two more masks. A
//! byte compress of the list of numbers by the result gives the targets as bytes.
//!
//! There are no sets on the board (see `cells.rs`). Slots for pieces are those of the designs with sets.
//!
//! **Layout.** 65 lists of 64 bytes and 65 sets of places: 4,680 bytes.
//!
//! **Cost.** No look-up depends on another one, and no table on the occupancy.

use raywalk_core::square_board::Board8x8;
use raywalk_core::{Card, Control, Feature, Generator, Legality, Move, MoveList, Square, Stage};

use crate::cpu::{Vectors, with_vectors};
use crate::places::Places;

/// Rays by byte permutation, moves by byte compress.
pub struct Byteboard {
    places: Places,
    vectors: Vectors,
}

impl Generator for Byteboard {
    const CARD: Card = Card {
        id: "simd/byteboard",
        name: "Byteboard",
        author: "87flowers",
        year: Some(2025),
        source: "87flowers, articles on the byteboard of the engine Rose, 2025",
        control: Control::Mixed,
        legality: Legality::Pseudo,
        published_bytes: None,
        needs: &[Feature::Bmi2, Feature::Avx512Vbmi2],
        reconstructed: "Slots for pieces, stages, the order of directions, pawns as sets, and castling by the \
                        rules of the square boards are ours. Finding targets takes no branch; the tests for \
                        castling and other rare moves depend on the squares of the board.",
    };
    type Board = Board8x8;
    type Moves = Move;
    const WHOLE_VECTORS: bool = true;

    fn build() -> Result<Box<Self>, Feature> {
        let vectors = Vectors::detect()?;
        Ok(Box::new(Byteboard { places: Places::new(), vectors }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Board8x8, list: &mut MoveList) {
        with_vectors!(self.vectors, x86_64::generate::<S>(self, board, list));
    }

    fn table_bytes(&self) -> usize {
        self.places.table_bytes()
    }
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::arch::x86_64::*;

    use raywalk_core::square_board::ColourBits;
    use raywalk_core::{Board, Cursor};

    use super::*;
    use crate::places::{BOTH, DIAGONAL, KNIGHT, STEPS, STRAIGHT};
    use crate::sets::squares;
    use crate::slots::{Slots, before_slots};
    use crate::store::{append_8, append_16, append_32};

    type CellVector = crate::cells::CellVector<ColourBits>;

    #[target_feature(
        enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
    )]
    pub(super) fn generate<S: Stage>(design: &Byteboard, board: &Board8x8, list: &mut MoveList) {
        let view = CellVector::of(board);
        let (slots, pawns) =
            before_slots!(S, board, list, cells view, write_rare::<S>(design, board, list));

        let Slots { knights, bishops, rooks, queen } = slots;
        let mut cursor = list.cursor();
        if !S::SLIDERS_ONLY {
            pawns.write_usual::<S>(&mut cursor);
            let king = board.king(view.side).index();
            write_8::<S>(design, king, STEPS, view, &mut cursor);
            write_8::<S>(design, knights.0, KNIGHT, view, &mut cursor);
            write_8::<S>(design, knights.1, KNIGHT, view, &mut cursor);
        }
        write_16::<S>(design, bishops.0, DIAGONAL, view, &mut cursor);
        write_16::<S>(design, bishops.1, DIAGONAL, view, &mut cursor);
        write_16::<S>(design, rooks.0, STRAIGHT, view, &mut cursor);
        write_16::<S>(design, rooks.1, STRAIGHT, view, &mut cursor);
        write_32::<S>(design, queen, BOTH, view, &mut cursor);
    }

    /// The targets of a piece as bytes, and their number.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt")]
    fn targets<S: Stage>(
        design: &Byteboard,
        from: usize,
        reach: u64,
        view: CellVector,
    ) -> (__m512i, u32) {
        // SAFETY: a list has the 64 bytes of the vector, and the load needs no alignment.
        let list = unsafe { _mm512_loadu_si512(design.places.lists[from].as_ptr().cast()) };
        let seen = view.listed(list);
        let visible = design.places.visible(from, seen.occupied());
        let targets = visible & seen.wanted::<S>() & reach;
        (_mm512_maskz_compress_epi8(targets, list), targets.count_ones())
    }

    /// A function that appends the moves of a piece, by the operations on vectors of enough words.
    macro_rules! writer {
        ($name:ident, $append:ident: $bytes:ident, $widen:ident, $shift:ident, $or:ident, $all:ident) => {
            #[inline]
            #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
            fn $name<S: Stage>(
                design: &Byteboard,
                from: usize,
                reach: u64,
                view: CellVector,
                cursor: &mut Cursor<'_>,
            ) {
                let (to, count) = targets::<S>(design, from, reach, view);
                let to = $shift::<6>($widen($bytes(to)));
                $append($or(to, $all(from as i16)), count, cursor);
            }
        };
    }
    // A piece with at most 8 or 16 targets, and a queen.
    writer!(write_8, append_8: _mm512_castsi512_si128, _mm_cvtepu8_epi16, _mm_slli_epi16, _mm_or_si128, _mm_set1_epi16);
    writer!(write_16, append_16: _mm512_castsi512_si128, _mm256_cvtepu8_epi16, _mm256_slli_epi16, _mm256_or_si256, _mm256_set1_epi16);
    writer!(write_32, append_32: _mm512_castsi512_si256, _mm512_cvtepu8_epi16, _mm512_slli_epi16, _mm512_or_si512, _mm512_set1_epi16);

    /// Appends promotions, en passant and the moves of pieces without a slot. It finds everything again, so that
    /// a position without such moves keeps no values for it.
    #[cold]
    #[inline(never)]
    #[target_feature(
        enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
    )]
    fn write_rare<S: Stage>(design: &Byteboard, board: &Board8x8, list: &mut MoveList) {
        let view = CellVector::of(board);
        let (_, more) = Slots::of(view.pieces::<S>());
        let mut cursor = list.cursor();
        for from in squares(more.knights).map(Square::index) {
            write_8::<S>(design, from, KNIGHT, view, &mut cursor);
        }
        for from in squares(more.bishops).map(Square::index) {
            write_16::<S>(design, from, DIAGONAL, view, &mut cursor);
        }
        for from in squares(more.rooks).map(Square::index) {
            write_16::<S>(design, from, STRAIGHT, view, &mut cursor);
        }
        for from in squares(more.queens).map(Square::index) {
            write_32::<S>(design, from, BOTH, view, &mut cursor);
        }
        drop(cursor);
        if !S::SLIDERS_ONLY {
            view.pawns::<S>(board).write_rare(list);
        }
    }
}
