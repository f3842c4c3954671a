//! Rays in a row: two permutations put the rays of all pieces next to each other.
//!
//! **Source.** Ours. Rays by permutation are from `byteboard.rs`, moves that are ready in a table from `records.rs`.
//!
//! **Method.** For each square, a list has the squares that a rook on it reaches on the empty board, ray after ray and
//! without gaps: 14 in 16 bytes. A bishop's list has at most 13. So one register holds the lists of two bishops and
//! two rooks, and another one those of a queen, a king and two knights. A byte permutation of the board by such a
//! register gives the cells in the order of the lists. A square is six bits, so a byte of a list has room for two
//! more, which the permutation ignores: whether the square is the first of its ray, and whether it is the last.
//!
//! ```text
//! ray                  b b b a a a a     two rays of a list, their first squares on the right
//! free                 0 1 1 0 0 1 1     a piece on the third square of a, and none on b
//! first                0 0 1 0 0 0 1
//! sum                  1 0 0 0 1 0 0
//! changed              1 1 1 0 1 1 1     the squares that are seen
//! ```
//!
//! The first squares are added to the free ones. In each ray, the carry runs through the free squares up to the nearest
//! piece. The last square never counts as free, so no carry leaves its ray. A knight's target is the first and last
//! square of a ray of its own. Bits beyond a list never change, and no slot needs a test: the list of an empty slot
//! has no first squares. The bits that are left after the choice of the stage are, two lists at a time, the mask of a
//! word compress of moves that are ready next to the lists; see `ray_lists.rs`.
//!
//! **Layout.** 65 records of 64 bytes for bishops and for rooks, 65 of 32 for knights, 64 of 32 for the king: 12,448
//! bytes, which the smallest first-level caches hold. A queen is a bishop and a rook.
//!
//! **Cost.** Two permutations and two additions a position, where the byteboard has eight permutations and eight
//! subtractions, and no table on the occupancy. Nothing but castling and other rare moves takes a branch. These tests
//! depend on the squares of the board, so the design is mixed.

use raywalk_core::square_board::Board8x8;
use raywalk_core::{Card, Control, Feature, Generator, Legality, Move, MoveList, Stage};

use crate::cpu::{Vectors, with_vectors};
use crate::ray_lists::RayLists;

/// Rays in a row by byte permutation, ready moves by word compress.
pub struct Rays {
    lists: RayLists,
    vectors: Vectors,
}

impl Generator for Rays {
    const CARD: Card = Card {
        id: "simd/rays",
        name: "Rays in a row",
        author: "Raywalk, after 87flowers and Stockfish developers",
        year: Some(2026),
        source: "Raywalk; 87flowers, articles on the byteboard of the engine Rose, 2025; Stockfish, commit 1554a2c, \
                 4 May 2026",
        control: Control::Mixed,
        legality: Legality::Pseudo,
        published_bytes: None,
        needs: &[Feature::Bmi2, Feature::Avx512Vbmi2],
        reconstructed: "The sources show rays by permutation and ready moves. Lists without gaps, and how they go \
                        together, are ours. Finding targets takes no branch; the tests for castling and other rare \
                        moves depend on the squares of the board.",
    };
    type Board = Board8x8;
    type Moves = Move;
    const WHOLE_VECTORS: bool = true;

    fn build() -> Result<Box<Self>, Feature> {
        let vectors = Vectors::detect()?;
        Ok(Box::new(Rays { lists: RayLists::build(), vectors }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Board8x8, list: &mut MoveList) {
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
    use raywalk_core::square_board::ColourBits;

    use super::*;
    use crate::cells::ColourMarks;
    use crate::ray_lists::{Chosen, FIRST, LAST, Listed, bytes};
    use crate::slots::{Slots, before_slots};

    type CellVector = crate::cells::CellVector<ColourBits>;

    #[target_feature(
        enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
    )]
    pub(super) fn generate<S: Stage>(lists: &RayLists, board: &Board8x8, list: &mut MoveList) {
        let view = CellVector::of(board);
        let (slots, pawns) =
            before_slots!(S, board, list, cells view, write_rare::<S>(lists, board, list));

        let chosen = Chosen::of(lists, board.king(view.side), slots);
        let reached = chosen.lists::<S>().map(|listed| reached::<S>(listed, view));
        let mut cursor = list.cursor();
        if !S::SLIDERS_ONLY {
            pawns.usual().write_together::<S>(&mut cursor);
        }
        chosen.append::<S, Rays>(reached, &mut cursor);
    }

    /// The places of lists that are seen, and on which moves of stage `S` may end.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn reached<S: Stage>(Listed(lists): Listed, view: CellVector) -> u64 {
        let first = _mm512_test_epi8_mask(lists, bytes(FIRST));
        let seen = view.listed(lists);
        // The last squares count as occupied: 0xf8 is `a | b & c`. Here and not among the masks, because operations
        // between mask registers take long.
        let marked = _mm512_ternarylogic_epi64::<0xf8>(seen.cells, lists, bytes(LAST));
        let free = _mm512_testn_epi8_mask(marked, bytes(LAST | (3 * ColourBits::WHITE)));
        (free ^ free.wrapping_add(first)) & seen.wanted::<S>()
    }

    /// Appends promotions, en passant and the moves of pieces without a slot. It finds everything again, so that
    /// a position without such moves keeps no values for it.
    #[cold]
    #[inline(never)]
    #[target_feature(
        enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
    )]
    fn write_rare<S: Stage>(lists: &RayLists, board: &Board8x8, list: &mut MoveList) {
        let view = CellVector::of(board);
        let (_, more) = Slots::of(view.pieces::<S>());
        let alone = |list, _| reached::<S>(Listed(_mm512_zextsi128_si512(list)), view);
        lists.append_selected(more, alone, &mut list.cursor());
        if !S::SLIDERS_ONLY {
            view.pawns::<S>(board).write_rare(list);
        }
    }
}
