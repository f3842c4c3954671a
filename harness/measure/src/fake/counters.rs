//! Counters with prepared readings.

use std::collections::{BTreeMap, VecDeque};

use raywalk_results::schema::{Absent, Event};

use crate::counters::{Counters, EventCounts};

/// Counters that return prepared readings.
#[derive(Debug, Default)]
pub struct FakeCounters {
    /// The next readings, then [`FakeCounters::quiet`].
    pub readings: VecDeque<EventCounts>,
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
        self.readings.pop_front().unwrap_or_else(FakeCounters::quiet)
    }

    fn events(&self) -> Vec<Event> {
        vec![Event::ContextSwitches]
    }

    fn absent(&self) -> &[Absent] {
        &self.absent
    }
}
