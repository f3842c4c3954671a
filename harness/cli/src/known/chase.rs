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
    /// 128 KiB: on x86-64 more than twice a first-level cache, and at most half of a second-level one, in which pages
    /// collide where they fill it.
    SecondCache,
    /// 8 MiB: in memory, or in a last-level cache that many processors share.
    Memory,
}

impl Level {
    const fn lines(self) -> usize {
        match self {
            Level::SecondCache => 1 << 11,
            Level::Memory => 1 << 17,
        }
    }

    /// The ring of this process: lines in random order, which no prefetcher predicts. All chases share it, so
    /// that they differ in nothing but their length.
    fn ring(self) -> &'static [Line] {
        static RINGS: [OnceLock<Vec<Line>>; 2] = [const { OnceLock::new() }; 2];
        RINGS[self as usize].get_or_init(|| {
            let order = SplitMix(SEED).permutation(self.lines());
            let mut ring = vec![Line { next: 0 }; order.len()];
            for (&line, &next) in order.iter().zip(order[1..].iter().chain(&order[..1])) {
                ring[line].next = next as u32;
            }
            ring
        })
    }
}

/// Chases of the same length. Each begins where the last one ended, so that every line is loaded equally
/// often, whatever the length.
pub(super) struct Chase {
    ring: &'static [Line],
    loads: u64,
    at: u32,
}

impl Chase {
    /// Chases of `loads` dependent loads each, around the ring of a level.
    pub(super) fn new(loads: u64, level: Level) -> Chase {
        Chase { ring: level.ring(), loads, at: 0 }
    }

    /// Makes one chase. Each load waits for the one before.
    #[inline(never)]
    pub(super) fn run(&mut self) {
        let mut at = self.at;
        for _ in 0..self.loads {
            at = self.ring[at as usize].next;
        }
        self.at = black_box(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chases_load_every_line_of_their_ring_before_the_first_one_again() {
        for level in [Level::SecondCache, Level::Memory] {
            let mut chase = Chase::new(1, level);
            let mut loaded = vec![false; level.lines()];
            for _ in 0..level.lines() {
                chase.run();
                assert!(!std::mem::replace(&mut loaded[chase.at as usize], true), "{level:?}");
            }
            assert_eq!(chase.at, 0);
        }
    }

    #[test]
    fn a_chase_ends_where_as_many_single_loads_end() {
        let [mut long, mut single] = [200, 1].map(|loads| Chase::new(loads, Level::Memory));
        long.run();
        (0..200).for_each(|_| single.run());
        assert_eq!(long.at, single.at);
    }
}
