//! Rays in a row from sets: a bit shuffle lists a set in the order of the rays.

use raywalk_core::{Bitboards, Card, Control, Feature, Generator, Legality, Move, MoveList, Stage};

use crate::cpu::{Vectors, with_vectors};
use crate::ray_lists::RayLists;

/// Rays in a row by bit shuffle, ready moves by word compress.
pub struct BitRays {
    lists: RayLists,
    vectors: Vectors,
}

impl Generator for BitRays {
    const CARD: Card = Card {
        id: "simd/bit-rays",
        name: "Rays in a row, bit shuffle",
        author: "Raywalk, after 87flowers and Stockfish developers",
        year: Some(2026),
        source: "Raywalk; 87flowers, articles on the byteboard of the engine Rose, 2025; Stockfish, commit 1554a2c, \
                 4 May 2026",
        control: Control::Branchless,
        legality: Legality::Pseudo,
        published_bytes: None,
        needs: &[Feature::Bmi2, Feature::Avx512Vbmi2],
        reconstructed: "The sources show rays by permutation and ready moves. Lists without gaps, their bits by \
                        shuffle, and how they go together, are ours.",
    };
    type Board = Bitboards;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        let vectors = Vectors::detect()?;
        Ok(Box::new(BitRays { lists: RayLists::build(), vectors }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Bitboards, list: &mut MoveList) {
        with_vectors!(self.vectors, x86_64::generate::<S>(&self.lists, board, list));
    }

    fn table_bytes(&self) -> usize {
        self.lists.bytes()
    }
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::arch::x86_64::*;

    use raywalk_core::Board;

    use super::*;
    use crate::castling;
    use crate::fill::splat;
    use crate::pawns::{DOUBLE_PUSHES, PawnTargets};
    use crate::ray_lists::{FIRST, append, append_pair, bytes, targets_8, targets_16, targets_32};
    use crate::sets::{squares, wanted};
    use crate::slots::{Pieces, Slots, before_slots};
    use crate::store::{append_8, append_16, load_8, load_16};

    #[target_feature(
        enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512bitalg,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
    )]
    pub(super) fn generate<S: Stage>(lists: &RayLists, board: &Bitboards, list: &mut MoveList) {
        let (slots, pawns) = before_slots!(
            S,
            board,
            castling::write(board, list),
            write_rare::<S>(lists, board, list)
        );

        let Slots { knights, bishops, rooks, queen } = slots;
        let bishops = (&lists.bishops[bishops.0], &lists.bishops[bishops.1]);
        let rooks = (&lists.rooks[rooks.0], &lists.rooks[rooks.1]);
        let queen = (&lists.bishops[queen], &lists.rooks[queen]);
        let side = board.state().side;
        let mut cursor = list.cursor();
        let (occupied, wanted) = (splat(board.occupied()), splat(wanted::<S>(board)));
        let leapers = if S::SLIDERS_ONLY {
            None
        } else {
            pawns.write::<S>(&mut cursor);
            let king = &lists.kings[board.king(side).index()];
            Some((king, &lists.knights[knights.0], &lists.knights[knights.1]))
        };

        let leaping = leapers.map_or(_mm256_setzero_si256(), |(king, one, other)| {
            _mm256_set_m128i(targets_8(other), _mm_unpacklo_epi64(targets_8(king), targets_8(one)))
        });
        let last = reached(targets_32(queen), leaping, occupied, wanted);
        let first = reached(targets_32(bishops), targets_32(rooks), occupied, wanted);
        if let Some((king, one, other)) = leapers {
            let table = &DOUBLE_PUSHES[side.index()];
            let low = _mm256_set_m128i(load_8(&one.moves), load_8(&king.moves));
            let high = _mm256_set_m128i(load_8(table), load_8(&other.moves));
            let selected = (last >> 32) as u32 | u32::from(pawns.double_pushes()) << 24;
            append(low, high, selected, &mut cursor);
        }
        append_pair(bishops, first as u32, &mut cursor);
        append_pair(rooks, (first >> 32) as u32, &mut cursor);
        append_pair(queen, last as u32, &mut cursor);
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512bitalg")]
    fn reached(low: __m256i, high: __m256i, occupied: __m512i, wanted: __m512i) -> u64 {
        let lists = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high);
        let first = _mm512_test_epi8_mask(lists, bytes(FIRST));
        let ends = _mm512_bitshuffle_epi64_mask(occupied, lists) | _mm512_movepi8_mask(lists);
        (ends ^ ends.wrapping_sub(first)) & _mm512_bitshuffle_epi64_mask(wanted, lists)
    }

    /// Appends promotions, en passant and the moves of pieces without a slot. It finds everything again, so that
    /// a position without such moves keeps no values for it.
    #[cold]
    #[inline(never)]
    #[target_feature(
        enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512bitalg,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
    )]
    fn write_rare<S: Stage>(lists: &RayLists, board: &Bitboards, list: &mut MoveList) {
        let (_, more) = Slots::of(Pieces::own::<S>(board));
        let (occupied, wanted) = (splat(board.occupied()), splat(wanted::<S>(board)));
        let alone =
            |list| reached(_mm256_zextsi128_si256(list), _mm256_setzero_si256(), occupied, wanted);
        let mut cursor = list.cursor();
        for from in squares(more.knights) {
            let knight = &lists.knights[from.index()];
            let selected = alone(targets_8(knight)) as u8;
            let moves = _mm_maskz_compress_epi16(selected, load_8(&knight.moves));
            append_8(moves, selected.count_ones(), &mut cursor);
        }
        for (kind, pieces) in
            [(&lists.bishops, more.bishops | more.queens), (&lists.rooks, more.rooks | more.queens)]
        {
            for from in squares(pieces) {
                let slider = &kind[from.index()];
                let selected = alone(targets_16(slider)) as u16;
                let moves = _mm256_maskz_compress_epi16(selected, load_16(&slider.moves));
                append_16(moves, selected.count_ones(), &mut cursor);
            }
        }
        drop(cursor);
        if !S::SLIDERS_ONLY {
            PawnTargets::of::<S>(board).write_rare(list);
        }
    }
}
