//! Surroundings and machines that do as they are told.

use std::cell::Cell;
use std::collections::VecDeque;
use std::rc::Rc;

use super::{Disturbed, Look, Surroundings, Waited, Witness};
use crate::measure::fake::Time;

/// Surroundings for a session's tests: quiet ones when what they were told is used up.
#[derive(Clone, Debug, Default)]
pub struct FakeSurroundings {
    /// What the next rounds wait.
    pub waits: VecDeque<Waited>,
    /// What disturbs the next rounds.
    pub disturbances: VecDeque<Disturbed>,
    /// The best that they tell.
    pub best: Look,
    /// Rounds begun and ended: for tests that want every round between the two.
    pub rounds: [u64; 2],
}

impl Surroundings for FakeSurroundings {
    fn before_round(&mut self) -> Waited {
        self.rounds[0] += 1;
        self.waits.pop_front().unwrap_or_default()
    }

    fn after_round(&mut self) -> Disturbed {
        self.rounds[1] += 1;
        self.disturbances.pop_front().unwrap_or_default()
    }

    fn best(&self) -> Look {
        self.best
    }
}

/// A machine whose rates follow a script over virtual time.
pub struct ScriptedWitness {
    now: Time,
    script: Box<dyn Fn(f64) -> Look>,
    /// Milliseconds that were stolen; `None` as long as the machine does not tell.
    stolen: Rc<Cell<Option<u64>>>,
}

impl ScriptedWitness {
    /// Nanoseconds of a pause.
    pub const PAUSE: u64 = 50_000_000;

    /// A machine whose looks are what `script` says for the second they happen in.
    pub fn new(now: &Time, script: impl Fn(f64) -> Look + 'static) -> ScriptedWitness {
        ScriptedWitness { now: Rc::clone(now), script: Box::new(script), stolen: Rc::default() }
    }

    /// Tells what is stolen, in milliseconds, and lets the test say how much.
    #[must_use]
    pub fn stolen_by(mut self, milliseconds: &Rc<Cell<Option<u64>>>) -> ScriptedWitness {
        self.stolen = Rc::clone(milliseconds);
        self
    }
}

impl std::fmt::Debug for ScriptedWitness {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("ScriptedWitness").field("now", &self.now).finish_non_exhaustive()
    }
}

impl Witness for ScriptedWitness {
    fn look(&mut self) -> Look {
        (self.script)(self.seconds())
    }

    fn pause(&mut self) {
        self.now.set(self.now.get() + ScriptedWitness::PAUSE);
    }

    fn stolen(&mut self) -> Option<u64> {
        self.stolen.get()
    }

    fn seconds(&self) -> f64 {
        self.now.get() as f64 / 1e9
    }
}
