//! Models of branch predictors and caches, and the fit that shows how far they explain measured cycles.
//!
//! Many machines offer no hardware counters. The execution of a program can still be recorded exactly: every
//! branch with its outcome, every access with its address. This crate replays such a recording through
//! models and counts what they miss. A modelled number is only as good as its fit, so the crate also
//! computes that: from the model's misses and the measured cycles of the same positions.
//!
//! Everything here is a pure function of its input. The crate reads no clock, no file and no processor.
//!
//! | module | question |
//! |---|---|
//! | [`branch`] | how many branches would a predictor of this kind miss? |
//! | [`cache`] | how many lines are touched, how soon again, and how many miss in a cache of this size? |
//! | [`fit`] | how well do the misses explain measured cycles, compared with rivals and null models? |
//!
//! The parameters of every model are constants, so no fit can tune them to its machine or design.
//! [`Description`] lists the main ones together with the model's storage, so that a report can print them.

#![forbid(unsafe_code)]

pub mod branch;
pub mod cache;
mod description;
pub mod fit;

pub use description::{Description, Parameter};
