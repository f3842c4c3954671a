//! The samples that an estimate can be made from.

use super::Pair;
use crate::crossed::FEWEST_CLUSTERS;

/// The clusters and the samples of all pairs, spoilt ones included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Offered {
    /// Whether they come from enough roots or from enough processes for an interval.
    pub enough: bool,
    /// Samples of a design, one for each pair.
    pub samples: usize,
    /// Samples without a clean block.
    pub left_out: usize,
}

impl Offered {
    pub(super) fn of(pairs: &[Pair]) -> Offered {
        // A report makes a hundred thousand estimates, so no set of all clusters is made for each.
        let has_enough = |key: fn(&Pair) -> u64| {
            let mut seen = Vec::with_capacity(FEWEST_CLUSTERS);
            pairs.iter().map(key).any(|key| {
                if !seen.contains(&key) {
                    seen.push(key);
                }
                seen.len() == FEWEST_CLUSTERS
            })
        };
        let is_spoilt = |pair: &&Pair| pair.blocks.iter().all(Option::is_none);
        Offered {
            enough: has_enough(|pair| pair.root) || has_enough(|pair| pair.process),
            samples: pairs.len(),
            left_out: pairs.iter().filter(is_spoilt).count(),
        }
    }

    pub(super) fn and(self, other: Offered) -> Offered {
        Offered {
            enough: self.enough || other.enough,
            samples: self.samples + other.samples,
            left_out: self.left_out + other.left_out,
        }
    }
}
