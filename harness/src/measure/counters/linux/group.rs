//! Events that are counted together, or not at all.

use perf_event::Builder;
use perf_event::events::{self, Cache, CacheOp, CacheResult, Hardware, Software, WhichCache};

use super::descriptor::Descriptor;
use super::names::Raw;
use super::{Kernel, Why};
use crate::measure::counters::Event;

/// A leader and the events that start and stop with it.
pub(super) struct Group {
    leader: Descriptor,
    /// The event that the leader counts; none if it is there for the others only.
    led_by: Option<Event>,
    members: Vec<(Event, Descriptor)>,
    /// Nanoseconds enabled and running until the last read.
    times: (u64, u64),
}

impl Group {
    /// A group of nothing, led by an event that never happens.
    pub fn new(kernel: &Kernel) -> Result<Group, Why> {
        Group::led(Builder::new().kind(Software::DUMMY), None, kernel)
    }

    /// A group of one event that leads the others.
    pub fn led_by(event: Event, kernel: &Kernel) -> Result<Group, Why> {
        Group::led(builder(event, kernel)?, Some(event), kernel)
    }

    fn led(builder: Builder<'_>, led_by: Option<Event>, kernel: &Kernel) -> Result<Group, Why> {
        let leader = Descriptor::lead(builder).map_err(|error| kernel.why(&error))?;
        Ok(Group { leader, led_by, members: Vec::new(), times: (0, 0) })
    }

    /// Adds an event that can be opened together with those that are in already.
    pub fn add(&mut self, event: Event, kernel: &Kernel) -> Result<(), Why> {
        let member = Descriptor::join(builder(event, kernel)?, &self.leader);
        let member = member.map_err(|error| kernel.why_not_joined(&error))?;
        self.members.push((event, member));
        Ok(())
    }

    /// Gives up the event that was added last.
    pub fn give_up(&mut self) -> Option<Event> {
        self.members.pop().map(|(event, _)| event)
    }

    /// The events, the leader's first.
    pub fn events(&self) -> impl Iterator<Item = Event> {
        self.led_by.into_iter().chain(self.members.iter().map(|&(event, _)| event))
    }

    /// The events, the leader's first, each with the number that stands beside its value.
    #[cfg(test)]
    pub fn ids(&self) -> impl Iterator<Item = (Event, u64)> {
        let leader = self.led_by.map(|event| (event, self.leader.id));
        leader.into_iter().chain(self.members.iter().map(|(event, member)| (*event, member.id)))
    }

    /// Whether the group gets onto the counters: it may open and still never run, say because the
    /// watchdog of the kernel holds a counter.
    pub fn runs(&mut self) -> bool {
        self.start();
        std::hint::black_box((0..10_000u64).fold(0, |a, b| a ^ std::hint::black_box(b)));
        self.stop();
        self.read().is_some()
    }

    /// Starts from zero. A group that cannot start reads as not running, hence as no data.
    pub fn start(&mut self) {
        let _ = self.leader.start_group();
    }

    /// Stops.
    pub fn stop(&mut self) {
        let _ = self.leader.stop_group();
    }

    /// All values since the start, or nothing if the group was not on the counters all that time.
    pub fn read(&mut self) -> Option<Vec<(Event, u64)>> {
        let read = self.leader.read_group(1 + self.members.len())?;
        // The kernel adds these up as long as the group lives: compared as they are, one shared
        // region would spoil every later one.
        let enabled = read.enabled.wrapping_sub(self.times.0);
        let running = read.running.wrapping_sub(self.times.1);
        self.times = (read.enabled, read.running);
        if running == 0 || running != enabled {
            return None;
        }
        let leader = self.led_by.map(|event| (event, &self.leader));
        let members = self.members.iter().map(|(event, member)| (*event, member));
        leader
            .into_iter()
            .chain(members)
            .map(|(event, member)| {
                let &[value, _] = read.values.iter().find(|[_, id]| *id == member.id)?;
                Some((event, value))
            })
            .collect()
    }
}

/// Whether an event can be opened at all.
pub(super) fn opens_alone(event: Event, kernel: &Kernel) -> Result<(), Why> {
    let opened = Descriptor::lead(builder(event, kernel)?);
    opened.map(drop).map_err(|error| kernel.why(&error))
}

/// How an event is asked for. Those of the processor in user mode only: a permission error would
/// otherwise hide that there is no counter.
fn builder(event: Event, kernel: &Kernel) -> Result<Builder<'static>, Why> {
    let cache = |which| Cache { which, operation: CacheOp::READ, result: CacheResult::MISS };
    let kind: events::Event = match event {
        Event::Cycles => Hardware::CPU_CYCLES.into(),
        Event::Instructions => Hardware::INSTRUCTIONS.into(),
        Event::Branches => Hardware::BRANCH_INSTRUCTIONS.into(),
        Event::BranchMisses => Hardware::BRANCH_MISSES.into(),
        Event::L1dReadMisses => cache(WhichCache::L1D).into(),
        Event::LlReadMisses => cache(WhichCache::LL).into(),
        Event::DtlbReadMisses => cache(WhichCache::DTLB).into(),
        Event::ContextSwitches => Software::CONTEXT_SWITCHES.into(),
        Event::PageFaults => Software::PAGE_FAULTS.into(),
        Event::CpuMigrations => Software::CPU_MIGRATIONS.into(),
        Event::L2Misses
        | Event::Slots
        | Event::SlotsRetiring
        | Event::SlotsBadSpeculation
        | Event::SlotsFrontendBound
        | Event::SlotsBackendBound => {
            let Raw { kind, config } = kernel.named(event)?;
            let mut builder = Builder::new();
            let attributes = builder.attrs_mut();
            (attributes.type_, attributes.config) = (kind, config);
            return Ok(builder);
        }
    };
    let mut builder = Builder::new().kind(kind);
    if event.is_software() {
        builder.include_kernel();
    }
    Ok(builder)
}
