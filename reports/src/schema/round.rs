//! Records of what was measured.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One round: each design once, on the same positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Round {
    /// [`Panel::id`](super::Panel::id).
    pub panel: String,
    /// Number within the panel, from 0.
    pub round: u64,
    /// The [process](super::Process::number) that ran it.
    #[serde(default)]
    pub process: u64,
    /// Index of the first position of the batch.
    pub first: u64,
    /// Milliseconds that it was put off because the machine was slower than it can be.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub waited_ms: u64,
    /// Milliseconds that a hypervisor gave this processor to others while it ran, if the system
    /// tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steal_ms: Option<u64>,
    /// What disturbed the whole round (`slow-clock`, `busy-neighbour`, `steal`), if anything.
    /// Marked rounds are kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<String>,
    /// One sample per design and one of the twin, in the order they ran.
    pub samples: Vec<Sample>,
}

/// One timed batch. Its checksum was right, or it would not be here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Sample {
    /// Design id, or the panel's twin.
    pub design: String,
    /// Elapsed ticks of the session's clock, its overhead subtracted. In a
    /// [disturbed](super::Regime::is_disturbed) regime the calls are timed one by one, and this is the
    /// difference of two sums: the calls, minus as many empty calls. Both are cut into short
    /// blocks, block beside block; the mean of the middle half of the differences, times the blocks.
    pub ticks: u64,
    /// The same for each block of the sample, in order, their sum being [`ticks`](Sample::ticks): the
    /// same positions for every sample of the round. An interruption spoils one block, so ratios
    /// are made block by block. Empty where a sample is not cut.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<u64>,
    /// What was subtracted, in ticks, made in the same way: the reading of the clock and the empty
    /// calls; absent where a sample is no difference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control: Option<u64>,
    /// Positions generated.
    pub positions: u64,
    /// Moves generated.
    pub moves: u64,
    /// Core cycles per tick, by a dependent chain timed before and after; absent where the
    /// machine has no such chain. Core cycles made with it are *derived*.
    pub cycles_per_tick: Option<f64>,
    /// Hardware and software events of the timed region, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub events: BTreeMap<String, u64>,
    /// What disturbed the sample, if anything: `context-switch`, `page-fault`, `migration`,
    /// `clock-step` (the rate of the core changed), `counters-shared`; `no-difference` if the empty
    /// calls took longer. Marked samples are kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<String>,
}

/// For `skip_serializing_if`.
fn is_zero(number: &u64) -> bool {
    *number == 0
}
