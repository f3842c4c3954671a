//! Fits modelled misses to measured cycles.
//!
//! A model can look right for the wrong reason. Cycles and misses both rise when more positions are replayed, so
//! nearly any predictor correlates with the clock over a sweep of K. The fit therefore predicts other positions out
//! of sample, and compares the predictions with those of rivals and of models without branches.
//!
//! # Definitions
//!
//! All costs are cycles per position, all misses are mispredictions per position.
//!
//! - **Sweep**: the same positions replayed in runs of K, for rising K. It gives a line by weighted ranks (Sievers
//!   1978): cycles are the *intercept* plus the *slope* times misses. The slope is the cost of a misprediction. Where
//!   model and machine forget at different K, a point lies far from the line, and least squares would follow it.
//! - **Learnt replay**: measured cycles of positions in runs so short that the model misses nothing. The
//!   intercept should be near it.
//! - **Order**: other positions in the order of a tree or a game, never used for the slope. *Predicted cycles
//!   = learnt replay of these positions + slope × their misses* ([`Order`]). *Extra cost* is what is
//!   above the learnt replay.
//! - **Leave one K out**: each K predicted by a line through the others ([`leave_one_out`]).
//! - **Fit of a design** ([`DesignFit`]): the line, its intercept against the learnt replay, and the knees. The
//!   predictions of all designs and orders are judged together ([`Pooled`]).
//! - **Knee**: the K where a curve passes the middle between its first and last value
//!   ([`raywalk_results::statistics::knee`]).
//! - **Null models** use no branches: cycles proportional to instructions, proportional to moves, or
//!   constant ([`Form`]).
//! - **Blocks**: 64 consecutive positions each. R² of their extra cost over their misses, and the partial R²
//!   given their instructions ([`partial_r_squared`]), with a bootstrap interval ([`Bootstrap`]).
//! - **Controls**: the same with permuted blocks ([`permuted_r_squared`]), which has to be near 0, and the
//!   **ceiling** ([`ceiling`]), the correlation of the same blocks measured twice.

mod blocks;
mod design;
mod line;
mod order;
mod sweep;

pub use blocks::{
    Bootstrap, Interval, ceiling, partial_r_squared, partial_r_squared_interval, permuted_r_squared,
};
pub use design::{DesignFit, Pooled, Sweep};
pub use line::{Form, Line, r_squared};
pub use order::Order;
pub use sweep::{LeaveOneOut, leave_one_out};
