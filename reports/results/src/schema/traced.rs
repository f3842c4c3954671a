//! What a design executed, and what models of predictors and caches say about it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Model, Stage};

/// A stage of a design on windows of consecutive positions of a workload. Counts are exact and repeat to the last
/// digit; misses are modelled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Trace {
    /// Id of the design.
    pub design: String,
    /// Name of the workload.
    pub workload: String,
    /// What was generated.
    pub stage: Stage,
    /// Positions that were counted.
    pub positions: u64,
    /// Positions before them that only trained the models of the stream.
    pub training: u64,
    /// What was executed per position, counted.
    pub counts: Counts,
    /// The critical path, per position; absent where latencies cannot be measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub critical_path: Option<CriticalPath>,
    /// How the stepped positions use caches.
    pub caches: CacheUse,
    /// Positions of a run of the learnt replay.
    pub replay: u64,
    /// The models of predictors, the one that explains the clock best first.
    pub predictors: Vec<Mispredictions>,
    /// The branches that the first model misses most often in the stream.
    pub branches: Vec<BranchSite>,
    /// The positions of which the design executes the fewest instructions per move, the fewest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cheapest: Vec<TracedPosition>,
    /// Those of which it executes the most, the most first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dearest: Vec<TracedPosition>,
    /// What the first model misses with the code at the addresses of each other layout of the session.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layouts: Vec<LayoutMisses>,
}

/// A position with moves, and what a design executed for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TracedPosition {
    /// The position.
    pub fen: String,
    /// Instructions, counted.
    pub instructions: u64,
    /// Moves found.
    pub moves: u64,
}

/// What was executed, per position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Counts {
    /// Instructions.
    pub instructions: f64,
    /// Conditional branches.
    pub conditional: f64,
    /// Conditional branches that were taken.
    pub taken: f64,
    /// Indirect jumps and calls.
    pub indirect: f64,
    /// Loads.
    pub loads: f64,
    /// Stores.
    pub stores: f64,
    /// Moves found.
    pub moves: f64,
    /// Squares that the pieces of the side to move look at.
    pub squares: f64,
}

/// The longest chain of dependent instructions through the calls of the counted positions, in core cycles per position:
/// the time of a core of unlimited width that predicts every branch. It is computed from the instructions that were
/// executed and from latencies that were measured on the machine. Values that pass through memory are not followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CriticalPath {
    /// Instructions that the core holds at once; assumed.
    pub window: u64,
    /// Its cycles.
    pub cycles: f64,
    /// The part of them that consists of instructions whose latency was not measured. Each counts one cycle.
    pub assumed: f64,
}

/// Cache lines of positions that were stepped.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CacheUse {
    /// Positions that were stepped.
    pub positions: u64,
    /// Distinct lines that one call touches, counted.
    pub lines_per_position: f64,
    /// Distinct lines that all of them touch, counted.
    pub lines: u64,
    /// Modelled misses in caches of several sizes.
    pub levels: Vec<CacheMisses>,
}

/// Modelled misses per position in a cache that replaces the least recently used line.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CacheMisses {
    /// Size in bytes.
    pub bytes: u64,
    /// Ways.
    pub ways: u64,
    /// From an empty cache.
    pub once: f64,
    /// In a second pass over the same positions.
    pub again: f64,
}

/// Modelled mispredictions per position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Mispredictions {
    /// The model of conditional branches.
    pub model: Model,
    /// Name of the model of indirect branches.
    pub indirect: String,
    /// Each position once.
    pub stream: f64,
    /// In runs that are repeated until they are learnt.
    pub replay: f64,
}

/// Modelled mispredictions per position with the code at the addresses of another layout.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LayoutMisses {
    /// Seed of the order of sections.
    pub layout: u64,
    /// Each position once.
    pub stream: f64,
    /// In runs that are repeated until they are learnt.
    pub replay: f64,
}

/// A branch of a design.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BranchSite {
    /// Its line in the design's source, such as `variants/bell/src/lib.rs:70`; empty if it is not known.
    pub line: String,
    /// The line that calls it, if it is in code that designs share.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caller: Option<String>,
    /// Executions per position, counted.
    pub executed: f64,
    /// Share of the executions that were taken, counted.
    pub taken: f64,
    /// Entropy of the outcome in bits per execution, counted.
    pub entropy: f64,
    /// Mispredictions per position in the stream, modelled.
    pub stream: f64,
    /// Mispredictions per position in the learnt replay, modelled.
    pub replay: f64,
}
