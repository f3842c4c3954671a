//! Why an estimate has no interval.

use raywalk_results::statistics::TooFew;

/// Why an estimate has no interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoInterval {
    /// The session is too short.
    #[error(transparent)]
    TooFew(#[from] TooFew),
    /// There are enough rounds, but the samples that are left come from too few processes and roots.
    #[error("{left_out} of {samples} samples were left out as spoilt")]
    Spoilt {
        /// Samples without a clean block, of the design or of the one that it is compared with.
        left_out: usize,
        /// Number of all samples, spoilt ones included.
        samples: usize,
    },
}

/// Why there is no verdict, in a few words for a cell of a table: why there is no interval. If there is one (`None`),
/// the A/A control has none, and that takes more rounds as well.
pub fn why_no_verdict(why: Option<NoInterval>) -> String {
    match why {
        Some(NoInterval::TooFew(_)) | None => "too few rounds".to_owned(),
        Some(why @ NoInterval::Spoilt { .. }) => why.to_string(),
    }
}
