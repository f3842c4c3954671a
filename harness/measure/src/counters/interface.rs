//! The trait of event counters and their readings.

use std::collections::BTreeMap;

use raywalk_results::schema::{Absent, Event, Reason};

/// Counts events over a region. Behind a trait, so that tests can imitate any machine.
pub trait Counters {
    /// Starts counting from zero.
    fn start(&mut self);

    /// Stops counting and returns the counts since the start.
    fn stop(&mut self) -> EventCounts;

    /// Number of groups of hardware events, and hence of passes that count all of them; at least 1.
    fn passes(&self) -> usize {
        1
    }

    /// Selects the hardware group that is counted from the next start on. `pass` is taken modulo
    /// [`passes`](Counters::passes). Kernel events are counted in every pass.
    fn choose(&mut self, pass: usize) {
        let _ = pass;
    }

    /// The events that are counted in any pass.
    fn events(&self) -> Vec<Event>;

    /// The events that are not available, each with its reason.
    fn absent(&self) -> &[Absent];
}

/// Event counts of a region.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventCounts {
    /// Counts of the selected hardware group and of the kernel events, over the whole region.
    pub values: BTreeMap<Event, u64>,
    /// The hardware group was off the counters for part of the region, so it has no values here.
    pub partial: bool,
}

impl EventCounts {
    /// Adds the counts of another region.
    pub fn add(&mut self, other: EventCounts) {
        for (event, count) in other.values {
            *self.values.entry(event).or_insert(0) += count;
        }
        self.partial |= other.partial;
    }

    /// The counts of this region minus those of a control. Kernel events are added instead, because a
    /// disturbance on either side disturbs the difference.
    #[must_use]
    pub fn minus(mut self, control: EventCounts) -> EventCounts {
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

/// Counters of a system that has none: every event is absent for one reason.
#[derive(Debug)]
pub struct NoCounters {
    absent: Vec<Absent>,
}

impl NoCounters {
    /// All events are absent for this reason.
    pub fn because(reason: &Reason) -> NoCounters {
        let events = Event::HARDWARE.into_iter().chain(Event::SOFTWARE);
        NoCounters { absent: events.map(|event| Absent::event(event, reason.clone())).collect() }
    }
}

impl Counters for NoCounters {
    fn start(&mut self) {}

    fn stop(&mut self) -> EventCounts {
        EventCounts::default()
    }

    fn events(&self) -> Vec<Event> {
        Vec::new()
    }

    fn absent(&self) -> &[Absent] {
        &self.absent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absent_event_has_a_reason_and_never_a_zero() {
        let mut counters = NoCounters::because(&Reason::NoSyscall);
        counters.start();
        assert!(counters.stop().values.is_empty());
        let absent = counters.absent();
        assert_eq!(absent.len(), Event::HARDWARE.len() + Event::SOFTWARE.len());
        assert!(absent.iter().all(|a| a.to_string().ends_with('.')));
    }

    #[test]
    fn a_control_is_subtracted_from_hardware_events_and_added_to_kernel_events() {
        let reading = |misses, switches| EventCounts {
            values: [(Event::BranchMisses, misses), (Event::ContextSwitches, switches)].into(),
            partial: false,
        };
        let mut with = EventCounts::default();
        [reading(60, 1), reading(40, 0)].into_iter().for_each(|block| with.add(block));
        assert_eq!(with, reading(100, 1));
        assert_eq!(with.clone().minus(reading(70, 2)), reading(30, 3));
        let partial = with.minus(EventCounts { partial: true, ..reading(70, 0) });
        assert!(partial.partial && partial.values.contains_key(&Event::ContextSwitches));
        assert_eq!(partial.values.len(), 1, "no hardware event of a part of the region");
    }

    #[test]
    fn counters_of_one_group_have_one_pass_and_ignore_the_choice() {
        let mut none = NoCounters::because(&Reason::LinuxOnly);
        none.choose(5);
        assert_eq!((none.passes(), none.stop()), (1, EventCounts::default()));
    }
}
