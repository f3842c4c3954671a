//! criterion timings of every design: `cargo bench -p raywalk-bench-timing`.
//!
//! One group per workload and stage, `gen/ab4/all`, with the designs as its functions and moves as
//! elements, so that criterion's own report compares them; the results lie in `target/criterion`,
//! where `raywalk report` finds them.
//!
//! criterion measures one design after the other, so its numbers carry the drift of the machine
//! between them, and its verdicts about "change" compare sessions. Read its distributions; take
//! rankings from `raywalk run`.
//!
//! Two choices by environment: `RAYWALK_BENCH_UNIT` (`time`, or `cycles` for core cycles derived
//! from the time-stamp counter and a dependent chain), `RAYWALK_BENCH_DESIGNS` (`quick`, or ids,
//! families and patterns separated by commas; `*` for all).

mod unit;
mod work;

pub use unit::{Unit, UnknownUnit};
pub use work::{BATCH, GROUPS, Work};
