//! Moves that are ready in a table: a word compress keeps those that exist.
//!
//! **Source.** Stockfish, commit 1554a2c of 4 May 2026: for each kind and origin the list of moves on the empty
//! board, and a look-up that yields the mask of a compress instead of an attack set. It was removed on 3 July
//! 2026, when hyperbola attacks made the tables pointless there.
//!
//! **Method.** See `ready.rs` for the tables. Pieces have fixed slots: two knights, two bishops, two rooks and a
//! queen. The record of an empty slot has no moves. Further pieces, which only promotions bring, go through a
//! loop that is seldom entered. So no loop ends depend on the position, and no branch except those of rare
//! moves. Seven stores write the whole list.
//!
//! **Order.** Rare moves come first, so that a branch is decided as early as possible. Pieces whose masks take
//! longest come last: a store waits for the numbers of moves of all vectors before it, and these are known early.

use std::marker::PhantomData;

use raywalk_core::{Bitboards, Card, Control, Feature, Generator, Legality, Move, MoveList, Stage};

use crate::cpu::{Vectors, with_vectors};
use crate::ready::{Caller, ReadyMoves};

/// Moves from records, compressed by words and written as `W` says.
pub struct FromRecords<W> {
    ready: ReadyMoves,
    vectors: Vectors,
    writer: PhantomData<W>,
}

/// Moves from records, compressed in a register.
pub type Records = FromRecords<InRegister>;
/// Moves from records, compressed to memory.
pub type RecordsToMemory = FromRecords<ToMemory>;

/// Where the compress of a design puts the moves.
pub trait Writer: Send + Sync + 'static {
    /// The card of the design.
    const CARD: Card;
    /// Whether the compress writes to memory.
    const TO_MEMORY: bool;
}

/// The compress of the source: into a register, which one store writes.
pub struct InRegister;
impl Writer for InRegister {
    const CARD: Card = Card {
        id: "simd/records",
        name: "Ready moves, word compress",
        author: "Stockfish developers",
        year: Some(2026),
        source: "Stockfish, commit 1554a2c, 4 May 2026",
        control: Control::Branchless,
        legality: Legality::Pseudo,
        published_bytes: None,
        needs: &[Feature::Bmi2, Feature::Avx512Vbmi2],
        reconstructed: "The source has one piece per vector, in loops. Slots for pieces, two pieces per vector, \
                        the order of writing, pawns and castling are ours.",
    };
    const TO_MEMORY: bool = false;
}

/// The compress that the source warns of: one instruction writes the moves to memory. Pieces without a slot and pawns
/// are written as in the other design.
pub struct ToMemory;
impl Writer for ToMemory {
    const CARD: Card = Card {
        id: "simd/records-to-memory",
        name: "Ready moves, word compress to memory",
        author: "Raywalk, after Stockfish developers",
        source: "Raywalk: a variant of simd/records, after Stockfish, commit 2176c93, 2025",
        ..InRegister::CARD
    };
    const TO_MEMORY: bool = true;
}

impl<W: Writer> Caller for FromRecords<W> {
    const TO_MEMORY: bool = W::TO_MEMORY;
}

impl<W: Writer> Generator for FromRecords<W> {
    const CARD: Card = W::CARD;
    type Board = Bitboards;
    type Moves = Move;
    const WHOLE_VECTORS: bool = true;

    fn build() -> Result<Box<Self>, Feature> {
        let vectors = Vectors::detect()?;
        let ready = ReadyMoves::build();
        Ok(Box::new(FromRecords { ready, vectors, writer: PhantomData }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Bitboards, list: &mut MoveList) {
        with_vectors!(self.vectors, x86_64::generate::<S, Self>(&self.ready, board, list));
    }

    fn table_bytes(&self) -> usize {
        self.ready.table_bytes()
    }
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use raywalk_core::Board;

    use super::*;
    use crate::pawns::{DOUBLE_PUSHES, PawnTargets};
    use crate::ready::View;
    use crate::sets::wanted;
    use crate::slots::{Pieces, Slots, before_slots};

    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn generate<S: Stage, D: Caller>(
        ready: &ReadyMoves,
        board: &Bitboards,
        list: &mut MoveList,
    ) {
        let (slots, pawns) = before_slots!(S, board, list, write_rare::<S>(ready, board, list));

        let view = View { wanted: wanted::<S>(board), occupied: board.occupied(), pinned: 0 };
        let mut cursor = list.cursor();
        if !S::SLIDERS_ONLY {
            pawns.write::<S>(&mut cursor);
            let side = board.state().side;
            let king = (board.king(side), view.wanted);
            let doubles = (&DOUBLE_PUSHES[side.index()], pawns.double_pushes());
            ready.append_leapers::<S, D>(king, slots, view, doubles, &mut cursor);
        }
        ready.append_sliders::<S, D>(slots, view, &mut cursor);
    }

    /// Appends promotions, en passant and the moves of pieces without a slot. It finds everything again, so that
    /// a position without such moves keeps no values for it.
    #[cold]
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn write_rare<S: Stage>(ready: &ReadyMoves, board: &Bitboards, list: &mut MoveList) {
        let (_, more) = Slots::of(Pieces::own::<S>(board));
        let view = View { wanted: wanted::<S>(board), occupied: board.occupied(), pinned: 0 };
        ready.append_each(more, |_| view, &mut list.cursor());
        if !S::SLIDERS_ONLY {
            PawnTargets::of::<S>(board).write_rare(list);
        }
    }
}
