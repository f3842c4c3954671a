//! The two instructions of BMI2 that matter here, behind a value that proves they exist.

use raywalk_core::Feature;

/// Proof that this machine has BMI2; only [`Bmi2::detect`] can make one.
#[derive(Clone, Copy)]
pub(crate) struct Bmi2(Proof);

/// On x86-64 a token; elsewhere a type without a value, so that nothing need be said of
/// instructions that do not exist.
#[cfg(target_arch = "x86_64")]
type Proof = ();
#[cfg(not(target_arch = "x86_64"))]
type Proof = std::convert::Infallible;

#[cfg(target_arch = "x86_64")]
impl Bmi2 {
    pub(crate) fn detect() -> Result<Bmi2, Feature> {
        Feature::Bmi2.require().map(Bmi2)
    }

    /// Gathers the bits of `word` under `mask` into the low bits of the result.
    #[inline(always)]
    pub(crate) fn extract(self, word: u64, mask: u64) -> u64 {
        let Bmi2(()) = self;
        // SAFETY: a `Bmi2` exists only if `detect` found the feature.
        unsafe { std::arch::x86_64::_pext_u64(word, mask) }
    }

    /// Spreads the low bits of `word` over the bits of `mask`.
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
