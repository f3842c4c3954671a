//! Counters with prepared readings.

use std::collections::{BTreeMap, VecDeque};

use raywalk_results::schema::{Absent, Event};

use crate::counters::{Counters, EventCounts};

/// Counters that return prepared readings.
#[derive(Debug, Default)]
pub struct FakeCounters {
    /// The next readings, then [`FakeCounters::quiet`].
    pub readings: VecDeque<EventCounts>,
    /// Hardware events that take turns, each a group of its own that counts one.
    pub groups: Vec<Event>,
    /// Index in `groups` of the group that is counted.
    pub chosen: usize,
    /// Events that are reported as absent.
    pub absent: Vec<Absent>,
}

impl FakeCounters {
    /// A region without a context switch.
    pub fn quiet() -> EventCounts {
        EventCounts { values: BTreeMap::from([(Event::ContextSwitches, 0)]), partial: false }
    }
}

impl Counters for FakeCounters {
    fn start(&mut self) {}

    fn stop(&mut self) -> EventCounts {
        let mut reading = self.readings.pop_front().unwrap_or_else(FakeCounters::quiet);
        reading.values.extend(self.groups.get(self.chosen).map(|&event| (event, 1)));
        reading
    }

    fn passes(&self) -> usize {
        self.groups.len().max(1)
    }

    fn choose(&mut self, pass: usize) {
        self.chosen = pass % self.passes();
    }

    fn events(&self) -> Vec<Event> {
        self.groups.iter().copied().chain([Event::ContextSwitches]).collect()
    }

    fn absent(&self) -> &[Absent] {
        &self.absent
    }
}
