//! A board in two registers, and the boards after its moves.

use std::arch::x86_64::*;
use std::mem::MaybeUninit;

use raywalk_core::{Kind, Square};

use crate::copy_make::register::{BITS, HOLDING, OTHERS, Register, side};
use crate::fill_256;
use crate::homes::HOMES;

/// Pawns, knights, diagonal and straight sliders; and kings, White, Black and special squares.
#[derive(Clone, Copy)]
pub(super) struct Halves(__m256i, __m256i);

/// Loads a board into two registers, four sets in each.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn load(board: &Register) -> Halves {
    let halves = std::ptr::from_ref(board).cast::<__m256i>();
    // SAFETY: the structure has the 64 bytes of two vectors, and their alignment.
    unsafe { Halves(_mm256_load_si256(halves), _mm256_load_si256(halves.add(1))) }
}

/// Writes a board from lanes.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn write(Halves(low, high): Halves, room: &mut MaybeUninit<Register>) -> &mut Register {
    let halves = room.as_mut_ptr().cast::<__m256i>();
    // SAFETY: there are 64 aligned bytes, and any lanes are a board.
    unsafe {
        _mm256_store_si256(halves, low);
        _mm256_store_si256(halves.add(1), high);
    }
    // SAFETY: the stores have written all of it.
    unsafe { room.assume_init_mut() }
}

/// The lanes of a board that keep their sets after a move, the special squares only as far as they are rights.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn kept(Halves(low, high): Halves) -> Halves {
    Halves(low, _mm256_and_si256(high, fill_256::lanes(&[!0, !0, !0, HOMES])))
}

/// The lanes after a move that only moves a piece and may capture one.
///
/// The lanes that hold the origin are those of the piece and its colour, and the same lanes hold the target after the
/// move. `kept` is [`kept`] of the same lanes.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn moved(lanes: Halves, kept: Halves, from: Square, to: Square) -> Halves {
    let (from, to) = (square(from), square(to));
    let holding = |lanes| _mm256_cmpeq_epi64(_mm256_and_si256(lanes, from), from);
    let all_but_special = fill_256::lanes(&[!0, !0, !0, 0]);
    let of_piece = Halves(holding(lanes.0), _mm256_and_si256(holding(lanes.1), all_but_special));
    replaced(kept, (from, to), of_piece)
}

/// The lanes that hold a piece, as all bits or none.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn holding<const WHITE: bool>(kind: Kind) -> Halves {
    let [low @ .., _, _, _, _] = &HOLDING[side::<WHITE>().index()][kind.index()].0;
    let [_, _, _, _, high @ ..] = &HOLDING[side::<WHITE>().index()][kind.index()].0;
    Halves(fill_256::lanes(low), fill_256::lanes(high))
}

/// The lanes without the piece on a square.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn left(Halves(low, high): Halves, from: Square) -> Halves {
    let others = fill_256::splat(OTHERS[from.index()]);
    Halves(_mm256_and_si256(low, others), _mm256_and_si256(high, others))
}

/// The lanes with a piece on a square instead of what stands there; `holding` is [`holding`] of the piece.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn entered(lanes: Halves, to: Square, holding: Halves) -> Halves {
    let to = square(to);
    let half = |lanes, holding| {
        _mm256_or_si256(_mm256_andnot_si256(to, lanes), _mm256_and_si256(to, holding))
    };
    Halves(half(lanes.0, holding.0), half(lanes.1, holding.1))
}

/// Lanes without both squares, and with the second one in the lanes of a piece.
#[inline]
#[target_feature(enable = "avx2")]
fn replaced(kept: Halves, (from, to): (__m256i, __m256i), of_piece: Halves) -> Halves {
    let either = _mm256_or_si256(from, to);
    let half = |kept, of_piece| {
        _mm256_or_si256(_mm256_andnot_si256(either, kept), _mm256_and_si256(of_piece, to))
    };
    Halves(half(kept.0, of_piece.0), half(kept.1, of_piece.1))
}

/// A square in all lanes.
#[inline]
#[target_feature(enable = "avx2")]
fn square(square: Square) -> __m256i {
    _mm256_set1_epi64x(BITS[square.index()].cast_signed())
}
