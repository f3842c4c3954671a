//! The two BMI2 instructions that the designs use, behind a token that proves the CPU has them.

use raywalk_core::Feature;

use crate::proof::Proof;

/// Proof that this CPU has BMI2. Only [`Bmi2::detect`] creates one.
#[derive(Clone, Copy)]
pub(crate) struct Bmi2(Proof);

#[cfg(target_arch = "x86_64")]
impl Bmi2 {
    pub(crate) fn detect() -> Result<Bmi2, Feature> {
        Feature::Bmi2.require().map(Bmi2)
    }

    /// Gathers the bits of `word` under `mask` into the low bits of the result (`pext`).
    #[inline(always)]
    pub(crate) fn extract(self, word: u64, mask: u64) -> u64 {
        let Bmi2(()) = self;
        // SAFETY: a `Bmi2` exists only if `detect` found the feature.
        unsafe { std::arch::x86_64::_pext_u64(word, mask) }
    }

    /// Spreads the low bits of `word` over the bits of `mask` (`pdep`).
    #[inline(always)]
    pub(crate) fn deposit(self, word: u64, mask: u64) -> u64 {
        let Bmi2(()) = self;
        // SAFETY: a `Bmi2` exists only if `detect` found the feature.
        unsafe { std::arch::x86_64::_pdep_u64(word, mask) }
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl Bmi2 {
    pub(crate) fn detect() -> Result<Bmi2, Feature> {
        Err(Feature::Bmi2)
    }

    pub(crate) fn extract(self, _word: u64, _mask: u64) -> u64 {
        match self.0 {}
    }

    pub(crate) fn deposit(self, _word: u64, _mask: u64) -> u64 {
        match self.0 {}
    }
}
