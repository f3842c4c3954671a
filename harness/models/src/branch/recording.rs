//! Recorded branches of positions, replayed in the order of a regime.
//!
//! The branches of a generator at a position depend on its code and the position alone. So each position
//! is recorded once, and every order of positions is put together from these records.
//!
//! # How an order is replayed
//! As in a measurement, a loop calls the generator for each position of a block and then ends, so one branch is added
//! after each position: taken, except for the last of a block. A model is replayed until it has settled. Positions in
//! runs of K are replayed for 18 passes, fewer if a pass has hardly any miss; the result is the mean of the last two.
//! The misses of the added branch count for [`Recording::replayed`] and not for [`Recording::missed_learnt`], so a
//! model that misses the end of every block, such as bimodal, takes all passes of the former. A stream is replayed for
//! three passes; the last one counts. The prototype with which the model was chosen used the same numbers of passes.

use std::collections::HashMap;

use super::{ConditionalModel, IndirectModel, Replay};

mod missed;

pub use missed::Missed;

/// Positions of a block, the unit of the results.
pub const BLOCK: usize = 64;

const REPLAY_PASSES: usize = 18;
const STREAM_PASSES: usize = 3;
/// A run with at most one miss in this many blocks is learnt.
const BLOCKS_PER_MISS: u64 = 8;
/// Address of the loop that calls the generator; any that a program does not have.
const LOOP: u64 = u64::MAX / 2;

/// One executed branch. Addresses are relative to the program's image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// An execution of a conditional branch.
    Branch {
        /// Address of the branch, relative to the program's image.
        address: u64,
        /// Whether it was taken.
        taken: bool,
    },
    /// An indirect jump or call.
    Jump {
        /// Address of the jump or call, relative to the program's image.
        address: u64,
        /// Address of the next instruction.
        target: u64,
    },
}

impl Event {
    /// Address of the branch, jump or call, relative to the program's image.
    pub const fn address(self) -> u64 {
        match self {
            Event::Branch { address, .. } | Event::Jump { address, .. } => address,
        }
    }
}

/// The branches of some positions. An event takes four bytes, however many there are.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// Every different event once, in the order in which they first occur.
    events: Vec<Event>,
    numbers: HashMap<Event, u32>,
    /// Numbers of the events, position after position.
    log: Vec<u32>,
    /// End of each position in `log`.
    ends: Vec<usize>,
}

/// Some positions of a recording, replayed once in this order.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// Recording that holds the positions.
    pub recording: &'a Recording,
    /// Numbers of the positions in the recording, from 0.
    pub positions: &'a [usize],
    /// Whether their misses count; otherwise they only train the models.
    pub counted: bool,
}

/// Modelled misses of the counted parts of a run, in which several designs may alternate as in a session.
///
/// # Panics
/// If a part names a position that was not recorded.
pub fn missed_in_parts<'a>(
    parts: impl IntoIterator<Item = Part<'a>>,
    conditional: ConditionalModel,
    indirect: IndirectModel,
) -> Misses {
    let mut replay = Replay::new(conditional, indirect);
    let (mut counts, mut positions) = (Counts::default(), 0);
    for part in parts {
        for block in part.positions.chunks(BLOCK) {
            let found = part.recording.block(&mut replay, block);
            if part.counted {
                counts.add(found);
                positions += block.len();
            }
        }
    }
    counts.per_position(positions.max(1))
}

/// Mispredictions per position.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Misses {
    /// Of conditional branches, the loop over positions included.
    pub conditional: f64,
    /// Of indirect jumps and calls.
    pub indirect: f64,
}

impl Misses {
    /// Mispredictions of conditional and indirect branches together.
    pub fn total(self) -> f64 {
        self.conditional + self.indirect
    }
}

/// Mispredictions of one block in one pass.
#[derive(Clone, Copy, Default)]
struct Counts {
    conditional: u64,
    indirect: u64,
}

impl Counts {
    fn add(&mut self, other: Counts) {
        self.conditional += other.conditional;
        self.indirect += other.indirect;
    }

    fn per_position(self, positions: usize) -> Misses {
        let n = positions as f64;
        Misses { conditional: self.conditional as f64 / n, indirect: self.indirect as f64 / n }
    }
}

impl Recording {
    /// Appends the branches of one position, in the order of their execution.
    ///
    /// # Panics
    /// If there are more than 2^32 different events.
    pub fn push(&mut self, position: impl IntoIterator<Item = Event>) {
        for event in position {
            let number = *self.numbers.entry(event).or_insert_with(|| {
                self.events.push(event);
                u32::try_from(self.events.len() - 1).expect("fewer than 2^32 different branches")
            });
            self.log.push(number);
        }
        self.ends.push(self.log.len());
    }

    /// The same branches with their code elsewhere, as after linking in another order. `None` if the new address of a
    /// branch or of a target is not known.
    pub fn moved(&self, place: impl Fn(u64) -> Option<u64>) -> Option<Recording> {
        let elsewhere = |&event: &Event| {
            Some(match event {
                Event::Branch { address, taken } => {
                    Event::Branch { address: place(address)?, taken }
                }
                Event::Jump { address, target } => {
                    Event::Jump { address: place(address)?, target: place(target)? }
                }
            })
        };
        let events: Vec<Event> = self.events.iter().map(elsewhere).collect::<Option<_>>()?;
        let numbers = events.iter().copied().zip(0..).collect();
        Some(Recording { events, numbers, log: self.log.clone(), ends: self.ends.clone() })
    }

    /// Number of recorded positions.
    pub fn positions(&self) -> usize {
        self.ends.len()
    }

    /// The branches of a position.
    ///
    /// # Panics
    /// If there is no such position.
    pub fn position(&self, index: usize) -> impl Iterator<Item = Event> + '_ {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.log[start..self.ends[index]].iter().map(|&number| self.events[number as usize])
    }

    /// Modelled misses of each block in runs of `k` positions. Each run is replayed until it is learnt; a run
    /// shorter than a block is repeated within it. A block of the result stands for 64 positions, or for
    /// one run if that is shorter. Positions behind the last whole run are left out.
    ///
    /// # Panics
    /// If `k` is 0, or neither a divisor nor a multiple of 64.
    pub fn replayed(
        &self,
        k: usize,
        conditional: ConditionalModel,
        indirect: IndirectModel,
    ) -> Vec<Misses> {
        assert!(k > 0 && (k.is_multiple_of(BLOCK) || BLOCK.is_multiple_of(k)), "whole blocks");
        let mut replay = Replay::new(conditional, indirect);
        let mut result = Vec::new();
        for run in 0..self.positions() / k {
            let repeats = (BLOCK / k).max(1);
            let positions: Vec<usize> = (0..k * repeats).map(|index| run * k + index % k).collect();
            result.extend(self.learn(&mut replay, &positions));
        }
        result
    }

    /// The last two passes over one run, averaged per block.
    fn learn(&self, replay: &mut Replay, positions: &[usize]) -> Vec<Misses> {
        let blocks: Vec<&[usize]> = positions.chunks(BLOCK).collect();
        let [before, last] = last_two(blocks.len(), || {
            let counts: Vec<Counts> =
                blocks.iter().map(|block| self.block(replay, block)).collect();
            let misses = counts.iter().map(|one| one.conditional + one.indirect).sum();
            (counts, misses)
        });
        let both = before.into_iter().zip(last).zip(&blocks);
        both.map(|((mut counts, other), block)| {
            counts.add(other);
            counts.per_position(2 * block.len())
        })
        .collect()
    }

    /// Modelled misses of each block of a stream: positions in any order, such as the recorded or a shuffled
    /// one. The last block may be shorter.
    ///
    /// # Panics
    /// If the order names a position that was not recorded.
    pub fn streamed(
        &self,
        order: &[usize],
        conditional: ConditionalModel,
        indirect: IndirectModel,
    ) -> Vec<Misses> {
        let mut replay = Replay::new(conditional, indirect);
        let mut pass = || -> Vec<Misses> {
            let block = |block: &[usize]| self.block(&mut replay, block).per_position(block.len());
            order.chunks(BLOCK).map(block).collect()
        };
        (1..STREAM_PASSES).for_each(|_| _ = pass());
        pass()
    }

    fn block(&self, replay: &mut Replay, positions: &[usize]) -> Counts {
        let mut counts = Counts::default();
        self.replay_block(replay, positions, |missed| match missed {
            Event::Branch { .. } => counts.conditional += 1,
            Event::Jump { .. } => counts.indirect += 1,
        });
        counts
    }

    /// Replays a block and the loop over its positions. `missed` is told every misprediction.
    fn replay_block(
        &self,
        replay: &mut Replay,
        positions: &[usize],
        mut missed: impl FnMut(Event),
    ) {
        let mut step = |event| {
            let is_missed = match event {
                Event::Branch { address, taken } => replay.branch(address, taken),
                Event::Jump { address, target } => replay.jump(address, target),
            };
            if is_missed {
                missed(event);
            }
        };
        for (n, &position) in positions.iter().enumerate() {
            self.position(position).for_each(&mut step);
            step(Event::Branch { address: LOOP, taken: n + 1 != positions.len() });
        }
    }
}

/// Repeats a pass over a number of blocks, which returns what it counted and its misses, until the pass before the last
/// one was learnt. The last two passes, so that both may be averaged.
fn last_two<T>(blocks: usize, mut pass: impl FnMut() -> (T, u64)) -> [T; 2] {
    let enough = blocks as u64 / BLOCKS_PER_MISS;
    let mut before = pass();
    let mut last = pass();
    for _ in 2..REPLAY_PASSES {
        if before.1 <= enough {
            break;
        }
        before = std::mem::replace(&mut last, pass());
    }
    [before.0, last.0]
}

#[cfg(test)]
mod tests;
