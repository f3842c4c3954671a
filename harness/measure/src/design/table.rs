//! The hash table of perft: counts by key and depth, shared by all threads that count below one root.
//!
//! Threads write without locks. An entry is two words, and another thread may be between them, so the first one is
//! the key combined with the second (Robert Hyatt and Timothy Mann, *A lock-less transposition table implementation
//! for parallel search*, ICGA Journal 25, 2002): a torn entry has a key that matches no position, except with the
//! probability that two keys collide.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use raywalk_core::Key;

/// Counts by key and depth. A new entry replaces the old one.
#[derive(Debug)]
pub struct PerftTable {
    entries: Vec<Slot>,
    mask: usize,
}

/// The top byte of `count` is the depth. No feasible perft reaches 2^56.
#[derive(Debug, Default)]
struct Slot {
    key_and_count: AtomicU64,
    count: AtomicU64,
}

const COUNT: u64 = (1 << 56) - 1;

impl PerftTable {
    /// A table of at most this many MiB, at least one entry: the largest power of two that fits.
    pub fn new(mebibytes: usize) -> PerftTable {
        let fitting = (mebibytes << 20) / size_of::<Slot>();
        let length = if fitting == 0 { 1 } else { 1 << fitting.ilog2() };
        let entries = std::iter::repeat_with(Slot::default).take(length).collect();
        PerftTable { entries, mask: length - 1 }
    }

    pub(super) fn get(&self, key: Key, depth: u32) -> Option<u64> {
        let entry = &self.entries[key.0 as usize & self.mask];
        let count = entry.count.load(Relaxed);
        let is_of_key = entry.key_and_count.load(Relaxed) ^ count == key.0;
        // An empty entry has depth 0, which is never asked for.
        (is_of_key && count >> 56 == u64::from(depth)).then_some(count & COUNT)
    }

    pub(super) fn put(&self, key: Key, depth: u32, count: u64) {
        if count <= COUNT {
            let count = u64::from(depth) << 56 | count;
            let entry = &self.entries[key.0 as usize & self.mask];
            // Relaxed, in any order: the halves of two entries do not fit each other, and a look-up sees that.
            entry.count.store(count, Relaxed);
            entry.key_and_count.store(key.0 ^ count, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_is_found_by_its_key_and_depth_alone() {
        let table = PerftTable::new(0);
        table.put(Key(7), 3, 8_902);
        assert_eq!(table.get(Key(7), 3), Some(8_902));
        assert_eq!((table.get(Key(7), 2), table.get(Key(8), 3)), (None, None));
        table.put(Key(9), 3, 1);
        assert_eq!(table.get(Key(7), 3), None, "replaced");
    }

    #[test]
    fn halves_of_two_entries_are_no_entry() {
        let table = PerftTable::new(0);
        table.put(Key(7), 3, 8_902);
        // What a thread sees between the two stores of another one.
        table.entries[0].count.store(4 << 56 | 197_281, Relaxed);
        for (key, depth) in [(7, 3), (7, 4), (9, 4)] {
            assert_eq!(table.get(Key(key), depth), None, "{key} {depth}");
        }
    }
}
