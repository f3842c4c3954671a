//! The byteboard: one register holds the board, and one permutation puts all rays of a square in order.
//!
//! **Source.** 87flowers, three articles of 2025 on the byteboard of the chess engine Rose. The word comes from
//! takotto, the author of a shogi engine.
//!
//! **Method.** A mailbox of 64 bytes fills one register. For each square, 64 numbers list what a queen and a knight
//! on it could see: for each of eight directions a knight's target and then the seven squares of a ray. One byte
//! permutation by these numbers brings the pieces into that order, so a byte of a mask belongs to a direction.
//! Occupied places become a mask `o`, and the places of the knights and the ends of the rays count as occupied:
//!
//! ```text
//! place                7 6 5 4 3 2 1 k     one byte: a ray of seven squares and a knight's target
//! o | 0x81             1 0 0 1 0 0 0 1     a piece on the fourth square
//! minus 3              1 0 0 0 1 1 1 0     the borrow runs up to the nearest piece
//! changed              0 0 0 1 1 1 1 1     the squares that are seen
//! ```
//!
//! One subtraction does this for all eight directions, because no byte borrows from the next. Places beyond the
//! edge are taken out afterwards. The places that the kind can reach, and those that hold what the stage wants,
//! are two more masks. A byte compress of the list of numbers by the result gives the targets as bytes.
//!
//! There are no sets on the board: the pieces of a kind, the enemy's and the empty squares are comparisons of the
//! register. Slots for pieces are those of the designs with sets.
//!
//! **Layout.** 65 lists of 64 bytes and 65 sets of places: 4,680 bytes.
//!
//! **Cost.** No look-up depends on another one, and no table on the occupancy.

use raywalk_core::square_board::Board8x8;
use raywalk_core::{Card, Control, Feature, Generator, Legality, Move, MoveList, Square, Stage};

use crate::cpu::{Vectors, with_vectors};

/// Rays by byte permutation, moves by byte compress.
#[repr(C, align(64))]
pub struct Byteboard {
    /// For each square the places of eight directions, a knight's target and seven squares each.
    places: [[u8; 64]; 65],
    /// The places that are on the board. None for a slot without a piece.
    valid: [u64; 65],
    vectors: Vectors,
}

/// The steps of the rays: four straight, four diagonal.
const RAYS: [(i8, i8); 8] = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)];
/// The knight's step that is listed with each ray.
const LEAPS: [(i8, i8); 8] =
    [(1, 2), (2, 1), (1, -2), (-2, 1), (2, -1), (-1, -2), (-2, -1), (-1, 2)];

impl Byteboard {
    fn new(vectors: Vectors) -> Byteboard {
        let mut design = Byteboard { places: [[0; 64]; 65], valid: [0; 65], vectors };
        for from in Square::all() {
            for (direction, (ray, leap)) in RAYS.into_iter().zip(LEAPS).enumerate() {
                let along = |n: i8| from.offset(n * ray.0, n * ray.1);
                let steps = std::iter::once(from.offset(leap.0, leap.1)).chain((1..8).map(along));
                for (step, to) in steps.enumerate() {
                    let place = 8 * direction + step;
                    if let Some(to) = to {
                        design.places[from.index()][place] = to.number();
                        design.valid[from.index()] |= 1 << place;
                    }
                }
            }
        }
        design
    }
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
                        rules of the square boards are ours. Finding targets takes no branch, rare moves do.",
    };
    type Board = Board8x8;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(Byteboard::new(Vectors::detect()?)))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Board8x8, list: &mut MoveList) {
        with_vectors!(self.vectors, x86_64::generate::<S>(self, board, list));
    }

    fn table_bytes(&self) -> usize {
        size_of_val(&self.places) + size_of_val(&self.valid)
    }
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::arch::x86_64::*;

    use raywalk_core::square_board::ColourBits;
    use raywalk_core::{Board, Cursor};

    use super::*;
    use crate::castling;
    use crate::sets::squares;
    use crate::slots::Slots;
    use crate::store::{append_8, append_16, append_32};

    type View = crate::cells::View<ColourBits>;

    /// The places of the rays of a rook, of a bishop, of a queen, of the steps of a king, and of a knight.
    const STRAIGHT: u64 = 0xfefe_fefe;
    const DIAGONAL: u64 = STRAIGHT << 32;
    const BOTH: u64 = STRAIGHT | DIAGONAL;
    const STEPS: u64 = 0x0202_0202_0202_0202;
    const KNIGHT: u64 = 0x0101_0101_0101_0101;

    #[target_feature(
        enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
    )]
    pub(super) fn generate<S: Stage>(design: &Byteboard, board: &Board8x8, list: &mut MoveList) {
        let view = View::of(board);
        let (slots, more) = Slots::of(view.pieces::<S>());
        let pawns = view.pawns::<S>(board);
        let castles = || castling::is_unobstructed(board.state(), view.occupied());
        if S::QUIETS && !S::SLIDERS_ONLY && castles() {
            board.castling_moves::<S>(list);
        }
        if more.any() | (!S::SLIDERS_ONLY & pawns.any_rare()) {
            write_rare::<S>(design, board, list);
        }

        let Slots { knights, bishops, rooks, queen } = slots;
        let mut cursor = list.cursor();
        if !S::SLIDERS_ONLY {
            pawns.write_usual::<S>(&mut cursor);
            let king = board.king(board.side()).index();
            write_8::<S>(design, king, STEPS, view, &mut cursor);
            write_8::<S>(design, knights.0, KNIGHT, view, &mut cursor);
            write_8::<S>(design, knights.1, KNIGHT, view, &mut cursor);
        }
        write_16::<S>(design, bishops.0, DIAGONAL, view, &mut cursor);
        write_16::<S>(design, bishops.1, DIAGONAL, view, &mut cursor);
        write_16::<S>(design, rooks.0, STRAIGHT, view, &mut cursor);
        write_16::<S>(design, rooks.1, STRAIGHT, view, &mut cursor);
        write_32::<S>(design, queen, view, &mut cursor);
    }

    /// The targets of a piece as bytes, and their number.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt")]
    fn targets<S: Stage>(
        design: &Byteboard,
        from: usize,
        reach: u64,
        view: View,
    ) -> (__m512i, u32) {
        // SAFETY: a list has the 64 bytes of the vector, and the load needs no alignment.
        let places = unsafe { _mm512_loadu_si512(design.places[from].as_ptr().cast()) };
        let seen = view.arranged(places);
        let occupied = seen.occupied();
        let ends = occupied | 0x8181_8181_8181_8181;
        let visible = ends ^ ends.wrapping_sub(0x0303_0303_0303_0303);
        let wanted = seen.wanted::<S>();
        let targets = visible & wanted & reach & design.valid[from];
        (_mm512_maskz_compress_epi8(targets, places), targets.count_ones())
    }

    /// Appends the moves of a piece with at most 8 targets.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
    fn write_8<S: Stage>(
        design: &Byteboard,
        from: usize,
        reach: u64,
        view: View,
        cursor: &mut Cursor<'_>,
    ) {
        let (to, count) = targets::<S>(design, from, reach, view);
        let to = _mm_slli_epi16::<6>(_mm_cvtepu8_epi16(_mm512_castsi512_si128(to)));
        append_8(_mm_or_si128(to, _mm_set1_epi16(from as i16)), count, cursor);
    }

    /// Appends the moves of a piece with at most 16 targets.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
    fn write_16<S: Stage>(
        design: &Byteboard,
        from: usize,
        reach: u64,
        view: View,
        cursor: &mut Cursor<'_>,
    ) {
        let (to, count) = targets::<S>(design, from, reach, view);
        let to = _mm256_slli_epi16::<6>(_mm256_cvtepu8_epi16(_mm512_castsi512_si128(to)));
        append_16(_mm256_or_si256(to, _mm256_set1_epi16(from as i16)), count, cursor);
    }

    /// Appends the moves of a queen.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
    fn write_32<S: Stage>(design: &Byteboard, from: usize, view: View, cursor: &mut Cursor<'_>) {
        let (to, count) = targets::<S>(design, from, BOTH, view);
        let to = _mm512_slli_epi16::<6>(_mm512_cvtepu8_epi16(_mm512_castsi512_si256(to)));
        append_32(_mm512_or_si512(to, _mm512_set1_epi16(from as i16)), count, cursor);
    }

    /// Appends promotions, en passant and the moves of pieces without a slot. It finds everything again, so that
    /// a position without such moves keeps no values for it.
    #[cold]
    #[inline(never)]
    #[target_feature(
        enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
    )]
    fn write_rare<S: Stage>(design: &Byteboard, board: &Board8x8, list: &mut MoveList) {
        let view = View::of(board);
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
            write_32::<S>(design, from, view, &mut cursor);
        }
        drop(cursor);
        if !S::SLIDERS_ONLY {
            view.pawns::<S>(board).write_rare(list);
        }
    }
}
