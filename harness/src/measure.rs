//! The measuring core: plan, schedule, session, journal.
//!
//! One way through: a [`plan`] names panels; the [`session`] sizes each panel's batches, runs its
//! rounds in the order of the [`schedule`], and appends every round to the [`journal`]. The clock,
//! the counters and the designs sit behind small traits ([`Clock`](clock::Clock),
//! [`Counters`](counters::Counters), [`Subject`](subject::Subject)), so that all of this is tested
//! with the [`fake`]s and no hardware. Nothing here names a design.

pub mod clock;
pub mod core_clock;
pub mod counters;
pub mod disturb;
pub mod external;
pub mod fake;
pub mod journal;
pub mod plan;
pub mod progress;
pub mod quiet;
pub mod schedule;
pub mod session;
pub mod subject;
pub mod utc;
