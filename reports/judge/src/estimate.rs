//! The ratio of the total times of two designs over a workload, and how far it may be off.
//!
//! # What is estimated
//! The ratio of two sums: the time that one design takes for all measured positions while nothing disturbs it, divided
//! by the time that the other one takes for them. A position that takes long counts more than one
//! that takes little, as it does in an engine. The mean or median of the ratios of batches would be
//! another quantity; they were seen to differ by up to 1.7 %.
//!
//! # Clean blocks
//! A batch is cut into blocks of the same positions in every process. An interruption spoils a block.
//! Three rules, fixed before anything is measured, decide what counts:
//!
//! 1. A block is *spoilt* if its time differs from the expectation for its design and its positions (`spoilt`), or if a
//!    probe at an end of its sample saw another thread on the core. It is left out for both designs.
//! 2. A block that was measured in an undisturbed round does not use disturbed rounds as well.
//! 3. The level of a block is the mean of the cheaper half of its remaining times, for each design by itself
//!    (`cheaper`).
//!
//! Every block then counts once, however often it was measured.
//!
//! # The interval
//! The rounds of a process share its placement, and those of a turn what disturbs it, so they do not count as
//! independent. The samples of one process, root and turn are a *part*. Parts share roots, so a fit (`crossed`)
//! separates the effects of processes, the effects of roots and the noise of the parts. The variance of the ratio is
//! the sum of two parts:
//!
//! - that between processes, divided among the processes. It contains the noise, and is at least the noise
//!   divided among all parts;
//! - that between roots, less the contribution of the noise, divided among the roots, times the fraction of the
//!   workload of which no block is left. If every part of the workload has a clean block, there is no
//!   such error. If each root was visited in several batches, there is hardly any (`strata`), because the noise then
//!   contains how the batches of a root differ.
//!
//! The quantile is Student's, with the degrees of freedom of Satterthwaite: a dozen processes are few.
//!
//! Where the three cannot be separated (too few parts share roots, or the program was linked in several
//! layouts), roots and placements count as two crossed clusterings: the sum over roots plus the sum over
//! processes (or layouts) minus the sum over their cells, each a sum of squared contributions to the ratio's
//! logarithm. That interval also holds for the roots that were not visited, and is wider. A change between two sessions
//! has two independent sets of placements, each with contributions that add up to zero, so their variances are added.
//!
//! # Sources
//! A. C. Cameron, J. B. Gelbach and D. L. Miller, *Robust inference with multiway clustering*, Journal of
//! Business and Economic Statistics 29 (2011), 238–249; F. E. Satterthwaite, *An approximate distribution
//! of estimates of variance components*, Biometrics Bulletin 2 (1946), 110–114; W. G. Cochran, *Sampling
//! Techniques*, 3rd edition, Wiley 1977, chapter 6 (the variance of a ratio of totals).

use std::collections::{BTreeMap, BTreeSet};

use crate::crossed::Part;

mod cheaper;
mod clean;
mod interval;
mod offered;
mod strata;

use cheaper::CheaperHalf;
use clean::{Clean, Visit, mean, of_one, of_other};
pub(crate) use offered::Offered;
pub(crate) use strata::stratified;

/// One round of two designs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pair {
    /// The layout of its process.
    pub layout: Option<u64>,
    /// The process that ran it.
    pub process: u64,
    /// Its turn: a design times the rounds of a turn one after another, so one disturbance meets them all.
    pub turn: u64,
    /// The root that its batch belongs to.
    pub root: u64,
    /// The batch: index of its first position.
    pub batch: u64,
    /// Positions of one pass over the batch.
    pub positions: u64,
    /// Passes of the sample over its batch, which share its blocks.
    pub passes: u64,
    /// Whether the round was disturbed as a whole.
    pub disturbed: bool,
    /// The time of each block, of one design and of the other, in the same unit; absent if it is spoilt.
    /// All pairs of a batch have the same number of blocks.
    pub blocks: Vec<Option<(f64, f64)>>,
}

impl Pair {
    /// The same pair in so many blocks, each the sum of neighbouring ones; a spoilt one spoils the sum.
    fn in_blocks(&self, count: usize) -> Pair {
        let each = self.blocks.len() / count.max(1);
        let add = |blocks: &[Option<(f64, f64)>]| {
            blocks.iter().try_fold((0.0, 0.0), |sum: (f64, f64), times| {
                times.map(|(one, other)| (sum.0 + one, sum.1 + other))
            })
        };
        let blocks = match each {
            0 | 1 => self.blocks.clone(),
            _ => self.blocks.chunks(each).map(add).collect(),
        };
        Pair { blocks, ..self.clone() }
    }
}

/// The greatest common divisor.
pub(crate) fn gcd(one: usize, other: usize) -> usize {
    if other == 0 { one } else { gcd(other, one % other) }
}

/// The log of a ratio of total times, and what it is made of.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Estimate {
    /// ln(one ÷ other), of total times.
    pub log: f64,
    /// One part for each root that a turn of a process measured.
    pub parts: Vec<Part>,
    /// Time of the other design per position, in the unit of the pairs.
    pub time: f64,
    /// The fraction of the variance between roots that causes no error, if the estimate is about one session: the
    /// part of the workload of which blocks are left, or how evenly its roots are visited (`strata`).
    pub known_roots: Option<f64>,
    /// Data of the estimate if no sample were spoilt.
    pub offered: Offered,
}

/// Adds up the parts of the same process, turn and root of a session.
struct Parts {
    session: u8,
    /// The place in the list of each pair.
    of_pair: Vec<usize>,
    /// By process, turn and root; `None` if nothing was added.
    list: Vec<Option<Part>>,
}

impl Parts {
    /// No parts yet, of these pairs.
    fn of(pairs: &[Pair], session: u8) -> Parts {
        let keys: Vec<_> = pairs.iter().map(|pair| (pair.process, pair.turn, pair.root)).collect();
        let mut places = keys.clone();
        places.sort_unstable();
        places.dedup();
        let of_pair = keys.iter().map(|key| places.partition_point(|place| place < key)).collect();
        Parts { session, of_pair, list: vec![None; places.len()] }
    }

    /// Adds to the part of a pair. `number` is the place of its key.
    fn add(&mut self, number: usize, pair: &Pair, [influence, of_process]: [f64; 2], weight: f64) {
        let empty = || Part {
            session: self.session,
            layout: pair.layout,
            process: pair.process,
            turn: pair.turn,
            root: pair.root,
            influence: 0.0,
            of_process: 0.0,
            weight: 0.0,
        };
        let part = self.list[self.of_pair[number]].get_or_insert_with(empty);
        part.influence += influence;
        part.of_process += of_process;
        part.weight += weight;
    }

    fn list(self) -> Vec<Part> {
        self.list.into_iter().flatten().collect()
    }
}

impl Estimate {
    /// The ratio of the first times of the pairs to the second ones. `None` if no block is left.
    pub(crate) fn of(pairs: &[Pair]) -> Option<Estimate> {
        Some(Estimate::with_positions(pairs)?.0)
    }

    /// The same, and the number of positions of the blocks that are left.
    pub(crate) fn with_positions(pairs: &[Pair]) -> Option<(Estimate, f64)> {
        let clean = Clean::of(pairs);
        let (one, other) = (clean.total(of_one), clean.total(of_other));
        if !(one > 0.0 && other > 0.0) {
            return None;
        }
        let alone =
            [clean.total(|visit| visit.of_process.0), clean.total(|visit| visit.of_process.1)];
        let mut parts = Parts::of(pairs, 0);
        let mut positions = 0.0;
        for kept in clean.each() {
            let pair = &pairs[kept[0].pair];
            positions += pair.positions as f64 / pair.blocks.len() as f64;
            let count = kept.len() as f64;
            let share = mean(kept, of_other) / other / count;
            for visit in kept {
                let &Visit { pair: number, values, of_process, .. } = visit;
                // To first order the part of ln(one ÷ other) that comes from this visit. All of them add up to 1 − 1.
                let of = |(of_one, of_other): (f64, f64), [one, other]: [f64; 2]| {
                    (of_one / one - of_other / other) / count
                };
                let found = [of(values, [one, other]), of(of_process, alone)];
                parts.add(number, &pairs[number], found, share);
            }
        }
        let estimate = Estimate {
            log: (one / other).ln(),
            parts: parts.list(),
            time: other / positions,
            known_roots: None,
            offered: Offered::of(pairs),
        };
        Some((estimate, positions))
    }

    /// The ratio of the times of one design in two sessions: the first times of the pairs of `after` to
    /// those of `before`, over the blocks that both have. Blocks of different lengths are added up to blocks
    /// of the same length. `None` if there are none.
    pub(crate) fn of_time(before: &[Pair], after: &[Pair]) -> Option<Estimate> {
        let mut counts: BTreeMap<u64, (u64, usize)> = BTreeMap::new();
        for pair in before.iter().chain(after) {
            let (passes, count) = counts.entry(pair.batch).or_insert((pair.passes, 0));
            // Blocks of several passes are those of other positions than blocks of one.
            let same = *passes == pair.passes;
            *count = if same { gcd(*count, pair.blocks.len()) } else { 1 };
        }
        let alike = |pairs: &[Pair]| -> Vec<Pair> {
            pairs.iter().map(|pair| pair.in_blocks(counts[&pair.batch].1)).collect()
        };
        let (before, after) = (&alike(before)[..], &alike(after)[..]);
        let (mut a, mut b) = (Clean::of(before), Clean::of(after));
        a.keep_those_of(&b);
        b.keep_those_of(&a);
        let (total_a, total_b) = (a.total(of_one), b.total(of_one));
        if !(total_a > 0.0 && total_b > 0.0) {
            return None;
        }
        let ratio = total_b / total_a;
        let (mut earlier, mut later) = (Parts::of(before, 0), Parts::of(after, 1));
        for (in_a, in_b) in a.each().zip(b.each()) {
            let (block_a, block_b) = (mean(in_a, of_one), mean(in_b, of_one));
            for visit in in_a {
                let error = (of_one(visit) - block_b / ratio) / in_a.len() as f64 / total_a;
                earlier.add(visit.pair, &before[visit.pair], [-error; 2], 0.0);
            }
            for visit in in_b {
                let error = (of_one(visit) - block_a * ratio) / in_b.len() as f64 / total_b;
                later.add(visit.pair, &after[visit.pair], [error; 2], 0.0);
            }
        }
        let time = total_a / a.blocks.len() as f64;
        let (log, parts) = (ratio.ln(), [earlier.list(), later.list()].concat());
        let offered = Offered::of(before).and(Offered::of(after));
        Some(Estimate { log, parts, time, known_roots: None, offered })
    }

    /// The parts as if every process counted, with the cheaper half of its own visits: they show how processes differ.
    pub(crate) fn parts_of_processes(&self) -> Vec<Part> {
        self.parts.iter().map(|part| Part { influence: part.of_process, ..*part }).collect()
    }

    /// The change from `before` to this estimate, which must come from another session. Roots of the same number must
    /// be the same root.
    pub(crate) fn since(&self, before: &Estimate) -> Estimate {
        let earlier = before.parts.iter().map(|part| Part {
            influence: -part.influence,
            of_process: -part.of_process,
            ..*part
        });
        let later = self.parts.iter().map(|part| Part { session: 1, ..*part });
        Estimate {
            log: self.log - before.log,
            parts: later.chain(earlier).collect(),
            time: self.time,
            known_roots: None,
            offered: self.offered.and(before.offered),
        }
    }

    /// The mean of several estimates from the same processes and different workloads.
    pub(crate) fn mean(estimates: &[Estimate]) -> Option<Estimate> {
        let count = estimates.len() as f64;
        // Journals may have any number, and the sum of two must fit.
        let ranks = |estimate: &Estimate, of: fn(&Part) -> u64| -> BTreeMap<u64, u64> {
            let all: BTreeSet<u64> = estimate.parts.iter().map(of).collect();
            all.into_iter().zip(0..).collect()
        };
        let mut parts = Vec::new();
        let (mut before_roots, mut before_turns) = (0, 0);
        for estimate in estimates {
            let roots = ranks(estimate, |part| part.root);
            let turns = ranks(estimate, |part| part.turn);
            parts.extend(estimate.parts.iter().map(|part| Part {
                root: before_roots + roots[&part.root],
                turn: before_turns + turns[&part.turn],
                influence: part.influence / count,
                of_process: part.of_process / count,
                weight: part.weight / count,
                ..*part
            }));
            before_roots += roots.len() as u64;
            before_turns += turns.len() as u64;
        }
        let sum = |of: fn(&Estimate) -> f64| estimates.iter().map(of).sum::<f64>() / count;
        let offered = estimates.iter().map(|estimate| estimate.offered).reduce(Offered::and)?;
        Some(Estimate {
            log: sum(|one| one.log),
            parts,
            time: sum(|one| one.time),
            known_roots: None,
            offered,
        })
    }
}

#[cfg(test)]
mod tests;
