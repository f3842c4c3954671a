//! The plots. Each is a title, a finding written from the data, the drawing, and its numbers.
//!
//! Layers, bottom to top: canvas with its layers, markers, scale and labels; narrow; rows, scatter and grid; curves and
//! figure; one module per plot.

pub(crate) mod branches;
mod canvas;
pub(crate) mod captures;
pub(crate) mod classes;
mod curves;
pub(crate) mod distribution;
mod figure;
pub(crate) mod fitted;
pub(crate) mod forest;
pub(crate) mod gap;
mod grid;
pub(crate) mod intensity;
mod labels;
pub(crate) mod layouts;
pub(crate) mod learning;
pub(crate) mod lines;
mod markers;
pub(crate) mod memorisation;
pub(crate) mod misses;
mod narrow;
pub(crate) mod regimes;
mod rows;
mod scale;
mod scatter;
pub(crate) mod sequence;
pub(crate) mod size;
pub(crate) mod spread;

pub(crate) use figure::Figure;
