//! Packing by byte shuffles: what replaces a compress on a CPU without AVX-512.
//!
//! A shuffle of sixteen bytes packs eight moves if its pattern brings the words whose bits are set to the front, and
//! there are 256 patterns.

/// For each mask of eight words, the bytes of the words whose bits are set.
pub(crate) struct Patterns([[u8; 16]; 256]);

impl Patterns {
    pub(crate) fn build() -> Patterns {
        Patterns(std::array::from_fn(|mask| {
            let mut pattern = [0; 16];
            let set = (0..8_u8).filter(|word| mask >> word & 1 == 1);
            for (slot, word) in pattern.chunks_exact_mut(2).zip(set) {
                slot.copy_from_slice(&[2 * word, 2 * word + 1]);
            }
            pattern
        }))
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use x86_64::*;

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::arch::x86_64::*;

    use raywalk_core::{Cursor, Stage};

    use super::Patterns;
    use crate::pawns::PawnTargets;
    use crate::ready::{ReadyMoves, Slider, View};
    use crate::sets::{LAST_RANKS, ahead};
    use crate::store::{append_8, load_8};

    /// Appends the selected moves of eight.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    pub(crate) fn append(
        patterns: &Patterns,
        moves: __m128i,
        selected: u8,
        cursor: &mut Cursor<'_>,
    ) {
        let pattern = &patterns.0[usize::from(selected)];
        // SAFETY: a pattern has the 16 bytes of the vector, and the load needs no alignment.
        let pattern = unsafe { _mm_loadu_si128(pattern.as_ptr().cast()) };
        append_8(_mm_shuffle_epi8(moves, pattern), selected.count_ones(), cursor);
    }

    /// Appends the moves of a slider.
    #[inline]
    #[target_feature(enable = "avx2,bmi2,popcnt")]
    pub(crate) fn append_slider(
        (ready, patterns): (&ReadyMoves, &Patterns),
        (slider, mask): (&Slider, u32),
        view: View,
        cursor: &mut Cursor<'_>,
    ) {
        let mask = ready.slides(slider, view) & mask;
        let (low, high) =
            slider.moves.split_first_chunk().expect("sixteen moves are two times eight");
        let high = high.first_chunk().expect("sixteen moves are two times eight");
        append(patterns, load_8(low), mask as u8, cursor);
        append(patterns, load_8(high), (mask >> 8) as u8, cursor);
    }

    /// For each bit of a square's number, the squares that have it.
    const NUMBERED: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];

    /// Appends captures and single pushes of pawns, promotions and en passant aside.
    #[inline]
    #[target_feature(enable = "avx2,bmi2,popcnt")]
    pub(crate) fn append_pawns<S: Stage>(
        patterns: &Patterns,
        pawns: u64,
        targets: PawnTargets,
        cursor: &mut Cursor<'_>,
    ) {
        let mut from = 0;
        for (n, numbered) in NUMBERED.into_iter().enumerate() {
            from |= _pdep_u64(_pext_u64(numbered, pawns), 0x0101_0101_0101_0101 << n);
        }
        let from = _mm_cvtepu8_epi16(_mm_cvtsi64_si128(from.cast_signed()));
        // Origin and target are the same square: the target, in bits 6 to 11, is still to be moved ahead.
        let still = _mm_mullo_epi16(from, _mm_set1_epi16(65));
        let ahead = ahead(targets.side);
        let mut append_to = |targets: u64, step: i16| {
            let origins = targets.rotate_right(step as u32 & 63);
            let moves = _mm_add_epi16(still, _mm_set1_epi16(64 * step));
            append(patterns, moves, _pext_u64(origins, pawns) as u8, cursor);
        };
        if S::CAPTURES {
            let usual = !(LAST_RANKS | targets.passed);
            append_to(targets.west & usual, ahead - 1);
            append_to(targets.east & usual, ahead + 1);
        }
        if S::QUIETS {
            append_to(targets.once & !LAST_RANKS, ahead);
        }
    }
}
