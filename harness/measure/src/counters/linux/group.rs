//! A group of events that are counted together or not at all.

use perf_event::Builder;
use perf_event::events::{self, Cache, CacheOp, CacheResult, Hardware, Software, WhichCache};

use raywalk_results::schema::{Event, Reason};

use super::descriptor::Descriptor;
use super::kernel::Kernel;
use super::names::Raw;

/// A leader and the events that start and stop with it.
pub(super) struct Group {
    leader: Descriptor,
    /// The event that the leader counts; none if it counts nothing.
    led_by: Option<Event>,
    members: Vec<(Event, Descriptor)>,
    /// Nanoseconds enabled and running, as of the last read.
    times: (u64, u64),
}

impl Group {
    /// An empty group, led by a dummy event that never happens.
    pub(crate) fn new(kernel: &Kernel) -> Result<Group, Reason> {
        Group::led(Builder::new().kind(Software::DUMMY), None, kernel)
    }

    /// A group of one event that leads the others.
    pub(crate) fn led_by(event: Event, kernel: &Kernel) -> Result<Group, Reason> {
        Group::led(builder(event, kernel)?, Some(event), kernel)
    }

    fn led(builder: Builder<'_>, led_by: Option<Event>, kernel: &Kernel) -> Result<Group, Reason> {
        let leader = Descriptor::lead(builder).map_err(|error| kernel.why(&error))?;
        Ok(Group { leader, led_by, members: Vec::new(), times: (0, 0) })
    }

    /// Adds an event, or returns why it cannot be opened together with the others.
    pub(crate) fn add(&mut self, event: Event, kernel: &Kernel) -> Result<(), Reason> {
        let member = Descriptor::join(builder(event, kernel)?, &self.leader);
        let member = member.map_err(|error| kernel.why_not_joined(&error))?;
        self.members.push((event, member));
        Ok(())
    }

    /// Removes the event that was added last; `None` if only the leader is left.
    pub(crate) fn pop(&mut self) -> Option<Event> {
        self.members.pop().map(|(event, _)| event)
    }

    /// The events, the leader's first.
    pub(crate) fn events(&self) -> impl Iterator<Item = Event> {
        self.led_by.into_iter().chain(self.members.iter().map(|&(event, _)| event))
    }

    /// The events, the leader's first, each with the id that the kernel reports with its value.
    #[cfg(test)]
    pub(crate) fn ids(&self) -> impl Iterator<Item = (Event, u64)> {
        let leader = self.led_by.map(|event| (event, self.leader.id));
        leader.into_iter().chain(self.members.iter().map(|(event, member)| (*event, member.id)))
    }

    /// Whether the group gets onto the counters. It may open and still never run, for example because
    /// the watchdog of the kernel holds a counter.
    pub(crate) fn runs(&mut self) -> bool {
        self.start();
        std::hint::black_box((0..10_000u64).fold(0, |a, b| a ^ std::hint::black_box(b)));
        self.stop();
        self.read().is_some()
    }

    /// Starts counting from zero. A group that cannot start has not run, so [`read`](Group::read) returns
    /// nothing.
    pub(crate) fn start(&mut self) {
        let _ = self.leader.start_group();
    }

    pub(crate) fn stop(&mut self) {
        let _ = self.leader.stop_group();
    }

    /// All counts since the start; `None` if the group was off the counters for part of the time.
    pub(crate) fn read(&mut self) -> Option<Vec<(Event, u64)>> {
        let read = self.leader.read_group(1 + self.members.len())?;
        // The kernel accumulates both times over the life of the group. Without the differences, one
        // shared region would invalidate all later ones.
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

/// Tries to open an event; the error is why it cannot be opened, even alone.
pub(super) fn opens_alone(event: Event, kernel: &Kernel) -> Result<(), Reason> {
    let opened = Descriptor::lead(builder(event, kernel)?);
    opened.map(drop).map_err(|error| kernel.why(&error))
}

/// The code of an event that has no number in the kernel's interface. The error is why the kernel
/// refuses every event, if it does; otherwise, that it has no name for this one.
fn named(event: Event, kernel: &Kernel) -> Result<Raw, Reason> {
    kernel.names.find(event).ok_or_else(|| match opens_alone(Event::Cycles, kernel) {
        Ok(()) | Err(Reason::UnknownEvent) => Reason::UnnamedEvent,
        Err(why) => why,
    })
}

/// The attributes of an event. Hardware events are counted in user mode only, because a permission error
/// would otherwise hide that there is no counter.
fn builder(event: Event, kernel: &Kernel) -> Result<Builder<'static>, Reason> {
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
            let Raw { kind, config } = named(event, kernel)?;
            let mut builder = Builder::new();
            let attributes = builder.attrs_mut();
            (attributes.type_, attributes.config) = (kind, config);
            return Ok(builder);
        }
    };
    let mut builder = Builder::new().kind(kind);
    if event.is_software() {
        // They happen in the kernel. In user mode alone their count would always be 0.
        builder.include_kernel();
    }
    Ok(builder)
}
