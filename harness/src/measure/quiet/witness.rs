//! Looking at the machine: a few tens of microseconds, at both ends of a round.

use std::time::Duration;

use super::{Look, throughput};
use crate::measure::clock::Clock;

/// Looks at a machine. Behind a trait, so that machines can be scripted.
pub trait Witness {
    /// The rates at this moment.
    fn look(&mut self) -> Look;

    /// Lets some time pass before the next look.
    fn pause(&mut self);

    /// Milliseconds that the hypervisor has given to others since some fixed moment, while this
    /// processor had work.
    fn stolen(&mut self) -> Option<u64>;

    /// Seconds since some fixed moment.
    fn seconds(&self) -> f64;
}

/// Between two looks at a machine that is slow. The phases that were seen last minutes, so a
/// twentieth of a second loses nothing and costs twenty looks per second.
const PAUSE: Duration = Duration::from_millis(50);
/// Work after a pause, before the machine is looked at: a core that has slept may have lowered its
/// rate, and would look slow for a while without any neighbour.
const WAKING: Duration = Duration::from_millis(2);
/// Linux shows processor times to programs in hundredths of a second on every architecture that
/// Rust supports, whatever its own tick is.
const MILLISECONDS_PER_TICK: u64 = 10;

/// The machine that this runs on: about 40 µs a look on a core of 4 GHz, and as much again for the
/// file that tells what was stolen.
#[derive(Debug)]
pub struct OfThisMachine<'a, C: Clock> {
    clock: &'a C,
    processor: Option<usize>,
}

impl<'a, C: Clock> OfThisMachine<'a, C> {
    /// Looks from the processor that the thread is pinned to. What is stolen from a thread that
    /// moves about is not known.
    pub fn new(clock: &'a C, processor: Option<usize>) -> OfThisMachine<'a, C> {
        OfThisMachine { clock, processor }
    }
}

impl<C: Clock> Witness for OfThisMachine<'_, C> {
    fn look(&mut self) -> Look {
        let clock = self.clock.cycles_per_tick();
        let operations =
            throughput::operations_per_tick(|| self.clock.start(), || self.clock.end());
        let throughput = operations.zip(clock).map(|(operations, cycles)| operations / cycles);
        Look { clock, throughput }
    }

    fn pause(&mut self) {
        std::thread::sleep(PAUSE);
        let woken = std::time::Instant::now();
        while woken.elapsed() < WAKING {
            std::hint::spin_loop();
        }
    }

    fn stolen(&mut self) -> Option<u64> {
        let text = std::fs::read_to_string("/proc/stat").ok()?;
        Some(stolen_ticks(&text, self.processor?)? * MILLISECONDS_PER_TICK)
    }

    fn seconds(&self) -> f64 {
        self.clock.seconds()
    }
}

/// The eighth time of a processor in the text of `/proc/stat`: involuntary wait in a virtual
/// machine.
///
/// # Source
/// `proc_stat(5)`.
pub fn stolen_ticks(text: &str, processor: usize) -> Option<u64> {
    let name = format!("cpu{processor}");
    let mut lines = text.lines().map(str::split_whitespace);
    let mut times = lines.find_map(|mut words| (words.next()? == name).then_some(words))?;
    times.nth(7)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::clock::HardwareClock;
    use crate::measure::fake::{FakeClock, Time};

    const STAT: &str = "cpu  30 2 10 400 5 0 1 9 0 0\ncpu0 10 1 5 200 2 0 1 2 0 0\n\
                        cpu1 20 1 5 200 3 0 0 7 0 0\ncpu10 1 1 1 1 1 1 1 44 0 0\n\
                        cpu2 1 2 3\nintr 12 0\n";

    #[test]
    fn what_is_stolen_is_the_eighth_time_of_that_processor() {
        let all = [0, 1, 10, 2, 3].map(|processor| stolen_ticks(STAT, processor));
        assert_eq!(all, [Some(2), Some(7), Some(44), None, None]);
        assert_eq!(stolen_ticks("", 0), None);
    }

    #[test]
    fn throughput_is_told_per_core_cycle() {
        // Time stands still, so every run takes the one tick that is the least: 25,600 operations.
        let clock = FakeClock::new(&Time::default()).with_rates(&[2.0, 4.0]);
        let mut machine = OfThisMachine::new(&clock, None);
        let [first, second] = [machine.look(), machine.look()];
        assert_eq!((first.clock, second.clock), (Some(2.0), Some(4.0)));
        if cfg!(target_arch = "x86_64") {
            assert_eq!((first.throughput, second.throughput), (Some(12_800.0), Some(6_400.0)));
        }
        assert_eq!(machine.stolen(), None);
    }

    #[test]
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    fn this_machine_tells_its_rates_and_what_is_stolen() {
        let clock = HardwareClock::measure();
        let mut machine = OfThisMachine::new(&clock, Some(0));
        let look = machine.look();
        assert!(look.clock.is_some_and(|rate| rate > 0.0), "{look:?}");
        assert!(look.throughput.is_some_and(|rate| rate > 0.0), "{look:?}");
        let first = machine.stolen();
        assert!(machine.stolen() >= first);
    }
}
