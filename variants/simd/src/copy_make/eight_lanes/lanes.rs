//! A board in one register, and the boards after its moves.

use std::arch::x86_64::*;
use std::mem::MaybeUninit;

use raywalk_core::{Kind, Square};

use crate::copy_make::register::{BITS, HOLDING, OTHERS, Register, side};
use crate::fill::{self, splat};
use crate::homes::HOMES;

/// The lanes of kinds and colours.
const ALL_BUT_SPECIAL: __mmask8 = 0x7f;

/// Loads a board, one set in each lane.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn load(board: &Register) -> __m512i {
    // SAFETY: the structure has 64 bytes and their alignment.
    unsafe { _mm512_load_si512(std::ptr::from_ref(board).cast()) }
}

/// Writes a board from lanes.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn write(lanes: __m512i, room: &mut MaybeUninit<Register>) -> &mut Register {
    // SAFETY: there are 64 aligned bytes, and any lanes are a board.
    unsafe { _mm512_store_si512(room.as_mut_ptr().cast(), lanes) };
    // SAFETY: the store has written all of it.
    unsafe { room.assume_init_mut() }
}

/// The lanes of a board that keep their sets after a move, the special squares only as far as they are rights.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn kept(lanes: __m512i) -> __m512i {
    _mm512_mask_and_epi64(lanes, !ALL_BUT_SPECIAL, lanes, splat(HOMES))
}

/// The lanes after a move that only moves a piece and may capture one.
///
/// The lanes that hold the origin are those of the piece and its colour, and the same lanes hold the target after the
/// move. `kept` is [`kept`] of the same lanes.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn moved(lanes: __m512i, kept: __m512i, from: Square, to: Square) -> __m512i {
    let (from, to) = (square(from), square(to));
    let of_piece = _mm512_mask_test_epi64_mask(ALL_BUT_SPECIAL, lanes, from);
    let cleared = without(kept, from, to);
    _mm512_mask_or_epi64(cleared, of_piece, cleared, to)
}

/// The lanes that hold a piece, as all bits or none.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn holding<const WHITE: bool>(kind: Kind) -> __m512i {
    fill::lanes(&HOLDING[side::<WHITE>().index()][kind.index()].0)
}

/// The lanes without the piece on a square.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn left(kept: __m512i, from: Square) -> __m512i {
    _mm512_and_si512(kept, splat(OTHERS[from.index()]))
}

/// The lanes with a piece on a square instead of what stands there; `holding` is [`holding`] of the piece.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn entered(lanes: __m512i, to: Square, holding: __m512i) -> __m512i {
    // 0xb8 is `b ? c : a`, bit by bit.
    _mm512_ternarylogic_epi64::<0xb8>(lanes, square(to), holding)
}

/// `lanes & !from & !to`.
#[inline]
#[target_feature(enable = "avx512f")]
fn without(lanes: __m512i, from: __m512i, to: __m512i) -> __m512i {
    _mm512_ternarylogic_epi64::<0x10>(lanes, from, to)
}

/// A square in all lanes.
#[inline]
#[target_feature(enable = "avx512f")]
fn square(square: Square) -> __m512i {
    splat(BITS[square.index()])
}
