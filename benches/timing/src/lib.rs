//! Times every design with Criterion: `cargo bench -p raywalk-bench-timing`.
//!
//! Each workload and stage is one group, such as `gen/ab4/all`, with the designs as functions and moves
//! as elements, so Criterion's own report compares the designs. The results are written to
//! `target/criterion`, where `raywalk report` finds them.
//!
//! Criterion measures one design after another, so the drift of the machine biases comparisons between
//! designs, and its "change" verdicts compare sessions. Use its distributions, and take rankings from
//! `raywalk run`, which interleaves the designs.
//!
//! Two environment variables configure a run:
//!
//! * `RAYWALK_BENCH_UNIT`: `time` (default), or `cycles` for core cycles derived from the time-stamp
//!   counter and a dependency chain;
//! * `RAYWALK_BENCH_DESIGNS`: `quick` (default), or ids, families and patterns separated by commas; `*`
//!   selects all designs.

mod unit;
mod work;

pub use unit::Unit;
pub use work::{BATCH, GROUPS, Work};
