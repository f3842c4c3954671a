//! The journal: one JSON record per line, appended during a session.
//!
//! One reader checks every record, whether it comes from a file or is about to be written, so that
//! a report, a resumed session and a running one rely on the same guarantees: panels name verified
//! designs, processes and rounds are numbered without gaps (in a shard the rounds of the others are left out), rounds
//! are complete.

mod append;
mod ended;
mod explained;
mod fault;
mod read;
mod reader;
mod results;

pub use append::{Journal, JournalError, Problem};
pub use fault::{Fault, LONGEST_LINE};
pub use read::read;
pub use results::{PanelRounds, Results};

use crate::schema::Record;

/// The text of a journal: one line per record.
pub fn text(records: &[Record]) -> String {
    let line = |record| serde_json::to_string(record).expect("a record is always JSON") + "\n";
    records.iter().map(line).collect()
}

#[cfg(test)]
mod tests;
