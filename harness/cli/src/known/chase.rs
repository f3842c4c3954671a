//! Dependent loads through a ring of cache lines: one that fits a second-level cache, one that does not.

use std::hint::black_box;
use std::sync::OnceLock;

use raywalk_core::random::SplitMix;

/// Seed of the order of the lines.
const SEED: u64 = 11;

/// A cache line with the number of the next one.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line {
    next: u32,
}

/// Where the lines of a ring are, once they have been loaded.
#[derive(Clone, Copy, Debug)]
pub(super) enum Level {
    /// 512 KiB: in a second-level cache of 1 MiB, and in no first-level cache.
    SecondCache,
    /// 8 MiB: in memory, or in a last-level cache that many processors share.
    Memory,
}

impl Level {
    /// Lines between the starts of two chases. A chase of at most so many lines loads none that the next one
    /// loads.
    const fn apart(self) -> usize {
        match self {
            Level::SecondCache => 2_048,
            Level::Memory => 256,
        }
    }

    /// Starts in the ring. Chases that begin at all of them load most of its lines.
    const fn starts(self) -> usize {
        match self {
            Level::SecondCache => 4,
            Level::Memory => 512,
        }
    }
}

/// Lines in one ring of random order, which no prefetcher predicts.
struct Ring {
    lines: Vec<Line>,
    /// The line at which each chase begins.
    starts: Vec<u32>,
}

impl Ring {
    /// The ring of this process. All chases share it, so that they differ in nothing but their length.
    fn of_this_process(level: Level) -> &'static Ring {
        static RINGS: [OnceLock<Ring>; 2] = [const { OnceLock::new() }; 2];
        RINGS[level as usize].get_or_init(|| Ring::new(level))
    }

    fn new(level: Level) -> Ring {
        let count = level.starts() * level.apart();
        let order = SplitMix(SEED).permutation(count);
        let mut lines = vec![Line { next: 0 }; count];
        for (place, &line) in order.iter().enumerate() {
            lines[line].next = order[(place + 1) % count] as u32;
        }
        let starts = order.iter().step_by(level.apart()).map(|&line| line as u32).collect();
        Ring { lines, starts }
    }
}

/// Chases of the same length, one after the other around the ring.
pub(super) struct Chase {
    ring: &'static Ring,
    loads: u64,
    /// Number of the next start.
    next: usize,
}

impl Chase {
    /// Chases of `loads` loads.
    pub(super) fn new(loads: u64, level: Level) -> Chase {
        Chase { ring: Ring::of_this_process(level), loads, next: 0 }
    }

    /// Makes one chase. Each load waits for the one before. Returns the line where it ends.
    #[inline(never)]
    pub(super) fn run(&mut self) -> u32 {
        let mut at = self.ring.starts[self.next % self.ring.starts.len()];
        self.next += 1;
        for _ in 0..self.loads {
            at = self.ring.lines[at as usize].next;
        }
        black_box(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chase_of_the_distance_ends_where_the_next_one_starts() {
        for level in [Level::SecondCache, Level::Memory] {
            let mut chase = Chase::new(level.apart() as u64, level);
            let starts = &chase.ring.starts;
            for number in 0..2 * level.starts() {
                assert_eq!(chase.run(), starts[(number + 1) % starts.len()], "{level:?} {number}");
            }
        }
    }

    #[test]
    fn ten_more_loads_continue_the_shorter_chase() {
        let [mut short, mut long] = [200, 210].map(|loads| Chase::new(loads, Level::Memory));
        let (end, later) = (short.run(), long.run());
        let mut at = end;
        for _ in 0..10 {
            at = short.ring.lines[at as usize].next;
        }
        assert_eq!(at, later);
        assert_ne!(at, end);
    }
}
