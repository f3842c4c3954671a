//! One level of cache: sets of ways, the least recently used line is replaced.
//!
//! The set of a line is the remainder of its number, so that lines a multiple of the number of sets apart
//! compete. Real caches replace nearly, not exactly, the least recently used line.

use crate::Description;

use super::LINE_BYTES;

/// The geometry of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Name of the level, as tables show it.
    pub name: &'static str,
    /// Capacity in bytes of data.
    pub bytes: u64,
    /// Lines that one set holds.
    pub ways: usize,
}

/// A first-level cache of 32 KiB with 8 ways and 64 sets.
pub(crate) const L1_32K: Level = Level { name: "32 KiB 8-way", bytes: 32 << 10, ways: 8 };

/// A first-level cache of 48 KiB with 12 ways and 64 sets.
pub(crate) const L1_48K: Level = Level { name: "48 KiB 12-way", bytes: 48 << 10, ways: 12 };

/// A second-level cache of 1 MiB with 16 ways and 1,024 sets.
pub(crate) const L2_1M: Level = Level { name: "1 MiB 16-way", bytes: 1 << 20, ways: 16 };

/// The levels that reports show.
pub const LEVELS: [Level; 3] = [L1_32K, L1_48K, L2_1M];

impl Level {
    /// Number of sets: lines ÷ ways.
    pub const fn sets(self) -> usize {
        (self.bytes / LINE_BYTES) as usize / self.ways
    }

    /// Name, parameters and storage. The storage is that of the data, without tags.
    pub fn description(self) -> Description {
        Description::new(self.name, self.bytes * 8)
            .with("sets", self.sets())
            .with("ways", self.ways)
            .with("line", format!("{LINE_BYTES} bytes"))
            .with("replaces", "least recently used")
    }
}

/// A level with its content.
#[derive(Clone, Debug)]
pub struct Lru {
    level: Level,
    /// The lines of each set, the most recently used one first. A set may hold fewer than `ways`.
    sets: Vec<Vec<u64>>,
}

impl Lru {
    /// An empty cache.
    ///
    /// # Panics
    /// If the level has no set.
    pub fn new(level: Level) -> Lru {
        assert!(level.ways > 0 && level.sets() > 0, "a cache needs a set and a way");
        Lru { level, sets: vec![Vec::with_capacity(level.ways); level.sets()] }
    }

    /// Touches a line. True if it misses.
    pub fn misses(&mut self, line: u64) -> bool {
        let index = (line % self.sets.len() as u64) as usize;
        let set = &mut self.sets[index];
        let found = set.iter().position(|&held| held == line);
        match found {
            Some(place) => set[..=place].rotate_right(1),
            None => {
                if set.len() == self.level.ways {
                    set.pop();
                }
                set.insert(0, line);
            }
        }
        found.is_none()
    }

    /// Touches lines in order. The number of misses.
    pub fn count_misses(&mut self, lines: impl IntoIterator<Item = u64>) -> u64 {
        lines.into_iter().map(|line| u64::from(self.misses(line))).sum()
    }

    /// Name, size and ways of the modelled cache.
    pub fn level(&self) -> Level {
        self.level
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_levels_have_the_sets_that_their_names_imply() {
        assert_eq!(LEVELS.map(Level::sets), [64, 64, 1024]);
        assert_eq!(L1_32K.description().kib(), 32.0);
    }

    /// Worked by hand: with 512 lines each of 64 sets holds its 8. One line more gives one set 9 lines in
    /// turn, which miss at every access: 504 + 9 × 10.
    #[test]
    fn one_line_too_many_makes_one_set_miss_always() {
        let cycles = |lines: u64| (0..10).flat_map(move |_| 0..lines);
        assert_eq!(Lru::new(L1_32K).count_misses(cycles(512)), 512);
        assert_eq!(Lru::new(L1_32K).count_misses(cycles(513)), 594);
    }

    #[test]
    fn the_least_recently_used_line_gives_way() {
        let mut cache = Lru::new(Level { name: "two lines", bytes: 128, ways: 2 });
        // 1 2 1 3: line 2 is the older one, so it gives way to 3 and 1 stays.
        let missed = [1, 2, 1, 3, 1, 2].map(|line| cache.misses(line));
        assert_eq!(missed, [true, true, false, true, false, true]);
    }

    proptest! {
        /// By definition an access misses if, since the last access to its line, as many other lines of
        /// its set were touched as the set has ways, or if there is no such access.
        #[test]
        fn misses_equal_those_of_the_definition(
            stream in prop::collection::vec(0u64..60, 0..400),
            ways in 1usize..5,
            sets in 1u64..6,
        ) {
            let level = Level { name: "any", bytes: LINE_BYTES * sets * ways as u64, ways };
            let mut cache = Lru::new(level);
            for (now, &line) in stream.iter().enumerate() {
                let last = stream[..now].iter().rposition(|&other| other == line);
                let expected = last.is_none_or(|last| {
                    let between = &stream[last + 1..now];
                    let rivals = between.iter().copied().filter(|other| other % sets == line % sets);
                    rivals.collect::<HashSet<u64>>().len() >= ways
                });
                prop_assert_eq!(cache.misses(line), expected, "access {}", now);
            }
        }
    }
}
