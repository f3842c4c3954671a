//! The results of Raywalk: the schema of a journal, its one reader and writer, and the statistics
//! that every report is made with.
//!
//! This crate is the bottom of the reporting side. It depends on no generator, no plot and no HTML.

#[cfg(any(test, feature = "fixture"))]
pub mod fixture;
pub mod format;
pub mod journal;
pub mod json_error;
pub mod json_schema;
pub mod likeness;
pub mod merge;
mod names;
pub mod pattern;
pub mod schema;
pub mod statistics;

pub use names::UnknownName;
