//! The machine that a session is made on, ready to measure.

use raywalk_reports::schema::{self, Absent, Corpus};

use crate::machine::{self, affinity::Pinned, memory::Locked, tools};
use crate::measure::clock::{Clock, HardwareClock};
use crate::measure::counters::{self, Counters};
use crate::measure::plan::Plan;
use crate::measure::utc;

/// Clock, counters and a processor to stay on.
pub(super) struct Workplace {
    pub machine: schema::Machine,
    pub clock: HardwareClock,
    pub counters: Box<dyn Counters>,
    pub pinned: Result<Pinned, Absent>,
    /// Why memory cannot be locked, if it cannot. The processes that measure lock theirs.
    unlocked: Option<Absent>,
    load: Option<[f64; 3]>,
}

impl Workplace {
    /// Pins the thread and measures the clock. `load` is from before our own work counted as load.
    pub fn open(load: Option<[f64; 3]>) -> Workplace {
        let machine = machine::describe();
        let pinned = Pinned::to_one_processor();
        let clock = HardwareClock::measure();
        let (counters, unlocked) = (counters::of_this_machine(), Locked::all().err());
        Workplace { machine, clock, counters, pinned, unlocked, load }
    }

    /// The first record of a session.
    pub fn session(&self, plan: &Plan, corpora: Vec<Corpus>) -> schema::Session {
        let mut absent = self.counters.absent();
        absent.extend(self.clock.absent());
        absent.extend(tools::absent());
        absent.extend(self.pinned.as_ref().err().cloned());
        absent.extend(self.unlocked.clone());
        schema::Session {
            schema: schema::SCHEMA.to_owned(),
            started: utc::now(),
            plan: plan.name.clone(),
            seed: plan.seed,
            command: std::env::args().collect::<Vec<_>>().join(" "),
            machine: self.machine.clone(),
            build: machine::built::build(),
            clock: self.clock.facts().record(),
            corpora,
            absent,
            processor: self.pinned.as_ref().ok().map(|pinned| pinned.processor),
            siblings: self.pinned.as_ref().map(Pinned::siblings).unwrap_or_default(),
            load: self.load,
            shares: plan.shares(),
            layouts: plan.layouts.clone(),
            margin: Some(plan.margin),
        }
    }
}
