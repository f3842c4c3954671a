//! How far a session is, told to whoever draws it.

use std::time::Duration;

/// Is told after every step. The command line draws a bar, tests keep the steps.
pub trait Progress {
    /// A panel is being sized, or a round is in the journal.
    fn step(&mut self, step: &Step<'_>);
}

/// Where a session is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step<'a> {
    /// Work done, in units of which a session has [`Step::UNITS`].
    pub done: u64,
    /// Work of the whole plan, in the same units.
    pub total: u64,
    /// Id of the panel at hand.
    pub panel: &'a str,
    /// What is done with it: `sizing`, or `measuring`.
    pub message: &'a str,
    /// Time left for the whole plan, once there is something to judge it by.
    pub left: Option<Duration>,
}

impl Step<'_> {
    /// Units of work in a session.
    pub const UNITS: u64 = 1_000;
}

/// Tells nobody.
#[derive(Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn step(&mut self, _: &Step<'_>) {}
}
