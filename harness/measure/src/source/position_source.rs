//! How the positions of a workload reach the designs.

use raywalk_results::schema::{Call, Operation};

use super::RESIDENT;

/// The fewest boards in a pass of a replay.
const FEWEST_BOARDS: usize = 16;

/// Property of the calls that decides how a stream is cut into batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CutBy {
    /// Long batches of short calls.
    Positions,
    /// Something takes time before each call.
    PerturbedCalls,
    /// Each call takes tens of microseconds, and a short prefix makes as many branches as a long one does
    /// otherwise.
    LongCalls,
    /// The same, and there are no positions besides those of the batches.
    RepeatedLongCalls,
}

/// Way in which the positions of a workload reach the designs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PositionSource {
    /// A stream over a cycle of boards.
    Stream {
        /// Boards in the cycle.
        period: usize,
        /// The first positions of the workload that the boards are made of, again and again.
        distinct: usize,
        /// Property of the calls that decides the size of the batches.
        cut: CutBy,
    },
    /// Boards that stay loaded, stretch by stretch.
    Resident {
        k: usize,
        /// Boards that the `k` positions are laid out as, again and again.
        boards: usize,
        /// Number of stretches, each of `k` positions, in the workload.
        stretches: usize,
    },
}

impl PositionSource {
    /// A stream over `len` positions.
    pub(crate) fn stream(len: usize) -> PositionSource {
        PositionSource::Stream { period: len, distinct: len, cut: CutBy::Positions }
    }

    /// A stream over `len` positions in short batches.
    pub(crate) fn perturbed(len: usize) -> PositionSource {
        PositionSource::Stream { period: len, distinct: len, cut: CutBy::PerturbedCalls }
    }

    /// A replay of `k` positions, not 0, in a workload of `len`, at least `k`.
    pub(crate) fn replay(k: usize, len: usize) -> PositionSource {
        if k > RESIDENT {
            PositionSource::stream(k)
        } else {
            // Whole copies of the positions, so that each is timed equally often.
            let boards = k * FEWEST_BOARDS.div_ceil(k);
            PositionSource::Resident { k, boards, stretches: len / k }
        }
    }

    /// A stream over a cycle of `boards` boards in which `k` positions, not 0, come again and again. It
    /// prepares and times as many boards as a replay of `boards` positions.
    pub(crate) fn copies(k: usize, boards: usize) -> PositionSource {
        PositionSource::Stream { period: boards, distinct: k, cut: CutBy::Positions }
    }

    /// The same positions for this call: those of long calls are a stream in short batches.
    #[must_use]
    pub(crate) fn of_call(self, call: Call) -> PositionSource {
        if !call.operation().is_some_and(Operation::is_long) {
            return self;
        }
        match self {
            PositionSource::Stream { period, distinct, cut: CutBy::Positions } => {
                PositionSource::Stream { period, distinct, cut: CutBy::LongCalls }
            }
            PositionSource::Resident { k, .. } => {
                PositionSource::Stream { period: k, distinct: k, cut: CutBy::RepeatedLongCalls }
            }
            perturbed => perturbed,
        }
    }

    /// Boards of one pass, if they stay loaded. Such batches are whole passes, in a number that follows
    /// from the time of the plan.
    pub(crate) fn pass(&self) -> Option<usize> {
        match *self {
            PositionSource::Stream { .. } => None,
            PositionSource::Resident { boards, .. } => Some(boards),
        }
    }
}
