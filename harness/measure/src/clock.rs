//! The clock of the timed regions.
//!
//! It counts ticks, not cycles: the counter runs at a constant rate and the core does not (see
//! [`core_clock`]). On x86-64 the counter is the time-stamp counter between fences, so that no
//! instruction of the timed region runs outside it and none from outside runs in it. On aarch64 it is
//! the virtual counter behind a barrier. Elsewhere, and on x86-64 CPUs that do not promise a constant
//! rate, it is the system's monotonic clock.
//!
//! Resolution and overhead are measured when the clock is created. In a virtual machine the counter
//! may advance in steps of many ticks (26 ticks, 10 ns, was seen), so a timed region must be long
//! compared with [`Facts::quantum`].

use std::time::{Duration, Instant};

use raywalk_results::schema::{self, Absent, ClockSource, Facility, Reason};
use raywalk_results::statistics::median;

use crate::core_clock;

/// A clock and its unit. Behind a trait, so that tests run on virtual time.
pub trait Clock {
    /// Opens a timed region: reads the ticks after all earlier instructions have finished.
    fn start(&self) -> u64;

    /// Closes a timed region: reads the ticks after all instructions of the region have finished.
    fn end(&self) -> u64;

    /// Rate, resolution and overhead, measured when the clock was created.
    fn facts(&self) -> &Facts;

    /// Current core cycles per tick, measured with a dependency chain of a few microseconds; `None`
    /// where no chain is written for the architecture.
    fn cycles_per_tick(&self) -> Option<f64>;

    /// Seconds since a fixed moment. For time budgets, not for results.
    fn seconds(&self) -> f64 {
        self.start() as f64 / self.facts().hertz
    }

    /// Converts a duration to ticks, rounded down.
    fn ticks(&self, duration: Duration) -> u64 {
        (duration.as_secs_f64() * self.facts().hertz) as u64
    }
}

/// Measured properties of a clock.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// The counter that is read.
    pub source: ClockSource,
    /// Ticks per second, measured against the monotonic clock.
    pub hertz: f64,
    /// Smallest difference seen between two reads, in ticks.
    pub quantum: u64,
    /// Step by which the counter advances, in ticks: the greatest common divisor of all differences.
    pub step: u64,
    /// Median ticks of an empty timed region.
    pub overhead: u64,
    /// Whether the CPU promises a constant rate.
    pub invariant: bool,
}

impl Facts {
    /// The properties that a journal records.
    pub fn record(&self) -> schema::Clock {
        schema::Clock {
            source: self.source,
            hertz: self.hertz,
            quantum: self.quantum,
            overhead: self.overhead,
            invariant: self.invariant,
        }
    }
}

/// The clock of this machine.
#[derive(Debug)]
pub struct HardwareClock {
    counter: Counter,
    facts: Facts,
}

impl HardwareClock {
    /// Chooses the best counter and measures it. Takes a few hundredths of a second.
    pub fn measure() -> HardwareClock {
        HardwareClock::of(Counter::best())
    }

    /// The record of the missing core clock, on architectures without a dependency chain.
    pub fn absent(&self) -> Option<Absent> {
        let missing = self.cycles_per_tick().is_none();
        missing.then(|| Absent::facility(Facility::CoreClock, Reason::X86Only))
    }

    fn of(counter: Counter) -> HardwareClock {
        let differences = differences(|| counter.start());
        let (quantum, step) = quantum_and_step(&differences);
        let facts = Facts {
            source: counter.source(),
            hertz: hertz(|| counter.start()),
            quantum,
            step,
            overhead: overhead(|| {
                let start = counter.start();
                counter.end().saturating_sub(start)
            }),
            // A CPU counter is used only if its rate is promised to be constant, and the system keeps
            // its monotonic clock constant.
            invariant: true,
        };
        HardwareClock { counter, facts }
    }
}

impl Clock for HardwareClock {
    #[inline(always)]
    fn start(&self) -> u64 {
        self.counter.start()
    }

    #[inline(always)]
    fn end(&self) -> u64 {
        self.counter.end()
    }

    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn cycles_per_tick(&self) -> Option<f64> {
        core_clock::cycles_per_tick(core_clock::Chain::Add, || self.start(), || self.end())
    }
}

/// The counter that is read. Choosing it costs one predicted branch per read, outside the timed work.
#[derive(Clone, Copy, Debug)]
enum Counter {
    #[cfg(target_arch = "x86_64")]
    TimeStamp,
    #[cfg(target_arch = "aarch64")]
    Virtual,
    #[cfg(not(target_arch = "aarch64"))]
    Monotonic(Instant),
}

impl Counter {
    fn best() -> Counter {
        #[cfg(target_arch = "x86_64")]
        if x86::has_invariant_counter() {
            return Counter::TimeStamp;
        }
        #[cfg(target_arch = "aarch64")]
        return Counter::Virtual;
        #[cfg(not(target_arch = "aarch64"))]
        Counter::Monotonic(Instant::now())
    }

    fn source(self) -> ClockSource {
        match self {
            #[cfg(target_arch = "x86_64")]
            Counter::TimeStamp => ClockSource::Tsc,
            #[cfg(target_arch = "aarch64")]
            Counter::Virtual => ClockSource::Cntvct,
            #[cfg(not(target_arch = "aarch64"))]
            Counter::Monotonic(_) => ClockSource::Monotonic,
        }
    }

    #[inline(always)]
    fn start(self) -> u64 {
        match self {
            #[cfg(target_arch = "x86_64")]
            Counter::TimeStamp => x86::start(),
            #[cfg(target_arch = "aarch64")]
            Counter::Virtual => aarch64::read(),
            #[cfg(not(target_arch = "aarch64"))]
            Counter::Monotonic(origin) => origin.elapsed().as_nanos() as u64,
        }
    }

    #[inline(always)]
    fn end(self) -> u64 {
        match self {
            #[cfg(target_arch = "x86_64")]
            Counter::TimeStamp => x86::end(),
            #[cfg(target_arch = "aarch64")]
            Counter::Virtual => aarch64::read(),
            #[cfg(not(target_arch = "aarch64"))]
            Counter::Monotonic(origin) => origin.elapsed().as_nanos() as u64,
        }
    }
}

/// The time-stamp counter between fences, which keep the read from being reordered.
///
/// # Source
/// Intel, *Software Developer's Manual*, volume 2, `RDTSC` and `RDTSCP`.
#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::{__rdtscp, _mm_lfence, _rdtsc};

    /// Whether the counter runs at a constant rate in all states of the core (leaf 0x8000_0007, edx bit
    /// 8) and `rdtscp` is present (leaf 0x8000_0001, edx bit 27).
    pub(crate) fn has_invariant_counter() -> bool {
        let id = raw_cpuid::CpuId::new();
        let invariant = id.get_advanced_power_mgmt_info().is_some_and(|a| a.has_invariant_tsc());
        let rdtscp =
            id.get_extended_processor_and_feature_identifiers().is_some_and(|f| f.has_rdtscp());
        invariant && rdtscp
    }

    #[inline(always)]
    pub(crate) fn start() -> u64 {
        // SAFETY: both instructions belong to every x86-64 processor and touch no memory.
        unsafe {
            _mm_lfence();
            let ticks = _rdtsc();
            // Keeps the timed region from starting before the read.
            _mm_lfence();
            ticks
        }
    }

    #[inline(always)]
    pub(crate) fn end() -> u64 {
        let mut processor = 0;
        // SAFETY: this counter is chosen only if `has_invariant_counter` found `rdtscp`; the
        // pointer is to a local.
        unsafe {
            // `rdtscp` itself waits for all earlier instructions; the fence holds back later ones.
            let ticks = __rdtscp(&mut processor);
            _mm_lfence();
            ticks
        }
    }
}

/// The virtual counter. Without a barrier before it, a read may happen early.
///
/// # Source
/// Arm, *Architecture Reference Manual for A-profile*, `CNTVCT_EL0`.
#[cfg(target_arch = "aarch64")]
mod aarch64 {
    #[inline(always)]
    pub(super) fn read() -> u64 {
        let ticks: u64;
        // SAFETY: the counter is readable from user mode on every system that std supports; no
        // memory is touched.
        unsafe {
            // The second barrier holds back the instructions that follow, as the second fence does on x86-64.
            core::arch::asm!("isb", "mrs {}, cntvct_el0", "isb", out(reg) ticks, options(nostack));
        }
        ticks
    }
}

/// Ticks per second: spins for four milliseconds at a time until three successive rates agree within
/// 0.01 %, at most sixteen times, and returns the median of the last three.
fn hertz(read: impl Fn() -> u64) -> f64 {
    const SPIN: Duration = Duration::from_millis(4);
    let mut rates = Vec::new();
    while rates.len() < 16 && !settled(&rates) {
        let (ticks, moment) = together(&read);
        while moment.elapsed() < SPIN {
            std::hint::spin_loop();
        }
        let (later_ticks, later) = together(&read);
        let seconds = later.duration_since(moment).as_secs_f64();
        rates.push(later_ticks.saturating_sub(ticks) as f64 / seconds);
    }
    median(&rates[rates.len().saturating_sub(3)..]).unwrap_or(f64::NAN)
}

/// Whether the last three rates agree within 0.01 %.
fn settled(rates: &[f64]) -> bool {
    let Some(last) = rates.last_chunk::<3>() else { return false };
    last.iter().all(|rate| (rate / last[0] - 1.0).abs() < 1e-4)
}

/// Reads ticks and an instant at the same moment. The fastest of five attempts is used, so that an
/// interruption between the two reads does not bias the rate.
fn together(read: impl Fn() -> u64) -> (u64, Instant) {
    let tries = std::array::from_fn::<_, 5, _>(|_| {
        let before = read();
        let moment = Instant::now();
        let after = read();
        (after.saturating_sub(before), before + after.saturating_sub(before) / 2, moment)
    });
    let (_, ticks, moment) = tries.into_iter().min_by_key(|&(gap, ..)| gap).unwrap_or(tries[0]);
    (ticks, moment)
}

/// Differences of successive reads, with short spins of varying length between them.
fn differences(read: impl Fn() -> u64) -> Vec<u64> {
    let mut last = read();
    let mut differences = Vec::with_capacity(20_000);
    for n in 0..20_000u32 {
        // Varying lengths keep the reads from locking onto the counter's step.
        for spin in 0..n % 13 {
            std::hint::black_box(spin);
        }
        let now = read();
        // Saturating, so that a counter that goes back gives 0 and not a huge number.
        differences.push(now.saturating_sub(last));
        last = now;
    }
    differences
}

/// Smallest difference above zero, and the greatest common divisor of all differences; (1, 1) if the
/// counter did not advance.
fn quantum_and_step(differences: &[u64]) -> (u64, u64) {
    let moved = || differences.iter().copied().filter(|&d| d > 0);
    let divisor = |mut a: u64, mut b: u64| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    (moved().min().unwrap_or(1), moved().reduce(divisor).unwrap_or(1))
}

fn overhead(empty: impl Fn() -> u64) -> u64 {
    let mut ticks: Vec<u64> = (0..1_001).map(|_| empty()).collect();
    *ticks.select_nth_unstable(500).1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_step_is_the_common_divisor_and_the_quantum_the_smallest_difference() {
        assert_eq!(quantum_and_step(&[0, 52, 78, 0, 130]), (52, 26));
        assert_eq!(quantum_and_step(&[0, 0]), (1, 1));
        assert_eq!(quantum_and_step(&[21, 20, 23]), (20, 1));
    }

    #[test]
    fn a_rate_has_settled_when_the_last_three_agree() {
        assert!(!settled(&[2.5e9, 2.5e9]));
        assert!(!settled(&[2.5e9, 2.6e9, 2.5e9]));
        assert!(settled(&[9.9e9, 2.5e9, 2.500_01e9, 2.5e9]));
    }

    #[test]
    fn an_interruption_between_two_reads_does_not_bias_the_rate() {
        use std::cell::Cell;
        // Reads come in pairs around an instant; an interruption of 1,000 ticks splits the second pair.
        let ticks = Cell::new(0);
        let reads = Cell::new(0);
        let read = || {
            reads.set(reads.get() + 1);
            ticks.set(ticks.get() + if reads.get() == 4 { 1_000 } else { 2 });
            ticks.get()
        };
        let (first, _) = together(read);
        assert_eq!(first, 3, "the middle of the reads at 2 and 4");
    }

    #[test]
    fn the_clock_of_this_machine_advances_and_converts_ticks_to_time() {
        let clock = HardwareClock::measure();
        let facts = clock.facts();
        assert!(facts.hertz > 1e6, "{facts:?}");
        assert!(facts.quantum >= facts.step && facts.step >= 1, "{facts:?}");
        let before = clock.start();
        assert!(clock.end() >= before);
        let millisecond = clock.ticks(Duration::from_millis(1));
        let back = millisecond as f64 / facts.hertz;
        assert!((back - 1e-3).abs() < 2.0 / facts.hertz, "{back}");
    }
}
