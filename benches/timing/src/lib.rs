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
//! A benchmark cycles through the first 16,384 positions of its workload: those of `cycle-65536`, and the first few of
//! the 64 trees of `ab4`. The boards of all of them are loaded at once. A session loads at most 4,096 boards, just
//! before it times them, so designs with large boards miss the caches more often here, and a predictor that memorises
//! 16,384 positions looks better. The rows of a group are therefore compared with each other, not with those of
//! `raywalk run` on the workload of the same name.
//!
//! Without a filter the designs of the quick plan are timed. A filter selects among all designs, by the
//! name of the benchmark: `cargo bench -p raywalk-bench-timing -- bell/last-square`, or a regular
//! expression such as `'ab4/all/(bell|ox88)'`; `/` matches all.
//!
//! The environment variable `RAYWALK_BENCH_UNIT` selects the unit: `time` (default), or `cycles` for core
//! cycles derived from the time-stamp counter and a dependency chain.

mod filter;
mod unit;
mod work;

pub use filter::Filter;
pub use unit::Unit;
pub use work::{GROUPS, Work};
