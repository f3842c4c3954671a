//! Reasons why there is no trace.

use std::io;

/// Reason why a call could not be traced.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The machine or the system offers no way to trace.
    #[error("tracing is not available here: {0}")]
    NotHere(&'static str),
    /// Tracing was started by code that is being traced.
    #[error("this thread is being traced already")]
    Nested,
    /// The call did not reach the entry, or reached it several times.
    #[error("the traced code called its entry {0} times instead of once")]
    Calls(u64),
    /// The call is longer than the buffer for it.
    #[error("the call has more than {0} events, which is all that fits into the buffer")]
    TooLong(usize),
    /// The system does not allow code to be changed.
    #[error("the system does not let the program place breakpoints in its own code: {0}")]
    Protected(#[source] io::Error),
    /// The action for the signal could not be set.
    #[error("the system does not let the program handle SIGTRAP: {0}")]
    Signal(#[source] io::Error),
    /// A byte sequence that is no instruction, or one whose successor is not known.
    #[error("the instruction at {0:#x} cannot be followed")]
    Unsupported(u64),
    /// Breakpoints and code contradict each other. The address is that of the first instruction in doubt.
    #[error("the recorded branches do not fit the code at {0:#x}; trace it by stepping")]
    Inconsistent(u64),
}
