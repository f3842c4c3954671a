//! Recorded branches of positions, replayed in the order of a regime.
//!
//! What a generator executes for a position depends on its code and on the position alone. So each position
//! is recorded once, and every order of positions is put together from these records.
//!
//! # How an order is replayed
//! As in a measurement, a loop calls the generator for each position of a block and then ends, so one branch is
//! added after each position: taken, except for the last of a block. A model is replayed until it has learnt what
//! it can. Positions in runs of K are replayed for 18 passes, fewer if a pass has hardly any miss; the result is
//! the mean of the last two. A stream is replayed for three passes; the last one counts. The passes are
//! those of the prototype whose results chose the model.

use std::collections::HashMap;

use super::{ConditionalModel, IndirectModel, Replay};

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
    /// A conditional branch.
    Branch {
        /// Its address.
        address: u64,
        /// Whether it was taken.
        taken: bool,
    },
    /// An indirect jump or call.
    Jump {
        /// Its address.
        address: u64,
        /// Where it led.
        target: u64,
    },
}

/// The branches of some positions. An event takes four bytes, however many there are.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// Every different event once.
    events: Vec<Event>,
    numbers: HashMap<Event, u32>,
    /// Numbers of the events, position after position.
    log: Vec<u32>,
    /// Where each position ends in `log`.
    ends: Vec<usize>,
}

/// Mispredictions per position.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Misses {
    /// Of conditional branches, the loop over positions included.
    pub conditional: f64,
    /// Of indirect branches.
    pub indirect: f64,
}

impl Misses {
    /// Both kinds.
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

    /// Number of positions.
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
        let mut before = vec![Counts::default(); blocks.len()];
        let mut last = before.clone();
        let mut learnt = false;
        for _ in 0..REPLAY_PASSES {
            std::mem::swap(&mut before, &mut last);
            for (counts, block) in last.iter_mut().zip(&blocks) {
                *counts = self.block(replay, block);
            }
            if learnt {
                break; // the pass before was learnt as well, so both may be averaged
            }
            let misses: u64 = last.iter().map(|one| one.conditional + one.indirect).sum();
            learnt = misses <= blocks.len() as u64 / BLOCKS_PER_MISS;
        }
        let both = before.iter().zip(&last).map(|(one, other)| Counts {
            conditional: one.conditional + other.conditional,
            indirect: one.indirect + other.indirect,
        });
        both.zip(&blocks).map(|(counts, block)| counts.per_position(2 * block.len())).collect()
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
        for (n, &position) in positions.iter().enumerate() {
            for event in self.position(position) {
                match event {
                    Event::Branch { address, taken } => {
                        counts.conditional += u64::from(replay.branch(address, taken));
                    }
                    Event::Jump { address, target } => {
                        counts.indirect += u64::from(replay.jump(address, target));
                    }
                }
            }
            counts.conditional += u64::from(replay.branch(LOOP, n + 1 != positions.len()));
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raywalk_core::random::SplitMix;

    /// Positions with `coins` random branches each.
    fn coins(positions: usize, coins: u64) -> Recording {
        let (mut random, mut recording) = (SplitMix(2), Recording::default());
        for _ in 0..positions {
            recording.push(
                (0..coins).map(|n| Event::Branch {
                    address: 0x100 + 11 * n,
                    taken: random.below(2) == 1,
                }),
            );
        }
        recording
    }

    fn mean(misses: &[Misses]) -> f64 {
        misses.iter().map(|misses| misses.total()).sum::<f64>() / misses.len() as f64
    }

    #[test]
    fn a_recording_returns_what_was_recorded() {
        let branch = |address, taken| Event::Branch { address, taken };
        let jump = Event::Jump { address: 7, target: 70 };
        let positions = [vec![branch(1, true), jump, branch(1, false)], vec![], vec![jump; 3]];
        let mut recording = Recording::default();
        positions.iter().for_each(|position| recording.push(position.iter().copied()));
        let returned = (0..3).map(|index| recording.position(index).collect::<Vec<_>>());
        assert!(returned.eq(positions));
        assert_eq!((recording.positions(), recording.events.len()), (3, 3));
    }

    /// Positions without branches leave the loop over 64 positions, whose exit misses. A bimodal predictor
    /// does not learn it, TAGE does.
    #[test]
    fn the_loop_over_positions_is_a_branch_as_well() {
        let recording = coins(256, 0);
        let misses = |model| recording.replayed(128, model, IndirectModel::Ittage);
        let expected = Misses { conditional: 1.0 / 64.0, indirect: 0.0 };
        assert_eq!(misses(ConditionalModel::Bimodal), [expected; 4]);
        assert_eq!(misses(ConditionalModel::Tage), [Misses::default(); 4]);
    }

    #[test]
    fn few_positions_are_learnt_and_many_are_not() {
        let recording = coins(8192, 6);
        let tage = |k| mean(&recording.replayed(k, ConditionalModel::Tage, IndirectModel::Ittage));
        assert!(tage(64) < 0.02, "{}", tage(64));
        // Six coins miss three times if nothing is learnt.
        assert!((2.0..3.3).contains(&tage(8192)), "{}", tage(8192));
    }

    #[test]
    fn a_run_shorter_than_a_block_is_repeated_within_it() {
        let recording = coins(70, 6);
        let misses = recording.replayed(16, ConditionalModel::Tage, IndirectModel::Ittage);
        assert_eq!(misses.len(), 4, "the last 6 positions are no run");
        assert!(mean(&misses) < 0.05, "{misses:?}");
    }

    #[test]
    fn a_stream_follows_its_order() {
        // Positions alternate between two outcomes. In this order a short history predicts them; shuffled,
        // the branch is a coin.
        let mut recording = Recording::default();
        for n in 0..16_384 {
            recording.push([Event::Branch { address: 0x100, taken: n % 2 == 0 }]);
        }
        let mut order: Vec<usize> = (0..16_384).collect();
        let misses = |order: &[usize]| {
            mean(&recording.streamed(order, ConditionalModel::Callgrind, IndirectModel::LastTarget))
        };
        assert!(misses(&order) < 0.05, "{}", misses(&order));
        order = SplitMix(5).permutation(16_384);
        assert!((0.3..0.6).contains(&misses(&order)), "{}", misses(&order));
        assert_eq!(
            recording
                .streamed(&order[..100], ConditionalModel::Callgrind, IndirectModel::LastTarget)
                .len(),
            2
        );
    }

    #[test]
    fn indirect_branches_are_counted_by_themselves() {
        let (mut random, mut recording) = (SplitMix(3), Recording::default());
        for _ in 0..4096 {
            recording
                .push([Event::Jump { address: 0x50, target: 0x1000 + 8 * random.below(2) as u64 }]);
        }
        let order: Vec<usize> = (0..4096).collect();
        let model = IndirectModel::LastTarget;
        let misses = recording.streamed(&order, ConditionalModel::Bimodal, model);
        let indirect = misses.iter().map(|one| one.indirect).sum::<f64>() / misses.len() as f64;
        assert!((0.46..0.54).contains(&indirect), "{indirect}");
        assert!(misses.iter().all(|one| one.conditional == 1.0 / 64.0), "the loop over positions");
    }

    #[test]
    #[should_panic(expected = "whole blocks")]
    fn runs_that_do_not_fill_blocks_are_refused() {
        coins(100, 1).replayed(48, ConditionalModel::Bimodal, IndirectModel::LastTarget);
    }
}
