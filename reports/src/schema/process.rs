//! Records of the processes that a session is made of.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One of the short processes of a session. Each has its own place for code, stack and heap, so that
/// no single accident of placement stands for a design.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Process {
    /// Number in the order they ran, from 0. [Rounds](super::Round::process) name it.
    pub number: u64,
    /// The share of the rounds that it began, from 0. A share that was broken off is gone on with
    /// by another process. Processes of different shares visit the same positions.
    pub share: u64,
    /// The seed of the order of sections that the program was linked in; absent for the order that
    /// the linker chose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<u64>,
    /// Bytes that were added to the environment, drawn from the session's seed: they move the stack.
    pub padding: u64,
    /// Where a function of the program lies, in hexadecimal.
    pub code: String,
    /// Where the stack began to be used.
    pub stack: String,
    /// Where the first allocation lies.
    pub heap: String,
}

/// The rounds of one panel in one process that were run before any was kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WarmUp {
    /// [`Panel::id`](super::Panel::id).
    pub panel: String,
    /// [`Process::number`].
    pub process: u64,
    /// Ticks per position in the middle of the designs, round by round, on the same positions.
    pub levels: Vec<f64>,
}

impl WarmUp {
    /// Rounds of a warm-up, at most.
    pub const MOST: usize = 8;
    /// A round that is faster than all before it by more than this share shows a trend.
    pub const TREND: f64 = 0.01;

    /// Whether the last of these levels is lower than all before it: one round shows no trend.
    pub fn falls(levels: &[f64]) -> bool {
        let Some((last, before)) = levels.split_last() else { return false };
        let best = before.iter().copied().fold(f64::INFINITY, f64::min);
        best.is_finite() && *last < best * (1.0 - WarmUp::TREND)
    }
}
