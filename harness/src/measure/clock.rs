//! The clock of the timed regions.
//!
//! Ticks, not cycles: the counter that is read runs at a constant rate while the core does not
//! (see [`core_clock`]). On x86-64 it is the time-stamp counter between fences,
//! so that no instruction of the timed region runs outside it and none from outside runs in it; on
//! aarch64 the virtual counter behind a barrier; elsewhere, and where the CPU does not promise a
//! constant rate, the system's monotonic clock.
//!
//! What the clock can do is measured when it is made, not assumed. In a virtual machine the
//! counter may advance in steps of many ticks (26 ticks, 10 ns, was seen), so a timed region must
//! be long against [`Facts::quantum`].

use std::time::{Duration, Instant};

use raywalk_reports::schema::{self, Absent};

use super::core_clock;

/// Ticks, and what they are worth. Behind a trait, so that tests run on virtual time.
pub trait Clock {
    /// Opens a timed region: ticks, read after everything before has finished.
    fn start(&self) -> u64;

    /// Closes a timed region: ticks, read after everything in it has finished.
    fn end(&self) -> u64;

    /// What was found when the clock was made.
    fn facts(&self) -> &Facts;

    /// Core cycles per tick at this moment, from a few microseconds of a dependent chain; `None`
    /// where the architecture has no chain.
    fn cycles_per_tick(&self) -> Option<f64>;

    /// Seconds since some fixed moment. For budgets, not for results.
    fn seconds(&self) -> f64 {
        self.start() as f64 / self.facts().hertz
    }

    /// Ticks as a duration.
    fn duration(&self, ticks: u64) -> Duration {
        Duration::from_secs_f64(ticks as f64 / self.facts().hertz)
    }

    /// A duration in whole ticks.
    fn ticks(&self, duration: Duration) -> u64 {
        (duration.as_secs_f64() * self.facts().hertz) as u64
    }
}

/// What a clock can do.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// What ticks: `tsc`, `cntvct`, `monotonic`.
    pub source: String,
    /// Ticks per second, measured against the monotonic clock.
    pub hertz: f64,
    /// Smallest difference ever seen between two reads, in ticks.
    pub quantum: u64,
    /// Greatest common divisor of all differences seen: the step by which the counter advances.
    pub step: u64,
    /// Ticks of an empty timed region, median.
    pub overhead: u64,
    /// Whether the CPU promises a constant rate.
    pub invariant: bool,
}

impl Facts {
    /// The part of the facts that a journal keeps.
    pub fn record(&self) -> schema::Clock {
        schema::Clock {
            source: self.source.clone(),
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
    /// Chooses the best counter and measures it, which takes a few hundredths of a second.
    pub fn measure() -> HardwareClock {
        HardwareClock::of(Counter::best())
    }

    /// What this clock cannot tell, if anything, as a journal keeps it.
    pub fn absent(&self) -> Option<Absent> {
        self.cycles_per_tick().is_none().then(|| Absent {
            what: "core-clock".to_owned(),
            why: "The chain that tells core cycles from ticks is written for x86-64 only."
                .to_owned(),
            cure: String::new(),
        })
    }

    fn of(counter: Counter) -> HardwareClock {
        let differences = differences(|| counter.start());
        let (quantum, step) = quantum_and_step(&differences);
        let facts = Facts {
            source: counter.name().to_owned(),
            hertz: hertz(|| counter.start()),
            quantum,
            step,
            overhead: overhead(|| {
                let start = counter.start();
                counter.end().saturating_sub(start)
            }),
            invariant: counter.invariant(),
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

/// What is read. The choice is one predicted branch per read, outside the work.
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

    fn name(self) -> &'static str {
        match self {
            #[cfg(target_arch = "x86_64")]
            Counter::TimeStamp => "tsc",
            #[cfg(target_arch = "aarch64")]
            Counter::Virtual => "cntvct",
            #[cfg(not(target_arch = "aarch64"))]
            Counter::Monotonic(_) => "monotonic",
        }
    }

    /// Of the CPU's counters only those with the promise are used; the monotonic clock is kept
    /// constant by the system.
    fn invariant(self) -> bool {
        true
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

/// The time-stamp counter between fences. Source: Intel, *Software Developer's Manual*, volume 2,
/// `RDTSC` and `RDTSCP`: how each is kept from moving.
#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::{__rdtscp, _mm_lfence, _rdtsc};

    /// Leaf 0x8000_0007, edx bit 8: constant rate in all states of the core. `rdtscp` is leaf
    /// 0x8000_0001, edx bit 27.
    pub fn has_invariant_counter() -> bool {
        let id = raw_cpuid::CpuId::new();
        let invariant = id.get_advanced_power_mgmt_info().is_some_and(|a| a.has_invariant_tsc());
        let rdtscp =
            id.get_extended_processor_and_feature_identifiers().is_some_and(|f| f.has_rdtscp());
        invariant && rdtscp
    }

    #[inline(always)]
    pub fn start() -> u64 {
        // SAFETY: both instructions belong to every x86-64 processor and touch no memory.
        unsafe {
            _mm_lfence();
            let ticks = _rdtsc();
            _mm_lfence();
            ticks
        }
    }

    #[inline(always)]
    pub fn end() -> u64 {
        let mut processor = 0;
        // SAFETY: this counter is chosen only if `has_invariant_counter` found `rdtscp`; the
        // pointer is to a local.
        unsafe {
            let ticks = __rdtscp(&mut processor);
            _mm_lfence();
            ticks
        }
    }
}

/// The virtual counter. Source: Arm, *Architecture Reference Manual for A-profile*, `CNTVCT_EL0`:
/// reads may be early unless a barrier stands before them.
#[cfg(target_arch = "aarch64")]
mod aarch64 {
    #[inline(always)]
    pub fn read() -> u64 {
        let ticks: u64;
        // SAFETY: the counter is readable from user mode on every system that std supports; no
        // memory is touched.
        unsafe {
            core::arch::asm!("isb", "mrs {}, cntvct_el0", "isb", out(reg) ticks, options(nostack));
        }
        ticks
    }
}

/// Ticks per second, by spinning for a few milliseconds until three successive rates agree within
/// 0.01 %; at most sixteen times, after which the median is as good as it gets.
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
    median(&rates[rates.len().saturating_sub(3)..])
}

fn settled(rates: &[f64]) -> bool {
    let Some(last) = rates.last_chunk::<3>() else { return false };
    last.iter().all(|rate| (rate / last[0] - 1.0).abs() < 1e-4)
}

/// Ticks and an instant that belong together: of five tries the one read fastest, so that an
/// interruption between the two reads is not mistaken for a rate.
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

/// Differences of successive reads, with a little work of changing length between them.
fn differences(read: impl Fn() -> u64) -> Vec<u64> {
    let mut last = read();
    let mut differences = Vec::with_capacity(20_000);
    for n in 0..20_000u32 {
        for spin in 0..n % 13 {
            std::hint::black_box(spin);
        }
        let now = read();
        differences.push(now.saturating_sub(last));
        last = now;
    }
    differences
}

/// Smallest difference above zero, and the greatest common divisor of all; (1, 1) if the counter
/// never moved.
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

/// Median ticks of an empty region.
fn overhead(empty: impl Fn() -> u64) -> u64 {
    let mut ticks: Vec<u64> = (0..1_001).map(|_| empty()).collect();
    *ticks.select_nth_unstable(500).1
}

/// The middle value; of an even number the upper of the two.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_step_is_the_divisor_and_the_quantum_the_least_difference() {
        assert_eq!(quantum_and_step(&[0, 52, 78, 0, 130]), (52, 26));
        assert_eq!(quantum_and_step(&[0, 0]), (1, 1));
        assert_eq!(quantum_and_step(&[21, 20, 23]), (20, 1));
    }

    #[test]
    fn a_rate_is_settled_after_three_that_agree() {
        assert!(!settled(&[2.5e9, 2.5e9]));
        assert!(!settled(&[2.5e9, 2.6e9, 2.5e9]));
        assert!(settled(&[9.9e9, 2.5e9, 2.500_01e9, 2.5e9]));
    }

    #[test]
    fn an_interruption_between_two_reads_is_not_taken_for_a_rate() {
        use std::cell::Cell;
        // Reads come in pairs around an instant; the second pair is torn by 1,000 ticks.
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
    fn the_clock_of_this_machine_moves_forward_and_knows_its_unit() {
        let clock = HardwareClock::measure();
        let facts = clock.facts();
        assert!(facts.hertz > 1e6, "{facts:?}");
        assert!(facts.quantum >= facts.step && facts.step >= 1, "{facts:?}");
        let before = clock.start();
        assert!(clock.end() >= before);
        let millisecond = clock.ticks(Duration::from_millis(1));
        let back = clock.duration(millisecond).as_secs_f64();
        assert!((back - 1e-3).abs() < 2.0 / facts.hertz, "{back}");
    }
}
