//! Reuse distances: how many other lines are touched between two accesses to a line.
//!
//! A fully associative LRU cache of n lines hits exactly those accesses whose distance is below n, so the
//! distribution of distances describes all such caches at once.
//!
//! # Method
//! Each line has a mark at the time of its last access. The distance of an access is the number of marks
//! after the line's own. A Fenwick tree counts them in O(log n) steps. Times are renumbered when they run
//! out, so memory grows with the number of lines and not with the length of the stream.
//!
//! # Sources
//! R. L. Mattson, J. Gecsei, D. R. Slutz, I. L. Traiger, *Evaluation techniques for storage hierarchies*, IBM
//! Systems Journal 9 (1970); P. M. Fenwick, *A new data structure for cumulative frequency tables*,
//! Software: Practice and Experience 24 (1994).

use std::collections::HashMap;

/// Times of the first tree.
const FIRST_TIMES: usize = 1024;

/// The distribution of the reuse distances of a stream.
#[derive(Clone, Debug)]
pub struct ReuseDistances {
    /// Time of the last access of each line, from 1.
    last: HashMap<u64, usize>,
    marks: Fenwick,
    now: usize,
    /// Accesses of each distance, by distance.
    counts: Vec<u64>,
    accesses: u64,
}

impl Default for ReuseDistances {
    fn default() -> Self {
        Self::new()
    }
}

impl ReuseDistances {
    /// Starts without any access.
    pub fn new() -> ReuseDistances {
        ReuseDistances {
            last: HashMap::new(),
            marks: Fenwick::new(FIRST_TIMES),
            now: 0,
            counts: Vec::new(),
            accesses: 0,
        }
    }

    /// Touches a line. Its distance, or `None` if it was not touched before.
    pub fn touch(&mut self, line: u64) -> Option<usize> {
        if self.now == self.marks.len() {
            self.renumber();
        }
        self.now += 1;
        self.accesses += 1;
        let before = self.last.insert(line, self.now);
        let distance = before.map(|before| {
            // Every line has one mark, so those after `before` are all but the ones up to it.
            let distance = self.last.len() - self.marks.up_to(before);
            self.marks.add(before, -1);
            distance
        });
        self.marks.add(self.now, 1);
        if let Some(distance) = distance {
            if self.counts.len() <= distance {
                self.counts.resize(distance + 1, 0);
            }
            self.counts[distance] += 1;
        }
        distance
    }

    /// Touches lines in order.
    pub fn extend(&mut self, lines: impl IntoIterator<Item = u64>) {
        lines.into_iter().for_each(|line| _ = self.touch(line));
    }

    /// Number of accesses so far.
    pub fn accesses(&self) -> u64 {
        self.accesses
    }

    /// First accesses to a line, which have no distance; also the number of different lines.
    pub fn first_accesses(&self) -> usize {
        self.last.len()
    }

    /// The smallest distance that at least the share `q` of all accesses does not exceed. First accesses
    /// count as infinitely far. `None` if no finite distance is large enough or there is no access.
    pub fn quantile(&self, q: f64) -> Option<usize> {
        let needed = (q.clamp(0.0, 1.0) * self.accesses as f64).ceil().max(1.0) as u64;
        let mut within = 0;
        self.counts.iter().position(|&count| {
            within += count;
            within >= needed
        })
    }

    /// Gives the lines the times 1, 2, … in the order of their last access. At least half of all times
    /// are then free, so the cost per access stays constant on average.
    fn renumber(&mut self) {
        let mut by_time: Vec<(usize, u64)> =
            self.last.iter().map(|(&line, &time)| (time, line)).collect();
        by_time.sort_unstable();
        self.now = by_time.len();
        self.marks = Fenwick::new(FIRST_TIMES.max(2 * self.now));
        for (time, &(_, line)) in (1..).zip(&by_time) {
            self.last.insert(line, time);
            self.marks.add(time, 1);
        }
    }
}

/// Counts at times from 1, with sums of prefixes.
#[derive(Clone, Debug)]
struct Fenwick {
    /// Element t holds the sum of the `t & −t` counts that end at t; element 0 is unused.
    sums: Vec<i32>,
}

impl Fenwick {
    fn new(len: usize) -> Fenwick {
        Fenwick { sums: vec![0; len + 1] }
    }

    fn len(&self) -> usize {
        self.sums.len() - 1
    }

    fn add(&mut self, time: usize, change: i32) {
        let mut at = time;
        while at < self.sums.len() {
            self.sums[at] += change;
            at += at & at.wrapping_neg();
        }
    }

    /// The sum of the counts at the times 1 to `time`.
    fn up_to(&self, time: usize) -> usize {
        let (mut at, mut sum) = (time, 0);
        while at > 0 {
            sum += self.sums[at];
            at &= at - 1;
        }
        usize::try_from(sum).expect("a number of marks")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use proptest::prelude::*;

    /// Accesses that hit in a fully associative LRU cache of `lines` lines.
    fn hits(reuse: &ReuseDistances, lines: usize) -> u64 {
        reuse.counts.iter().take(lines).sum()
    }

    fn distances(stream: &[u64]) -> Vec<Option<usize>> {
        let mut reuse = ReuseDistances::new();
        stream.iter().map(|&line| reuse.touch(line)).collect()
    }

    /// The definition: different other lines since the last access.
    fn naive(stream: &[u64]) -> Vec<Option<usize>> {
        let distance = |(now, line): (usize, &u64)| {
            let last = stream[..now].iter().rposition(|other| other == line)?;
            Some(stream[last + 1..now].iter().collect::<HashSet<_>>().len())
        };
        stream.iter().enumerate().map(distance).collect()
    }

    #[test]
    fn distances_of_a_short_stream_are_those_worked_by_hand() {
        let expected = [None, None, None, Some(2), Some(0), Some(2)];
        assert_eq!(distances(&[1, 2, 3, 1, 1, 2]), expected);
    }

    #[test]
    fn quantiles_count_first_accesses_as_infinitely_far() {
        let mut reuse = ReuseDistances::new();
        assert_eq!(reuse.quantile(0.5), None, "no access");
        reuse.extend([1, 2, 3, 1, 1, 2]);
        assert_eq!((reuse.accesses(), reuse.first_accesses()), (6, 3));
        // One access of distance 0, two of distance 2, three first ones.
        assert_eq!(reuse.quantile(0.0), Some(0));
        assert_eq!(reuse.quantile(1.0 / 6.0), Some(0));
        assert_eq!(reuse.quantile(0.17), Some(2));
        assert_eq!(reuse.quantile(0.5), Some(2));
        assert_eq!(reuse.quantile(0.51), None);
        assert_eq!([0, 1, 2, 3].map(|lines| hits(&reuse, lines)), [0, 1, 1, 3]);
    }

    #[test]
    fn a_cycle_longer_than_the_first_tree_is_renumbered_correctly() {
        // 700 lines in turn: the 1,024 first times run out in the second round. All distances are 699.
        let mut reuse = ReuseDistances::new();
        reuse.extend((0..5000).map(|n| n % 700));
        assert_eq!((hits(&reuse, 699), hits(&reuse, 700)), (0, 4300));
        // With 3,000 lines the tree has to grow as well.
        let mut reuse = ReuseDistances::new();
        reuse.extend((0..20_000).map(|n| n % 3000));
        assert_eq!((hits(&reuse, 2999), hits(&reuse, 3000)), (0, 17_000));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn distances_equal_the_definition(
            stream in prop::collection::vec(prop_oneof![0u64..8, 0u64..300], 0..2500),
        ) {
            prop_assert_eq!(distances(&stream), naive(&stream));
        }

        /// A fully associative cache is one set of `lines` ways.
        #[test]
        fn hits_equal_those_of_a_fully_associative_cache(
            stream in prop::collection::vec(0u64..40, 0..600),
            lines in 1usize..40,
        ) {
            use super::super::{LINE_BYTES, Level, Lru};
            let level = Level { name: "any", bytes: LINE_BYTES * lines as u64, ways: lines };
            let misses = Lru::new(level).count_misses(stream.iter().copied());
            let mut reuse = ReuseDistances::new();
            reuse.extend(stream.iter().copied());
            prop_assert_eq!(reuse.accesses() - misses, hits(&reuse, lines));
        }
    }
}
