//! The plots. Each is a title, a finding written from the data, the drawing, and its numbers.
//!
//! Layers, bottom to top: canvas, scale and labels; figure; one module per plot.

mod canvas;
pub(crate) mod doses;
mod figure;
mod grid;
mod labels;
pub(crate) mod memorisation;
pub(crate) mod ranking;
pub(crate) mod regimes;
mod scale;
pub(crate) mod sequence;
pub(crate) mod size;
pub(crate) mod spread;

pub(crate) use figure::Figure;
