//! How far a session is, and how long the rest will take.

use std::time::Duration;

use super::Ready;
use crate::measure::progress::Step;

/// Work done and to be done.
pub(super) struct Pace {
    /// Seconds of one round of each panel, or the same for all if they are not known.
    costs: Vec<(String, f64)>,
    begun: f64,
    now: f64,
    /// Seconds of work: all, what was found in the journal, what was done since.
    all: f64,
    found: f64,
    done: f64,
}

impl Pace {
    pub fn new(panels: &[Ready], begun: f64) -> Pace {
        let known = panels.iter().all(|ready| ready.cost.is_some());
        let cost = |ready: &Ready| ready.cost.filter(|_| known).unwrap_or(1.0).max(1e-9);
        let all = panels.iter().map(|ready| cost(ready) * ready.panel.rounds as f64).sum();
        let costs = panels.iter().map(|ready| (ready.panel.id.clone(), cost(ready))).collect();
        Pace { costs, begun, now: begun, all, found: 0.0, done: 0.0 }
    }

    fn cost(&self, panel: &str) -> f64 {
        self.costs.iter().find(|(id, _)| id == panel).map_or(0.0, |&(_, cost)| cost)
    }

    /// Rounds of a panel that were made before.
    pub fn skip(&mut self, ready: &Ready, rounds: u64) {
        self.found += self.cost(&ready.panel.id) * rounds as f64;
    }

    pub fn made(&mut self, panel: &str, now: f64) {
        self.done += self.cost(panel);
        self.now = now;
    }

    pub fn step<'a>(&self, panel: &'a str, message: &'a str) -> Step<'a> {
        let rest = (self.all - self.found - self.done).max(0.0);
        let left = (self.now - self.begun) * rest / self.done.max(1e-9);
        let total = Step::UNITS;
        let done = (self.found + self.done) / self.all.max(1e-9) * total as f64;
        let left = Some(Duration::from_secs_f64(left.max(0.0)));
        Step { done: (done.round() as u64).min(total), total, panel, message, left }
    }
}
