//! The machine that a session runs on, prepared for measuring.

use raywalk_measure::clock::{Clock, HardwareClock};
use raywalk_measure::counters::{self, Counters};
use raywalk_measure::machine::{self, affinity::Pinned, memory::Locked, tools};
use raywalk_measure::plan::Plan;
use raywalk_measure::utc;
use raywalk_results::schema::{self, Absent, Corpus, SchemaVersion};

use crate::manifest;

/// Clock, counters and the processor that this thread is pinned to.
pub(crate) struct Host {
    pub(crate) machine: schema::Machine,
    pub(crate) clock: HardwareClock,
    pub(crate) counters: Box<dyn Counters>,
    pub(crate) pinned: Result<Pinned, Absent>,
    /// Set if memory cannot be locked. Workers lock their own; this is for the session record.
    unlocked: Option<Absent>,
    load: Option<[f64; 3]>,
}

/// The command line of this process. Arguments need not be UTF-8, and [`std::env::args`] would panic.
fn command() -> String {
    let words: Vec<_> = std::env::args_os().collect();
    words.join(" ".as_ref()).to_string_lossy().into_owned()
}

impl Host {
    /// Pins the thread and measures the clock. Take `load` before this process adds load itself.
    pub(crate) fn open(load: Option<[f64; 3]>) -> Host {
        let machine = machine::describe();
        let pinned = Pinned::to_one_processor();
        let clock = HardwareClock::measure();
        let (counters, unlocked) = (counters::of_this_machine(), Locked::all().err());
        Host { machine, clock, counters, pinned, unlocked, load }
    }

    /// The session record, the first line of a journal.
    pub(crate) fn session(&self, plan: &Plan, corpora: Vec<Corpus>) -> schema::Session {
        let mut absent = self.counters.absent().to_vec();
        absent.extend(self.clock.absent());
        absent.extend(tools::absent());
        absent.extend(self.pinned.as_ref().err().cloned());
        absent.extend(self.unlocked.clone());
        schema::Session {
            schema: SchemaVersion::CURRENT,
            started: utc::now(),
            plan: plan.name.clone(),
            seed: plan.seed(),
            command: command(),
            machine: self.machine.clone(),
            build: manifest::build(),
            clock: self.clock.facts().record(),
            corpora,
            absent,
            processor: self.pinned.as_ref().ok().map(|pinned| pinned.processor),
            siblings: self.pinned.as_ref().map(Pinned::siblings).unwrap_or_default(),
            load: self.load,
            shares: plan.shares(),
            layouts: plan.layouts.clone(),
            margin: plan.margin,
            headline: plan.headline(),
            plan_file: plan.to_toml(),
        }
    }
}
