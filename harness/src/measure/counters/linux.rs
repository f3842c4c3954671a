//! Counters by `perf_event_open`.
//!
//! Each event is opened alone first; only those that open join a group, so that one missing event
//! costs no other. Events of the processor are split into as many groups as it takes for each to
//! fit, cycles and instructions in every one. Only the chosen group is enabled, so that the others
//! take no counter from it. Multiplexed readings are dropped, never scaled: half a count of a region
//! of two phases says nothing about the other half.
//!
//! Events of the processor are counted in user mode only. A switch of context happens in the
//! kernel: without kernel mode that event is always zero. Where the kernel forbids it, the count
//! comes from the scheduler's own statistics of the thread.

use std::io;
use std::path::Path;

use super::{Counters, Event, Reading, Unavailable, Why};
use group::{Group, opens_alone};
use names::{Names, Raw};
use switches::Switches;

mod descriptor;
mod group;
mod names;
mod switches;

/// Groups of the processor's events, of which one at a time counts, and one of the kernel's.
pub struct PerfCounters {
    hardware: Vec<Group>,
    chosen: usize,
    software: Option<Group>,
    switches: Option<Switches>,
    unavailable: Vec<Unavailable>,
}

impl PerfCounters {
    /// Opens what there is; never fails as a whole.
    pub fn open() -> PerfCounters {
        PerfCounters::open_on(&Kernel::read())
    }

    fn open_on(kernel: &Kernel) -> PerfCounters {
        let mut unavailable = Vec::new();
        let mut hardware = groups(kernel, &mut unavailable);
        hardware.extend(top_down(kernel, &mut unavailable));
        let software = kernel_events(kernel, &mut unavailable);
        let mut switches = None;
        if unavailable.iter().any(|u| u.event == Event::ContextSwitches) {
            switches = Switches::open();
            unavailable.retain(|u| switches.is_none() || u.event != Event::ContextSwitches);
        }
        PerfCounters { hardware, chosen: 0, software, switches, unavailable }
    }
}

impl Counters for PerfCounters {
    fn start(&mut self) {
        if let Some(switches) = &mut self.switches {
            switches.start();
        }
        // The processor's events last, so that they count none of this.
        self.software.iter_mut().for_each(Group::start);
        self.hardware.get_mut(self.chosen).into_iter().for_each(Group::start);
    }

    fn stop(&mut self) -> Reading {
        let mut hardware = self.hardware.get_mut(self.chosen);
        hardware.iter_mut().for_each(|group| group.stop());
        self.software.iter_mut().for_each(Group::stop);
        let mut reading = Reading::default();
        if let Some(group) = hardware {
            match group.read() {
                Some(values) => reading.values.extend(values),
                None => reading.partial = true,
            }
        }
        reading.values.extend(self.software.as_mut().and_then(Group::read).unwrap_or_default());
        if let Some(count) = self.switches.as_ref().and_then(Switches::count) {
            reading.values.insert(Event::ContextSwitches, count);
        }
        reading
    }

    fn passes(&self) -> usize {
        self.hardware.len().max(1)
    }

    fn choose(&mut self, pass: usize) {
        self.chosen = pass % self.passes();
    }

    fn events(&self) -> Vec<Event> {
        let grouped: Vec<_> =
            self.hardware.iter().chain(&self.software).flat_map(Group::events).collect();
        let is_counted = |event: &Event| {
            grouped.contains(event) || (*event == Event::ContextSwitches && self.switches.is_some())
        };
        Event::HARDWARE.into_iter().chain(Event::SOFTWARE).filter(is_counted).collect()
    }

    fn unavailable(&self) -> &[Unavailable] {
        &self.unavailable
    }
}

/// The events of the processor but the top-down ones, in groups that fit and run.
fn groups(kernel: &Kernel, unavailable: &mut Vec<Unavailable>) -> Vec<Group> {
    let wanted = Event::HARDWARE.into_iter().filter(|event| !Event::TOP_DOWN.contains(event));
    let mut left = alone(wanted, kernel, unavailable);
    let mut common = Event::COMMON.to_vec();
    common.retain(|event| left.contains(event));
    let mut groups = Vec::new();
    while let Some(&most_wanted) = left.first() {
        // First with cycles and instructions; where nothing has room beside them, with less.
        let with = |shared: usize| {
            let (common, _) = common.split_at(shared);
            let rest: Vec<_> =
                left.iter().copied().filter(|event| !common.contains(event)).collect();
            fitting(common, &rest, kernel)
                .filter(|group| group.events().any(|event| left.contains(&event)))
        };
        match (0..=common.len()).rev().find_map(with) {
            Some(group) => {
                left.retain(|event| group.events().all(|taken| taken != *event));
                groups.push(group);
            }
            None => {
                unavailable.push(Unavailable { event: most_wanted, why: Why::DoesNotFit });
                left.retain(|event| *event != most_wanted);
                common.retain(|event| *event != most_wanted);
            }
        }
    }
    groups
}

/// The events that open alone.
fn alone(
    events: impl IntoIterator<Item = Event>,
    kernel: &Kernel,
    unavailable: &mut Vec<Unavailable>,
) -> Vec<Event> {
    let opens = |event: &Event| match opens_alone(*event, kernel) {
        Ok(()) => true,
        Err(why) => {
            unavailable.push(Unavailable { event: *event, why });
            false
        }
    };
    events.into_iter().filter(opens).collect()
}

/// A group that runs: of `first`, as many as fit, and of `then`, as many as have room beside them.
fn fitting(first: &[Event], then: &[Event], kernel: &Kernel) -> Option<Group> {
    let mut group = Group::new(kernel).ok()?;
    for &event in first.iter().chain(then) {
        // What does not fit is left to the next group.
        let _ = group.add(event, kernel);
    }
    while !group.runs() {
        group.give_up()?;
    }
    Some(group)
}

/// The slots and what became of them, and beside them cycles and instructions. The slots lead:
/// the kernel works the others out from theirs.
fn top_down(kernel: &Kernel, unavailable: &mut Vec<Unavailable>) -> Option<Group> {
    let open = || {
        let mut group = Group::led_by(Event::Slots, kernel)?;
        for &event in &Event::TOP_DOWN[1..] {
            group.add(event, kernel)?;
        }
        let whole = group.events().count();
        for event in Event::COMMON {
            let _ = group.add(event, kernel);
        }
        while !group.runs() {
            if group.events().count() == whole {
                return Err(Why::DoesNotFit);
            }
            group.give_up();
        }
        Ok(group)
    };
    let why = match open() {
        Ok(group) => return Some(group),
        Err(why) => why,
    };
    let missing = |event| Unavailable { event, why: why.clone() };
    unavailable.extend(Event::TOP_DOWN.map(missing));
    None
}

/// The events of the kernel, which all fit.
fn kernel_events(kernel: &Kernel, unavailable: &mut Vec<Unavailable>) -> Option<Group> {
    let alone = alone(Event::SOFTWARE, kernel, unavailable);
    let mut group = Group::new(kernel);
    for &event in &alone {
        let added = match &mut group {
            Ok(group) => group.add(event, kernel),
            Err(why) => Err(why.clone()),
        };
        unavailable.extend(added.err().map(|why| Unavailable { event, why }));
    }
    group.ok().filter(|group| group.events().next().is_some())
}

/// What the kernel says of itself: needed to tell one error's causes apart.
struct Kernel {
    names: Names,
    paranoid: Option<i32>,
}

impl Kernel {
    fn read() -> Kernel {
        Kernel {
            names: Names::read(Path::new("/sys/bus/event_source/devices")),
            paranoid: paranoid(),
        }
    }

    fn why(&self, error: &io::Error) -> Why {
        use rustix::io::Errno;
        let Some(number) = error.raw_os_error() else { return Why::Other(0) };
        match Errno::from_raw_os_error(number) {
            Errno::NOENT | Errno::NODEV | Errno::OPNOTSUPP if self.names.has_core() => Why::Unknown,
            Errno::NOENT | Errno::NODEV | Errno::OPNOTSUPP => Why::NoPmu,
            Errno::ACCESS => Why::Paranoid(self.paranoid.unwrap_or(i32::MAX)),
            Errno::PERM => Why::Forbidden,
            Errno::NOSYS => Why::NoSyscall,
            _ => Why::Other(number),
        }
    }

    /// Why an event cannot join a group: a group that is too large is an invalid one.
    fn why_not_joined(&self, error: &io::Error) -> Why {
        match self.why(error) {
            Why::Other(number) if number == rustix::io::Errno::INVAL.raw_os_error() => {
                Why::DoesNotFit
            }
            why => why,
        }
    }

    /// How an event is opened that only some processors have. Where the kernel refuses every
    /// event, that is the reason, and not that it has no name for this one.
    fn named(&self, event: Event) -> Result<Raw, Why> {
        self.names.find(event).ok_or_else(|| match opens_alone(Event::Cycles, self) {
            Ok(()) | Err(Why::Unknown) => Why::Unnamed,
            Err(why) => why,
        })
    }
}

/// `kernel.perf_event_paranoid`, if the kernel has it.
pub fn paranoid() -> Option<i32> {
    let text = std::fs::read_to_string("/proc/sys/kernel/perf_event_paranoid").ok()?;
    text.trim().parse().ok()
}

#[cfg(test)]
mod tests;
