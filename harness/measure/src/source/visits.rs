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
//! A workload with more roots than rounds is thinned out to as many roots as the rounds can visit twice, so that
//! processes meet on the same roots. Otherwise differences between roots could not be separated from differences
//! between processes. Of each root as many batches are kept as it is visited, so a root is visited at another place
//! each time, and how its places differ is known. Which ones take part is drawn from the seed, one of each stretch.
//!
//! The batch of a round is a pure function of seed, share and round, so a resumed session visits exactly
//! the batches it would have visited.

use std::ops::Range;

use raywalk_core::random::{SplitMix, mix};

/// A share of the rounds of a panel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share {
    /// Of all random orders of the panel.
    pub seed: u64,
    /// The first round of the share.
    pub start: u64,
    /// The number of its rounds, if it is known.
    pub length: Option<u64>,
    /// The rounds of the panel in all, if their number is known.
    pub rounds: Option<u64>,
}

/// The rounds that a design runs in one go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    /// Its number among the turns of the share.
    pub number: u64,
    pub rounds: Range<u64>,
}

/// The order of one share.
#[derive(Clone, Debug)]
pub(super) struct Visits {
    /// The batches of each root.
    roots: Vec<Vec<usize>>,
    batches: u64,
    /// A batch that no share visits, if there is one.
    spare: Option<usize>,
    seed: u64,
    /// The first round of the share.
    start: u64,
}

impl Visits {
    /// Visits batches of these roots, in ascending order.
    pub(crate) fn new(roots: impl Iterator<Item = u64>, share: Share) -> Visits {
        let Share { seed, start, rounds, .. } = share;
        let mut found: Vec<Vec<usize>> = Vec::new();
        let mut last = None;
        for (batch, root) in roots.enumerate() {
            if last != Some(root) {
                found.push(Vec::new());
                last = Some(root);
            }
            found.last_mut().expect("a root was pushed").push(batch);
        }
        let spare = rounds.and_then(|rounds| thin_out(&mut found, rounds as usize, seed));
        let batches = found.iter().map(|batches| batches.len() as u64).sum();
        Visits { roots: found, batches, spare, seed, start }
    }

    /// The batch of a round of the share.
    pub(crate) fn of_round(&self, round: u64) -> usize {
        let batches = self.batches.max(1);
        let visited = round.saturating_sub(self.start);
        // The inner part is that of the pass in which the share begins: all shares that begin in it have one order.
        let pass = mix(mix(self.seed ^ mix(self.start / batches)) ^ mix(visited / batches));
        self.order(pass)[((self.start + visited) % batches) as usize]
    }

    /// A batch that no share visits, or the one after `rounds` rounds of the share, or the last new one if
    /// they visit all.
    pub(crate) fn beside(&self, rounds: u64) -> usize {
        let after = || self.of_round(self.start + rounds.min(self.batches.saturating_sub(1)));
        self.spare.unwrap_or_else(after)
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

/// Keeps as many roots as so many rounds can visit twice, or every root if the rounds suffice to visit each once, and
/// of each as many batches as it is visited. Returns a batch that is left out.
fn thin_out(roots: &mut Vec<Vec<usize>>, rounds: usize, seed: u64) -> Option<usize> {
    if roots.iter().map(Vec::len).sum::<usize>() <= rounds {
        return None;
    }
    let mut random = SplitMix(mix(seed));
    let mut left_out = Vec::new();
    if roots.len() > rounds {
        left_out.extend(keep(roots, (rounds / 2).max(1), &mut random).into_iter().flatten());
    }
    let each = rounds.div_ceil(roots.len());
    for batches in roots.iter_mut() {
        left_out.extend(keep(batches, each, &mut random));
    }
    left_out.pop()
}

/// Keeps at most `most` of some things, one drawn from each of as many stretches of equal length, and returns the
/// others.
fn keep<T>(all: &mut Vec<T>, most: usize, random: &mut SplitMix) -> Vec<T> {
    let count = all.len();
    let stretches = most.min(count);
    let mut kept = Vec::with_capacity(stretches);
    let mut others = Vec::with_capacity(count - stretches);
    let mut left = all.drain(..);
    for stretch in 0..stretches {
        let length = (stretch + 1) * count / stretches - stretch * count / stretches;
        let drawn = random.below(length);
        for (place, one) in left.by_ref().take(length).enumerate() {
            if place == drawn { kept.push(one) } else { others.push(one) }
        }
    }
    // Ends the borrow of the list, which is replaced next.
    drop(left);
    *all = kept;
    others
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const SEED: u64 = 9;

    fn visits(roots: &[u64], start: u64) -> Visits {
        Visits::new(roots.iter().copied(), Share { seed: SEED, start, length: None, rounds: None })
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
        assert!((0..9).all(|round| {
            Visits::new([3].into_iter(), Share { seed: 1, start: 4, length: None, rounds: None })
                .of_round(4 + round)
                == 0
        }));
    }

    #[test]
    fn a_workload_is_thinned_out_to_the_roots_and_batches_that_its_rounds_can_visit() {
        let kept = |roots: &[u64], rounds| {
            let visits = Visits::new(
                roots.iter().copied(),
                Share { seed: SEED, start: 0, length: None, rounds: Some(rounds) },
            );
            let visited: BTreeSet<_> = first(&visits, rounds).into_iter().collect();
            assert_eq!(visited.contains(&visits.beside(1)), visits.spare.is_none());
            visited.into_iter().collect::<Vec<_>>()
        };
        let each: Vec<u64> = (0..64).collect();
        assert_eq!(kept(&each, 64), (0..64).collect::<Vec<_>>());
        let half = kept(&each, 48);
        assert_eq!(half.len(), 24);
        assert!(
            half.windows(2).all(|two| two[1] - two[0] < 6),
            "a stretch has two or three: {half:?}"
        );
        assert_eq!(kept(&each, 1).len(), 1);
        // Four roots of sixteen batches each.
        let trees: Vec<u64> = (0..64).map(|batch| batch / 16).collect();
        assert_eq!(
            kept(&trees, 31).len(),
            31,
            "eight batches of each root, one of them not visited"
        );
        let roots: Vec<_> = kept(&trees, 4).into_iter().map(|batch| batch / 16).collect();
        assert_eq!(roots, [0, 1, 2, 3], "every root takes part");
        let roots: Vec<_> = kept(&trees, 3).into_iter().map(|batch| batch / 16).collect();
        assert!(roots.len() == 3 && roots[0] == roots[2], "no two could be visited twice");
    }

    #[test]
    fn thirty_sessions_of_few_rounds_visit_all_roots() {
        let visited = |seed| {
            let share = Share { seed, start: 0, length: None, rounds: Some(48) };
            first(&Visits::new(0..64, share), 48)
        };
        let all: BTreeSet<_> = (0..30).flat_map(visited).collect();
        assert_eq!(all.len(), 64);
    }
}
