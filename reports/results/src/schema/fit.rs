//! Fits of modelled mispredictions to the clock of a machine.
//!
//! All costs are core cycles per position, all misses are mispredictions per position. Lists of misses and of
//! predictions have one entry for each of the models, in their order.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Order, Stage};

/// A model of a branch predictor, fitted to the clock over several designs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Fit {
    /// The stage whose moves were generated.
    pub stage: Stage,
    /// The workloads of the sweep, of the tree and of the game; empty if the record is older than version 3.10.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub workloads: Vec<String>,
    /// Positions of the sweep over K.
    pub sweep_positions: u64,
    /// Positions of each order, or of the longest one if they differ.
    pub order_positions: u64,
    /// The models: first the one that is judged, then others.
    pub models: Vec<Model>,
    /// The fit of each design.
    pub designs: Vec<FittedDesign>,
    /// The predictions of all designs together, for each of the models and then for models without branches.
    pub pooled: Vec<Pooled>,
    /// Whether the first model [beats](Pooled::beats) its rivals: all models but the second, which is as modern.
    /// Otherwise its predictions are no better than those of simpler models.
    pub believed: bool,
}

/// A model with its parameters and its storage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Model {
    /// Name of the predictor, as tables show it.
    pub name: String,
    /// Every parameter that changes a prediction, with its value.
    pub parameters: String,
    /// Storage of the predictor in bits.
    pub bits: u64,
}

/// The fit of one design.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FittedDesign {
    /// Id of the design, such as `bell/steps`.
    pub design: String,
    /// Bytes that one board of the design needs.
    pub board_bytes: u64,
    /// Whether memory costs so much that the orders are not explained by branches alone.
    pub memory_bound: bool,
    /// The sweep, by rising K.
    pub sweep: Vec<SweepPoint>,
    /// Measured cycles of the positions of the sweep in learnt runs.
    pub learnt: f64,
    /// The line of each model through the sweep; absent if its misses do not determine one.
    pub lines: Vec<Option<SweepLine>>,
    /// Positions in the order of a tree, of a game, and shuffled.
    pub orders: Vec<FittedOrder>,
    /// Blocks of the first order, for the first model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocks: Option<FittedBlocks>,
}

/// The same positions in learnt runs of K.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SweepPoint {
    /// K: the number of positions of a run.
    pub k: u64,
    /// Measured core cycles per position.
    pub cycles: f64,
    /// Modelled mispredictions per position, one value for each model.
    pub misses: Vec<f64>,
}

/// Cycles over misses in the sweep.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SweepLine {
    /// Core cycles per position without a miss.
    pub intercept: f64,
    /// Core cycles per modelled miss.
    pub slope: f64,
    /// Fraction of the variance that the line explains, in sample.
    pub r_squared: f64,
    /// Mean error of each K as predicted by the others, as a fraction of the mean of the sweep.
    pub left_out: f64,
    /// Greatest error of a K as predicted by the others, as a fraction of its cycles.
    pub greatest_left_out: f64,
    /// Knee of the measured cycles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured_knee: Option<f64>,
    /// Knee of the modelled misses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modelled_knee: Option<f64>,
}

/// Positions in one order, none of which is used for a line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FittedOrder {
    /// The order: `tree`, `game` or `shuffled`.
    pub name: Order,
    /// Measured cycles of these positions in learnt runs.
    pub learnt: f64,
    /// Measured core cycles per position in this order.
    pub measured: f64,
    /// Measured cycles that learnt runs take more if they go through as many boards as the order does.
    pub memory: f64,
    /// Instructions per position, counted.
    pub instructions: f64,
    /// Moves per position, counted.
    pub moves: f64,
    /// Modelled mispredictions per position, one value for each model.
    pub misses: Vec<f64>,
    /// Cycles that each model predicts: learnt + slope × misses.
    pub predicted: Vec<Option<f64>>,
    /// Modelled misses of the first model if the order runs as in a session: in batches, each after another design, a
    /// prefix and two checks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_session: Option<f64>,
}

/// Explained variance of the extra cost of blocks of 64 positions. All values are fractions of a
/// variance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FittedBlocks {
    /// Fraction explained by the misses.
    pub misses: f64,
    /// Fraction explained by the instructions alone.
    pub instructions: f64,
    /// Fraction explained by the misses, of the variance that the instructions leave.
    pub partial: f64,
    /// Lower end of the 95 % interval of `partial`.
    pub partial_low: f64,
    /// Upper end of the 95 % interval of `partial`.
    pub partial_high: f64,
    /// Fraction explained by misses that were assigned to the blocks at random.
    pub permuted: f64,
    /// Fraction explained by the misses of the same positions in another order.
    pub other_order: f64,
    /// Correlation of two measurements of the same blocks: no model can explain more.
    pub ceiling: f64,
}

/// The predictions of one model for all designs and orders. Designs bound by memory and the shuffled order are left
/// out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Pooled {
    /// Name of the model, as in [`Model::name`], or of one without branches.
    pub model: String,
    /// Designs × orders that were predicted.
    pub orders: u64,
    /// Fraction of the variance of the cycles that is explained, out of sample.
    pub r_squared_cycles: f64,
    /// Fraction of the variance of the extra cost that is explained, out of sample.
    pub r_squared_extra: f64,
    /// Mean error as a fraction of the cycles.
    pub mean_error: f64,
    /// Greatest error as a fraction of the cycles.
    pub greatest_error: f64,
    /// Mean over the designs of the error of a left-out K, as a fraction of the mean of the sweep.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<f64>,
}

impl Pooled {
    /// Fraction by which the mean error of a better model is smaller. With a smaller difference two models
    /// predict equally well: another session may order them the other way round.
    const MARGIN: f64 = 0.1;

    /// Whether it predicts better than a rival: a mean error that is smaller by a tenth, and more of the extra cost
    /// explained.
    pub fn beats(&self, rival: &Pooled) -> bool {
        self.mean_error <= (1.0 - Pooled::MARGIN) * rival.mean_error
            && self.r_squared_extra > rival.r_squared_extra
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_beats_a_rival_by_a_margin_and_in_both_respects() {
        let of = |mean_error, r_squared_extra| Pooled {
            model: String::new(),
            orders: 26,
            r_squared_cycles: 0.9,
            r_squared_extra,
            mean_error,
            greatest_error: 0.2,
            left_out: None,
        };
        let model = of(0.064, 0.95);
        assert!(model.beats(&of(0.12, 0.8)) && !of(0.12, 0.8).beats(&model));
        // A little nearer, farther, or nearer with less of the extra cost explained.
        for equal in [of(0.0641, 0.94), of(0.063, 0.96), of(0.12, 0.96)] {
            assert!(!model.beats(&equal) && !equal.beats(&model), "{equal:?}");
        }
    }
}
