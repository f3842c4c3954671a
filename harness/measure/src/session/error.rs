//! Errors of sessions.

use raywalk_core::Checksum;
use raywalk_results::journal::JournalError;
use raywalk_results::schema::Dropped;

/// Why a session stopped.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the sentence of each variant documents it")]
pub enum SessionError {
    #[error(
        "`{design}` {0}; wrong designs are not timed, so the session stops here", design = .0.design
    )]
    Wrong(Box<WrongAnswer>),
    #[error("`{}` {}", .0.design, .0.why)]
    Plugin(Dropped),
    #[error("workload `{workload}`: {why}")]
    Workload { workload: String, why: String },
    #[error("panel `{panel}`: {why}")]
    Regime { panel: String, why: String },
    #[error("panel `{0}`: no design that takes part offers this call")]
    NotOffered(String),
    #[error("no design takes part, so there is nothing to measure")]
    NoDesigns,
    #[error("the baseline `{0}` is not one of the designs that take part")]
    NoBaseline(String),
    #[error("{0}")]
    Process(String),
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// The first batch in which a design differs from its referee, as a sentence without the design.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "is wrong in panel {panel}, round {round}, positions {first} to {}: \
     it found {} moves (word {:016x}) where `{referee}` found {} (word {:016x})",
    first + positions - 1, found.moves, found.word, expected.moves, expected.word
)]
#[expect(missing_docs, reason = "its sentence documents it")]
pub struct WrongAnswer {
    pub design: String,
    pub panel: String,
    pub round: u64,
    /// Index of the first position of the batch.
    pub first: u64,
    pub positions: u64,
    pub referee: String,
    pub expected: Checksum,
    pub found: Checksum,
}
