//! The order in which the rounds of a share visit the batches.
//!
//! A pass visits every batch once: first one batch of every root, then a second one of those that have
//! more, and so on, each time in another random order. The shares of a panel are consecutive ranges of
//! its rounds, so together they pass through all batches, and the next pass deals them out in another
//! order.
//!
//! A share that begins within a pass continues at the beginning of *the same* order when it reaches the
//! end, and not with the next one. Otherwise it could visit a batch twice before it has visited all.
//!
//! The batch of a round is a pure function of seed, share and round, so a resumed session visits exactly
//! the batches it would have visited.

use raywalk_core::random::{SplitMix, mix};

/// The order of one share.
#[derive(Clone, Debug)]
pub(super) struct Visits {
    /// The batches of each root.
    roots: Vec<Vec<usize>>,
    batches: u64,
    seed: u64,
    /// The first round of the share.
    start: u64,
}

impl Visits {
    /// Visits batches of these roots, in ascending order, from round `start` on.
    pub fn new(roots: impl Iterator<Item = u64>, seed: u64, start: u64) -> Visits {
        let mut found: Vec<Vec<usize>> = Vec::new();
        let (mut last, mut batches) = (None, 0);
        for (batch, root) in roots.enumerate() {
            if last != Some(root) {
                found.push(Vec::new());
                last = Some(root);
            }
            found.last_mut().expect("a root was pushed").push(batch);
            batches += 1;
        }
        Visits { roots: found, batches, seed, start }
    }

    /// The batch of a round of the share.
    pub fn of_round(&self, round: u64) -> usize {
        let batches = self.batches.max(1);
        let visited = round.saturating_sub(self.start);
        let pass = mix(mix(self.seed ^ mix(self.start / batches)) ^ mix(visited / batches));
        self.order(pass)[((self.start + visited) % batches) as usize]
    }

    /// The batch after `rounds` rounds of the share, or the last new one if they visit all.
    pub fn beside(&self, rounds: u64) -> usize {
        self.of_round(self.start + rounds.min(self.batches.saturating_sub(1)))
    }

    /// All batches in the order of a pass.
    fn order(&self, seed: u64) -> Vec<usize> {
        let mut random = SplitMix(seed);
        let mut left: Vec<Vec<usize>> = self.roots.clone();
        for batches in &mut left {
            let shuffled =
                random.permutation(batches.len()).into_iter().map(|place| batches[place]);
            *batches = shuffled.collect();
        }
        let mut order = Vec::with_capacity(self.batches as usize);
        while order.len() < self.batches as usize {
            for root in random.permutation(left.len()) {
                order.extend(left[root].pop());
            }
            left.retain(|batches| !batches.is_empty());
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const SEED: u64 = 9;

    fn visits(roots: &[u64], start: u64) -> Visits {
        Visits::new(roots.iter().copied(), SEED, start)
    }

    fn first(visits: &Visits, rounds: u64) -> Vec<usize> {
        (visits.start..visits.start + rounds).map(|round| visits.of_round(round)).collect()
    }

    #[test]
    fn a_pass_visits_one_batch_of_every_root_before_a_second_one() {
        let roots = [0, 0, 0, 1, 1, 5];
        let order = first(&visits(&roots, 0), 6);
        let of =
            |batches: &[usize]| batches.iter().map(|&batch| roots[batch]).collect::<BTreeSet<_>>();
        assert_eq!(of(&order[..3]), [0, 1, 5].into());
        assert_eq!(of(&order[3..5]), [0, 1].into());
        assert_eq!(order.iter().collect::<BTreeSet<_>>().len(), 6);
    }

    #[test]
    fn no_share_visits_a_batch_twice_before_it_has_visited_all() {
        let roots: Vec<u64> = (0..20).map(|batch| batch / 2).collect();
        for rounds in [1, 3, 7, 19, 20] {
            for share in 0..40 {
                let visits = visits(&roots, share * rounds);
                let all: BTreeSet<_> = first(&visits, rounds).into_iter().collect();
                assert_eq!(all.len() as u64, rounds, "share {share} of {rounds}");
                let beside = visits.beside(rounds);
                assert_eq!(all.contains(&beside), rounds == 20, "share {share} of {rounds}");
            }
        }
    }

    #[test]
    fn the_shares_of_a_pass_visit_all_batches_and_the_next_pass_deals_them_differently() {
        let roots: Vec<u64> = (0..64).collect();
        let share = |number: u64| -> BTreeSet<usize> {
            first(&visits(&roots, number * 4), 4).into_iter().collect()
        };
        for pass in 0..3 {
            let all: BTreeSet<usize> = (pass * 16..(pass + 1) * 16).flat_map(share).collect();
            assert_eq!(all.len(), 64);
        }
        // Four of 64 roots are equal by chance once in 635,376 pairs of shares.
        assert!((0..16).all(|number| share(number) != share(number + 16)));
    }

    #[test]
    fn a_share_of_several_passes_visits_all_batches_in_each() {
        let roots: Vec<u64> = (0..8).collect();
        let visits = visits(&roots, 5);
        let rounds = first(&visits, 24);
        for pass in rounds.chunks(8) {
            assert_eq!(pass.iter().collect::<BTreeSet<_>>().len(), 8, "{rounds:?}");
        }
        assert_ne!(rounds[..8], rounds[8..16]);
        assert!((0..9).all(|round| Visits::new([3].into_iter(), 1, 4).of_round(4 + round) == 0));
    }
}
