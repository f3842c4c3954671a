//! The environment of the measuring thread, round by round and sample by sample.
//!
//! A neighbour on the same hardware can take half of the machine for minutes. On a virtual machine with
//! two processors, all designs became slower by a factor of 1.9 within half an hour. A short [`Probe`]
//! therefore takes a [`Reading`] at both ends of each round and compares it with the best one so far.
//! While the machine is slow, the next round is delayed, as long as the session's limit for delays
//! allows it. A round that was slow nevertheless is marked and kept.
//!
//! Phases in which another thread shares the core may also last only tenths of a second, while a round of many
//! designs takes half a second or more. They slow the designs that run within them by a half, and no other one. Before
//! a design is prepared, it therefore waits for the end of such a phase, within the same limit, and a sample with a
//! neighbour at either end is marked by itself.
//!
//! A reading has two parts, because a neighbour can take two things. The *clock rate*, by a dependent
//! chain, falls when the clock is throttled or the processor is taken away. The *throughput* of
//! independent work *per core cycle* falls when another thread shares the core, which a dependent
//! chain does not notice. Throughput is divided by clock rate, so that a slow clock does not count
//! twice.
//!
//! # Limits
//! A probe does not see a phase that begins and ends within a sample, or a neighbour that takes cache or
//! memory bandwidth only. A process that starts in the slow state takes it for normal until the machine
//! recovers, unless it [starts with](Watch::knowing) the best levels of an earlier process.

use std::time::Duration;

use raywalk_results::schema::Mark;
use serde::{Deserialize, Serialize};

use crate::clock::Clock;

mod level;
mod probe;
#[allow(unsafe_code, reason = "kernels in assembly")]
mod throughput;

use level::Level;
pub use level::Reached;
pub use probe::{HardwareProbe, Probe, Reading};

/// The environment of rounds. Behind a trait, so that tests script quiet and busy machines.
pub trait Environment {
    /// Delays the round while the machine is slow and patience is left. Returns the milliseconds between the first
    /// reading and the last.
    fn before_round(&mut self) -> u64;

    /// Begins a panel, so many of which are left with it. Each may use an equal part of the patience that is left, so
    /// that the first ones do not use up all of it.
    fn before_panel(&mut self, panels: usize);

    /// Delays a design, before it is prepared, while another thread shares the core and patience is left.
    fn before_design(&mut self);

    /// Whether another thread shares the core now. `cycles_per_tick` is the current clock rate of the core.
    fn has_neighbour(&mut self, cycles_per_tick: Option<f64>) -> bool;

    /// The conditions of the round that has just ended.
    fn after_round(&mut self) -> Conditions;

    /// The best settled levels so far, for the next process of the session.
    fn best(&self) -> Best;
}

/// The best settled levels of the parts of a reading: the best one, then the best of those reached later, and so on.
/// All of them, because a later process forgets the first ones and then needs the next.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Best {
    /// Levels of [`Reading::clock`], in core cycles per tick.
    pub clock: Vec<Reached>,
    /// Levels of [`Reading::throughput`], in operations per core cycle.
    pub throughput: Vec<Reached>,
}

impl Best {
    /// The same levels, so many seconds later.
    #[must_use]
    pub fn later(&self, seconds: f64) -> Best {
        let later = |levels: &[Reached]| {
            let levels = levels.iter();
            levels.map(|one| Reached { seconds_ago: one.seconds_ago + seconds, ..*one }).collect()
        };
        Best { clock: later(&self.clock), throughput: later(&self.throughput) }
    }
}

/// The conditions that a round was measured in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conditions {
    /// Milliseconds by which designs were delayed within the round.
    pub delayed: u64,
    /// Milliseconds that the hypervisor gave to others while this processor had work; `None` where the
    /// system does not report them. Systems count in steps of 10 ms, so a short round may carry the
    /// mark of the one before it.
    pub stolen: Option<u64>,
    /// Disturbances at either end or between, each once.
    pub marks: Vec<Mark>,
}

/// Seconds that a design waits at most for the end of a phase in which another thread shares the core. Most last some
/// tenths of a second.
const LONGEST_PHASE: f64 = 1.0;

/// Compares each reading with the best level so far. Levels are learnt from the readings at the ends of rounds alone:
/// those of samples are so close to each other that a burst of the clock could settle.
#[derive(Debug)]
pub struct Watch<W: Probe> {
    probe: W,
    /// Seconds of delays that are left for this panel.
    patience: f64,
    /// Those that later panels may use.
    reserve: f64,
    clock: Level,
    throughput: Level,
    start: Start,
}

#[derive(Debug, Default)]
struct Start {
    marks: Vec<Mark>,
    stolen: Option<u64>,
    /// Seconds by which designs were delayed since then.
    delayed: f64,
}

impl<'a, C: Clock> Watch<HardwareProbe<'a, C>> {
    /// Watches this machine from the processor that the thread is pinned to, if it is pinned. All
    /// delays of this process together take no longer than `patience` and one pause.
    pub fn of_this_machine(clock: &'a C, processor: Option<usize>, patience: Duration) -> Self {
        Watch::new(HardwareProbe::new(clock, processor), patience)
    }
}

impl<W: Probe> Watch<W> {
    fn new(probe: W, patience: Duration) -> Watch<W> {
        Watch {
            probe,
            patience: patience.as_secs_f64(),
            reserve: 0.0,
            clock: Level::default(),
            throughput: Level::default(),
            start: Start::default(),
        }
    }

    /// Starts with the best levels of an earlier process of the session.
    #[must_use]
    pub fn knowing(mut self, best: &Best) -> Watch<W> {
        let now = self.probe.seconds();
        self.clock.inherit(now, &best.clock);
        self.throughput.inherit(now, &best.throughput);
        self
    }

    /// Takes a reading and returns the marks of what was slow.
    fn read(&mut self) -> Vec<Mark> {
        let reading = self.probe.read();
        let now = self.probe.seconds();
        let slow = [
            (self.clock.is_slow(now, reading.clock), Mark::SlowClock),
            (self.throughput.is_slow(now, reading.throughput), Mark::BusyNeighbour),
        ];
        slow.into_iter().filter(|(slow, _)| *slow).map(|(_, mark)| mark).collect()
    }

    /// Waits as `pause` does while the machine is slow in some way, at most `longest` seconds, and until the patience
    /// of the panel is used up. Returns the seconds between the first reading and the last.
    fn wait(
        &mut self,
        longest: f64,
        pause: fn(&mut W),
        mut is_slow: impl FnMut(&mut Watch<W>) -> bool,
    ) -> f64 {
        let begun = self.probe.seconds();
        let mut since = begun;
        let mut slow = is_slow(self);
        while slow && self.patience > 0.0 && since - begun < longest {
            pause(&mut self.probe);
            slow = is_slow(self);
            let now = self.probe.seconds();
            self.patience = (self.patience - (now - since)).max(0.0);
            since = now;
        }
        since - begun
    }
}

impl<W: Probe> Environment for Watch<W> {
    fn before_round(&mut self) -> u64 {
        let mut marks = Vec::new();
        let delayed = self.wait(f64::INFINITY, W::pause, |watch| {
            marks = watch.read();
            !marks.is_empty()
        });
        // Last, so that time stolen during the delay does not count towards the round.
        self.start = Start { marks, stolen: self.probe.stolen(), delayed: 0.0 };
        milliseconds(delayed)
    }

    fn before_panel(&mut self, panels: usize) {
        let left = self.patience + self.reserve;
        self.patience = left / panels.max(1) as f64;
        self.reserve = left - self.patience;
    }

    fn before_design(&mut self) {
        // A slow clock slows all designs of a round, and lasts longer.
        self.start.delayed += self.wait(LONGEST_PHASE, W::spin, |watch| {
            let throughput = watch.probe.read().throughput;
            watch.throughput.is_below(throughput)
        });
    }

    fn has_neighbour(&mut self, cycles_per_tick: Option<f64>) -> bool {
        let throughput = self.probe.throughput(cycles_per_tick);
        self.throughput.is_below(throughput)
    }

    fn after_round(&mut self) -> Conditions {
        // First, so that time stolen during the reading does not count towards the round.
        let stolen_since = self.probe.stolen();
        let slow = self.read();
        let Start { mut marks, stolen, delayed } = std::mem::take(&mut self.start);
        let stolen = stolen.zip(stolen_since).map(|(then, now)| now.saturating_sub(then));
        marks.extend(slow);
        if stolen.is_some_and(|milliseconds| milliseconds > 0) {
            marks.push(Mark::Steal);
        }
        marks.sort_unstable();
        marks.dedup();
        Conditions { delayed: milliseconds(delayed), stolen, marks }
    }

    fn best(&self) -> Best {
        let now = self.probe.seconds();
        Best { clock: self.clock.reached(now), throughput: self.throughput.reached(now) }
    }
}

fn milliseconds(seconds: f64) -> u64 {
    (seconds * 1e3).round() as u64
}

#[cfg(test)]
mod tests;
