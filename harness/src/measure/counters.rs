//! Events counted beside the clock: of the hardware where there is a counter, of the scheduler
//! always.
//!
//! Counters are opened before a timed region and read after it, outside the ticks. An event that
//! this machine does not offer is an [`Absent`] with its reason and cure, and has no value: absent
//! never reads as zero. A reading that the kernel scaled (its group was not on the counters all the
//! time) is no reading.

use std::collections::BTreeMap;
use std::fmt;

use raywalk_reports::schema::Absent;

#[cfg(target_os = "linux")]
pub mod linux;

/// Counts events over a region. Behind a trait, so that tests play every machine.
pub trait Counters {
    /// Starts from zero.
    fn start(&mut self);

    /// Stops and reads.
    fn stop(&mut self) -> Reading;

    /// The events that are counted.
    fn events(&self) -> Vec<Event>;

    /// The events that are not, each with its reason.
    fn unavailable(&self) -> &[Unavailable];

    /// The unavailable events, as a journal keeps them.
    fn absent(&self) -> Vec<Absent> {
        self.unavailable().iter().map(Unavailable::absent).collect()
    }
}

/// What a region did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Value of each event that was counted for the whole region.
    pub values: BTreeMap<Event, u64>,
    /// The hardware group was off the counters for part of the region, so it has no values here.
    pub partial: bool,
}

impl Reading {
    /// Whether the thread lost its processor within the region.
    pub fn switched(&self) -> bool {
        self.values.get(&Event::ContextSwitches).is_some_and(|&count| count > 0)
    }

    /// Adds what another region did.
    pub fn add(&mut self, other: Reading) {
        for (event, count) in other.values {
            *self.values.entry(event).or_insert(0) += count;
        }
        self.partial |= other.partial;
    }

    /// What this region did beyond a control. Events of the kernel are added: a disturbance is one
    /// on either side.
    #[must_use]
    pub fn minus(mut self, control: Reading) -> Reading {
        for (event, count) in &mut self.values {
            let other = control.values.get(event).copied().unwrap_or(0);
            *count = if event.is_software() { *count + other } else { count.saturating_sub(other) };
        }
        self.partial |= control.partial;
        if self.partial {
            self.values.retain(|event, _| event.is_software());
        }
        self
    }
}

/// What can be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Event {
    /// Core cycles in user mode.
    Cycles,
    /// Instructions retired.
    Instructions,
    /// Branches retired.
    Branches,
    /// Branches mispredicted.
    BranchMisses,
    /// Loads that missed the first-level data cache.
    L1dReadMisses,
    /// Loads that missed the last-level cache.
    LlReadMisses,
    /// Loads that missed the data TLB.
    DtlbReadMisses,
    /// The thread was taken off its processor.
    ContextSwitches,
    /// Pages that had to be mapped.
    PageFaults,
    /// The thread went on elsewhere.
    CpuMigrations,
}

impl Event {
    /// Events of the hardware, most wanted first: where only some fit together, the first win.
    pub const HARDWARE: [Event; 7] = [
        Event::Cycles,
        Event::Instructions,
        Event::BranchMisses,
        Event::Branches,
        Event::L1dReadMisses,
        Event::DtlbReadMisses,
        Event::LlReadMisses,
    ];
    /// Events of the kernel.
    pub const SOFTWARE: [Event; 3] =
        [Event::ContextSwitches, Event::PageFaults, Event::CpuMigrations];

    /// The name in journals.
    pub const fn name(self) -> &'static str {
        match self {
            Event::Cycles => "cycles",
            Event::Instructions => "instructions",
            Event::Branches => "branches",
            Event::BranchMisses => "branch-misses",
            Event::L1dReadMisses => "l1d-read-misses",
            Event::LlReadMisses => "ll-read-misses",
            Event::DtlbReadMisses => "dtlb-read-misses",
            Event::ContextSwitches => "context-switches",
            Event::PageFaults => "page-faults",
            Event::CpuMigrations => "cpu-migrations",
        }
    }

    /// Whether the kernel counts it, not the processor.
    pub const fn is_software(self) -> bool {
        matches!(self, Event::ContextSwitches | Event::PageFaults | Event::CpuMigrations)
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// An event without a counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unavailable {
    /// Which.
    pub event: Event,
    /// Why.
    pub why: Why,
}

impl Unavailable {
    /// As a journal keeps it.
    pub fn absent(&self) -> Absent {
        Absent {
            what: self.event.name().to_owned(),
            why: self.why.to_string(),
            cure: self.why.cure().to_owned(),
        }
    }
}

/// Why an event cannot be counted here, as told by the error of the kernel.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    /// `ENOENT`, `ENODEV`, `EOPNOTSUPP`, and no core counter is registered.
    #[error("This machine shows no hardware counters; most virtual machines do not.")]
    NoPmu,
    /// The same errors on a machine that has a core counter.
    #[error("The hardware counters of this processor do not know this event.")]
    Unknown,
    /// `EACCES`.
    #[error("The kernel keeps counters from unprivileged users (perf_event_paranoid is {0}).")]
    Paranoid(i32),
    /// `EPERM`.
    #[error("A security policy, such as a container's seccomp filter, forbids counters.")]
    Forbidden,
    /// `ENOSYS`.
    #[error("This kernel was built without performance events.")]
    NoSyscall,
    /// `EINVAL` within a group, or a group that never gets onto the counters.
    #[error("The event does not fit on the counters together with the others.")]
    DoesNotFit,
    /// Not Linux.
    #[error("Counters are read on Linux only.")]
    NotLinux,
    /// Anything else.
    #[error("The kernel refused the counter with error {0}.")]
    Other(i32),
}

impl Why {
    /// What would make it available, in one sentence; empty if nothing would.
    pub const fn cure(&self) -> &'static str {
        match self {
            Why::NoPmu => {
                "Run on the machine itself, or have the hypervisor pass its counters through."
            }
            // Refused at 2: an event of the kernel itself, which takes one step more.
            Why::Paranoid(..=2) => {
                "Set kernel.perf_event_paranoid to 1 or lower, or grant CAP_PERFMON."
            }
            Why::Paranoid(_) => {
                "Set kernel.perf_event_paranoid to 2 or lower, or grant CAP_PERFMON."
            }
            Why::Forbidden => "Allow perf_event_open in the container's security profile.",
            Why::NoSyscall => "Boot a kernel built with CONFIG_PERF_EVENTS.",
            Why::NotLinux => "Run on Linux.",
            Why::DoesNotFit => "Free a counter, for example by switching the NMI watchdog off.",
            Why::Unknown | Why::Other(_) => "",
        }
    }
}

/// Counters of a system that has none: nothing is counted, and every event says why.
#[derive(Debug)]
pub struct NoCounters {
    unavailable: Vec<Unavailable>,
}

impl NoCounters {
    /// Every event, for the same reason.
    pub fn because(why: &Why) -> NoCounters {
        let events = Event::HARDWARE.into_iter().chain(Event::SOFTWARE);
        let unavailable = events.map(|event| Unavailable { event, why: why.clone() }).collect();
        NoCounters { unavailable }
    }
}

impl Counters for NoCounters {
    fn start(&mut self) {}

    fn stop(&mut self) -> Reading {
        Reading::default()
    }

    fn events(&self) -> Vec<Event> {
        Vec::new()
    }

    fn unavailable(&self) -> &[Unavailable] {
        &self.unavailable
    }
}

/// The counters of this machine, for the calling thread.
#[cfg(target_os = "linux")]
pub fn of_this_machine() -> Box<dyn Counters> {
    Box::new(linux::PerfCounters::open())
}

/// The counters of this machine, for the calling thread.
#[cfg(not(target_os = "linux"))]
pub fn of_this_machine() -> Box<dyn Counters> {
    Box::new(NoCounters::because(&Why::NotLinux))
}

impl<C: Counters + ?Sized> Counters for Box<C> {
    fn start(&mut self) {
        (**self).start();
    }

    fn stop(&mut self) -> Reading {
        (**self).stop()
    }

    fn events(&self) -> Vec<Event> {
        (**self).events()
    }

    fn unavailable(&self) -> &[Unavailable] {
        (**self).unavailable()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absent_event_has_a_reason_and_never_a_zero() {
        let mut counters = NoCounters::because(&Why::NoSyscall);
        counters.start();
        assert!(counters.stop().values.is_empty());
        let absent = counters.absent();
        assert_eq!(absent.len(), 10);
        assert!(absent.iter().all(|a| a.why.ends_with('.') && a.cure.ends_with('.')));
    }

    #[test]
    fn beyond_a_control_the_processor_did_less_and_the_kernel_all_of_it() {
        let reading = |misses, switches| Reading {
            values: [(Event::BranchMisses, misses), (Event::ContextSwitches, switches)].into(),
            partial: false,
        };
        let mut with = Reading::default();
        [reading(60, 1), reading(40, 0)].into_iter().for_each(|block| with.add(block));
        assert_eq!(with, reading(100, 1));
        assert_eq!(with.clone().minus(reading(70, 2)), reading(30, 3));
        let partial = with.minus(Reading { partial: true, ..reading(70, 0) });
        assert!(partial.partial && partial.switched());
        assert_eq!(partial.values.len(), 1, "no hardware event of part of the time");
    }

    #[test]
    fn every_event_has_its_own_name() {
        let mut names: Vec<_> =
            Event::HARDWARE.iter().chain(&Event::SOFTWARE).map(|event| event.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 10);
    }
}
