//! Scripted environments and machines.

#[cfg(test)]
use std::cell::Cell;
use std::collections::VecDeque;
#[cfg(test)]
use std::rc::Rc;

#[cfg(test)]
use super::clock::Time;
use crate::environment::{Best, Conditions, Environment};
#[cfg(test)]
use crate::environment::{Probe, Reading};

/// A scripted environment, undisturbed after the end of the script.
#[derive(Clone, Debug, Default)]
pub struct FakeEnvironment {
    /// Delays of the next rounds, in milliseconds.
    pub delays: VecDeque<u64>,
    /// Conditions of the next rounds.
    pub conditions: VecDeque<Conditions>,
    /// Whether there is a neighbour, for the next readings at the ends of samples.
    pub neighbours: VecDeque<bool>,
    /// The best levels, as reported to the next process.
    pub best: Best,
    /// Number of rounds started and of rounds ended.
    pub rounds: [u64; 2],
    /// Panels that were left before each one.
    pub panels: Vec<usize>,
    /// Number of designs that were prepared.
    pub designs: u64,
}

impl Environment for FakeEnvironment {
    fn before_round(&mut self) -> u64 {
        self.rounds[0] += 1;
        self.delays.pop_front().unwrap_or_default()
    }

    fn before_panel(&mut self, panels: usize) {
        self.panels.push(panels);
    }

    fn before_design(&mut self) {
        self.designs += 1;
    }

    fn has_neighbour(&mut self, _: Option<f64>) -> bool {
        self.neighbours.pop_front().unwrap_or_default()
    }

    fn after_round(&mut self) -> Conditions {
        self.rounds[1] += 1;
        self.conditions.pop_front().unwrap_or_default()
    }

    fn best(&self) -> Best {
        self.best.clone()
    }
}

/// A machine whose rates follow a script over virtual time.
#[cfg(test)]
pub(crate) struct ScriptedProbe {
    now: Time,
    script: Box<dyn Fn(f64) -> Reading>,
    /// Stolen milliseconds; `None` while the machine does not report them.
    stolen: Rc<Cell<Option<u64>>>,
}

#[cfg(test)]
impl ScriptedProbe {
    /// Nanoseconds of a pause.
    pub(crate) const PAUSE: u64 = 50_000_000;
    /// Nanoseconds for which a probe spins.
    pub(crate) const SPIN: u64 = 2_000_000;

    /// A machine whose readings `script` computes from the time in seconds.
    pub(crate) fn new(now: &Time, script: impl Fn(f64) -> Reading + 'static) -> ScriptedProbe {
        ScriptedProbe { now: now.clone(), script: Box::new(script), stolen: Rc::default() }
    }

    /// Reports stolen milliseconds, which the test sets.
    #[must_use]
    pub(crate) fn stolen_by(mut self, milliseconds: &Rc<Cell<Option<u64>>>) -> ScriptedProbe {
        self.stolen = Rc::clone(milliseconds);
        self
    }
}

#[cfg(test)]
impl std::fmt::Debug for ScriptedProbe {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("ScriptedProbe").field("now", &self.now).finish_non_exhaustive()
    }
}

#[cfg(test)]
impl Probe for ScriptedProbe {
    fn read(&mut self) -> Reading {
        (self.script)(self.seconds())
    }

    fn throughput(&mut self, _: Option<f64>) -> Option<f64> {
        self.read().throughput
    }

    fn pause(&mut self) {
        self.now.set(self.now.get() + ScriptedProbe::PAUSE);
    }

    fn spin(&mut self) {
        self.now.set(self.now.get() + ScriptedProbe::SPIN);
    }

    fn stolen(&mut self) -> Option<u64> {
        self.stolen.get()
    }

    fn seconds(&self) -> f64 {
        self.now.get() as f64 / 1e9
    }
}
