//! Kernels of synthetic cost on virtual time.

use super::kernels::{Bits, Kernels, Ring};
use raywalk_measure::core_clock::Chain;
use raywalk_measure::fake::{FakeClock, Time};

/// A core of 2 GHz beside a clock of 1 GHz. All costs are in core cycles.
pub(crate) struct FakeKernels {
    now: Time,
    /// Cycles of a multiplication.
    pub multiply: f64,
    /// Cycles added to every call.
    pub fixed: f64,
    /// Cycles of a predicted branch.
    pub branch: f64,
    /// Additional cycles of a mispredicted branch.
    pub penalty: f64,
    /// Random bits that the predictor memorises in one pass.
    pub capacity: u64,
    /// Memory levels: largest ring in bytes, and cycles of a load in it.
    pub loads: Vec<(u64, f64)>,
    /// Cycles from a store to the load of the stored word.
    pub forward: f64,
    /// Cycles of a store.
    pub store: f64,
    /// The bits of the last calls, and how many of them were visited.
    seen: (Bits, u64),
}

impl FakeKernels {
    /// A clock, and kernels with typical costs on the same virtual time.
    pub(crate) fn with_clock() -> (FakeClock, FakeKernels) {
        let now = Time::default();
        let clock = FakeClock::new(&now);
        let kernels = FakeKernels {
            now,
            multiply: 3.0,
            fixed: 0.0,
            branch: 2.0,
            penalty: 20.0,
            capacity: 1 << 14,
            loads: vec![(48 << 10, 4.0), (1 << 20, 14.0), (32 << 20, 50.0), (u64::MAX, 300.0)],
            forward: 5.0,
            store: 2.0,
            seen: (Bits::alternating(), 0),
        };
        (clock, kernels)
    }

    /// The virtual time that kernels and clock share.
    pub(crate) fn now(&self) -> Time {
        Time::clone(&self.now)
    }

    fn spend(&self, cycles: f64) {
        self.now.set(self.now.get() + ((cycles + self.fixed) / 2.0).round() as u64);
    }
}

impl Kernels for FakeKernels {
    fn chain(&mut self, chain: Chain, cycles: u64) {
        let each = match chain {
            Chain::Add => 1.0,
            Chain::Multiply => self.multiply / 3.0,
        };
        self.spend(cycles as f64 * each);
    }

    fn branches(&mut self, bits: &Bits, count: u64) -> u64 {
        if self.seen.0 != *bits {
            self.seen = (bits.clone(), 0);
        }
        let period = bits.period() as f64;
        let known = if self.seen.1 < bits.period() {
            0.0
        } else {
            (self.capacity as f64 / period).min(1.0)
        };
        self.seen.1 += count;
        let share = bits.ones() as f64 / period;
        let missed = if *bits == Bits::alternating() { 0.0 } else { share.min(1.0 - share) };
        let each = self.branch + self.penalty * missed * (1.0 - known);
        self.spend(count as f64 * each);
        (count as f64 * share) as u64
    }

    fn chase(&mut self, ring: &mut Ring, loads: u64) {
        let each = self.loads.iter().find(|&&(bytes, _)| ring.bytes() <= bytes);
        self.spend(loads as f64 * each.map_or(0.0, |&(_, cycles)| cycles));
    }

    fn forward(&mut self, times: u64) {
        self.spend(times as f64 * (self.forward + 1.0));
    }

    fn store_vectors(&mut self, stores: u64) {
        self.spend(stores as f64 * self.store);
    }

    fn moves_in_vector(&self) -> u64 {
        16
    }
}
