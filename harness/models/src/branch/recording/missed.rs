//! Mispredictions of each branch in two orders of the same positions: a stream and a learnt replay.
//!
//! The stream visits every position once, as a search or a game does, so after a part that only trains it, the
//! predictor has learnt the code but not the position. A replay repeats the same positions in runs of K until they
//! are learnt, as most microbenchmarks do. Both count the same executions, so the difference of a branch is what the
//! predictor has memorised.

use std::collections::BTreeMap;
use std::ops::Range;

use super::super::{ConditionalModel, IndirectModel, Replay};
use super::{BLOCK, Event, LOOP, Recording, last_two};

/// Mispredictions of the branches of some positions. The loop over the positions is replayed, but its own
/// mispredictions are not counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Missed {
    /// Positions that were replayed and counted; more than there are if each was counted several times.
    pub visits: u64,
    /// Mispredictions of conditional branches in all visits.
    pub conditional: u64,
    /// Mispredictions of indirect branches in all visits.
    pub indirect: u64,
    /// Mispredictions in all visits by the address of the branch; branches without any are left out.
    pub sites: BTreeMap<u64, u64>,
}

impl Missed {
    /// A count of misses per position.
    pub fn rate(&self, misses: u64) -> f64 {
        misses as f64 / self.visits.max(1) as f64
    }

    /// Mispredictions of conditional and indirect branches in all visits.
    pub fn total(&self) -> u64 {
        self.conditional + self.indirect
    }

    /// Mispredictions of all branches, per position.
    pub fn rate_of_all(&self) -> f64 {
        self.rate(self.total())
    }

    /// Mispredictions of one branch per position.
    pub fn rate_at(&self, address: u64) -> f64 {
        self.rate(self.sites.get(&address).copied().unwrap_or(0))
    }

    fn count(&mut self, event: Event) {
        if event.address() == LOOP {
            return;
        }
        match event {
            Event::Branch { .. } => self.conditional += 1,
            Event::Jump { .. } => self.indirect += 1,
        }
        *self.sites.entry(event.address()).or_default() += 1;
    }

    fn add(&mut self, other: &Missed) {
        self.visits += other.visits;
        self.conditional += other.conditional;
        self.indirect += other.indirect;
        for (&address, misses) in &other.sites {
            *self.sites.entry(address).or_default() += misses;
        }
    }
}

impl Recording {
    /// Mispredictions in a stream: every position once, in the order in which it was recorded. Those before the
    /// counted range only train the predictor.
    ///
    /// # Panics
    /// If the range reaches beyond the recorded positions.
    pub fn missed_once(
        &self,
        counted: Range<usize>,
        conditional: ConditionalModel,
        indirect: IndirectModel,
    ) -> Missed {
        let mut replay = Replay::new(conditional, indirect);
        let mut missed = Missed::default();
        let (before, counted): (Vec<usize>, Vec<usize>) =
            (0..counted.end).partition(|&position| position < counted.start);
        for block in before.chunks(BLOCK) {
            self.replay_block(&mut replay, block, |_| {});
        }
        self.pass(&mut replay, &counted, &mut missed);
        missed
    }

    /// Mispredictions in learnt runs of `k` positions: each run is repeated until it is learnt, and the last two passes
    /// count. Unlike in [`replayed`](Recording::replayed), the loop over the positions does not keep a run from being
    /// learnt. Positions behind the last whole run of the range are left out.
    ///
    /// # Panics
    /// If `k` is 0, or the range reaches beyond the recorded positions.
    pub fn missed_learnt(
        &self,
        range: Range<usize>,
        k: usize,
        conditional: ConditionalModel,
        indirect: IndirectModel,
    ) -> Missed {
        let mut replay = Replay::new(conditional, indirect);
        let mut all = Missed::default();
        let positions: Vec<usize> = range.collect();
        for run in positions.chunks_exact(k) {
            let run = run.repeat((BLOCK / k).max(1));
            let passes = last_two(run.len().div_ceil(BLOCK), || {
                let mut missed = Missed::default();
                self.pass(&mut replay, &run, &mut missed);
                let misses = missed.total();
                (missed, misses)
            });
            passes.iter().for_each(|pass| all.add(pass));
        }
        all
    }

    fn pass(&self, replay: &mut Replay, positions: &[usize], missed: &mut Missed) {
        missed.visits += positions.len() as u64;
        for block in positions.chunks(BLOCK) {
            self.replay_block(replay, block, |event| missed.count(event));
        }
    }
}
