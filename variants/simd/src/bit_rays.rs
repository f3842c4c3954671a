//! Rays in a row from sets: a bit shuffle lists a set in the order of the rays.
//!
//! **Source.** Ours. The lists are those of [`Rays`](crate::Rays), the board and the slots those of
//! [`Records`](crate::Records).
//!
//! **Method.** For each of 64 bytes, the bit shuffle `vpshufbitqmb` takes the bit of a set that the byte numbers, and
//! gives all of them as a mask. With the lists of two bishops and two rooks in a register, one instruction tells which
//! squares of their rays are occupied, and another one which are wanted. A second register has the lists of the queen,
//! the king and two knights. The first squares of all rays are subtracted from the occupied ones, among which the last
//! squares count:
//!
//! ```text
//! ray                  b b b a a a a     two rays of a list, their first squares on the right
//! ends                 1 0 0 1 1 0 0     a piece on the third square of a, and none on b
//! first                0 0 1 0 0 0 1
//! difference           0 1 1 1 0 1 1
//! changed              1 1 1 0 1 1 1     the squares that are seen
//! ```
//!
//! In each ray, the borrow runs up to the nearest piece. The bits that are left among the wanted ones are the masks of
//! word compresses of ready moves; see `ray_lists.rs`. So are castling moves, which a king's list has at places that no
//! ray reaches. The moves of all pawns share one vector.
//!
//! **Layout.** That of [`Rays`](crate::Rays): 12,448 bytes, no entry of which depends on the occupancy.
//!
//! **Cost.** Four bit shuffles and two subtractions a position, where [`Records`](crate::Records) has fifteen `pext`
//! and six entries of a large table. Nothing but castling and other rare moves takes a branch. These tests read the
//! sets of the board, so the design is branchless.

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
    const WHOLE_VECTORS: bool = true;

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
    use raywalk_core::Board;

    use super::*;
    use crate::castling;
    use crate::fill::splat;
    use crate::pawns::PawnTargets;
    use crate::ray_lists::{Chosen, castles};
    use crate::sets::wanted;
    use crate::slots::{Pieces, Slots, before_slots};

    #[target_feature(
        enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512bitalg,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
    )]
    pub(super) fn generate<S: Stage>(lists: &RayLists, board: &Bitboards, list: &mut MoveList) {
        let (mut castling, mut any_rare) = ([false; 2], false);
        let (slots, pawns) = before_slots!(S, board, castling = castling::legal(board), {
            write_rare::<S>(lists, board, list);
            any_rare = true;
        });
        let pawns = if any_rare { pawns.usual() } else { pawns };

        let chosen = Chosen::of(lists, board.king(board.state().side), slots);
        let (occupied, wanted) = (splat(board.occupied()), splat(wanted::<S>(board)));
        let [first, mut last] = chosen.lists::<S>().map(|listed| listed.reached(occupied, wanted));
        if S::QUIETS && !S::SLIDERS_ONLY {
            last |= castles(castling);
        }
        let mut cursor = list.cursor();
        if !S::SLIDERS_ONLY {
            pawns.write_together::<S>(&mut cursor);
        }
        chosen.append::<S, BitRays>([first, last], &mut cursor);
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
        let wanted = wanted::<S>(board);
        lists.append_each(more, board.occupied(), |_| wanted, &mut list.cursor());
        if !S::SLIDERS_ONLY {
            PawnTargets::of::<S>(board).write_rare(list);
        }
    }
}
