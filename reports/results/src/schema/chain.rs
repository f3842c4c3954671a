//! Dependency chains of walks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Scope;

/// The dependency chain of a design's walk beside its measured time, as `raywalk chains` finds them on lone sliders.
/// Core cycles per visited square, unless a field says otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Chain {
    /// Id of the design, such as `bell/steps`.
    pub design: String,
    /// The pieces that were generated for: sliders only, or all pieces, with the king.
    pub scope: Scope,
    /// Latency in cycles of each step of the chain, in order; empty if no iteration of the loop waits for the one
    /// before.
    pub steps: Vec<f64>,
    /// Iterations of the loop that the steps take.
    pub turns: u64,
    /// What the walk takes if nothing but the chain limits it: from the compiled code and the latencies of the machine.
    pub predicted: f64,
    /// The simulation of `llvm-mca`, which includes limits of throughput; absent without that program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulated: Option<f64>,
    /// Instructions of the iteration whose latency is not measured and counts one cycle; absent if the record is older
    /// than version 3.10.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assumed: Option<Vec<String>>,
    /// Slope of the measured cycles over the visited squares.
    pub measured: f64,
    /// The 95 % interval of the slope, by a bootstrap over the positions; absent if the record is older than version
    /// 3.10.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<SlopeInterval>,
    /// Measured cycles for each ray that is not empty.
    pub per_ray: f64,
    /// Root mean square of what the slopes leave unexplained of a call, in cycles.
    pub residual: f64,
    /// Executed instructions per visited square.
    pub instructions: f64,
}

/// The ends of an interval of a slope.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SlopeInterval {
    /// Lower end, in core cycles per visited square.
    pub low: f64,
    /// Upper end, in core cycles per visited square.
    pub high: f64,
}
