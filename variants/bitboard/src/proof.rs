//! What a token of a CPU feature is made of.

/// Zero-sized on x86-64. On other architectures the type has no values, so the methods of a token can
/// exist there without an implementation.
#[cfg(target_arch = "x86_64")]
pub(crate) type Proof = ();
#[cfg(not(target_arch = "x86_64"))]
pub(crate) type Proof = std::convert::Infallible;
