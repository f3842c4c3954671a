//! Reports the progress of a session to a display.

use std::time::Duration;

raywalk_results::texts! {
    /// What a session does with a panel.
    pub enum Activity: name {
        /// Finds out the size of its batches.
        Sizing = "sizing",
        /// Runs its rounds.
        Measuring = "measuring",
    }
}

/// Receives every step. The command line draws a bar; tests record the steps.
pub trait Progress {
    /// Called when the sizing of a panel starts, and after each round is written to the journal.
    fn step(&mut self, step: &Step<'_>);
}

/// Progress of a session: work done, current panel and time left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step<'a> {
    /// Work done, out of `total`.
    pub done: u64,
    /// Work of the whole plan: [`Step::UNITS`], or 1 while panels are sized.
    pub total: u64,
    /// Id of the current panel.
    pub panel: &'a str,
    /// What the session does with it.
    pub activity: Activity,
    /// Estimated time left for the whole plan; absent before the first round.
    pub left: Option<Duration>,
}

impl Step<'_> {
    /// Units that the work of a session is divided into.
    pub const UNITS: u64 = 1_000;
}

/// Discards progress messages.
#[derive(Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn step(&mut self, _: &Step<'_>) {}
}
