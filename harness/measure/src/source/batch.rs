//! A batch: the boards of one round, how a design is prepared for them, and how their passes are cut into blocks.

use std::ops::Range;

use super::partition::equal_parts;
use super::span::Span;

/// The work of one round, the same for every design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Batch {
    /// Index of the first timed position in the workload.
    pub first: usize,
    /// Number of the root that it belongs to.
    pub root: u64,
    /// The boards that stay loaded from one batch to the next where they are the same.
    pub kept: Span,
    /// The boards behind them, made anew for each sample, so that they are equally warm in the caches for
    /// every design.
    pub fresh: Span,
    pub preparation: Preparation,
    /// Places of the timed boards among the loaded ones.
    pub timed: Range<usize>,
    /// Number of timed passes over these boards.
    pub repeats: u64,
    /// The timed passes in order, cut into blocks: ranges of boards with the number of passes over each.
    pub blocks: Vec<(Range<usize>, u64)>,
}

/// Untimed passes that prepare a design for a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Preparation {
    /// One pass over these boards.
    Prefix(Range<usize>),
    /// Passes over these boards until they are learnt.
    Learn(Range<usize>),
    /// Nothing: an earlier batch of the same turn has prepared the design.
    Done,
}

impl Batch {
    /// Fraction of the loaded boards that only the preparation needs. A stream loads its prefix once for all batches
    /// of a turn, and the boards of each batch for that batch.
    pub(crate) fn share_of_preparation(&self) -> f64 {
        match &self.preparation {
            Preparation::Prefix(prefix) => {
                prefix.len() as f64 / (prefix.len() + self.timed.len()).max(1) as f64
            }
            Preparation::Learn(_) => 1.0,
            Preparation::Done => 0.0,
        }
    }

    /// Positions that are timed, repeats included.
    pub(crate) fn positions(&self) -> u64 {
        self.timed.len() as u64 * self.repeats
    }
}

/// Passes over `boards` in about `wanted` blocks: several passes each, or parts of one.
pub(super) fn blocks_of_passes(
    boards: usize,
    passes: u64,
    wanted: usize,
) -> Vec<(Range<usize>, u64)> {
    let wanted = wanted.max(1);
    if passes >= wanted as u64 {
        let shares = equal_parts(&(0..passes as usize), wanted);
        return shares.map(|share| (0..boards, share.len() as u64)).collect();
    }
    let pieces = wanted.div_ceil(passes as usize).clamp(1, boards.max(1));
    let once: Vec<_> = equal_parts(&(0..boards), pieces).map(|piece| (piece, 1)).collect();
    (0..passes).flat_map(|_| once.clone()).collect()
}
