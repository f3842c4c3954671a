//! The AVX2 instructions of dual hyperbola quintessence, behind a token that proves the CPU has them.

use raywalk_core::Feature;

use crate::proof::Proof;

/// Proof that this CPU has AVX2. Only [`Avx2::detect`] creates one.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(Proof);

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    pub(crate) fn detect() -> Result<Avx2, Feature> {
        Feature::Avx2.require().map(Avx2)
    }

    /// The hyperbola formula for four lines that hold at most one square per rank: the union of the
    /// attacks along lines 0 and 2, and that along lines 1 and 3. `reversed` is `slider` with the
    /// bytes of the word swapped.
    #[inline(always)]
    pub(crate) fn hyperbola(
        self,
        masks: &[u64; 4],
        slider: u64,
        reversed: u64,
        occupied: u64,
    ) -> [u64; 2] {
        let Avx2(()) = self;
        // SAFETY: an `Avx2` exists only if `detect` found the feature, which all instructions of
        // the function belong to.
        unsafe { hyperbola(masks, slider, reversed, occupied) }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[inline]
fn hyperbola(masks: &[u64; 4], slider: u64, reversed: u64, occupied: u64) -> [u64; 2] {
    use std::arch::x86_64::*;
    let word = |word: u64| _mm256_set1_epi64x(word.cast_signed());
    // SAFETY: the array has the 32 bytes of the register, and the load needs no alignment.
    let masks = unsafe { _mm256_loadu_si256(masks.as_ptr().cast()) };
    // Within each word, byte 7 to byte 0 in place of byte 0 to byte 7. Shuffles of 256 bits work on
    // each half alone, so the numbers are the same in both.
    let swap = _mm256_set_epi64x(
        0x0809_0a0b_0c0d_0e0f,
        0x0001_0203_0405_0607,
        0x0809_0a0b_0c0d_0e0f,
        0x0001_0203_0405_0607,
    );
    let blockers = _mm256_and_si256(word(occupied), masks);
    let above = _mm256_sub_epi64(blockers, word(slider));
    let below = _mm256_sub_epi64(_mm256_shuffle_epi8(blockers, swap), word(reversed));
    let changed = _mm256_xor_si256(above, _mm256_shuffle_epi8(below, swap));
    let attacks = _mm256_and_si256(changed, masks);
    let union =
        _mm_or_si128(_mm256_castsi256_si128(attacks), _mm256_extracti128_si256::<1>(attacks));
    [_mm_cvtsi128_si64(union).cast_unsigned(), _mm_extract_epi64::<1>(union).cast_unsigned()]
}

#[cfg(not(target_arch = "x86_64"))]
impl Avx2 {
    pub(crate) fn detect() -> Result<Avx2, Feature> {
        Err(Feature::Avx2)
    }

    pub(crate) fn hyperbola(
        self,
        _masks: &[u64; 4],
        _slider: u64,
        _reversed: u64,
        _occupied: u64,
    ) -> [u64; 2] {
        match self.0 {}
    }
}
