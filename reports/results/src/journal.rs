//! The journal: one JSON record per line, appended as a session goes.
//!
//! One reader checks every record, whether it comes from a file or is about to be written, so that
//! a report, a resumed session and a running one rely on the same guarantees: panels name verified
//! designs, processes and rounds are numbered without gaps, rounds are complete.

mod append;
mod explained;
mod read;

pub use append::{Journal, JournalError, Problem};
pub use read::{Fault, LONGEST_LINE, PanelRounds, Results, read};

#[cfg(test)]
mod tests;
