//! The blocks that count, with the times of all their visits.

use std::ops::Range;

use super::{CheaperHalf, Pair};

/// The blocks that count, by rising batch and place, each with the pairs that measured it.
#[derive(Default)]
pub(super) struct Clean {
    pub blocks: Vec<Block>,
    visits: Vec<Visit>,
}

/// A block of the workload with at least one visit that counts.
pub(super) struct Block {
    /// Its batch, and its place in it.
    place: (u64, usize),
    visits: Range<usize>,
}

/// One measurement of a block.
pub(super) struct Visit {
    /// The number of its pair.
    pub pair: usize,
    /// The two times.
    times: (f64, f64),
    /// Their [values](CheaperHalf::value) among all visits of the block, whose mean is its level.
    pub values: (f64, f64),
    /// The same among the visits of its process.
    pub of_process: (f64, f64),
}

impl Clean {
    pub(super) fn of(pairs: &[Pair]) -> Clean {
        let mut by_batch: Vec<usize> = (0..pairs.len()).collect();
        by_batch.sort_by_key(|&number| (pairs[number].batch, pairs[number].process));
        let mut clean = Clean::default();
        let mut sorted = Vec::new();
        for batch in by_batch.chunk_by(|&one, &other| pairs[one].batch == pairs[other].batch) {
            let places = batch.iter().map(|&number| pairs[number].blocks.len()).max().unwrap_or(0);
            // In most batches all pairs are calm.
            let may_differ = batch.iter().any(|&number| pairs[number].disturbed);
            clean.visits.reserve(places * batch.len());
            for place in 0..places {
                let visit = |&number: &usize| {
                    let times = pairs[number].blocks.get(place).copied().flatten()?;
                    Some(Visit { pair: number, times, values: times, of_process: times })
                };
                let is_calm = |visit: &Visit| !pairs[visit.pair].disturbed;
                let visits = || batch.iter().filter_map(visit);
                let any_calm = may_differ && visits().any(|visit| is_calm(&visit));
                let start = clean.visits.len();
                clean.visits.extend(visits().filter(|visit| !any_calm || is_calm(visit)));
                let visits = start..clean.visits.len();
                let kept = &mut clean.visits[visits.clone()];
                set_values(kept, &mut sorted, |visit| &mut visit.values);
                let is_of_one = |one: &Visit, other: &Visit| {
                    pairs[one.pair].process == pairs[other.pair].process
                };
                for kept in kept.chunk_by_mut(is_of_one) {
                    set_values(kept, &mut sorted, |visit| &mut visit.of_process);
                }
                if !visits.is_empty() {
                    let place = (pairs[batch[0]].batch, place);
                    clean.blocks.push(Block { place, visits });
                }
            }
        }
        clean
    }

    /// The visits of each block.
    pub(super) fn each(&self) -> impl Iterator<Item = &[Visit]> {
        self.blocks.iter().map(|block| &self.visits[block.visits.clone()])
    }

    /// Keeps the blocks that another list has as well.
    pub(super) fn keep_those_of(&mut self, other: &Clean) {
        let has = |block: &Block| {
            other.blocks.binary_search_by_key(&block.place, |other| other.place).is_ok()
        };
        self.blocks.retain(has);
    }

    /// The sum over all blocks of the mean of a block.
    pub(super) fn total(&self, of: fn(&Visit) -> f64) -> f64 {
        self.each().map(|kept| mean(kept, of)).sum()
    }
}

pub(super) fn mean(kept: &[Visit], of: fn(&Visit) -> f64) -> f64 {
    kept.iter().map(of).sum::<f64>() / kept.len() as f64
}

/// Sets values by the cheaper half of the times of these visits, for each design by itself.
fn set_values(
    visits: &mut [Visit],
    sorted: &mut Vec<f64>,
    values: fn(&mut Visit) -> &mut (f64, f64),
) {
    if visits.len() > 1 {
        let one = CheaperHalf::of(visits.iter().map(|visit| visit.times.0), sorted);
        let other = CheaperHalf::of(visits.iter().map(|visit| visit.times.1), sorted);
        for visit in visits {
            *values(visit) = (one.value(visit.times.0), other.value(visit.times.1));
        }
    }
}

pub(super) fn of_one(visit: &Visit) -> f64 {
    visit.values.0
}

pub(super) fn of_other(visit: &Visit) -> f64 {
    visit.values.1
}
