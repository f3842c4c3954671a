//! Counters by `perf_event_open`.
//!
//! Each event is first opened alone, and only events that open join a group, so a missing event does
//! not affect the others. Hardware events are split into as many groups as they need to fit, with cycles
//! and instructions in each group. Only the selected group is enabled, so the others take no counter
//! from it. Multiplexed readings are discarded and never scaled: in a region of two phases, the count of
//! one half does not predict the other half.
//!
//! Hardware events are counted in user mode only. A context switch happens in the kernel, so without
//! kernel mode its count would always be zero. Where kernel mode is forbidden, context switches come from
//! the scheduler's statistics of the thread.
//!
//! Layers, bottom to top: `descriptor`, `names`, `switches` · `kernel` · `group` · this file.

use raywalk_results::schema::{Absent, Event, Instrument, Reason};

use super::interface::{Counters, EventCounts};
use group::{Group, opens_alone};
use kernel::Kernel;
use switches::Switches;

#[allow(unsafe_code, reason = "system calls that have no safe form")]
mod descriptor;
mod group;
mod kernel;
mod names;
mod switches;

pub use kernel::paranoid;

/// Groups of hardware events, one of which counts at a time, and one group of kernel events.
pub(super) struct PerfCounters {
    hardware: Vec<Group>,
    chosen: usize,
    software: Option<Group>,
    switches: Option<Switches>,
    absent: Vec<Absent>,
}

impl PerfCounters {
    /// Opens every available event of the calling thread on this processor. The others are absent.
    pub(crate) fn open(processor: Option<usize>) -> PerfCounters {
        PerfCounters::open_on(&Kernel::read(processor))
    }

    fn open_on(kernel: &Kernel) -> PerfCounters {
        let mut absent = Vec::new();
        let mut hardware = groups(kernel, &mut absent);
        hardware.extend(top_down(kernel, &mut absent));
        let software = kernel_events(kernel, &mut absent);
        let mut switches = None;
        if absent.iter().any(|u| u.instrument == Instrument::Event(Event::ContextSwitches)) {
            switches = Switches::open();
            absent.retain(|u| {
                switches.is_none() || u.instrument != Instrument::Event(Event::ContextSwitches)
            });
        }
        PerfCounters { hardware, chosen: 0, software, switches, absent }
    }
}

impl Counters for PerfCounters {
    fn start(&mut self) {
        if let Some(switches) = &mut self.switches {
            switches.start();
        }
        // Hardware events last, so that they do not count the other starts.
        self.software.iter_mut().for_each(Group::start);
        self.hardware.get_mut(self.chosen).into_iter().for_each(Group::start);
    }

    fn stop(&mut self) -> EventCounts {
        // Hardware events stop first, so that they do not count the other stops.
        let mut hardware = self.hardware.get_mut(self.chosen);
        hardware.iter_mut().for_each(|group| group.stop());
        self.software.iter_mut().for_each(Group::stop);
        let mut reading = EventCounts::default();
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

    fn absent(&self) -> &[Absent] {
        &self.absent
    }
}

/// Hardware events other than the top-down ones, in groups that fit and run.
fn groups(kernel: &Kernel, absent: &mut Vec<Absent>) -> Vec<Group> {
    let wanted = Event::HARDWARE.into_iter().filter(|event| !Event::TOP_DOWN.contains(event));
    let mut left = alone(wanted, kernel, absent);
    let mut common = Event::COMMON.to_vec();
    common.retain(|event| left.contains(event));
    let mut groups = Vec::new();
    while let Some(&most_wanted) = left.first() {
        // With cycles and instructions if another event fits next to them, else with fewer of the two.
        let with = |shared: usize| {
            let (common, _) = common.split_at(shared);
            let rest: Vec<_> =
                left.iter().copied().filter(|event| !common.contains(event)).collect();
            fitting(common, &rest, kernel)
                // A group of shared events alone would take nothing from the list, so the loop would not end.
                .filter(|group| group.events().any(|event| left.contains(&event)))
        };
        match (0..=common.len()).rev().find_map(with) {
            Some(group) => {
                left.retain(|event| group.events().all(|taken| taken != *event));
                groups.push(group);
            }
            None => {
                absent.push(Absent::event(most_wanted, Reason::NoFreeCounter));
                left.retain(|event| *event != most_wanted);
                common.retain(|event| *event != most_wanted);
            }
        }
    }
    groups
}

/// The events that open alone; the others become absent.
fn alone(
    events: impl IntoIterator<Item = Event>,
    kernel: &Kernel,
    absent: &mut Vec<Absent>,
) -> Vec<Event> {
    let opens = |event: &Event| match opens_alone(*event, kernel) {
        Ok(()) => true,
        Err(why) => {
            absent.push(Absent::event(*event, why));
            false
        }
    };
    events.into_iter().filter(opens).collect()
}

/// A group that runs: as many events of `first` as fit, then as many of `then` as fit next to them.
fn fitting(first: &[Event], then: &[Event], kernel: &Kernel) -> Option<Group> {
    let mut group = Group::new(kernel).ok()?;
    for &event in first.iter().chain(then) {
        // An event that does not fit is left for the next group.
        let _ = group.add(event, kernel);
    }
    while !group.runs() {
        group.pop()?;
    }
    Some(group)
}

/// The group of top-down events, with cycles and instructions where they fit. Slots lead the group,
/// because the kernel derives the counts of the other top-down events from theirs.
fn top_down(kernel: &Kernel, absent: &mut Vec<Absent>) -> Option<Group> {
    let open = || {
        let mut group = Group::led_by(Event::Slots, kernel)?;
        // The first of them is slots, which leads.
        for &event in &Event::TOP_DOWN[1..] {
            group.add(event, kernel)?;
        }
        let whole = group.events().count();
        for event in Event::COMMON {
            let _ = group.add(event, kernel);
        }
        while !group.runs() {
            if group.events().count() == whole {
                return Err(Reason::NoFreeCounter);
            }
            group.pop();
        }
        Ok(group)
    };
    let why = match open() {
        Ok(group) => return Some(group),
        Err(why) => why,
    };
    let missing = |event| Absent::event(event, why.clone());
    absent.extend(Event::TOP_DOWN.map(missing));
    None
}

/// The group of kernel events, which always fit.
fn kernel_events(kernel: &Kernel, absent: &mut Vec<Absent>) -> Option<Group> {
    let alone = alone(Event::SOFTWARE, kernel, absent);
    let mut group = Group::new(kernel);
    for &event in &alone {
        let added = match &mut group {
            Ok(group) => group.add(event, kernel),
            Err(why) => Err(why.clone()),
        };
        absent.extend(added.err().map(|why| Absent::event(event, why)));
    }
    group.ok().filter(|group| group.events().next().is_some())
}

#[cfg(test)]
mod tests;
