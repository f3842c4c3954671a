//! The order of the designs within the rounds.
//!
//! A design leaves its own state behind in predictors and caches, so whoever follows it is
//! affected. In a Williams design every subject stands at every place equally often and follows
//! every other subject equally often, so that over a full square nobody is favoured. The rows of
//! the square come in random order, and the subjects are relabelled at random for each square,
//! because a fixed order was seen to shift results by one step of the clock.
//!
//! Source: E. J. Williams, *Experimental designs balanced for the estimation of residual effects
//! of treatments*, Australian Journal of Scientific Research A 2 (1949), 149–168.

/// The orders of one panel. A pure function of seed and round, so that a resumed session goes on
/// exactly as it would have.
#[derive(Clone, Debug)]
pub struct Schedule {
    subjects: usize,
    seed: u64,
}

impl Schedule {
    /// Orders of `subjects` subjects from this seed.
    pub fn new(subjects: usize, seed: u64) -> Schedule {
        Schedule { subjects, seed }
    }

    /// Rounds of a full square: as many as subjects if their number is even, twice as many if odd.
    pub fn square(&self) -> u64 {
        let n = self.subjects as u64;
        if n.is_multiple_of(2) { n } else { 2 * n }
    }

    /// The subjects, 0 to n - 1, in the order of round `round`.
    pub fn order(&self, round: u64) -> Vec<usize> {
        if self.subjects == 0 {
            return Vec::new();
        }
        let square = self.square();
        let mut random = SplitMix(mix(self.seed ^ mix(round / square)));
        let rows = random.permutation(square as usize);
        let names = random.permutation(self.subjects);
        let row = rows[(round % square) as usize];
        williams_row(self.subjects, row).into_iter().map(|subject| names[subject]).collect()
    }
}

/// Row `row` of the Williams design of n subjects: 0, 1, n-1, 2, n-2, … shifted by the row number;
/// from row n on the same rows backwards, which an odd n needs for balance.
fn williams_row(n: usize, row: usize) -> Vec<usize> {
    let place = |k: usize| if k % 2 == 1 { k.div_ceil(2) } else { (n - k / 2) % n };
    let mut subjects: Vec<usize> = (0..n).map(|k| (place(k) + row) % n).collect();
    if row >= n {
        subjects.reverse();
    }
    subjects
}

/// The generator of all random orders. Source: G. L. Steele, D. Lea, C. H. Flood, *Fast splittable
/// pseudorandom number generators*, OOPSLA 2014.
#[derive(Clone, Debug)]
pub struct SplitMix(pub u64);

/// One step of [`SplitMix`] from this state.
pub const fn mix(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

impl SplitMix {
    /// The next word.
    pub fn word(&mut self) -> u64 {
        let word = mix(self.0);
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        word
    }

    /// A number below `bound`, which must not be 0. The bias is below bound / 2^32.
    pub fn below(&mut self, bound: usize) -> usize {
        (((self.word() >> 32) * bound as u64) >> 32) as usize
    }

    /// The numbers below `n` in random order (Fisher and Yates).
    pub fn permutation(&mut self, n: usize) -> Vec<usize> {
        let mut items: Vec<usize> = (0..n).collect();
        for last in (1..n).rev() {
            items.swap(last, self.below(last + 1));
        }
        items
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn over_a_full_square_every_subject_follows_every_other_equally_often() {
        for n in 2..=13 {
            let schedule = Schedule::new(n, 7);
            for square in [0, 1, 5] {
                let mut follows = BTreeMap::new();
                let mut places = BTreeMap::new();
                for round in 0..schedule.square() {
                    let order = schedule.order(square * schedule.square() + round);
                    order.windows(2).for_each(|w| *follows.entry((w[0], w[1])).or_insert(0) += 1);
                    for (place, subject) in order.into_iter().enumerate() {
                        *places.entry((place, subject)).or_insert(0) += 1;
                    }
                }
                let times = if n % 2 == 0 { 1 } else { 2 };
                assert_eq!(follows.len(), n * (n - 1), "{n} subjects");
                assert!(follows.values().all(|&count| count == times), "{n} subjects");
                assert_eq!(places.len(), n * n, "{n} subjects");
                assert!(places.values().all(|&count| count == times), "{n} subjects");
            }
        }
    }

    #[test]
    fn the_order_depends_on_seed_and_square_and_on_nothing_else() {
        let orders = |seed| (0..24).map(|r| Schedule::new(6, seed).order(r)).collect::<Vec<_>>();
        assert_eq!(orders(1), orders(1));
        assert_ne!(orders(1), orders(2));
        assert_ne!(orders(1)[..6], orders(1)[6..12]);
    }

    #[test]
    fn one_subject_and_none_have_an_order_too() {
        assert_eq!(Schedule::new(1, 0).order(9), [0]);
        assert!(Schedule::new(0, 0).order(9).is_empty());
    }

    #[test]
    fn the_random_words_are_those_of_the_published_generator() {
        // First outputs for state 0 of the reference implementation by Sebastiano Vigna.
        let mut random = SplitMix(0);
        assert_eq!(random.word(), 0xe220_a839_7b1d_cdaf);
        assert_eq!(random.word(), 0x6e78_9e6a_a1b9_65f4);
        assert_eq!(random.word(), 0x06c4_5d18_8009_454f);
    }
}
