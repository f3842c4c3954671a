//! Events counted beside the clock: of the hardware where there is a counter, of the scheduler
//! always.
//!
//! Counters are opened before a timed region and read after it, outside the ticks. An event that
//! this machine does not offer is an [`Absent`] with its reason and cure, and has no value: absent
//! never reads as zero. A reading that the kernel would have to scale (its group was not on the
//! counters all the time) is no reading.
//!
//! A processor counts only so many events at once. What does not fit is not squeezed in: the events
//! are split into groups that fit, and the groups take turns by whole rounds ([`Counters::choose`]),
//! so that every value is a count of a whole region and the events of one group are of the same
//! region.

use std::collections::BTreeMap;

use raywalk_reports::schema::Absent;

pub use event::Event;

mod event;
#[cfg(target_os = "linux")]
pub mod linux;

/// Counts events over a region. Behind a trait, so that tests play every machine.
pub trait Counters {
    /// Starts from zero.
    fn start(&mut self);

    /// Stops and reads.
    fn stop(&mut self) -> Reading;

    /// How many groups the events of the hardware are split into, so many passes it takes to count
    /// them all; at least one.
    fn passes(&self) -> usize {
        1
    }

    /// From the next start on, counts the group of this pass and no other, beside the events of
    /// the kernel, which are counted in every pass. Any number will do: it is taken modulo
    /// [`passes`](Counters::passes).
    fn choose(&mut self, pass: usize) {
        let _ = pass;
    }

    /// The events that are counted, in whichever pass.
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
    /// Value of each event of the chosen group and of the kernel, counted for the whole region.
    pub values: BTreeMap<Event, u64>,
    /// The hardware group was off the counters for part of the region, so it has no values here.
    pub partial: bool,
}

impl Reading {
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
    /// An event of particular processors, which the kernel does not list for this one.
    #[error("The kernel names no such event for this processor.")]
    Unnamed,
    /// `EACCES`.
    #[error("The kernel keeps counters from unprivileged users (perf_event_paranoid is {0}).")]
    Paranoid(i32),
    /// `EPERM`.
    #[error("A security policy, such as a container's seccomp filter, forbids counters.")]
    Forbidden,
    /// `ENOSYS`.
    #[error("This kernel was built without performance events.")]
    NoSyscall,
    /// `EINVAL` within a group, or a group that never gets onto the counters, however small.
    #[error("No counter is free for the event.")]
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
            Why::Unknown | Why::Unnamed | Why::Other(_) => "",
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

    fn passes(&self) -> usize {
        (**self).passes()
    }

    fn choose(&mut self, pass: usize) {
        (**self).choose(pass);
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
        assert_eq!(absent.len(), Event::HARDWARE.len() + Event::SOFTWARE.len());
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
        assert!(partial.partial && partial.values.contains_key(&Event::ContextSwitches));
        assert_eq!(partial.values.len(), 1, "no hardware event of part of the time");
    }

    #[test]
    fn a_boxed_counter_takes_its_passes_as_it_would_bare() {
        struct InPasses(usize);
        impl Counters for InPasses {
            fn start(&mut self) {}
            fn stop(&mut self) -> Reading {
                Reading { values: [(Event::Cycles, self.0 as u64)].into(), partial: false }
            }
            fn passes(&self) -> usize {
                3
            }
            fn choose(&mut self, pass: usize) {
                self.0 = pass % 3;
            }
            fn events(&self) -> Vec<Event> {
                vec![Event::Cycles]
            }
            fn unavailable(&self) -> &[Unavailable] {
                &[]
            }
        }
        let mut counters: Box<dyn Counters> = Box::new(InPasses(0));
        counters.choose(5);
        assert_eq!((counters.passes(), counters.stop().values[&Event::Cycles]), (3, 2));
        let mut none = NoCounters::because(&Why::NotLinux);
        none.choose(5);
        assert_eq!((none.passes(), none.stop()), (1, Reading::default()));
    }
}
