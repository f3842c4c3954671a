//! Where the batches of a panel come from: which positions a round times, and how a design is warmed
//! up for them.
//!
//! *Window*: each batch continues where the last one ended, around the end of the workload. The
//! positions before the batch run first, untimed, so that a design is warm but has not seen the batch.
//!
//! *Resident*: the same K positions again and again, learnt before they are timed. A workload of
//! several times K positions is replayed stretch by stretch, one stretch per round. Fewer than sixteen
//! boards are laid out several times, because a pass over one position would time the call of the
//! pass. Beyond [`RESIDENT`] positions the boards are not kept and no current predictor can learn the
//! cycle, so a long replay is a window over K positions.
//!
//! *Copies*: a window over a long cycle in which the same K positions come again and again.
//!
//! A disturbed window is cut into [`BLOCKS`] blocks, because the time of each block is compared with
//! that of an adjacent block of empty calls. An interruption then affects one block only, and the machine
//! has less than a millisecond to drift between the two.

use std::borrow::Cow;
use std::ops::Range;

use raywalk_core::Position;

/// Length of the warm-up prefix, in positions, where the workload has as many besides the batch.
///
/// A short prefix is enough for predictors: ray walks were 4 to 9 % slower after 256 positions than after
/// 16,384. Large tables need a long one, because other designs and the building of boards have evicted
/// them from the second-level cache. Game order, 860 KB of tables, ns per position after a prefix of
/// 256: 158; 4,096: 131; 8,192: 117; 16,384: 113; 32,768: 106 (a design with small tables: 97 after
/// every prefix). A prefix of 256 turned a tie into a factor of 1.6; each doubling doubles the cost.
pub(crate) const PREFIX: usize = 16_384;
/// Length of the warm-up prefix where the workload is hardly longer than the batch.
const LEAST_PREFIX: usize = 256;
/// The largest replay whose boards are kept.
pub(crate) const RESIDENT: usize = 8_192;
/// Blocks of a batch. A batch of a millisecond has blocks of 60 µs, few of which are interrupted.
pub(crate) const BLOCKS: usize = 16;
/// The fewest boards in a pass.
const FEWEST_BOARDS: usize = 16;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PositionSource {
    /// A moving window over a cycle of positions.
    Window {
        period: usize,
        /// Blocks that a batch is cut into.
        blocks: usize,
    },
    /// Boards that stay loaded, stretch by stretch.
    Resident {
        k: usize,
        /// How often they are laid out one after another.
        copies: usize,
        /// Stretches in the workload.
        stretches: usize,
    },
    /// A moving window over a cycle of boards that repeats the same few positions.
    Copies {
        k: usize,
        /// Boards in the cycle.
        boards: usize,
    },
}

/// What one round runs, the same for every design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Batch {
    /// Index of the first timed position in the workload.
    pub first: usize,
    /// Index of the first loaded position.
    pub load_from: usize,
    /// Positions in the cycle that loading goes around.
    pub period: usize,
    /// Boards to load.
    pub boards: usize,
    /// The stretch they belong to, if they stay loaded. Boards of a window are made anew for each
    /// sample, so that they are equally warm in the caches for every design.
    pub stretch: Option<usize>,
    /// What runs before timing.
    pub preparation: Preparation,
    /// The timed ranges of boards: blocks of equal length, or two if a replay wraps around its end.
    pub timed: Vec<Range<usize>>,
    /// How often they are timed.
    pub repeats: u64,
}

/// How a design is prepared for a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Preparation {
    /// One pass over these boards.
    Prefix(Range<usize>),
    /// Passes over all boards until they are learnt, then up to the start of the batch.
    Learn {
        all: Range<usize>,
        /// The part before the batch.
        then: Range<usize>,
    },
}

impl PositionSource {
    /// A window over `len` positions.
    pub fn stream(len: usize) -> PositionSource {
        PositionSource::Window { period: len, blocks: 1 }
    }

    /// A window over `len` positions whose batches are cut into blocks.
    pub fn disturbed(len: usize) -> PositionSource {
        PositionSource::Window { period: len, blocks: BLOCKS.min(len) }
    }

    /// A replay of `k` positions, not 0, in a workload of `len`, at least `k`.
    pub fn replay(k: usize, len: usize) -> PositionSource {
        if k > RESIDENT {
            PositionSource::Window { period: k, blocks: 1 }
        } else {
            PositionSource::Resident { k, copies: FEWEST_BOARDS.div_ceil(k), stretches: len / k }
        }
    }

    /// A window over `boards` boards of `k` positions, not 0: batches, prefixes and memory are those of a
    /// replay of `boards` positions.
    pub fn copies(k: usize, boards: usize) -> PositionSource {
        PositionSource::Copies { k, boards }
    }

    /// The possible batch size nearest to `wanted`: whole blocks within the cycle of a window, whole
    /// passes of a replay where at least one fits. One whole pass is preferred to a part of one, up
    /// to `most` positions.
    pub fn fit(&self, wanted: usize, most: usize) -> usize {
        let wanted = wanted.max(1);
        match *self {
            PositionSource::Window { period, blocks } => {
                let whole = wanted.next_multiple_of(blocks);
                if whole <= period { whole } else { period - period % blocks }
            }
            PositionSource::Copies { boards, .. } => wanted.min(boards),
            PositionSource::Resident { k, copies, .. } => {
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

    /// The batch of round `round`; `size` must [`fit`](PositionSource::fit).
    pub fn batch(&self, round: u64, size: usize) -> Batch {
        // Wide enough for any number of rounds.
        let at =
            |step: u64, period: usize| (u128::from(step) * size as u128 % period as u128) as usize;
        match *self {
            PositionSource::Window { period, blocks } => {
                let first = at(round, period);
                // The prefix excludes the batch itself, which would otherwise be replayed.
                let prefix = period.saturating_sub(size).clamp(LEAST_PREFIX, PREFIX);
                Batch {
                    first,
                    load_from: (first + period - prefix % period) % period,
                    period,
                    boards: prefix + size,
                    stretch: None,
                    preparation: Preparation::Prefix(0..prefix),
                    timed: (0..blocks)
                        .map(|block| {
                            prefix + size * block / blocks..prefix + size * (block + 1) / blocks
                        })
                        .collect(),
                    repeats: 1,
                }
            }
            PositionSource::Copies { k, boards } => {
                let first = at(round, boards) % k;
                let long = PositionSource::stream(boards).batch(round, size);
                // The prefix before it, counted backwards around the K positions.
                let load_from = (first + (k - 1) * long.timed[0].start) % k;
                Batch { first, load_from, period: k, ..long }
            }
            PositionSource::Resident { k, copies, stretches } => {
                let boards = k * copies;
                let stretch = (round % stretches as u64) as usize;
                let repeats = (size / boards).max(1) as u64;
                // A part of a pass continues where the last one of the same stretch ended.
                let start = if size < boards { at(round / stretches as u64, boards) } else { 0 };
                let end = start + size.min(boards);
                let timed = if end > boards {
                    vec![start..boards, 0..end - boards]
                } else {
                    vec![Range { start, end }]
                };
                Batch {
                    first: stretch * k + start,
                    load_from: stretch * k,
                    period: k,
                    boards,
                    stretch: Some(stretch),
                    preparation: Preparation::Learn { all: 0..boards, then: 0..start },
                    timed,
                    repeats,
                }
            }
        }
    }
}

impl Batch {
    /// Positions that are timed, repeats included.
    pub fn positions(&self) -> u64 {
        self.timed.iter().map(|range| range.len() as u64).sum::<u64>() * self.repeats
    }

    /// The timed passes in order, cut into about `wanted` blocks: ranges of boards with the number of
    /// passes over each. The same for every design.
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

    /// The same batch without its warm-up prefix.
    pub fn without_prefix(&self) -> Batch {
        match &self.preparation {
            Preparation::Prefix(prefix) => Batch {
                load_from: self.first,
                boards: self.boards - prefix.end,
                preparation: Preparation::Prefix(0..0),
                timed: self
                    .timed
                    .iter()
                    .map(|r| r.start - prefix.end..r.end - prefix.end)
                    .collect(),
                ..self.clone()
            },
            Preparation::Learn { .. } => self.clone(),
        }
    }

    /// The positions to load, from those of the workload.
    pub fn positions_to_load<'a>(&self, workload: &'a [Position]) -> Cow<'a, [Position]> {
        // The cycle of a resident stretch begins at the stretch, that of a window at the beginning.
        let (base, from) =
            if self.stretch.is_some() { (self.load_from, 0) } else { (0, self.load_from) };
        let cycle = &workload[base..base + self.period];
        match cycle.get(from..from + self.boards) {
            Some(positions) => Cow::Borrowed(positions),
            None => cycle.iter().copied().cycle().skip(from).take(self.boards).collect(),
        }
    }
}

#[cfg(test)]
mod tests;
