//! The order of the designs within the turns of a panel, and the lists and depths of the stack that they use. A turn is
//! a round, or several of a long stream.
//!
//! A design leaves state behind in predictors and caches, which affects the design that follows. In a
//! Williams square every design takes every place equally often and follows every other design equally
//! often, so over a full square no design has an advantage. The rows of the square come in random
//! order, and the designs are relabelled at random for each square, because a fixed order was seen to
//! shift results by one step of the clock.
//!
//! # Source
//! E. J. Williams, *Experimental designs balanced for the estimation of residual effects
//! of treatments*, Australian Journal of Scientific Research A 2 (1949), 149–168.

use raywalk_core::random::{SplitMix, mix};

/// Places of a page that the stack and the lists take in turn.
pub(crate) const PLACES: usize = 16;

/// Where the designs of a turn find memory, as numbers below [`PLACES`]. A load that agrees with an earlier store in
/// the low bits of its address may have to wait for it, so a place can make a design slow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Places {
    /// The list that they write to.
    pub list: usize,
    /// Depth of the stack.
    pub stack: usize,
}

/// The orders of one panel: a pure function of seed and turn, so that a resumed session runs exactly the rounds it
/// would have run. The balance holds for turns that are numbered without a gap.
#[derive(Clone, Debug)]
pub struct Schedule {
    designs: usize,
    seed: u64,
}

impl Schedule {
    /// Schedules `designs` designs with random orders from `seed`.
    pub fn new(designs: usize, seed: u64) -> Schedule {
        Schedule { designs, seed }
    }

    /// Turns of a full square: the number of designs if it is even, twice the number if it is odd.
    pub fn square(&self) -> u64 {
        let n = self.designs as u64;
        if n.is_multiple_of(2) { n } else { 2 * n }
    }

    /// The designs, 0 to n - 1, in the order in which turn `turn` runs them.
    pub fn order(&self, turn: u64) -> Vec<usize> {
        if self.designs == 0 {
            return Vec::new();
        }
        let square = self.square();
        // Everything random depends on the square alone, so that each turn of it can be computed by
        // itself.
        let mut random = SplitMix(mix(self.seed ^ mix(turn / square)));
        let rows = random.permutation(square as usize);
        let names = random.permutation(self.designs);
        let row = rows[(turn % square) as usize];
        williams_row(self.designs, row).into_iter().map(|design| names[design]).collect()
    }

    /// The places of a turn. Every [`PLACES`] turns use each list and each depth of the stack once.
    pub(crate) fn places(&self, turn: u64) -> Places {
        let of = PLACES as u64;
        // The inverted seed gives words of its own.
        let mut random = SplitMix(mix(!self.seed ^ mix(turn / of)));
        let [list, stack] = [(); 2].map(|()| random.permutation(PLACES)[(turn % of) as usize]);
        Places { list, stack }
    }
}

/// Row `row` of the Williams square of n designs: 0, 1, n-1, 2, n-2, … shifted by the row number. From
/// row n on the rows repeat in reverse, which an odd n needs for balance.
fn williams_row(n: usize, row: usize) -> Vec<usize> {
    let place = |k: usize| if k % 2 == 1 { k.div_ceil(2) } else { (n - k / 2) % n };
    let mut designs: Vec<usize> = (0..n).map(|k| (place(k) + row) % n).collect();
    if row >= n {
        designs.reverse();
    }
    designs
}

/// A seed from the random numbers of the system. It has 32 bits, few enough to type it again.
pub fn draw_seed() -> u64 {
    // The state of a new hasher is random, and its hash of nothing is a word of that state.
    use std::hash::{BuildHasher, Hasher, RandomState};
    RandomState::new().build_hasher().finish() >> 32
}

/// The seed of a section order from a random word. The linker lld accepts 32 bits; 0 makes it choose a
/// seed itself, and all ones reverses the order, so both are excluded.
pub const fn layout_seed(word: u64) -> u64 {
    1 + word % (u32::MAX as u64 - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn over_a_full_square_every_design_follows_every_other_equally_often() {
        for n in 2..=13 {
            let schedule = Schedule::new(n, 7);
            for square in [0, 1, 5] {
                let mut follows = BTreeMap::new();
                let mut places = BTreeMap::new();
                for turn in 0..schedule.square() {
                    let order = schedule.order(square * schedule.square() + turn);
                    order.windows(2).for_each(|w| *follows.entry((w[0], w[1])).or_insert(0) += 1);
                    for (place, design) in order.into_iter().enumerate() {
                        *places.entry((place, design)).or_insert(0) += 1;
                    }
                }
                let times = if n % 2 == 0 { 1 } else { 2 };
                assert_eq!(follows.len(), n * (n - 1), "{n} designs");
                assert!(follows.values().all(|&count| count == times), "{n} designs");
                assert_eq!(places.len(), n * n, "{n} designs");
                assert!(places.values().all(|&count| count == times), "{n} designs");
            }
        }
    }

    #[test]
    fn the_order_depends_on_seed_and_square_only() {
        let orders =
            |seed| (0..24).map(|turn| Schedule::new(6, seed).order(turn)).collect::<Vec<_>>();
        assert_eq!(orders(1), orders(1));
        assert_ne!(orders(1), orders(2));
        assert_ne!(orders(1)[..6], orders(1)[6..12]);
    }

    #[test]
    fn sixteen_turns_have_all_lists_and_all_depths_of_the_stack_in_changing_pairs() {
        let schedule = Schedule::new(5, 7);
        let mut pairs = BTreeSet::new();
        for block in 0..4 {
            let places: Vec<Places> =
                (0..16).map(|turn| schedule.places(16 * block + turn)).collect();
            let lists: BTreeSet<usize> = places.iter().map(|places| places.list).collect();
            let stacks: BTreeSet<usize> = places.iter().map(|places| places.stack).collect();
            assert_eq!((lists.len(), stacks.len()), (PLACES, PLACES));
            pairs.extend(places);
        }
        // By chance about six of 64 pairs are repeated.
        assert!(pairs.len() > 48, "{}", pairs.len());
    }

    #[test]
    fn drawn_seeds_differ_and_are_short() {
        let seeds: BTreeSet<_> = (0..8).map(|_| draw_seed()).collect();
        assert!(seeds.len() > 6 && seeds.iter().all(|&seed| seed < 1 << 32), "{seeds:?}");
    }

    #[test]
    fn one_design_and_no_design_have_an_order_too() {
        assert_eq!(Schedule::new(1, 0).order(9), [0]);
        assert!(Schedule::new(0, 0).order(9).is_empty());
    }
}
