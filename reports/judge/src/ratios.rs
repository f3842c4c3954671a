//! The times of two designs, paired within rounds.
//!
//! The machine may drift by more between two rounds than two designs differ within one, so the times of
//! a round are kept together.

use std::collections::{BTreeMap, BTreeSet};

use raywalk_results::journal::{PanelRounds, Results};
use raywalk_results::schema::{Panel, Round, Sample};
use raywalk_results::statistics::{Confidence, Interval, interquartile_mean};

use crate::estimate::{Estimate, Pair};
use crate::spoilt::{self, Blocks};

/// A replay that passes over its positions this often is summarised by the mean of its middle half: its
/// blocks are passes over the same positions, and an interruption spoils one of them.
const MANY_PASSES: u64 = 4;

/// The times of all rounds of a panel, in time order, without spoilt blocks.
#[derive(Clone, Debug)]
pub struct Times {
    rounds: Vec<RoundTimes>,
    /// The fraction of the workload that the rounds visited.
    visited: f64,
}

#[derive(Clone, Debug)]
struct RoundTimes {
    /// A round with no pairs yet.
    pair: Pair,
    /// The ticks of one pass, block by block.
    samples: Vec<Blocks>,
}

impl Times {
    /// Reads the rounds of a panel and leaves out spoilt blocks.
    pub fn of(results: &Results, rounds: &PanelRounds) -> Times {
        let mut samples: Vec<_> =
            rounds.rounds.iter().map(|round| blocks(&rounds.panel, round)).collect();
        let processes: Vec<u64> = rounds.rounds.iter().map(|round| round.process).collect();
        spoilt::remove(&mut samples, &processes);
        let pair = |round: &Round| {
            let process = results.processes.iter().find(|process| process.number == round.process);
            let positions = round.samples.first().map_or(0, |sample| sample.positions);
            Pair {
                layout: process.and_then(|process| process.layout),
                process: round.process,
                root: round.root,
                batch: round.first,
                positions: positions / passes(&rounds.panel, positions),
                disturbed: !round.marks.is_empty(),
                blocks: Vec::new(),
            }
        };
        let pairs = rounds.rounds.iter().map(pair).zip(samples);
        let timed: Vec<_> = pairs.map(|(pair, samples)| RoundTimes { pair, samples }).collect();
        let batches: BTreeMap<u64, u64> =
            timed.iter().map(|round| (round.pair.batch, round.pair.positions)).collect();
        let positions = batches.values().sum::<u64>() as f64;
        let visited = (positions / rounds.panel.positions.max(1) as f64).min(1.0);
        Times { rounds: timed, visited }
    }

    /// The fraction of the workload's positions that the rounds visited.
    pub fn visited(&self) -> f64 {
        self.visited
    }

    /// The ratio of the total times of two designs.
    pub(crate) fn estimate(&self, one: &str, other: &str) -> Option<Estimate> {
        let estimate = Estimate::of(&self.pairs(one, other))?;
        Some(Estimate { visited: Some(self.visited), ..estimate })
    }

    /// The ratio of the total times of two designs with its interval; `None` without one.
    pub fn interval(&self, one: &str, other: &str, confidence: Confidence) -> Option<Interval> {
        self.estimate(one, other)?.interval(confidence).ok().map(Interval::exp)
    }

    /// How many rounds, processes and roots there are.
    pub(crate) fn counts(&self) -> [u64; 3] {
        let different = |key: fn(&Pair) -> u64| {
            self.rounds.iter().map(|round| key(&round.pair)).collect::<BTreeSet<_>>().len() as u64
        };
        [self.rounds.len() as u64, different(|pair| pair.process), different(|pair| pair.root)]
    }

    /// The rounds that have both designs.
    pub(crate) fn pairs(&self, one: &str, other: &str) -> Vec<Pair> {
        let pair = |round: &RoundTimes| {
            let times = |id: &str| round.samples.iter().find(|sample| sample.design == id);
            let both = times(one)?.times.iter().zip(&times(other)?.times);
            let blocks = both.map(|(one, other)| Some(((*one)?, (*other)?))).collect();
            Some(Pair { blocks, ..round.pair.clone() })
        };
        self.rounds.iter().filter_map(pair).collect()
    }

    /// ln(one ÷ other) of the times of two designs, one value per round in time order, for plots: the
    /// interquartile mean of the blocks' log ratios. Rounds without a clean block have none.
    pub fn by_round(&self, one: &str, other: &str) -> Vec<Option<f64>> {
        let log = |pair: &Pair| {
            let logs = pair.blocks.iter().flatten().map(|(one, other)| (one / other).ln());
            let logs: Vec<f64> = logs.collect();
            (!logs.is_empty()).then(|| interquartile_mean(logs))
        };
        self.pairs(one, other).iter().map(log).collect()
    }
}

/// How often a sample of so many positions passes over its batch.
pub(crate) fn passes(panel: &Panel, positions: u64) -> u64 {
    panel.regime.period.map_or(1, |k| (positions / k.max(1)).max(1))
}

/// The ticks of one pass of each sample of a round, block by block. All have the same number of blocks.
fn blocks(panel: &Panel, round: &Round) -> Vec<Blocks> {
    let passes = |sample: &Sample| passes(panel, sample.positions);
    let ticks = |sample: &Sample| -> Vec<f64> {
        let passes = passes(sample);
        let many = passes >= MANY_PASSES && sample.blocks.len() > 1;
        if many {
            let blocks: Vec<f64> = sample.blocks.iter().map(|&ticks| ticks as f64).collect();
            vec![blocks.len() as f64 * interquartile_mean(blocks) / passes as f64]
        } else if passes > 1 || panel.regime.is_disturbed() || sample.blocks.is_empty() {
            // The ticks of a disturbed sample are a robust difference already.
            vec![sample.ticks as f64 / passes as f64]
        } else {
            sample.blocks.iter().map(|&ticks| ticks as f64).collect()
        }
    };
    let found: Vec<Vec<f64>> = round.samples.iter().map(ticks).collect();
    // A clock that does not advance within a block cannot time it.
    let is_coarse = |blocks: &Vec<f64>| blocks.len() > 1 && blocks.contains(&0.0);
    let alike = found.windows(2).all(|two| two[0].len() == two[1].len());
    let whole = !alike || found.iter().any(is_coarse);
    let samples = round.samples.iter().zip(found);
    let times = samples.map(|(sample, blocks)| Blocks {
        design: sample.design.clone(),
        times: match whole {
            true => vec![Some(sample.ticks as f64 / passes(sample) as f64)],
            false => blocks.into_iter().map(Some).collect(),
        },
    });
    times.collect()
}
