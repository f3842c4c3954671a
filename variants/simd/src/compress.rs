//! A set of targets becomes moves by one byte compress.
//!
//! **Source.** Stockfish, commit d173a06 of 18 March 2026. An earlier form, commit 8c2d21f of 6 July 2025,
//! compressed two vectors of ready words.
//!
//! **Method.** A byte compress of the numbers 0 to 63 by a set gives the squares of the set as bytes, lowest
//! first. Widened to words, shifted and joined with the origin, they are moves, and one store writes them. A
//! leaper has at most 8 targets, a bishop or rook at most 14, a queen at most 27, so 8, 16 or 32 words are
//! stored.
//!
//! Pieces have fixed slots: two knights, two bishops, two rooks and a queen. An empty slot has an empty set.
//! Further pieces, which only promotions bring, go through a loop that is seldom entered. So no loop ends
//! depend on the position.
//!
//! The designs of this file differ in how they find the set of a slider: see [`Attacks`].

use raywalk_core::bitboards::attacks::walk;
use raywalk_core::{
    Bitboards, Card, Control, Feature, Generator, Kind, Legality, Move, MoveList, Square, Stage,
};

use crate::cpu::{Vectors, with_vectors};

/// A method that finds the attacks of a slider on a square from 0 to 63, and an empty set for the number 64.
pub trait Attacks: Sized + Send + Sync + 'static {
    /// The card of the design with this method.
    const CARD: Card;

    /// Builds the tables, which keep the proof that the method's instructions exist.
    fn build(vectors: Vectors) -> Self;

    /// Squares that a bishop attacks.
    fn bishop(&self, slot: usize, occupied: u64) -> u64;

    /// Squares that a rook attacks.
    fn rook(&self, slot: usize, occupied: u64) -> u64;

    /// Squares that a queen attacks.
    #[inline(always)]
    fn queen(&self, slot: usize, occupied: u64) -> u64 {
        self.bishop(slot, occupied) | self.rook(slot, occupied)
    }

    /// Size of the slider tables in bytes. Methods with boxed tables override this.
    fn table_bytes(&self) -> usize {
        size_of::<Self>()
    }
}

/// The card that the designs of this file share.
pub(crate) const COMMON: Card = Card {
    id: "",
    name: "",
    author: "Stockfish developers",
    year: Some(2026),
    source: "Stockfish, commit d173a06, 18 March 2026",
    control: Control::Branchless,
    legality: Legality::Pseudo,
    published_bytes: None,
    needs: &[Feature::Bmi2, Feature::Avx512Vbmi2],
    reconstructed: "The source writes pieces in loops. Slots for pieces, the order of writing and castling \
                    are ours.",
};

/// Moves by byte compress, with one method for the sliders.
#[repr(C, align(64))]
pub struct Compress<A> {
    knights: [u64; 65],
    kings: [u64; 64],
    sliders: A,
    vectors: Vectors,
}

impl<A: Attacks> Generator for Compress<A> {
    const CARD: Card = A::CARD;
    type Board = Bitboards;
    type Moves = Move;
    const WHOLE_VECTORS: bool = true;

    fn build() -> Result<Box<Self>, Feature> {
        let vectors = Vectors::detect()?;
        let targets = |kind, n: usize| walk(kind, Square::from_low_bits(n as u32), 0);
        Ok(Box::new(Compress {
            knights: std::array::from_fn(|n| if n < 64 { targets(Kind::Knight, n) } else { 0 }),
            kings: std::array::from_fn(|n| targets(Kind::King, n)),
            sliders: A::build(vectors),
            vectors,
        }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Bitboards, list: &mut MoveList) {
        with_vectors!(self.vectors, x86_64::generate::<S, A>(self, board, list));
    }

    fn table_bytes(&self) -> usize {
        size_of_val(&self.knights) + size_of_val(&self.kings) + self.sliders.table_bytes()
    }
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::arch::x86_64::*;

    use raywalk_core::{Board, Cursor};

    use super::*;
    use crate::pawns::PawnTargets;
    use crate::sets::{squares, wanted};
    use crate::slots::{Pieces, Slots, before_slots};
    use crate::squares::numbers;
    use crate::store::{append_8, append_16, append_32};

    #[target_feature(
        enable = "avx512f,avx512bw,avx512cd,avx512vl,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
    )]
    pub(super) fn generate<S: Stage, A: Attacks>(
        design: &Compress<A>,
        board: &Bitboards,
        list: &mut MoveList,
    ) {
        let (slots, pawns) = before_slots!(S, board, list, write_rare::<S, A>(design, board, list));

        let (occupied, wanted) = (board.occupied(), wanted::<S>(board));
        let Slots { knights, bishops, rooks, queen } = slots;
        let sliders = &design.sliders;
        let mut cursor = list.cursor();
        if !S::SLIDERS_ONLY {
            pawns.write_usual::<S>(&mut cursor);
            let king = board.king(board.state().side).index();
            write_8(king, design.kings[king] & wanted, &mut cursor);
            write_8(knights.0, design.knights[knights.0] & wanted, &mut cursor);
            write_8(knights.1, design.knights[knights.1] & wanted, &mut cursor);
        }
        write_16(bishops.0, sliders.bishop(bishops.0, occupied) & wanted, &mut cursor);
        write_16(bishops.1, sliders.bishop(bishops.1, occupied) & wanted, &mut cursor);
        write_16(rooks.0, sliders.rook(rooks.0, occupied) & wanted, &mut cursor);
        write_16(rooks.1, sliders.rook(rooks.1, occupied) & wanted, &mut cursor);
        write_32(queen, sliders.queen(queen, occupied) & wanted, &mut cursor);
    }

    /// Appends promotions, en passant and the moves of pieces without a slot. It finds everything again, so that
    /// a position without such moves keeps no values for it.
    #[cold]
    #[inline(never)]
    #[target_feature(
        enable = "avx512f,avx512bw,avx512cd,avx512vl,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
    )]
    fn write_rare<S: Stage, A: Attacks>(
        design: &Compress<A>,
        board: &Bitboards,
        list: &mut MoveList,
    ) {
        let (_, more) = Slots::of(Pieces::own::<S>(board));
        let (occupied, wanted) = (board.occupied(), wanted::<S>(board));
        let mut cursor = list.cursor();
        for from in squares(more.knights).map(Square::index) {
            write_8(from, design.knights[from] & wanted, &mut cursor);
        }
        for from in squares(more.bishops).map(Square::index) {
            write_16(from, design.sliders.bishop(from, occupied) & wanted, &mut cursor);
        }
        for from in squares(more.rooks).map(Square::index) {
            write_16(from, design.sliders.rook(from, occupied) & wanted, &mut cursor);
        }
        for from in squares(more.queens).map(Square::index) {
            write_32(from, design.sliders.queen(from, occupied) & wanted, &mut cursor);
        }
        drop(cursor);
        if !S::SLIDERS_ONLY {
            PawnTargets::of::<S>(board).write_rare(list);
        }
    }

    /// Appends the moves to at most 8 targets.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt")]
    fn write_8(from: usize, targets: u64, cursor: &mut Cursor<'_>) {
        let to = _mm512_maskz_compress_epi8(targets, numbers());
        let to = _mm_slli_epi16::<6>(_mm_cvtepu8_epi16(_mm512_castsi512_si128(to)));
        let moves = _mm_or_si128(to, _mm_set1_epi16(from as i16));
        append_8(moves, targets.count_ones(), cursor);
    }

    /// Appends the moves to at most 16 targets.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt")]
    fn write_16(from: usize, targets: u64, cursor: &mut Cursor<'_>) {
        let to = _mm512_maskz_compress_epi8(targets, numbers());
        let to = _mm256_slli_epi16::<6>(_mm256_cvtepu8_epi16(_mm512_castsi512_si128(to)));
        let moves = _mm256_or_si256(to, _mm256_set1_epi16(from as i16));
        append_16(moves, targets.count_ones(), cursor);
    }

    /// Appends the moves to at most 32 targets.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt")]
    fn write_32(from: usize, targets: u64, cursor: &mut Cursor<'_>) {
        let to = _mm512_maskz_compress_epi8(targets, numbers());
        let to = _mm512_slli_epi16::<6>(_mm512_cvtepu8_epi16(_mm512_castsi512_si256(to)));
        let moves = _mm512_or_si512(to, _mm512_set1_epi16(from as i16));
        append_32(moves, targets.count_ones(), cursor);
    }
}
