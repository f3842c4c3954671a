//! Replays the data accesses of stepped positions through models of caches.
//!
//! The sets of a cache are chosen by physical addresses, which a program does not see. Pages are therefore
//! numbered in the order in which they are first touched. So the result does not depend on where the system has
//! placed the program, its heap and its stack.

use std::collections::HashMap;

use raywalk_models::cache::{LEVELS, LINE_BYTES, Lru, ReuseDistances, lines};
use raywalk_trace::Trace;

/// Bytes of a page, of which each keeps its lines in order.
const PAGE: u64 = 4096;
/// Shares of the accesses whose reuse distance is shown.
pub(crate) const QUANTILES: [f64; 3] = [0.5, 0.9, 0.99];

/// The lines of all accesses, in order.
#[derive(Default)]
pub(super) struct DataLines {
    positions: u64,
    touched: Vec<u64>,
    /// The number of each page.
    pages: HashMap<u64, u64>,
}

/// Cache use of the stepped positions.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CacheUse {
    pub(crate) positions: u64,
    /// Lines touched by accesses with a known address. An access across the end of a line counts in both.
    pub(crate) accesses: u64,
    /// Distinct lines of all positions.
    pub(crate) lines: u64,
    /// For each of [`QUANTILES`] the reuse distance that this share of the accesses does not exceed; `None` if first
    /// accesses, which have no distance, are more than the rest.
    pub(crate) distances: [Option<usize>; QUANTILES.len()],
    pub(crate) levels: [LevelUse; LEVELS.len()],
}

/// Misses of one cache level in two passes over the positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LevelUse {
    /// Of the first pass over the positions, which begins with an empty cache.
    pub(crate) once: u64,
    /// Of the second pass, which begins with the lines that the first left in the cache.
    pub(crate) again: u64,
}

impl DataLines {
    /// Adds the accesses of one position.
    pub(super) fn add(&mut self, trace: &Trace) {
        self.positions += 1;
        for access in trace.accesses.iter().flatten() {
            let touched = access.address.map(|address| lines(address, access.bytes.into()));
            for line in touched.into_iter().flatten() {
                let (page, within) = (line / (PAGE / LINE_BYTES), line % (PAGE / LINE_BYTES));
                let next = self.pages.len() as u64;
                let page = *self.pages.entry(page).or_insert(next);
                self.touched.push(page * (PAGE / LINE_BYTES) + within);
            }
        }
    }

    pub(super) fn replay(&self) -> CacheUse {
        let touched = || self.touched.iter().copied();
        let mut reuse = ReuseDistances::new();
        reuse.extend(touched());
        let level = |level| {
            let mut cache = Lru::new(level);
            let once = cache.count_misses(touched());
            LevelUse { once, again: cache.count_misses(touched()) }
        };
        CacheUse {
            positions: self.positions,
            accesses: reuse.accesses(),
            lines: reuse.first_accesses() as u64,
            distances: QUANTILES.map(|share| reuse.quantile(share)),
            levels: LEVELS.map(level),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raywalk_trace::Access;

    fn trace(addresses: impl IntoIterator<Item = u64>) -> Trace {
        let access = |address| Access { address: Some(address), bytes: 8, store: false };
        Trace { path: Vec::new(), accesses: Some(addresses.into_iter().map(access).collect()) }
    }

    fn used(base: u64) -> CacheUse {
        let mut lines = DataLines::default();
        // 600 lines, each twice in turn, on two positions; the last access of the second one touches two.
        lines.add(&trace((0..600).map(|line| base + 64 * line)));
        lines.add(&trace((0..600).map(|line| base + 64 * line + if line == 599 { 60 } else { 0 })));
        lines.replay()
    }

    #[test]
    fn lines_are_replayed_once_and_again() {
        let used = used(0x7000_0000);
        assert_eq!((used.positions, used.accesses, used.lines), (2, 1201, 601));
        // 601 of 1,201 accesses are first ones; all others have the distance 599.
        assert_eq!(used.distances, [None; 3]);
        // 600 lines in 64 sets of 8 ways: 24 sets have 10 lines and the others 9, so every access misses. With 12
        // ways all of them fit.
        assert_eq!(used.levels[0].once, 1201);
        assert_eq!((used.levels[1].once, used.levels[1].again), (601, 0));
        assert_eq!((used.levels[2].once, used.levels[2].again), (601, 0));
    }

    #[test]
    fn another_place_in_memory_changes_nothing() {
        assert_eq!(used(0x1000), used(0x7fff_1234_5000));
    }
}
