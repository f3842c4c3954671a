//! Records of the processes that a session is made of.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One of the short processes of a session. Each places code, stack and heap differently, so that no
/// single placement decides a comparison.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Process {
    /// Number in the order they ran, from 0. [Rounds](super::Round::process) name it.
    pub number: u64,
    /// The share of the rounds that it started, from 0. If a process ends early, another one resumes
    /// its share. The shares of one pass over the workload visit different batches.
    pub share: u64,
    /// Seed of the section order that the program was linked with; absent for the linker's own order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<u64>,
    /// Bytes added to the environment, drawn from the session's seed. They move the stack.
    pub padding: u64,
    /// Bytes that were allocated before everything else, beside a constant number, drawn from the session's
    /// seed. They move tables, boards and lists within a page.
    pub heap_padding: u64,
    /// Address of a function of the program, in hexadecimal.
    pub code: String,
    /// Address of a local variable, in hexadecimal.
    pub stack: String,
    /// Address of an allocation as large as the boards of a batch, in hexadecimal.
    pub heap: String,
}

/// The rounds of one panel that one process ran before the first kept one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WarmUp {
    /// Id of the panel, as in its record `panel`.
    pub panel: String,
    /// Number of the process, as in its record `process`.
    pub process: u64,
    /// Ticks per position of the median design, round by round, on the same positions.
    pub levels: Vec<f64>,
}

impl WarmUp {
    /// Upper bound on the rounds of a warm-up.
    pub const MOST: usize = 8;
    /// A round that is faster than all earlier ones by more than this fraction shows a trend.
    const TREND: f64 = 0.01;

    /// Whether the last level is lower than all earlier ones. A single round shows no trend.
    pub fn falls(levels: &[f64]) -> bool {
        let Some((last, before)) = levels.split_last() else { return false };
        let best = before.iter().copied().fold(f64::INFINITY, f64::min);
        best.is_finite() && *last < best * (1.0 - WarmUp::TREND)
    }
}
