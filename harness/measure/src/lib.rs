//! The measuring core: plans, schedules and sessions on a clock and counters.
//!
//! A [`plan`] lists panels. A [`session`] sizes the batches of each panel, runs its rounds in the order of
//! the [`schedule`], and appends every round to the journal. Clock, counters, designs and environment
//! are small traits ([`Clock`](clock::Clock), [`Counters`](counters::Counters),
//! [`Design`](design::Design), [`Environment`](environment::Environment)) with fakes, so that sessions
//! are tested on virtual time. This crate names no design.
//!
//! A module uses only modules of lower layers; `docs/layers.toml` lists them.

pub mod blocks;
#[allow(unsafe_code, reason = "reads counters of the processor")]
pub mod clock;
#[allow(unsafe_code, reason = "kernels in assembly")]
pub mod core_clock;
pub mod counters;
pub mod design;
pub mod environment;
#[cfg(any(test, feature = "fakes"))]
pub mod fake;
pub mod latency;
mod learning;
pub mod machine;
pub mod memorised;
#[allow(unsafe_code, reason = "barriers of the processor have no safe form")]
pub mod perturb;
pub mod plan;
pub mod progress;
pub mod regime;
pub mod schedule;
pub mod session;
mod sizing;
mod source;
pub mod utc;

pub use source::{MOST_POSITIONS, PREFIX};
