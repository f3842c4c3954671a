//! Which positions a round is made of, how a design is brought to them, and what of it is timed.
//!
//! *Stream*: each batch goes on where the last one ended, around the end of the workload. A design
//! is led in by the positions before the batch, untimed, so that it is warm but has not seen what
//! is timed.
//!
//! *Replay*: the same K positions over and over, learnt before they are timed. A workload of
//! several times K positions is replayed block by block, one block per round. Fewer than sixteen
//! boards are laid out several times, because a pass of one position would time the call of the
//! pass. Beyond [`RESIDENT`] positions the boards are not kept and no predictor of today can learn
//! the cycle, so a replay is fed like a stream of K positions.
//!
//! *Disturbed*: a stream whose batch is cut into [`BLOCKS`] blocks, because the time of each is
//! compared with that of a block of empty calls beside it. An interruption spoils one block then,
//! and the machine's drift between the two is that of a fraction of a millisecond.

use std::borrow::Cow;
use std::ops::Range;

use raywalk_core::Position;
use raywalk_reports::schema::Regime;

/// Positions before a batch that warm a design up, where the workload has so many besides the batch.
///
/// Predictors need little: ray walks were 4 to 9 % slower after 256 positions than after 16,384. Tables
/// need much, because the other designs and the making of boards have pushed them out of the
/// second-level cache. Game order, 860 KB of tables, ns per position after a lead of 256: 158;
/// 4,096: 131; 8,192: 117; 16,384: 113; 32,768: 106 (a small-table design beside it: 97 at all
/// leads). The short lead turned a tie into a factor of 1.6; each doubling doubles its price.
pub const LEAD: usize = 16_384;
/// A workload hardly longer than the batch is led in by this many of its positions all the same.
const LEAST_LEAD: usize = 256;
/// The largest replay whose boards are kept and passed over as a whole.
pub const RESIDENT: usize = 8_192;
/// Blocks of a batch. One of a millisecond is cut into blocks of 60 µs, few of which meet an
/// interruption.
pub const BLOCKS: usize = 16;
/// The fewest boards in a pass.
const FEWEST_BOARDS: usize = 16;

/// How the positions of a panel reach the designs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Feed {
    /// A moving window over a cycle of positions.
    Window {
        /// Positions in the cycle.
        period: usize,
        /// Blocks that a batch is cut into.
        blocks: usize,
    },
    /// Boards that stay, block by block.
    Resident {
        /// Positions in a block.
        k: usize,
        /// How often they are laid out one after another.
        copies: usize,
        /// Blocks in the workload.
        blocks: usize,
    },
}

/// What one round does, the same for every design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Portion {
    /// Index of the first timed position in the workload.
    pub first: usize,
    /// Where the loaded positions begin.
    pub load_from: usize,
    /// Positions in the cycle that loading goes around.
    pub period: usize,
    /// Boards to load.
    pub boards: usize,
    /// The block they belong to, if they stay; boards of a window are made anew for each sample,
    /// so that they are equally warm in the caches for every design.
    pub block: Option<usize>,
    /// What is passed over before timing.
    pub warm_up: WarmUp,
    /// The timed ranges of boards: blocks of equal length, or two if a replay goes around its end.
    pub timed: Vec<Range<usize>>,
    /// How often they are passed over.
    pub repeats: u64,
}

/// How a design is brought to the beginning of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WarmUp {
    /// Once over these boards.
    Lead(Range<usize>),
    /// Over all boards until they are learnt, then up to where the batch begins.
    Learn {
        /// All boards.
        all: Range<usize>,
        /// The part before the batch.
        then: Range<usize>,
    },
}

impl Feed {
    /// The feed of a workload of `len` positions.
    ///
    /// # Errors
    /// One sentence if there are too few positions.
    pub fn new(regime: &Regime, len: usize) -> Result<Feed, String> {
        if len == 0 {
            return Err("has no positions".to_owned());
        }
        match *regime {
            Regime::Stream { .. } => Ok(Feed::Window { period: len, blocks: 1 }),
            Regime::Cold { .. } | Regime::Pressure { .. } => {
                Ok(Feed::Window { period: len, blocks: BLOCKS.min(len) })
            }
            Regime::Replay { k } => {
                let Some(k) = usize::try_from(k).ok().filter(|&k| 0 < k && k <= len) else {
                    return Err(format!("has {len} positions, too few for a replay of {k}"));
                };
                Ok(if k > RESIDENT {
                    Feed::Window { period: k, blocks: 1 }
                } else {
                    Feed::Resident { k, copies: FEWEST_BOARDS.div_ceil(k), blocks: len / k }
                })
            }
        }
    }

    /// The nearest possible batch to `wanted` positions: not beyond the cycle of a window and whole
    /// blocks of it, whole passes of a replay where at least one fits. One whole pass is preferred to a part up to
    /// `most` positions.
    pub fn fit(&self, wanted: usize, most: usize) -> usize {
        let wanted = wanted.max(1);
        match *self {
            Feed::Window { period, blocks } => {
                let whole = wanted.next_multiple_of(blocks);
                if whole <= period { whole } else { period - period % blocks }
            }
            Feed::Resident { k, copies, .. } => {
                let boards = k * copies;
                if wanted >= boards {
                    wanted - wanted % boards
                } else if copies > 1 || boards <= most {
                    boards
                } else {
                    wanted
                }
            }
        }
    }

    /// What round `round` does with batches of `batch` positions, which must [`fit`](Feed::fit).
    pub fn portion(&self, round: u64, batch: usize) -> Portion {
        let at =
            |step: u64, period: usize| (u128::from(step) * batch as u128 % period as u128) as usize;
        match *self {
            Feed::Window { period, blocks } => {
                let first = at(round, period);
                // Not the batch itself: then it would be a replay.
                let lead = period.saturating_sub(batch).clamp(LEAST_LEAD, LEAD);
                Portion {
                    first,
                    load_from: (first + period - lead % period) % period,
                    period,
                    boards: lead + batch,
                    block: None,
                    warm_up: WarmUp::Lead(0..lead),
                    timed: (0..blocks)
                        .map(|block| {
                            lead + batch * block / blocks..lead + batch * (block + 1) / blocks
                        })
                        .collect(),
                    repeats: 1,
                }
            }
            Feed::Resident { k, copies, blocks } => {
                let boards = k * copies;
                let block = (round % blocks as u64) as usize;
                let repeats = (batch / boards).max(1) as u64;
                // A part of a pass goes on where the last one of the same block ended.
                let start = if batch < boards { at(round / blocks as u64, boards) } else { 0 };
                let end = start + batch.min(boards);
                let timed = if end > boards {
                    vec![start..boards, 0..end - boards]
                } else {
                    vec![Range { start, end }]
                };
                Portion {
                    first: block * k + start,
                    load_from: block * k,
                    period: k,
                    boards,
                    block: Some(block),
                    warm_up: WarmUp::Learn { all: 0..boards, then: 0..start },
                    timed,
                    repeats,
                }
            }
        }
    }
}

impl Portion {
    /// Positions that are timed, repeats included.
    pub fn positions(&self) -> u64 {
        self.timed.iter().map(|range| range.len() as u64).sum::<u64>() * self.repeats
    }

    /// The timed passes in order, cut into about `wanted` blocks: ranges of boards, and how often each
    /// is passed over. The same for every design.
    pub fn blocks(&self, wanted: usize) -> Vec<(Range<usize>, u64)> {
        let cut = |whole: u64, parts: u64| {
            (0..parts).map(move |part| whole * part / parts..whole * (part + 1) / parts)
        };
        let wanted = wanted.max(1) as u64;
        if self.repeats >= wanted && self.timed.len() == 1 {
            let shares = cut(self.repeats, wanted).map(|share| share.end - share.start);
            return shares.map(|repeats| (self.timed[0].clone(), repeats)).collect();
        }
        let pieces = wanted.div_ceil(self.repeats * self.timed.len() as u64);
        let once = self.timed.iter().flat_map(|range| {
            let len = range.len() as u64;
            cut(len, pieces.clamp(1, len.max(1))).map(|piece| {
                (range.start + piece.start as usize..range.start + piece.end as usize, 1)
            })
        });
        let once: Vec<_> = once.collect();
        (0..self.repeats).flat_map(|_| once.clone()).collect()
    }

    /// The same batch for whoever needs no warming up.
    pub fn without_lead(&self) -> Portion {
        match &self.warm_up {
            WarmUp::Lead(lead) => Portion {
                load_from: self.first,
                boards: self.boards - lead.end,
                warm_up: WarmUp::Lead(0..0),
                timed: self.timed.iter().map(|r| r.start - lead.end..r.end - lead.end).collect(),
                ..self.clone()
            },
            WarmUp::Learn { .. } => self.clone(),
        }
    }

    /// The positions to load, from those of the workload.
    pub fn positions_to_load<'a>(&self, workload: &'a [Position]) -> Cow<'a, [Position]> {
        // The cycle of a resident block begins at the block, that of a window at the beginning.
        let (base, from) =
            if self.block.is_some() { (self.load_from, 0) } else { (0, self.load_from) };
        let cycle = &workload[base..base + self.period];
        match cycle.get(from..from + self.boards) {
            Some(stretch) => Cow::Borrowed(stretch),
            None => cycle.iter().copied().cycle().skip(from).take(self.boards).collect(),
        }
    }
}

#[cfg(test)]
mod tests;
