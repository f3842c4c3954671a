//! Exact counts of what a design executed, and modelled misses of predictors and caches.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Model, Stage};

/// A stage of a design on windows of consecutive positions of a workload. Counts are exact and repeat to the last
/// digit; misses are modelled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Trace {
    /// Id of the design, such as `bell/steps`.
    pub design: String,
    /// Name of the workload, such as `ab4`.
    pub workload: String,
    /// The stage whose moves were generated.
    pub stage: Stage,
    /// Positions that were counted.
    pub positions: u64,
    /// Positions before them that only trained the models of the stream.
    pub training: u64,
    /// Executed instructions, branches and memory accesses per position, counted.
    pub counts: Counts,
    /// The critical path, per position; absent where latencies cannot be measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub critical_path: Option<CriticalPath>,
    /// Cache lines that some of the positions touch, and modelled cache misses.
    pub caches: CacheUse,
    /// K of the learnt replay: number of positions in each repeated run.
    pub replay: u64,
    /// The models of predictors, the one that explains the clock best first.
    pub predictors: Vec<Mispredictions>,
    /// The branches that the first model misses most often in the stream.
    pub branches: Vec<BranchSite>,
    /// Positions with the fewest instructions per move, the fewest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cheapest: Vec<TracedPosition>,
    /// Positions with the most instructions per move, the most first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dearest: Vec<TracedPosition>,
    /// Misses of the first model with the code at the addresses of each other layout of the session.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layouts: Vec<LayoutMisses>,
}

/// A position with moves, and the instructions that a design executed for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TracedPosition {
    /// The position in Forsyth-Edwards notation.
    pub fen: String,
    /// Executed instructions, counted.
    pub instructions: u64,
    /// Number of generated moves.
    pub moves: u64,
}

/// Exact counts, as means per position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Counts {
    /// Executed instructions.
    pub instructions: f64,
    /// Executed conditional branches, taken or not.
    pub conditional: f64,
    /// Conditional branches that were taken.
    pub taken: f64,
    /// Indirect jumps and calls.
    pub indirect: f64,
    /// Reads of memory by instructions.
    pub loads: f64,
    /// Writes to memory by instructions.
    pub stores: f64,
    /// Generated moves.
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
    /// Length of the path in core cycles per position.
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
    /// Capacity of the cache in bytes.
    pub bytes: u64,
    /// Associativity of the cache in ways.
    pub ways: u64,
    /// Misses of one pass that begins with an empty cache.
    pub once: f64,
    /// Misses of a second pass over the same positions.
    pub again: f64,
}

/// Modelled mispredictions per position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Mispredictions {
    /// The model of conditional branches.
    pub model: Model,
    /// Name of the model of indirect branches.
    pub indirect: String,
    /// In a stream that visits each position once.
    pub stream: f64,
    /// In the learnt replay: runs of positions, each repeated until it is learnt.
    pub replay: f64,
}

/// Modelled mispredictions per position with the code at the addresses of another layout.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LayoutMisses {
    /// Seed of the order of sections.
    pub layout: u64,
    /// In a stream that visits each position once.
    pub stream: f64,
    /// In the learnt replay: runs of positions, each repeated until it is learnt.
    pub replay: f64,
}

/// A branch of a design.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BranchSite {
    /// Source line of the branch, such as `variants/bell/src/lib.rs:70`; empty if it is not known.
    pub line: String,
    /// The line of another file that the branch was inlined into, such as the loop that uses an iterator over a set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caller: Option<String>,
    /// Text of that line, without the spaces around it; absent if the sources cannot be read, or were changed
    /// after the program was built.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Executions of the branch by type of node; absent if the positions are not nodes of recorded searches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<ByNode>,
    /// Executions per position, counted.
    pub executed: f64,
    /// Fraction of the executions that were taken, counted.
    pub taken: f64,
    /// Entropy of the outcome in bits per execution, counted.
    pub entropy: f64,
    /// Mispredictions per position in the stream, modelled.
    pub stream: f64,
    /// Mispredictions per position in the learnt replay, modelled.
    pub replay: f64,
}

/// A branch in the two types of node of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ByNode {
    /// Interior nodes, where a search generates all moves.
    pub interior: NodeUse,
    /// Quiescence nodes, where a search generates captures only.
    pub quiescence: NodeUse,
}

/// A branch in nodes of one type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NodeUse {
    /// Executions per node of this type, counted.
    pub executed: f64,
    /// Fraction of the executions that were taken, counted.
    pub taken: f64,
}
