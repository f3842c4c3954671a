//! Ray lists: the squares that a piece reaches on the empty board, ray after ray, with their moves.
//!
//! Each square of a list is a byte. Its six lower bits are the number of the square, which a byte permutation or a bit
//! shuffle takes as an index and ignores the others: whether the square is the first of its ray, and whether it is the
//! last.
//!
//! **Layout.** 65 records of 64 bytes for bishops and for rooks, 65 of 32 for knights, 64 of 32 for the king: 12,448
//! bytes. A queen is a bishop and a rook.

use raywalk_core::{Kind, Move, Square};

#[repr(C, align(64))]
pub(crate) struct RayLists {
    pub(crate) bishops: [Slider; 65],
    pub(crate) rooks: [Slider; 65],
    pub(crate) knights: [Leaper; 65],
    pub(crate) kings: [Leaper; 64],
}

/// The moves of a bishop or rook on the empty board, ray after ray. One cache line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Slider {
    pub(crate) moves: [Move; 16],
    targets: [u8; 16],
}

/// The moves of a knight or king.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub(crate) struct Leaper {
    pub(crate) moves: [Move; 8],
    targets: [u8; 8],
}

/// The bits of a target that is the first of its ray, and of one that is the last.
pub(crate) const FIRST: u8 = 0x40;
pub(crate) const LAST: u8 = 0x80;

const UNUSED: Move = Move::from_bits(0);
const NO_SLIDER: Slider = Slider { moves: [UNUSED; 16], targets: [0; 16] };
const NO_LEAPER: Leaper = Leaper { moves: [UNUSED; 8], targets: [0; 8] };

/// The moves of a kind from a square, and their targets with the bits of their places in a ray.
fn record<const N: usize>(kind: Kind, from: Square) -> ([Move; N], [u8; N]) {
    let (mut moves, mut targets) = ([UNUSED; N], [0; N]);
    let mut slots = moves.iter_mut().zip(&mut targets);
    for &(files, ranks) in kind.steps() {
        let furthest = if kind.is_slider() { 7 } else { 1 };
        let on_ray = |n| if n > furthest { None } else { from.offset(n * files, n * ranks) };
        for n in 1..=furthest {
            let Some(to) = on_ray(n) else { break };
            let (mv, target) = slots.next().expect("a slot for each move of the kind");
            *mv = Move::new(from, to);
            *target = to.number();
            *target |= if n == 1 { FIRST } else { 0 };
            *target |= if on_ray(n + 1).is_none() { LAST } else { 0 };
        }
    }
    (moves, targets)
}

impl RayLists {
    pub(crate) fn build() -> RayLists {
        let slider = |kind, n: usize| {
            let (moves, targets) = record(kind, Square::from_low_bits(n as u32));
            Slider { moves, targets }
        };
        let leaper = |kind, n: usize| {
            let (moves, targets) = record(kind, Square::from_low_bits(n as u32));
            Leaper { moves, targets }
        };
        let sliders =
            |kind| std::array::from_fn(|n| if n < 64 { slider(kind, n) } else { NO_SLIDER });
        RayLists {
            bishops: sliders(Kind::Bishop),
            rooks: sliders(Kind::Rook),
            knights: std::array::from_fn(
                |n| {
                    if n < 64 { leaper(Kind::Knight, n) } else { NO_LEAPER }
                },
            ),
            kings: std::array::from_fn(|n| leaper(Kind::King, n)),
        }
    }

    /// Size in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let RayLists { bishops, rooks, knights, kings } = self;
        size_of_val(bishops) + size_of_val(rooks) + size_of_val(knights) + size_of_val(kings)
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use x86_64::*;

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::arch::x86_64::*;

    use raywalk_core::Cursor;

    use super::*;
    use crate::store::{append_32, load_16};

    /// A byte in all lanes.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn bytes(byte: u8) -> __m512i {
        _mm512_set1_epi8(byte.cast_signed())
    }

    /// The lists of two sliders.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn targets_32((one, other): (&Slider, &Slider)) -> __m256i {
        _mm256_set_m128i(targets_16(other), targets_16(one))
    }

    /// The list of a slider.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn targets_16(slider: &Slider) -> __m128i {
        // SAFETY: the array has the 16 bytes that are loaded, and the load needs no alignment.
        unsafe { _mm_loadu_si128(slider.targets.as_ptr().cast()) }
    }

    /// The list of a leaper in the lower half of a vector, and zeros.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn targets_8(leaper: &Leaper) -> __m128i {
        // SAFETY: the array has the 8 bytes that are loaded, and the load needs no alignment.
        unsafe { _mm_loadl_epi64(leaper.targets.as_ptr().cast()) }
    }

    /// Appends the selected moves of two sliders.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt")]
    pub(crate) fn append_pair(
        (one, other): (&Slider, &Slider),
        selected: u32,
        cursor: &mut Cursor<'_>,
    ) {
        append(load_16(&one.moves), load_16(&other.moves), selected, cursor);
    }

    /// Appends the selected moves of 32.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt")]
    pub(crate) fn append(low: __m256i, high: __m256i, selected: u32, cursor: &mut Cursor<'_>) {
        let moves = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high);
        append_32(_mm512_maskz_compress_epi16(selected, moves), selected.count_ones(), cursor);
    }
}
