//! Dependent loads through a ring of cache lines that is larger than a second-level cache.

use std::hint::black_box;
use std::sync::OnceLock;

use raywalk_core::random::SplitMix;

/// Lines between the starts of two chases. A chase is shorter, so no two chases of one round trip load the
/// same line.
pub(super) const APART: usize = 256;
/// Starts in the ring. Chases that begin at all of them load most of its lines.
const STARTS: usize = 512;
/// Seed of the order of the lines.
const SEED: u64 = 11;

/// A cache line with the number of the next one.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line {
    next: u32,
}

/// 8 MiB of lines in one ring of random order, which no prefetcher predicts.
struct Ring {
    lines: Vec<Line>,
    /// The line at which each chase begins.
    starts: Vec<u32>,
}

impl Ring {
    /// The ring of this process. All chases share it, so that they differ in nothing but their length.
    fn of_this_process() -> &'static Ring {
        static RING: OnceLock<Ring> = OnceLock::new();
        RING.get_or_init(Ring::new)
    }

    fn new() -> Ring {
        let count = STARTS * APART;
        let order = SplitMix(SEED).permutation(count);
        let mut lines = vec![Line { next: 0 }; count];
        for (place, &line) in order.iter().enumerate() {
            lines[line].next = order[(place + 1) % count] as u32;
        }
        let starts = order.iter().step_by(APART).map(|&line| line as u32).collect();
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
    pub(super) fn new(loads: u64) -> Chase {
        Chase { ring: Ring::of_this_process(), loads, next: 0 }
    }

    /// Makes one chase. Each load waits for the one before. Returns the line where it ends.
    #[inline(never)]
    pub(super) fn run(&mut self) -> u32 {
        let mut at = self.ring.starts[self.next % STARTS];
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
        let mut chase = Chase::new(APART as u64);
        let starts = chase.ring.starts.clone();
        for number in 0..2 * STARTS {
            assert_eq!(chase.run(), starts[(number + 1) % STARTS], "{number}");
        }
    }

    #[test]
    fn ten_more_loads_continue_the_shorter_chase() {
        let [mut short, mut long] = [200, 210].map(Chase::new);
        let (end, later) = (short.run(), long.run());
        let mut at = end;
        for _ in 0..10 {
            at = short.ring.lines[at as usize].next;
        }
        assert_eq!(at, later);
        assert_ne!(at, end);
    }
}
