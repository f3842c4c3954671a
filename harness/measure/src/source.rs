//! The batches of a panel: the positions that a round times, and the warm-up of a design for them.
//!
//! The batches are a fixed partition of the workload. They depend on neither the speed of a design nor
//! the clock, so every process and every machine measures the same batches, cut into the same blocks.
//!
//! *Stream*: no position comes back before the end of the workload. The tree of each root is cut into
//! equal batches of at most [`MOST_POSITIONS`], so that a batch lies within one tree and no position is
//! left out. Where a workload has no trees, each batch counts as a root. Other positions of the workload
//! run first, untimed, so that a design is warm but has not seen the batch.
//!
//! A perturbed stream has short batches, windows of [`CALLS`] on average, because a perturbation takes longer than a
//! call. Because the batches are short, a session can visit every root. A stream of long calls has short batches too.
//!
//! A replay of long calls is not resident: learning it by thousands of calls would take seconds. It is a stream over
//! its K positions, of which up to 256 are passed over before a batch of them is timed.
//!
//! *Resident*: the same K positions again and again, learnt before they are timed. A workload of
//! several times K positions is replayed stretch by stretch, one stretch per round, always in whole
//! passes. Fewer than sixteen boards are laid out several times, because a pass over one position would
//! time the call of the pass. Beyond [`RESIDENT`] positions the boards are not kept and no current
//! predictor can learn the cycle, so a long replay is a stream over K positions.
//!
//! *Copies*: a stream over a long cycle of boards in which the same K positions come again and again.
//!
//! The parts: `position_source` (how positions reach the designs), `partition` (the batches), `visits` (their order),
//! `span` (which positions are loaded).

use std::ops::Range;

use raywalk_core::random::mix;

mod batch;
mod partition;
mod position_source;
mod span;
mod visits;

use batch::blocks_of_passes;
pub(crate) use batch::{Batch, Preparation};
use partition::{Cut, equal_parts};
use position_source::CutBy;
pub(crate) use position_source::PositionSource;
pub(crate) use span::Span;
use visits::Visits;
pub(crate) use visits::{Share, Turn};

/// Length of the warm-up prefix, in positions, where the workload has as many besides the batch.
///
/// A short prefix is enough for predictors: ray walks were 4 to 9 % slower after 256 positions than after
/// 16,384. Large tables need a long one, because other designs and the building of boards have evicted
/// them from the second-level cache. Game order, 860 KB of tables, ns per position after a prefix of
/// 256: 158; 4,096: 131; 8,192: 117; 16,384: 113; 32,768: 106 (a design with small tables: 97 after
/// every prefix). A prefix of 256 turned a tie into a factor of 1.6; each doubling doubles the cost.
pub const PREFIX: usize = 8_192;
/// Batches of a long stream that a design times in one turn, at most, after one prefix. Most of the time of a turn is
/// spent on the prefix; each batch warms the design up for the next.
pub(crate) const TURN: usize = 4;
/// Length of the warm-up prefix where the workload is hardly longer than the batch, and of long calls.
pub(crate) const LEAST_PREFIX: usize = 256;
/// The largest replay whose boards are kept.
pub(crate) const RESIDENT: usize = 8_192;
/// Upper bound on the positions of a batch of a stream: half a millisecond of a design of 120 ns. A
/// search tree of `ab4` has at most as many, so each of them is one batch.
pub const MOST_POSITIONS: usize = 4_096;
/// Calls of a batch of a perturbed stream or of long calls, on average.
pub(crate) const CALLS: usize = 16;
/// Blocks of a batch of a stream or a replay, at most. A batch of half a millisecond has blocks of 30 µs, few of which
/// are interrupted.
pub(crate) const BLOCKS: usize = 16;
/// Lower bound on the positions of a block of a stream. A block of the fastest designs takes 8 µs, four
/// hundred steps of a clock of 20 ns.
const LEAST_BLOCK: usize = 256;

/// The batches of a panel, in the order in which one share of its rounds visits them.
#[derive(Clone, Debug)]
pub(crate) struct Batches {
    source: PositionSource,
    cuts: Vec<Cut>,
    visits: Visits,
    /// The first round of the share.
    start: u64,
    /// The number of rounds of the share, if it is known.
    length: Option<u64>,
    /// First position of the first of the fixed warm-up prefixes.
    prefix: usize,
    /// First position of each tree, if batches and prefixes are whole trees.
    trees: Vec<usize>,
}

impl Batches {
    /// Cuts a workload whose trees begin at `roots` into batches.
    pub(crate) fn new(source: PositionSource, roots: &[usize], share: Share) -> Batches {
        let (cuts, period) = match source {
            PositionSource::Stream { period, distinct, cut } => {
                // Batches of the same positions belong to one root.
                let roots = if distinct < period { &[0] } else { roots };
                let cuts = match cut {
                    CutBy::Positions => partition::of_stream(period, roots, MOST_POSITIONS),
                    _ => partition::windows(period, roots),
                };
                (cuts, period)
            }
            PositionSource::Resident { k, stretches, .. } => {
                (partition::of_stretches(k, stretches), k)
            }
        };
        // The inverted seed gives a word of its own: that of the seed already draws which batches take part.
        let prefix = (mix(mix(!share.seed) ^ share.start) % period.max(1) as u64) as usize;
        let visits = Visits::new(cuts.iter().map(|cut| cut.root), share);
        let Share { start, length, .. } = share;
        Batches { source, cuts, visits, start, length, prefix, trees: Vec::new() }
    }

    /// The batches of a stream of `len` positions whose trees, which begin at `roots`, are walked from
    /// root to root: each tree of at most [`MOST_POSITIONS`] is a batch, and other trees are its prefix.
    pub(crate) fn of_trees(len: usize, roots: &[usize], share: Share) -> Batches {
        let stream = Batches::new(PositionSource::stream(len), roots, share);
        Batches { trees: roots.to_vec(), ..stream }
    }

    /// Number of roots of the workload.
    pub(crate) fn roots(&self) -> usize {
        self.cuts.chunk_by(|one, other| one.root == other.root).count()
    }

    /// Boards of one pass, if they stay loaded.
    pub(crate) fn pass(&self) -> Option<usize> {
        self.source.pass()
    }

    /// Positions of the largest batch of one pass.
    pub(crate) fn largest(&self) -> usize {
        let cuts = self.cuts.iter().map(|cut| cut.positions.len());
        self.pass().or(cuts.max()).unwrap_or_default()
    }

    /// The turn that contains this round of the share.
    ///
    /// The turns of a share are as few as [`TURN`] allows, and differ in length by at most one: what disturbs a turn
    /// disturbs all its rounds, so turns are what a share has to average over.
    pub(crate) fn turn(&self, round: u64) -> Turn {
        let place = round.saturating_sub(self.start);
        let (turns, length) = match self.length {
            Some(length) if place < length => (self.turns(length), length),
            _ => (1, self.longest_turn()),
        };
        let number = place * turns / length;
        // The least place whose number, rounded down above, is that of the turn.
        let begin = |turn: u64| self.start + (turn * length).div_ceil(turns);
        Turn { number, rounds: begin(number)..begin(number + 1) }
    }

    /// The number of turns of a share of so many rounds.
    pub(crate) fn turns(&self, rounds: u64) -> u64 {
        rounds.div_ceil(self.longest_turn())
    }

    fn longest_turn(&self) -> u64 {
        if self.is_long() { TURN as u64 } else { 1 }
    }

    /// The batches of the rounds of a turn. The first one prepares the design for all. `passes` and `blocks`
    /// concern replays: how often the boards are timed, and into about how many blocks.
    pub(crate) fn of_turn(&self, turn: Range<u64>, passes: u64, blocks: usize) -> Vec<Batch> {
        let numbers: Vec<usize> = turn.map(|round| self.visits.of_round(round)).collect();
        self.batches(&numbers, passes, blocks)
    }

    /// A batch that the share does not time, unless its `rounds` visit all batches.
    pub(crate) fn for_warm_up(&self, rounds: u64, passes: u64, blocks: usize) -> Batch {
        self.batches(&[self.visits.beside(rounds)], passes, blocks).remove(0)
    }

    /// Whether the workload is so long that a prefix can be found that contains no batch of a turn.
    fn is_long(&self) -> bool {
        match self.source {
            PositionSource::Stream { period, .. } => {
                period >= (TURN + 1) * (PREFIX + MOST_POSITIONS)
            }
            PositionSource::Resident { .. } => false,
        }
    }

    fn batches(&self, numbers: &[usize], passes: u64, blocks: usize) -> Vec<Batch> {
        let cuts: Vec<&Cut> = numbers.iter().map(|&number| &self.cuts[number]).collect();
        let batch = |(place, &cut): (usize, &&Cut)| {
            let Cut { ref positions, root } = *cut;
            let first = positions.start;
            match self.source {
                PositionSource::Stream { period, distinct, cut } => {
                    let repeated = |span: Span| Span {
                        cycle: 0..distinct,
                        first: span.first % distinct,
                        ..span
                    };
                    let kept = self.prefix(&cuts, period, cut);
                    let calls = positions.len();
                    let timed = kept.boards..kept.boards + calls;
                    let count = match cut {
                        CutBy::Positions => (calls / LEAST_BLOCK).clamp(1, BLOCKS),
                        // Each call is timed by itself.
                        CutBy::PerturbedCalls => calls,
                        CutBy::LongCalls | CutBy::RepeatedLongCalls => calls.min(BLOCKS),
                    };
                    let parts = equal_parts(&timed, count);
                    let preparation = match place {
                        0 => Preparation::Prefix(0..kept.boards),
                        _ => Preparation::Done,
                    };
                    Batch {
                        first: first % distinct,
                        root,
                        preparation,
                        kept: repeated(kept),
                        fresh: repeated(Span::part_of(positions.clone())),
                        timed,
                        repeats: 1,
                        blocks: parts.map(|part| (part, 1)).collect(),
                    }
                }
                PositionSource::Resident { boards, .. } => Batch {
                    first,
                    root,
                    kept: Span { boards, ..Span::part_of(positions.clone()) },
                    fresh: Span::part_of(first..first),
                    preparation: Preparation::Learn(0..boards),
                    timed: 0..boards,
                    repeats: passes.max(1),
                    blocks: blocks_of_passes(boards, passes.max(1), blocks),
                },
            }
        };
        cuts.iter().enumerate().map(batch).collect()
    }

    /// The warm-up prefix of the batches of a turn. It never contains one of them, which would otherwise be
    /// replayed.
    ///
    /// In a long stream it is one of a few fixed prefixes, nearly always the first, so that its boards stay
    /// loaded: making them for each turn would take longer than running them. In a short one, where a turn
    /// has one batch, it is the part before the batch, in the cycle of the workload.
    fn prefix(&self, batches: &[&Cut], period: usize, cut: CutBy) -> Span {
        let cycle = 0..period;
        if let Some((first, boards)) = self.trees_beside(batches, period) {
            return Span { cycle, first, boards };
        }
        let longest = match cut {
            CutBy::Positions | CutBy::PerturbedCalls => PREFIX,
            CutBy::LongCalls | CutBy::RepeatedLongCalls => LEAST_PREFIX,
        };
        let batch = &batches[0].positions;
        if !self.is_long() {
            let boards = match cut {
                CutBy::RepeatedLongCalls => period.min(longest),
                _ => period.saturating_sub(batch.len()).clamp(LEAST_PREFIX, longest),
            };
            // A short workload may have fewer positions than the prefix, which then goes round more than once.
            let first = (batch.start + period - boards % period) % period;
            return Span { cycle, first, boards };
        }
        let contains_none = |&first: &usize| {
            batches.iter().all(|Cut { positions, .. }| {
                let offset = (positions.start + period - first) % period;
                // Counted from the prefix on, the batch lies behind it and ends before the prefix comes round again.
                offset >= PREFIX && offset + positions.len() <= period
            })
        };
        // Two of them are further apart than a batch is long, so one more than batches has a free one.
        let first = self.prefixes(period).find(contains_none);
        Span { cycle, first: first.unwrap_or(batch.end % period), boards: longest }
    }

    /// First position of each fixed prefix.
    fn prefixes(&self, period: usize) -> impl Iterator<Item = usize> + use<> {
        let begin = self.prefix;
        (0..=TURN).map(move |n| (begin + period * n / (TURN + 1)) % period)
    }

    /// Other trees than those of the batches, in a row, with at least [`MOST_POSITIONS`] positions if there are as
    /// many: the first position and the number of positions. `None` if trees may be cut.
    ///
    /// They begin with the tree at one of the fixed prefixes, so most turns have the same.
    fn trees_beside(&self, batches: &[&Cut], period: usize) -> Option<(usize, usize)> {
        let count = self.trees.len();
        if count == 0 {
            return None;
        }
        let tree_of = |position: usize| {
            self.trees.partition_point(|&begin| begin <= position).saturating_sub(1)
        };
        let end = |tree: usize| self.trees.get(tree + 1).copied().unwrap_or(period);
        let timed: Vec<usize> = batches.iter().map(|cut| tree_of(cut.positions.start)).collect();
        let from = |first: usize| {
            let row = (0..count).map(|n| (first + n) % count);
            let mut boards = 0;
            for tree in row.take_while(|tree| !timed.contains(tree)) {
                boards += end(tree) - self.trees[tree];
                if boards >= MOST_POSITIONS {
                    break;
                }
            }
            (self.trees[first], boards)
        };
        let mut found = self.prefixes(period).map(|position| from(tree_of(position)));
        let long = found.find(|&(_, boards)| boards >= MOST_POSITIONS);
        // In a workload too short for that, the longest row that contains no timed tree.
        long.or_else(|| (0..count).map(from).max_by_key(|&(_, boards)| boards))
    }
}

#[cfg(test)]
mod tests;
