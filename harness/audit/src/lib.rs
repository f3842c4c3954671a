//! Disassembles the compiled entries of the running program and of its plug-ins, and checks their control flow.
//!
//! Designs that differ in one idea should differ in one idea in the machine code too. The compiler does
//! not preserve that: it copies the walk of one design five times and that of its sibling not at all, turns
//! selections into branches and branches into selections, and spills variables when registers run out. The
//! audit reads the code that is measured and reports what it contains.
//!
//! Steps of an audit:
//!
//! 1. [`Program`] reads the file of the running program or of a loaded library: segments, symbols, relocations.
//! 2. `flow` follows an entry through jump tables and calls, and `provenance` keeps what each register,
//!    flag and stack slot depends on. This shows whether a jump tests a square, a set or a counter.
//! 3. `loops` finds loops as nested components, `lines` the source lines.
//! 4. [`Report`] holds counts, shape and loops of one entry; [`check`](check()) compares them with what the cards
//!    claim, and designs of a [`Pair`] with each other.
//!
//! [`Moved`] finds the code of this program in another one that was linked in another order.
//!
//! [`Iteration`] computes the loop-carried dependency chain of one pass through a loop, [`Core`] the longest chain of
//! whole calls.
//!
//! The crate works on addresses and depends on no design. Line tables and the load address come from `raywalk_trace`,
//! which counts what the same code executes.

mod audit;
mod binary;
mod chain;
mod checks;
mod counts;
mod critical;
mod decode;
mod entry;
mod entry_stage;
mod finding;
mod flow;
mod jumps;
mod lines;
mod loops;
mod moved;
mod pairs;
mod program;
mod provenance;
mod report;
mod shape;
mod state;
mod stored;
mod value;

pub use audit::{Audit, NoFunction};
pub use chain::{Chain, Iteration, Operation, Step};
pub use checks::{Exception, check};
pub use critical::{Core, CriticalPath, Dependences};
pub use entry_stage::EntryStage;
pub use finding::{Check, Finding};
pub use lines::{Portion, Source, Sources};
pub use moved::Moved;
pub use pairs::{Difference, Pair};
pub use program::{Image, Program, Unavailable, supported};
pub use report::{
    Called, Copied, Counts, Executed, InnerLoop, Jumps, Line, Repeated, Report, Shape, Subject,
};
pub use stored::Stored;

#[cfg(test)]
mod tests;
