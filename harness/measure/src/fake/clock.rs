//! Virtual time, and a clock on it.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use raywalk_results::schema::ClockSource;

use crate::clock::{Clock, Facts};

/// Virtual time, shared by everything that advances it; one tick is one nanosecond.
#[derive(Clone, Debug, Default)]
pub struct Time(Arc<AtomicU64>);

impl Time {
    /// Ticks since the start of the test.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Sets the ticks since the start of the test.
    pub fn set(&self, ticks: u64) {
        self.0.store(ticks, Ordering::Relaxed);
    }
}

/// A clock that advances only when a fake design or perturbation runs.
#[derive(Debug)]
pub struct FakeClock {
    now: Time,
    facts: Facts,
    rates: RefCell<VecDeque<f64>>,
}

impl FakeClock {
    /// A clock of 1 GHz in steps of ten ticks, without overhead.
    pub fn new(now: &Time) -> FakeClock {
        let facts = Facts {
            source: ClockSource::Fake,
            hertz: 1e9,
            quantum: 10,
            step: 10,
            overhead: 0,
            invariant: true,
        };
        FakeClock { now: now.clone(), facts, rates: RefCell::default() }
    }

    /// The next readings of core cycles per tick; 2.0 when they are used up.
    #[must_use]
    pub fn with_rates(self, rates: &[f64]) -> FakeClock {
        self.rates.borrow_mut().extend(rates);
        self
    }

    /// Ticks of an empty region.
    #[must_use]
    pub fn with_overhead(mut self, overhead: u64) -> FakeClock {
        self.facts.overhead = overhead;
        self
    }
}

impl Clock for FakeClock {
    fn start(&self) -> u64 {
        self.now.get()
    }

    fn end(&self) -> u64 {
        self.now.get() + self.facts.overhead
    }

    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn cycles_per_tick(&self) -> Option<f64> {
        Some(self.rates.borrow_mut().pop_front().unwrap_or(2.0))
    }
}
