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
/// Blocks of a disturbed batch.
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
mod tests {
    use super::*;

    fn stream(len: usize) -> Feed {
        Feed::new(&Regime::Stream { order: "tree".to_owned() }, len).expect("a feed")
    }

    fn cold(len: usize) -> Feed {
        let regime = Regime::Cold { order: "tree".to_owned(), branches: 1 };
        Feed::new(&regime, len).expect("a feed")
    }

    fn replay(k: u64, len: usize) -> Feed {
        Feed::new(&Regime::Replay { k }, len).expect("a feed")
    }

    #[test]
    fn a_stream_goes_on_where_it_ended_and_around_the_end() {
        let feed = stream(100_000);
        let firsts: Vec<_> = (0..4).map(|round| feed.portion(round, 40_000).first).collect();
        assert_eq!(firsts, [0, 40_000, 80_000, 20_000]);
        let portion = feed.portion(0, 40_000);
        assert_eq!((portion.load_from, portion.boards), (100_000 - LEAD, LEAD + 40_000));
        assert_eq!((portion.timed[0].clone(), portion.repeats), (LEAD..LEAD + 40_000, 1));
        assert_eq!(feed.fit(500_000, 500_000), 100_000);
    }

    #[test]
    fn the_lead_never_holds_the_batch_unless_there_is_nothing_else() {
        let portion = stream(1_000).portion(1, 400);
        assert_eq!((portion.first, portion.load_from, portion.boards), (400, 800, 1_000));
        let portion = stream(10).portion(1, 4);
        assert_eq!((portion.first, portion.load_from, portion.boards), (4, 8, 260));
        let positions = vec![crate::measure::fake::position(0); 10];
        assert_eq!(portion.positions_to_load(&positions).len(), 260);
    }

    #[test]
    fn without_its_lead_a_batch_is_the_same_positions() {
        let positions: Vec<_> = (0..1_000).map(crate::measure::fake::position).collect();
        let portions = [
            stream(1_000).portion(2, 400),
            cold(1_000).portion(2, 64),
            replay(100, 250).portion(3, 50),
        ];
        for portion in portions {
            let timed = |portion: &Portion| {
                let loaded = portion.positions_to_load(&positions).into_owned();
                portion.timed.iter().flat_map(|r| loaded[r.clone()].to_vec()).collect::<Vec<_>>()
            };
            let bare = portion.without_lead();
            assert_eq!(timed(&bare), timed(&portion));
            assert_eq!(bare.positions(), portion.positions());
        }
    }

    #[test]
    fn a_disturbed_batch_is_a_stream_in_blocks_of_equal_length() {
        let feed = cold(100_000);
        let batch = feed.fit(120, 120);
        assert_eq!(batch, 128, "whole blocks");
        let portion = feed.portion(3, batch);
        let plain = stream(100_000).portion(3, batch);
        assert_eq!((portion.first, portion.boards), (plain.first, plain.boards));
        assert_eq!((portion.timed.len(), portion.positions()), (BLOCKS, 128));
        let lead = plain.timed[0].start;
        assert_eq!(portion.timed[..2], [lead..lead + 8, lead + 8..lead + 16]);
        assert_eq!(feed.fit(1, 1), BLOCKS, "a block is not empty");
    }

    #[test]
    fn a_small_replay_is_timed_in_whole_passes() {
        let feed = replay(16, 16);
        assert_eq!(feed.fit(1_000, 2_000), 62 * 16);
        let portion = feed.portion(5, 62 * 16);
        assert_eq!((portion.first, portion.boards, portion.repeats), (0, 16, 62));
        assert_eq!((portion.timed.len(), portion.timed[0].clone()), (1, 0..16));
        assert_eq!(portion.positions(), 62 * 16);
    }

    #[test]
    fn one_position_is_laid_out_sixteen_times_and_each_round_takes_the_next() {
        let feed = replay(1, 8);
        let batch = feed.fit(1_000, 2_000);
        let portion = feed.portion(11, batch);
        assert_eq!((portion.first, portion.block, portion.boards), (3, Some(3), 16));
        let positions: Vec<_> = (0..8).map(crate::measure::fake::position).collect();
        let loaded = portion.positions_to_load(&positions);
        assert_eq!(*loaded, vec![positions[3]; 16]);
    }

    #[test]
    fn a_large_replay_is_timed_in_parts_that_go_on() {
        let feed = replay(4_096, 65_536);
        assert_eq!(feed.fit(3_000, 3_500), 3_000, "no whole pass within the limit");
        assert_eq!(feed.fit(3_000, 5_000), 4_096, "one whole pass within the limit");
        let second = feed.portion(16, 3_000); // the second round of block 0
        assert_eq!(second.first, 3_000);
        assert_eq!(second.timed, [3_000..4_096, 0..1_904]);
        assert_eq!(second.warm_up, WarmUp::Learn { all: 0..4_096, then: 0..3_000 });
        assert_eq!((second.positions(), second.repeats), (3_000, 1));
    }

    #[test]
    fn a_replay_beyond_any_predictor_is_fed_like_a_stream() {
        let feed = replay(65_536, 70_000);
        assert_eq!(feed, Feed::Window { period: 65_536, blocks: 1 });
        assert_eq!(feed.portion(0, 4_000).load_from, 65_536 - LEAD);
    }

    #[test]
    fn what_fits_fits_again() {
        for feed in
            [stream(700), cold(700), cold(5), replay(1, 8), replay(100, 250), replay(4_096, 4_096)]
        {
            for wanted in [0, 1, 99, 1_000, 5_000, 1 << 40] {
                for most in [1, 300, 4_096, 10_000] {
                    let fitted = feed.fit(wanted, most);
                    assert_eq!(feed.fit(fitted, fitted), fitted, "{feed:?} {wanted} {most}");
                    assert_eq!(feed.portion(3, fitted).positions(), fitted as u64, "{feed:?}");
                }
            }
        }
    }

    #[test]
    fn too_few_positions_are_refused_with_a_sentence() {
        let replay = Regime::Replay { k: 5 };
        let why = Feed::new(&replay, 4).expect_err("too few");
        assert_eq!(why, "has 4 positions, too few for a replay of 5");
        assert!(Feed::new(&replay, 0).is_err());
    }

    #[test]
    fn blocks_are_the_timed_passes_in_order() {
        let all = |portion: &Portion, wanted: usize| -> Vec<usize> {
            let blocks = portion.blocks(wanted);
            assert!(blocks.len() <= 2 * wanted.max(portion.repeats as usize), "{}", blocks.len());
            blocks
                .into_iter()
                .flat_map(|(range, repeats)| (0..repeats).flat_map(move |_| range.clone()))
                .collect()
        };
        let stream = Feed::new(&Regime::Stream { order: "tree".to_owned() }, 5_000);
        let replay = |k| Feed::new(&Regime::Replay { k }, 5_000);
        for (feed, batch) in [
            (stream, 1_000),
            (replay(1), 16 * 1_000),
            (replay(16), 16 * 7),
            (replay(100), 1_000),
            (replay(4_096), 1_500),
        ] {
            let feed = feed.expect("enough positions");
            for round in 0..4 {
                let portion = feed.portion(round, batch);
                let whole: Vec<usize> = (0..portion.repeats)
                    .flat_map(|_| portion.timed.iter().cloned().flatten())
                    .collect();
                for wanted in [1, 3, 16] {
                    assert_eq!(all(&portion, wanted), whole, "{feed:?}, round {round}");
                }
            }
        }
        let portion = replay(16).expect("enough").portion(0, 16 * 400);
        assert_eq!(portion.blocks(16), vec![(0..16, 25); 16]);
    }
}
