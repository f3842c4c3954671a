//! A board in one register: eight sets of squares, one in each lane.
//!
//! Kinds with the same directions share a lane, so a queen is in two. The last lane holds castling rights and the
//! square of en passant as squares too. Clearing the origin and the target of a move in all lanes then updates the
//! rights as well: a king that moves and a rook that moves or is captured were on the squares of their rights.

use std::arch::x86_64::*;
use std::mem::MaybeUninit;

use raywalk_core::bitboards::attacks;
use raywalk_core::{Bitboards, Board, Castling, CastlingRights, Color, Kind, Square, Wing};

use crate::fill::splat;

/// The squares of kings and rooks that have not moved.
pub(super) const HOMES: u64 = 0x9100_0000_0000_0091;

/// The lanes of kinds and colours.
const ALL_BUT_SPECIAL: __mmask8 = 0x7f;

/// A board.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Register {
    pub(super) pawns: u64,
    pub(super) knights: u64,
    /// Bishops and queens.
    pub(super) diagonal: u64,
    /// Rooks and queens.
    pub(super) straight: u64,
    pub(super) kings: u64,
    pub(super) colors: [u64; 2],
    /// The [squares](HOMES) of king and rook for each right, and the square that a pawn has passed if a pawn can
    /// capture there.
    pub(super) special: u64,
}

impl Register {
    /// A board in this form.
    pub(super) fn of(board: &Bitboards) -> Register {
        let state = board.state();
        let mut special = 0;
        for color in Color::ALL {
            for wing in [Wing::King, Wing::Queen] {
                if state.rights.contains(CastlingRights::one(color, wing)) {
                    let squares = Castling::of(color, wing);
                    special |= squares.king_from.bit() | squares.rook_from.bit();
                }
            }
        }
        if let Some(passed) = state.en_passant
            && attacks::pawn(!state.side, passed) & board.of(state.side, Kind::Pawn) != 0
        {
            special |= passed.bit();
        }
        Register {
            pawns: board.kind(Kind::Pawn),
            knights: board.kind(Kind::Knight),
            diagonal: board.kinds([Kind::Bishop, Kind::Queen]),
            straight: board.kinds([Kind::Rook, Kind::Queen]),
            kings: board.kind(Kind::King),
            colors: Color::ALL.map(|color| board.color(color)),
            special,
        }
    }

    /// The pieces of the side to move and those of the other side.
    #[inline(always)]
    pub(super) fn sides<const WHITE: bool>(&self) -> (u64, u64) {
        let [white, black] = self.colors;
        if WHITE { (white, black) } else { (black, white) }
    }

    /// The king of the side to move.
    #[inline(always)]
    pub(super) fn king<const WHITE: bool>(&self) -> Square {
        lowest(self.kings & self.sides::<WHITE>().0)
    }

    /// All lanes.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn lanes(&self) -> __m512i {
        // SAFETY: the structure has 64 bytes and their alignment.
        unsafe { _mm512_load_si512(std::ptr::from_ref(self).cast()) }
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
}

/// The lowest square of a set that is not empty.
#[inline(always)]
pub(super) const fn lowest(set: u64) -> Square {
    Square::from_low_bits(set.trailing_zeros())
}

/// The colour to move.
pub(super) const fn side<const WHITE: bool>() -> Color {
    if WHITE { Color::White } else { Color::Black }
}

/// The lanes of a board that keep their sets behind a move, the special squares only as far as they are rights.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn kept(lanes: __m512i) -> __m512i {
    _mm512_mask_and_epi64(lanes, !ALL_BUT_SPECIAL, lanes, splat(HOMES))
}

/// The lanes behind a move that only moves a piece and may capture one.
///
/// The lanes that hold the origin are those of the piece and its colour, and the same lanes hold the target behind the
/// move. `kept` is [`kept`] of the same lanes.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn moved(lanes: __m512i, kept: __m512i, from: Square, to: Square) -> __m512i {
    let (from, to) = (square(from), square(to));
    let of_piece = _mm512_mask_test_epi64_mask(ALL_BUT_SPECIAL, lanes, from);
    let cleared = without(kept, from, to);
    _mm512_mask_or_epi64(cleared, of_piece, cleared, to)
}

/// The lanes behind a promotion: the target is in the lanes of the new piece and its colour.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn promoted<const WHITE: bool>(
    kept: __m512i,
    from: Square,
    to: Square,
    kind: Kind,
) -> __m512i {
    let of_kind = match kind {
        Kind::Knight => 0b0010,
        Kind::Bishop => 0b0100,
        Kind::Rook => 0b1000,
        _ => 0b1100,
    };
    let of_color = if WHITE { 1 << 5 } else { 1 << 6 };
    let (from, to) = (square(from), square(to));
    let cleared = without(kept, from, to);
    _mm512_mask_or_epi64(cleared, of_kind | of_color, cleared, to)
}

/// `lanes & !from & !to`.
#[inline]
#[target_feature(enable = "avx512f")]
fn without(lanes: __m512i, from: __m512i, to: __m512i) -> __m512i {
    _mm512_ternarylogic_epi64::<0x10>(lanes, from, to)
}

/// A square in all lanes, from a table: a shift would be computed in another kind of register and copied.
#[inline]
#[target_feature(enable = "avx512f")]
fn square(square: Square) -> __m512i {
    static BITS: [u64; 64] = {
        let mut bits = [0; 64];
        let mut n = 0;
        while n < 64 {
            bits[n] = 1 << n;
            n += 1;
        }
        bits
    };
    splat(BITS[square.index()])
}
