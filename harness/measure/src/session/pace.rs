//! Estimates the progress of a session and the time left.

use std::time::Duration;

use crate::progress::{Activity, Step};

/// The rounds of one panel.
pub(super) struct Work<'a> {
    pub panel: &'a str,
    pub rounds: u64,
    /// Seconds of one round, if known.
    pub seconds: Option<f64>,
}

/// Work done and left, in estimated seconds.
pub(super) struct Pace {
    /// Seconds of one round of each panel; the same for all panels if some cost is unknown.
    costs: Vec<(String, f64)>,
    begun: f64,
    now: f64,
    all: f64,
    /// Work that was in the journal at the start.
    found: f64,
    done: f64,
}

impl Pace {
    /// The rounds of all panels, and the time now.
    pub(crate) fn new(works: &[Work<'_>], begun: f64) -> Pace {
        // Seconds and an arbitrary weight do not mix: one unknown cost makes all rounds count the same.
        let known = works.iter().all(|work| work.seconds.is_some());
        let cost = |work: &Work<'_>| work.seconds.filter(|_| known).unwrap_or(1.0).max(1e-9);
        let all = works.iter().map(|work| cost(work) * work.rounds as f64).sum();
        let costs = works.iter().map(|work| (work.panel.to_owned(), cost(work))).collect();
        Pace { costs, begun, now: begun, all, found: 0.0, done: 0.0 }
    }

    fn cost(&self, panel: &str) -> f64 {
        self.costs.iter().find(|(id, _)| id == panel).map_or(0.0, |&(_, cost)| cost)
    }

    /// Adds rounds of a panel that were in the journal at the start.
    pub(crate) fn skip(&mut self, panel: &str, rounds: u64) {
        self.found += self.cost(panel) * rounds as f64;
    }

    /// Adds one round of a panel that ended at `now`.
    pub(crate) fn made(&mut self, panel: &str, now: f64) {
        self.done += self.cost(panel);
        self.now = now;
    }

    pub(crate) fn step<'a>(&self, panel: &'a str, activity: Activity) -> Step<'a> {
        let rest = (self.all - self.found - self.done).max(0.0);
        // Scaled by the speed of this run, so that errors of the costs cancel out.
        let left = (self.now - self.begun) * rest / self.done.max(1e-9);
        let total = Step::UNITS;
        let done = (self.found + self.done) / self.all.max(1e-9) * total as f64;
        let left = Some(Duration::from_secs_f64(left.max(0.0)));
        Step { done: (done.round() as u64).min(total), total, panel, activity, left }
    }
}
