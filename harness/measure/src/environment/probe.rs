//! Probes the machine for a few tens of microseconds at each end of a round or a sample.

use std::time::Duration;

use super::throughput;
use crate::clock::Clock;

/// One reading of the machine. A part that the architecture cannot measure is absent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reading {
    /// Core cycles per tick of the clock.
    pub clock: Option<f64>,
    /// Independent operations per core cycle.
    pub throughput: Option<f64>,
}

/// Takes readings of a machine. Behind a trait, so that machines can be scripted.
pub trait Probe {
    /// Measures the current clock rate and throughput.
    fn read(&mut self) -> Reading;

    /// Measures the throughput alone: independent operations per core cycle, if the rate of the clock is known.
    fn throughput(&mut self, cycles_per_tick: Option<f64>) -> Option<f64>;

    /// Waits before the next reading of a slow machine.
    fn pause(&mut self);

    /// Waits for a short time and keeps the processor, so that no other thread takes its caches.
    fn spin(&mut self);

    /// Milliseconds that the hypervisor has given to others since a fixed moment, while this processor
    /// had work.
    fn stolen(&mut self) -> Option<u64>;

    /// Seconds since a fixed moment.
    fn seconds(&self) -> f64;
}

/// Pause between two readings of a slow machine. Slow phases last minutes, so a twentieth of a second
/// loses nothing and costs twenty readings per second.
const PAUSE: Duration = Duration::from_millis(50);
/// Busy loop after a pause, before the next reading: a core that has slept may have lowered its clock
/// rate and would appear slow without any neighbour.
const WAKING: Duration = Duration::from_millis(2);
/// Busy loop before the next reading while another thread shares the core: some phases last a few milliseconds.
const SPIN: Duration = Duration::from_millis(2);
/// Linux reports processor times in hundredths of a second on every architecture that Rust supports,
/// whatever its own tick is.
const MILLISECONDS_PER_TICK: u64 = 10;

/// Probes this machine. A reading takes about 40 µs on a core of 4 GHz, and the file with the stolen
/// time as much again.
#[derive(Debug)]
pub struct HardwareProbe<'a, C: Clock> {
    clock: &'a C,
    processor: Option<usize>,
}

impl<'a, C: Clock> HardwareProbe<'a, C> {
    /// Reads from the processor that the thread is pinned to. The time stolen from a thread that moves
    /// between processors is not known.
    pub fn new(clock: &'a C, processor: Option<usize>) -> HardwareProbe<'a, C> {
        HardwareProbe { clock, processor }
    }
}

impl<C: Clock> Probe for HardwareProbe<'_, C> {
    fn read(&mut self) -> Reading {
        let clock = self.clock.cycles_per_tick();
        Reading { clock, throughput: self.throughput(clock) }
    }

    fn throughput(&mut self, cycles_per_tick: Option<f64>) -> Option<f64> {
        let operations =
            throughput::operations_per_tick(|| self.clock.start(), || self.clock.end());
        operations.zip(cycles_per_tick).map(|(operations, cycles)| operations / cycles)
    }

    fn pause(&mut self) {
        std::thread::sleep(PAUSE);
        spin_for(WAKING);
    }

    fn spin(&mut self) {
        spin_for(SPIN);
    }

    fn stolen(&mut self) -> Option<u64> {
        let text = std::fs::read_to_string("/proc/stat").ok()?;
        Some(stolen_ticks(&text, self.processor?)? * MILLISECONDS_PER_TICK)
    }

    fn seconds(&self) -> f64 {
        self.clock.seconds()
    }
}

fn spin_for(time: Duration) {
    let begun = std::time::Instant::now();
    while begun.elapsed() < time {
        std::hint::spin_loop();
    }
}

/// The stolen time of a processor in the text of `/proc/stat`, in hundredths of a second: the eighth
/// number, its involuntary wait in a virtual machine.
///
/// # Source
/// `proc_stat(5)`.
fn stolen_ticks(text: &str, processor: usize) -> Option<u64> {
    let name = format!("cpu{processor}");
    let mut lines = text.lines().map(str::split_whitespace);
    let mut times = lines.find_map(|mut words| (words.next()? == name).then_some(words))?;
    times.nth(7)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::HardwareClock;
    use crate::fake::{FakeClock, Time};

    const STAT: &str = "cpu  30 2 10 400 5 0 1 9 0 0\ncpu0 10 1 5 200 2 0 1 2 0 0\n\
                        cpu1 20 1 5 200 3 0 0 7 0 0\ncpu10 1 1 1 1 1 1 1 44 0 0\n\
                        cpu2 1 2 3\nintr 12 0\n";

    #[test]
    fn stolen_time_is_the_eighth_number_of_the_processor() {
        let all = [0, 1, 10, 2, 3].map(|processor| stolen_ticks(STAT, processor));
        assert_eq!(all, [Some(2), Some(7), Some(44), None, None]);
        assert_eq!(stolen_ticks("", 0), None);
    }

    #[test]
    fn throughput_is_per_core_cycle() {
        // Virtual time does not advance, so every run of 25,600 operations counts as one tick.
        let clock = FakeClock::new(&Time::default()).with_rates(&[2.0, 4.0]);
        let mut machine = HardwareProbe::new(&clock, None);
        let [first, second] = [machine.read(), machine.read()];
        assert_eq!((first.clock, second.clock), (Some(2.0), Some(4.0)));
        if cfg!(target_arch = "x86_64") {
            assert_eq!((first.throughput, second.throughput), (Some(12_800.0), Some(6_400.0)));
        }
        assert_eq!(machine.stolen(), None);
    }

    #[test]
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    fn this_machine_reports_its_rates_and_stolen_time() {
        let clock = HardwareClock::measure();
        let mut machine = HardwareProbe::new(&clock, Some(0));
        let reading = machine.read();
        assert!(reading.clock.is_some_and(|rate| rate > 0.0), "{reading:?}");
        assert!(reading.throughput.is_some_and(|rate| rate > 0.0), "{reading:?}");
        let first = machine.stolen();
        assert!(machine.stolen() >= first);
    }
}
