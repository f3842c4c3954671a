//! Legal moves as by [`Legal`], whose perft keeps an exact key of every board.

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
        ..Legal::CARD
    };
    type Board = Bitboards;
    type Moves = Move;

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
