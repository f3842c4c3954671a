//! Rounds and their samples.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Event, Mark};
use crate::named;

/// One round: each design once, on the same positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Round {
    /// Id of the panel, as in its record `panel`.
    pub panel: String,
    /// Number within the panel, from 0.
    pub round: u64,
    /// The [process](super::Process::number) that ran it.
    pub process: u64,
    /// Index of the first position of the batch. Rounds of a panel with the same index timed the same
    /// positions, cut into the same blocks.
    pub first: u64,
    /// Number of the root that the batch belongs to: a batch of search-tree positions lies within the
    /// tree of one root. Positions of one root resemble each other, so intervals count roots and not
    /// batches. Where positions have no root, every batch is one by itself, and so is
    /// each part that short batches are taken from.
    pub root: u64,
    /// Milliseconds of delays before the round and before designs in it, because the
    /// machine was slow or another thread shared the core.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub delayed_ms: u64,
    /// Milliseconds that the hypervisor gave this processor to others during the round, if the
    /// system reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steal_ms: Option<u64>,
    /// Disturbances of the whole round; absent if there were none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
    /// One sample per design and one of the A/A control, in the order they ran.
    pub samples: Vec<Sample>,
}

/// One timed batch. Only samples with correct moves are recorded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Sample {
    /// Design id, or the panel's A/A control.
    pub design: String,
    /// Elapsed ticks of the session's clock, minus its overhead. In a [perturbed](super::Regime::is_perturbed) regime
    /// each call is timed by itself, next to an empty call. The value is the mean of the differences, without those of
    /// interrupted calls, times the number of calls.
    pub ticks: u64,
    /// The ticks of each block of the sample, in order; they add up to [`ticks`](Sample::ticks).
    /// Every sample of a round has the same positions in the same block. An interruption spoils one
    /// block, so ratios are formed block by block. Empty if the sample has no blocks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<u64>,
    /// Ticks of the empty calls and of reading the clock that were subtracted; absent if nothing was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub empty_calls: Option<u64>,
    /// Timed positions: those of the batch, times the passes over it.
    pub positions: u64,
    /// Results of the timed calls: moves, leaves of a perft, or what another operation counts.
    pub moves: u64,
    /// Core cycles per tick, by a dependent chain timed before and after; absent where the machine
    /// has no such chain. Core cycles computed with it are *derived*.
    pub cycles_per_tick: Option<f64>,
    /// Hardware and kernel events of the timed region.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub events: BTreeMap<Event, u64>,
    /// Disturbances of the sample; absent if there were none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
}

named! {
    /// The part that a sample has in its round.
    #[derive(schemars::JsonSchema)]
    pub enum Role {
        /// A design that is compared with the baseline.
        Design = "design",
        /// The design that ratios refer to.
        Baseline = "baseline",
        /// The baseline, run a second time.
        AaControl = "aa-control",
    }
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}
