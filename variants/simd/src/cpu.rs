//! The vector instructions of this crate, behind a token that proves the CPU has them.
//!
//! A function with `#[target_feature]` may only be called where the features are known to exist. The
//! workspace is compiled for CPUs without AVX-512, so each design holds a token, and the macro
//! [`with_vectors!`] enters the functions of a design once per call, at its top. Below that, all functions
//! have the same features and need no `unsafe` to call each other.

use raywalk_core::Feature;

/// Proof that this CPU has AVX-512 with byte compress, and BMI2. Only [`Vectors::detect`] creates one.
#[derive(Clone, Copy)]
pub struct Vectors(pub(crate) Proof);

/// Proof that this CPU has AVX2 and BMI2. Only [`Shuffles::detect`] creates one.
#[derive(Clone, Copy)]
pub(crate) struct Shuffles(pub(crate) Proof);

/// Proof that this CPU has BMI2, which both other proofs contain.
#[derive(Clone, Copy)]
pub(crate) struct Bits(pub(crate) Proof);

#[allow(clippy::unit_arg, reason = "the proof is a unit on x86-64 only")]
impl From<Vectors> for Bits {
    fn from(vectors: Vectors) -> Bits {
        Bits(vectors.0)
    }
}

#[allow(clippy::unit_arg, reason = "the proof is a unit on x86-64 only")]
impl From<Shuffles> for Bits {
    fn from(shuffles: Shuffles) -> Bits {
        Bits(shuffles.0)
    }
}

/// Zero-sized on x86-64. On other architectures the type has no values, so no design can be built there.
#[cfg(target_arch = "x86_64")]
pub(crate) type Proof = ();
#[cfg(not(target_arch = "x86_64"))]
pub(crate) type Proof = std::convert::Infallible;

/// Detects BMI2 and the older scalar extensions that functions of this crate enable beside it. Processors with BMI2
/// have these too, but a virtual machine may hide one of them.
#[cfg(target_arch = "x86_64")]
fn require_scalars() -> Result<(), Feature> {
    let has_older = is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt");
    if has_older { Feature::Bmi2.require() } else { Err(Feature::Bmi2) }
}

#[cfg(target_arch = "x86_64")]
impl Vectors {
    pub(crate) fn detect() -> Result<Vectors, Feature> {
        require_scalars()?;
        Feature::Avx512Vbmi2.require().map(Vectors)
    }
}

#[cfg(target_arch = "x86_64")]
impl Shuffles {
    pub(crate) fn detect() -> Result<Shuffles, Feature> {
        require_scalars()?;
        Feature::Avx2.require().map(Shuffles)
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl Vectors {
    pub(crate) fn detect() -> Result<Vectors, Feature> {
        Err(Feature::Avx512Vbmi2)
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl Shuffles {
    pub(crate) fn detect() -> Result<Shuffles, Feature> {
        Err(Feature::Avx2)
    }
}

/// Evaluates an expression that needs the features of a token.
macro_rules! with_vectors {
    ($token:expr, $call:expr) => {{
        let proof: $crate::cpu::Proof = $token.0;
        #[cfg(target_arch = "x86_64")]
        {
            let () = proof;
            // SAFETY: a token exists only if its `detect` found the features that its users enable: the vectors, BMI2
            // and the older scalar extensions.
            #[allow(unsafe_code, reason = "a token proves the features of the call")]
            let value = unsafe { $call };
            value
        }
        #[cfg(not(target_arch = "x86_64"))]
        match proof {}
    }};
}
pub(crate) use with_vectors;
