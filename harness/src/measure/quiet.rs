//! What goes on around the measuring thread, round by round.
//!
//! A shared machine has two states. For minutes at a time a neighbour takes half of what there is,
//! and everything takes nearly twice as long (a factor of 1.9 within half an hour was seen on a
//! virtual machine with two processors). Paired ratios survive that, single times do not. So at both ends of each
//! round a short [`Witness`] looks at the machine, and a round that would begin in the slow state
//! is postponed until the machine has recovered or patience is used up. A round that was measured
//! in it all the same is marked. Nothing is deleted: waiting and marks are data.
//!
//! Two things are looked at, because a neighbour can take two things. The rate of the core, by a
//! dependent chain, falls when the clock is throttled or the processor is taken away. The
//! [throughput] of independent work *per core cycle* falls when another thread shares
//! the core, of which a dependent chain notices nothing. The second is divided by the first, so
//! that a slow clock is not counted twice.
//!
//! # What this cannot see
//! A phase that begins and ends within a round, and a neighbour that takes cache or memory
//! bandwidth only. A process that begins in the slow state takes it for normal until it has seen
//! better, unless it is [told](Watch::knowing) what an earlier process saw; so every [`Look`] is
//! handed out with the marks, for those who judge afterwards.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::clock::Clock;

mod fake;
mod level;
pub mod throughput;
mod witness;

pub use fake::{FakeSurroundings, ScriptedWitness};
use level::Level;
pub use witness::{OfThisMachine, Witness, stolen_ticks};

/// A reading is slow if the same work would take this much longer than at the best level. The
/// rate of an undisturbed core wanders by 7 % from end to end (1.62 to 1.73 cycles per tick were
/// seen within five seconds), the second state costs 90 %: twice the one, a sixth of the other.
pub const SLOWER: f64 = 1.15;

/// What happens at both ends of a round. Behind a trait, so that sessions are tested on machines
/// that are as quiet or busy as the test says.
pub trait Surroundings {
    /// Waits while the machine is slow and there is patience; then the round begins.
    fn before_round(&mut self) -> Waited;

    /// What disturbed the round that has just ended.
    fn after_round(&mut self) -> Disturbed;

    /// The best levels that have settled so far: for the next process of the session.
    fn best(&self) -> Look;
}

/// A round that was postponed, or not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Waited {
    /// Milliseconds between the first look and the last.
    pub milliseconds: u64,
    /// How often the machine was found slow and the round postponed.
    pub postponed: u64,
    /// The machine was still slow when patience ended, so the round begins in the slow state. Its
    /// marks come with [`Surroundings::after_round`].
    pub gave_up: bool,
}

/// What a round was measured in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Disturbed {
    /// Milliseconds that the hypervisor gave to others while this processor had work; `None`
    /// where the system does not tell. Systems count in steps of 10 ms: a round that is short
    /// against a step may bear the mark of the one before it.
    pub stolen: Option<u64>,
    /// What disturbed it at either end or between, each once.
    pub marks: Vec<Mark>,
    /// What was seen before and after.
    pub looks: [Look; 2],
}

/// What disturbed a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// The core ran slower than this process has seen it run.
    SlowClock,
    /// Independent work got fewer slots of each core cycle: another thread shares the core.
    BusyNeighbour,
    /// The hypervisor gave the processor to others.
    Steal,
}

impl Mark {
    /// As it stands in a journal.
    pub const fn name(self) -> &'static str {
        match self {
            Mark::SlowClock => "slow-clock",
            Mark::BusyNeighbour => "busy-neighbour",
            Mark::Steal => "steal",
        }
    }
}

/// One look at the machine. What the architecture does not tell is absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Look {
    /// Core cycles per tick of the clock.
    pub clock: Option<f64>,
    /// Independent operations per core cycle.
    pub throughput: Option<f64>,
}

/// Holds each look against the best that was seen.
#[derive(Debug)]
pub struct Watch<W: Witness> {
    witness: W,
    patience: f64,
    clock: Level,
    throughput: Level,
    begun: Begun,
}

/// What was found when the round began.
#[derive(Debug, Default)]
struct Begun {
    look: Look,
    marks: Vec<Mark>,
    stolen: Option<u64>,
}

impl<'a, C: Clock> Watch<OfThisMachine<'a, C>> {
    /// Watches the machine that this runs on from the processor that the thread is pinned to, if
    /// it is pinned. All waiting of this process together takes no longer than `patience` and one
    /// pause.
    pub fn of_this_machine(clock: &'a C, processor: Option<usize>, patience: Duration) -> Self {
        Watch::new(OfThisMachine::new(clock, processor), patience)
    }
}

impl<W: Witness> Watch<W> {
    /// Watches by a witness.
    pub fn new(witness: W, patience: Duration) -> Watch<W> {
        Watch {
            witness,
            patience: patience.as_secs_f64(),
            clock: Level::default(),
            throughput: Level::default(),
            begun: Begun::default(),
        }
    }

    /// Knows from the start what an earlier process of the session saw at best.
    #[must_use]
    pub fn knowing(mut self, best: Look) -> Watch<W> {
        let now = self.witness.seconds();
        self.clock.remember(now, best.clock);
        self.throughput.remember(now, best.throughput);
        self
    }

    /// Seconds of patience that are left.
    pub fn patience(&self) -> f64 {
        self.patience
    }

    /// Looks once, and says what was slow.
    fn look(&mut self) -> (Look, Vec<Mark>) {
        let look = self.witness.look();
        let now = self.witness.seconds();
        let slow = [
            (self.clock.is_slow(now, look.clock), Mark::SlowClock),
            (self.throughput.is_slow(now, look.throughput), Mark::BusyNeighbour),
        ];
        (look, slow.into_iter().filter(|(slow, _)| *slow).map(|(_, mark)| mark).collect())
    }
}

impl<W: Witness> Surroundings for Watch<W> {
    fn before_round(&mut self) -> Waited {
        let begun = self.witness.seconds();
        let mut since = begun;
        let mut postponed = 0;
        let (mut look, mut marks) = self.look();
        while !marks.is_empty() && self.patience > 0.0 {
            self.witness.pause();
            (look, marks) = self.look();
            let now = self.witness.seconds();
            self.patience = (self.patience - (now - since)).max(0.0);
            since = now;
            postponed += 1;
        }
        let waited = Waited {
            milliseconds: ((since - begun) * 1e3).round() as u64,
            postponed,
            gave_up: !marks.is_empty(),
        };
        // Last, so that what was stolen while waiting is not counted to the round.
        self.begun = Begun { look, marks, stolen: self.witness.stolen() };
        waited
    }

    fn after_round(&mut self) -> Disturbed {
        let stolen_since = self.witness.stolen();
        let (look, slow) = self.look();
        let Begun { look: first, mut marks, stolen } = std::mem::take(&mut self.begun);
        let stolen = stolen.zip(stolen_since).map(|(then, now)| now.saturating_sub(then));
        marks.extend(slow);
        if stolen.is_some_and(|milliseconds| milliseconds > 0) {
            marks.push(Mark::Steal);
        }
        marks.sort_unstable();
        marks.dedup();
        Disturbed { stolen, marks, looks: [first, look] }
    }

    fn best(&self) -> Look {
        Look { clock: self.clock.best(), throughput: self.throughput.best() }
    }
}

#[cfg(test)]
mod tests;
