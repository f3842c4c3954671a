//! Legal moves as by [`Legal`], in whose perft every board has an exact key.
//!
//! **Source.** The keys are those of A. L. Zobrist (1970). How they go with boards in registers is ours.
//!
//! **Method.** Lists are written and counted by the code of [`Legal`]. Every board that perft writes is followed by its
//! key, 64 bits, which is updated from that of its parent: by the pieces that a move moves, promotes or captures,
//! castling rights, the file of en passant and the side to move. A search needs such keys for its hash table, and other
//! libraries keep them with their boards. `copy_make/eight_lanes/zobrist.rs` describes the update.
//!
//! **Cost.** A board is one cache line and its key another, because boards are aligned. Perft with all leaves made
//! shows what a key costs. In bulk perft the leaves have no boards and no keys.

use raywalk_core::{
    Bitboards, Card, CopyMake, Counting, Feature, Generator, Leaves, Move, MoveList, Stage,
};

#[cfg(target_arch = "x86_64")]
use crate::copy_make::eight_lanes::Zobrist;
use crate::cpu::{Vectors, with_vectors};
use crate::legal::Legal;
use crate::zobrist::Words;

/// Legal moves from records; boards with keys.
#[repr(C, align(64))]
pub struct LegalKeyed {
    pub(crate) legal: Legal,
    words: Words,
}

impl Generator for LegalKeyed {
    const CARD: Card = Card {
        id: "simd/legal-keyed",
        name: "Legal by pins in eight lanes, ready moves, boards with keys",
        source: "Raywalk; Stockfish, commit 1554a2c, 4 May 2026; Chess Programming Wiki, Kogge-Stone Algorithm, \
                 DirGolem; A. L. Zobrist, Technical Report 88, University of Wisconsin, 1970",
        reconstructed: "The sources show ready moves, fills, pins by fills and keys. How they go together is ours: \
                        pinned sliders are written behind a branch, all else without one.",
        ..Legal::CARD
    };
    type Board = Bitboards;
    type Moves = Move;
    const WHOLE_VECTORS: bool = true;

    fn build() -> Result<Box<Self>, Feature> {
        Legal::build().map(|legal| Box::new(LegalKeyed { legal: *legal, words: Words::build() }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Bitboards, list: &mut MoveList) {
        self.legal.generate::<S>(board, list);
    }

    fn table_bytes(&self) -> usize {
        self.legal.table_bytes()
    }
}

#[cfg(target_arch = "x86_64")]
impl LegalKeyed {
    /// The keys of a walk.
    pub(crate) fn keys(&self, vectors: Vectors) -> Zobrist<'_> {
        Zobrist::new(&self.words, vectors)
    }
}

impl Counting for LegalKeyed {
    #[inline(always)]
    fn count(&self, board: &Bitboards) -> u64 {
        self.legal.count(board)
    }
}

impl CopyMake for LegalKeyed {
    #[inline(always)]
    fn perft(&self, board: &Bitboards, depth: u32, leaves: Leaves) -> u64 {
        let Legal { tables, vectors } = &self.legal;
        with_vectors!(vectors, {
            crate::copy_make::eight_lanes::perft(tables, self.keys(*vectors), board, depth, leaves)
        })
    }
}
