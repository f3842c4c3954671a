//! Texts for the terminal and for logs, one module per text.
//!
//! Layers, bottom to top: markdown; screen; widths; text_table and heading; one module per text.

pub mod claims;
pub mod compare;
pub mod gap;
mod heading;
pub mod leaves;
mod markdown;
pub mod ranking;
mod screen;
pub mod selftest;
pub mod session;
pub mod text_table;
pub mod trust;
mod widths;

pub use heading::write as heading;
pub use screen::{Screen, Tone, plain};
