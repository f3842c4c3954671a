//! The times of two designs, paired within rounds.
//!
//! The machine may drift by more between two rounds than two designs differ within one, so the times of
//! a round are kept together.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use raywalk_results::journal::{PanelRounds, Results};
use raywalk_results::schema::{Mark, Panel, Round, Sample};
use raywalk_results::statistics::{Confidence, Interval, median};

use crate::estimate::{Estimate, Pair, stratified};
use crate::spoilt::{self, Blocks};

/// The times of all rounds of a panel, in time order, without spoilt blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct Times {
    rounds: Vec<RoundTimes>,
    /// The positions of the workload.
    positions: f64,
    /// The roots of the workload; 0 if the journal does not tell.
    roots: u64,
    /// The fraction of the positions that the rounds visited.
    visited: f64,
}

/// A session has tens of millions of blocks, so they are kept without a list for each sample.
#[derive(Clone, Debug, PartialEq)]
struct RoundTimes {
    /// A round with no pairs yet.
    pair: Pair,
    /// The ids of its designs in rising order; one list for all rounds that have the same.
    designs: Arc<[String]>,
    /// The ticks of one pass: all blocks of the first design, all of the second, and so on. A spoilt block
    /// has the time 0, which no other block has. A block beside a neighbour has its time with a minus sign.
    times: Vec<f64>,
}

impl RoundTimes {
    /// The place of a design.
    fn place(&self, id: &str) -> Option<usize> {
        self.designs.binary_search_by(|one| one.as_str().cmp(id)).ok()
    }

    /// The blocks of the design at this place.
    fn at(&self, place: usize) -> &[f64] {
        let blocks = self.times.len() / self.designs.len();
        &self.times[place * blocks..(place + 1) * blocks]
    }
}

/// The designs of each round, and their blocks one after another. The samples of a round are sorted by design.
fn flat(rounds: Vec<Vec<Blocks<'_>>>) -> Vec<(Arc<[String]>, Vec<f64>)> {
    let mut known: Option<Arc<[String]>> = None;
    let mut flat = |round: Vec<Blocks<'_>>| {
        let ids = || round.iter().map(|blocks| blocks.design);
        let designs = match known.take() {
            Some(designs) if designs.iter().map(String::as_str).eq(ids()) => designs,
            _ => ids().map(str::to_owned).collect(),
        };
        known = Some(Arc::clone(&designs));
        let times = round.iter().flat_map(|blocks| {
            // A sample has either no block beside a neighbour, or all of them.
            let left_out = blocks.beside_neighbour.iter().map(|time| -time);
            debug_assert!(left_out.len() == 0 || left_out.len() == blocks.times.len());
            let kept = blocks.times.iter().skip(left_out.len()).map(|time| time.unwrap_or(0.0));
            left_out.chain(kept)
        });
        (designs, times.collect())
    };
    rounds.into_iter().map(&mut flat).collect()
}

impl Times {
    /// Reads the rounds of a panel and leaves out spoilt blocks and samples beside a neighbour.
    pub fn of(results: &Results, rounds: &PanelRounds) -> Times {
        let mut samples: Vec<_> =
            rounds.rounds.iter().map(|round| blocks(&rounds.panel, round)).collect();
        let turns = turns(&rounds.rounds);
        let visits: Vec<_> =
            rounds.rounds.iter().map(|round| (round.process, round.first)).collect();
        spoilt::remove(&mut samples, &visits);
        let pair = |(round, &turn): (&Round, &u64)| {
            let process = results.processes.iter().find(|process| process.number == round.process);
            let positions = round.samples.first().map_or(0, |sample| sample.positions);
            let passes = passes(&rounds.panel, positions);
            Pair {
                layout: process.and_then(|process| process.layout),
                process: round.process,
                turn,
                root: round.root,
                batch: round.first,
                positions: positions / passes,
                passes,
                disturbed: is_disturbed(round),
                blocks: Vec::new(),
            }
        };
        let pairs = rounds.rounds.iter().zip(&turns).map(pair).zip(flat(samples));
        let timed: Vec<_> =
            pairs.map(|(pair, (designs, times))| RoundTimes { pair, designs, times }).collect();
        let batches: BTreeMap<u64, u64> =
            timed.iter().map(|round| (round.pair.batch, round.pair.positions)).collect();
        let positions = batches.values().sum::<u64>() as f64;
        let all = rounds.panel.positions.max(1) as f64;
        let (roots, visited) = (rounds.panel.roots, (positions / all).min(1.0));
        Times { rounds: timed, positions: all, roots, visited }
    }

    /// The fraction of the workload's positions that the rounds visited.
    pub fn visited(&self) -> f64 {
        self.visited
    }

    /// The roots of the workload; 0 if the journal does not tell.
    pub(crate) fn roots(&self) -> u64 {
        self.roots
    }

    /// The ratio of the total times of two designs.
    pub(crate) fn estimate(&self, one: &str, other: &str) -> Option<Estimate> {
        self.estimate_of(&self.pairs(one, other))
    }

    /// The ratio of the total times of two designs, from their [pairs](Times::pairs).
    pub(crate) fn estimate_of(&self, pairs: &[Pair]) -> Option<Estimate> {
        let (estimate, positions) = Estimate::with_positions(pairs)?;
        let visited = (positions / self.positions).min(1.0);
        let known = if visited < 1.0 { visited.max(stratified(pairs, self.roots)) } else { 1.0 };
        Some(Estimate { known_roots: Some(known), ..estimate })
    }

    /// The time of one design per position, as a ratio to one tick. Unlike a ratio of two designs it contains how the
    /// machine changed from process to process.
    pub(crate) fn estimate_of_time(&self, id: &str) -> Option<Estimate> {
        let mut pairs = self.pairs(id, id);
        for pair in &mut pairs {
            let positions = pair.positions as f64 / pair.blocks.len() as f64;
            pair.blocks.iter_mut().flatten().for_each(|(_, other)| *other = positions);
        }
        self.estimate_of(&pairs)
    }

    /// The ratio of the total times of two designs with its interval; `None` without one.
    pub fn interval(&self, one: &str, other: &str, confidence: Confidence) -> Option<Interval> {
        self.estimate(one, other)?.interval(confidence).ok().map(Interval::exp)
    }

    /// Numbers of distinct rounds, processes and roots, in this order.
    pub(crate) fn counts(&self) -> [u64; 3] {
        let different = |key: fn(&Pair) -> u64| {
            self.rounds.iter().map(|round| key(&round.pair)).collect::<BTreeSet<_>>().len() as u64
        };
        [self.rounds.len() as u64, different(|pair| pair.process), different(|pair| pair.root)]
    }

    /// The rounds that have both designs.
    pub(crate) fn pairs(&self, one: &str, other: &str) -> Vec<Pair> {
        self.pairs_of(one, other, |time| time)
    }

    /// The same with the samples beside a neighbour, and with disturbed rounds counting like all others; `None` if
    /// there are neither. The blocks of these samples are not searched for interruptions.
    pub(crate) fn pairs_with_disturbed(&self, one: &str, other: &str) -> Option<Vec<Pair>> {
        // All blocks of such a sample have the sign.
        let is_beside = |round: &RoundTimes| {
            let blocks = [one, other].into_iter().filter_map(|id| Some(round.at(round.place(id)?)));
            blocks.filter_map(|blocks| blocks.first()).any(|time| time.is_sign_negative())
        };
        if !self.rounds.iter().any(|round| round.pair.disturbed || is_beside(round)) {
            return None;
        }
        let mut pairs = self.pairs_of(one, other, f64::abs);
        pairs.iter_mut().for_each(|pair| pair.disturbed = false);
        Some(pairs)
    }

    /// The rounds that have both designs, with the times above 0 that `read` makes of the stored ones.
    fn pairs_of(&self, one: &str, other: &str, read: fn(f64) -> f64) -> Vec<Pair> {
        // Most rounds have the same designs, so their places are looked up once.
        let alike = self.rounds.chunk_by(|a, b| Arc::ptr_eq(&a.designs, &b.designs));
        let pairs = alike.flat_map(|rounds| {
            let places = Option::zip(rounds[0].place(one), rounds[0].place(other));
            places.into_iter().flat_map(move |places| rounds.iter().map(move |it| (it, places)))
        });
        let clean = |(&one, &other): (&f64, &f64)| {
            let (one, other) = (read(one), read(other));
            (one > 0.0 && other > 0.0).then_some((one, other))
        };
        let pair = |(round, (one, other)): (&RoundTimes, (usize, usize))| {
            let blocks = round.at(one).iter().zip(round.at(other)).map(clean).collect();
            Pair { blocks, ..round.pair.clone() }
        };
        pairs.map(pair).collect()
    }

    /// ln(one ÷ other) of the times of two designs, one value per round in time order, for plots: the
    /// median of the blocks' log ratios. Rounds without a clean block have none.
    pub fn by_round(&self, one: &str, other: &str) -> Vec<Option<f64>> {
        let log = |pair: &Pair| {
            let logs = pair.blocks.iter().flatten().map(|(one, other)| (one / other).ln());
            let logs: Vec<f64> = logs.collect();
            median(&logs)
        };
        self.pairs(one, other).iter().map(log).collect()
    }
}

/// The turn of each round. A design times the rounds of a turn one after another, so they have one order of
/// designs, and the next turn of the process has another. Few designs have few orders, so neighbours that are
/// alike by chance make no turn: unless most rounds have such a neighbour, each is a turn by itself.
pub(crate) fn turns(rounds: &[Round]) -> Vec<u64> {
    let mut last: BTreeMap<u64, (Vec<&str>, u64)> = BTreeMap::new();
    let mut next = 0;
    let mut turns = Vec::with_capacity(rounds.len());
    for round in rounds {
        let order: Vec<&str> = round.samples.iter().map(|sample| sample.design.as_str()).collect();
        let known = last.get(&round.process).filter(|(known, _)| *known == order);
        let turn = known.map_or(next, |&(_, turn)| turn);
        next = next.max(turn + 1);
        last.insert(round.process, (order, turn));
        turns.push(turn);
    }
    let is_by_chance = 2 * next > rounds.len() as u64;
    if is_by_chance { (0..rounds.len() as u64).collect() } else { turns }
}

/// Number of passes over the batch in a sample of so many positions.
pub(crate) fn passes(panel: &Panel, positions: u64) -> u64 {
    panel.regime.period.map_or(1, |k| (positions / k.max(1)).max(1))
}

/// Whether another thread on the same core slowed a sample, which is then left out.
pub(crate) fn has_neighbour(sample: &Sample) -> bool {
    sample.marks.contains(&Mark::BusyNeighbour)
}

/// Whether a round was disturbed as a whole. If its samples have marks of a neighbour, these tell which of them it met.
pub(crate) fn is_disturbed(round: &Round) -> bool {
    let is_of_samples =
        |mark: &Mark| *mark == Mark::BusyNeighbour && round.samples.iter().any(has_neighbour);
    !round.marks.iter().all(is_of_samples)
}

/// The ticks of each sample of a round, block by block, divided by the number of passes, so that they add up to one
/// pass, sorted by design. All have the same number of blocks. A batch of a replay begins with the same position in
/// every round, so its blocks are those of the same positions, whether a block is a part of a pass or several.
fn blocks<'a>(panel: &Panel, round: &'a Round) -> Vec<Blocks<'a>> {
    let passes = |sample: &Sample| passes(panel, sample.positions) as f64;
    let ticks = |sample: &Sample| -> Vec<Option<f64>> {
        // The ticks of a perturbed sample are a robust difference already.
        if panel.regime.is_perturbed() || sample.blocks.is_empty() {
            vec![Some(sample.ticks as f64 / passes(sample))]
        } else {
            let passes = passes(sample);
            sample.blocks.iter().map(|&ticks| Some(ticks as f64 / passes)).collect()
        }
    };
    let found: Vec<Vec<Option<f64>>> = round.samples.iter().map(ticks).collect();
    // A clock that does not advance within a block cannot time it.
    let is_coarse = |blocks: &Vec<Option<f64>>| blocks.len() > 1 && blocks.contains(&Some(0.0));
    let alike = found.windows(2).all(|two| two[0].len() == two[1].len());
    let whole = !alike || found.iter().any(is_coarse);
    let samples = round.samples.iter().zip(found);
    let times = samples.map(|(sample, blocks)| {
        let mut times = match whole {
            true => vec![Some(sample.ticks as f64 / passes(sample))],
            false => blocks,
        };
        let mut beside_neighbour = Vec::new();
        if has_neighbour(sample) {
            beside_neighbour = times.iter_mut().filter_map(Option::take).collect();
        }
        Blocks { design: &sample.design, times, beside_neighbour }
    });
    let mut times: Vec<Blocks<'a>> = times.collect();
    times.sort_unstable_by_key(|blocks| blocks.design);
    times
}

#[cfg(test)]
mod tests {
    use super::*;
    use raywalk_results::fixture::{self, Recipe};

    /// A replay of 2,048 positions in 16 blocks: the second design takes twice the time of the first, and the
    /// fourth block of a pass takes three times as long as the others.
    fn replay(passes: u64) -> Results {
        let mut results = Recipe::SMALL.results();
        let PanelRounds { panel, rounds, .. } = &mut results.panels[0];
        panel.regime = fixture::replay(2_048);
        panel.positions = 2_048;
        for sample in rounds.iter_mut().flat_map(|round| &mut round.samples) {
            let time = if sample.design == panel.designs[1] { 2_000 } else { 1_000 };
            let cost =
                |block: u64| if passes < 4 && block % (16 / passes) == 3 { 3 * time } else { time };
            sample.positions = 2_048 * passes;
            sample.blocks = (0..16).map(cost).collect();
            sample.ticks = sample.blocks.iter().sum();
        }
        results
    }

    fn ratio(results: &Results) -> f64 {
        let panel = &results.panels[0];
        let [one, other] = [&panel.panel.designs[1], &panel.panel.designs[0]];
        Times::of(results, panel).estimate(one, other).expect("clean blocks").log.exp()
    }

    #[test]
    fn samples_beside_a_neighbour_are_left_out_and_do_not_make_their_round_a_disturbed_one() {
        let mut results = replay(2);
        let one = results.panels[0].panel.designs[1].clone();
        // The neighbour slows samples of one design by a quarter, in fewer rounds than the fit would need to see it.
        let slow = |results: &mut Results, rounds: usize, designs: &[&String]| {
            let rounds = results.panels[0].rounds.iter_mut().take(rounds);
            for sample in rounds.flat_map(|round| &mut round.samples) {
                if designs.iter().any(|design| **design == sample.design) {
                    sample.blocks.iter_mut().for_each(|ticks| *ticks = *ticks * 5 / 4);
                    sample.ticks = sample.blocks.iter().sum();
                    sample.marks.push(Mark::BusyNeighbour);
                }
            }
        };
        let all = results.panels[0].rounds.len();
        let with_disturbed = |results: &Results| {
            let panel = &results.panels[0];
            let pairs =
                Times::of(results, panel).pairs_with_disturbed(&one, &panel.panel.designs[0]);
            pairs.map(|pairs| Estimate::of(&pairs).expect("blocks").log.exp())
        };
        assert_eq!(with_disturbed(&results), None);
        slow(&mut results, all - 1, &[&one]);
        assert_eq!(ratio(&results), 2.0);
        let with_all = with_disturbed(&results).expect("samples beside a neighbour");
        assert!((2.3..2.5).contains(&with_all), "{with_all}");
        let round = &mut results.panels[0].rounds[0];
        round.marks = vec![Mark::BusyNeighbour];
        assert!(!is_disturbed(round));
        round.marks.push(Mark::Steal);
        assert!(is_disturbed(round));
        let mut older = replay(2).panels.remove(0).rounds.remove(0);
        older.marks = vec![Mark::BusyNeighbour];
        assert!(is_disturbed(&older), "no sample tells which of them the neighbour met");
    }

    #[test]
    fn rounds_of_a_process_in_one_order_are_a_turn() {
        let mut results = Recipe { rounds: 12, ..Recipe::SMALL }.results();
        let rounds = &mut results.panels[0].rounds;
        assert_eq!(rounds.len(), 12);
        for (number, round) in rounds.iter_mut().enumerate() {
            // Two processes take turns, as in merged shards; each changes its order once.
            round.process = number as u64 % 2;
            round.samples.sort_by(|one, other| one.design.cmp(&other.design));
            round.samples.rotate_left(if number < 8 { 0 } else { 3 });
        }
        assert_eq!(turns(rounds), [0, 1, 0, 1, 0, 1, 0, 1, 2, 3, 2, 3]);
        // Two rounds of six are alike.
        rounds.truncate(6);
        (2..6).for_each(|number| rounds[number].samples.rotate_left(number / 2));
        assert_eq!(turns(rounds), [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn an_interruption_of_a_block_does_not_count_however_often_a_batch_is_passed_over() {
        for passes in [1, 2, 7, 16, 783] {
            let mut results = replay(passes);
            assert!((ratio(&results) - 2.0).abs() < 1e-9, "{passes} passes");
            for (number, round) in results.panels[0].rounds.iter_mut().enumerate() {
                let sample = &mut round.samples[number % 8];
                sample.blocks[number % 16] += 1_000_000;
                sample.ticks += 1_000_000;
            }
            assert!((ratio(&results) - 2.0).abs() < 1e-9, "{passes} passes, interrupted");
        }
    }
}
