//! Finds blocks whose time is not that of their design: something else ran on the core, or on its sibling.
//!
//! All designs of a round time the same blocks. A block's time is therefore expected to be the level of its
//! design in the round, times what the block costs all designs. Both are fitted by medians (the median
//! polish of J. W. Tukey, *Exploratory Data Analysis*, 1977, chapter 11), so a disturbance of a third of all
//! blocks does not move them. The comparison of only two designs would need each of them to be
//! undisturbed most of the time.
//!
//! A disturbance may also last longer than a sample. The level of a sample is therefore expected to be that
//! of its design in this process, times that of its round, which are fitted in the same way. A process in
//! which a design is slow throughout keeps its samples: the spread shows that effect.
//!
//! Both rules treat times that are too long and too short alike, and all designs alike.

use std::collections::{BTreeMap, BTreeSet};

/// A deviation is too large if it exceeds this many robust standard deviations and [`LEAST`].
const MOST: f64 = 4.0;
/// Below six per cent, blocks differ because their positions do.
const LEAST: f64 = 0.06;
/// The median absolute deviation of a normal sample, times this, is its standard deviation.
const NORMAL_MAD: f64 = 1.4826;
/// Fewer values than this have no deviation that could be trusted.
const FEWEST: usize = 6;
/// The fit changes little after the second of these.
const ITERATIONS: usize = 4;

/// One sample: its design and the times of its blocks. A spoilt block has none.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Blocks<'a> {
    pub design: &'a str,
    /// Times, in any unit that all samples share.
    pub times: Vec<Option<f64>>,
    /// The times of a sample that is left out because of a neighbour; empty for others.
    pub beside_neighbour: Vec<f64>,
}

/// Removes the times of spoilt blocks. All samples of a round have the same number of blocks. `processes` has
/// the process of each round.
pub(crate) fn remove(rounds: &mut [Vec<Blocks<'_>>], processes: &[u64]) {
    for round in rounds.iter_mut() {
        for Blocks { times, .. } in round.iter_mut() {
            times.iter_mut().for_each(|time| *time = time.filter(|&time| time > 0.0));
        }
        remove_blocks(round);
    }
    remove_samples(rounds, processes);
}

/// Removes the blocks of a round that its designs and blocks do not explain.
fn remove_blocks(round: &mut [Blocks<'_>]) {
    if round.iter().all(|blocks| blocks.times.len() < 2) {
        return;
    }
    let mut cells = Vec::with_capacity(round.iter().map(|blocks| blocks.times.len()).sum());
    for (row, Blocks { times, .. }) in round.iter().enumerate() {
        let cell = |(column, time): (usize, &Option<f64>)| {
            time.map(|time| Cell { row, column, log: time.ln(), group: 0 })
        };
        cells.extend(times.iter().enumerate().filter_map(cell));
    }
    for Cell { row, column, .. } in outliers(cells) {
        round[row].times[column] = None;
    }
    for Blocks { times, .. } in round {
        // What is left of a sample that was disturbed most of the time is hardly undisturbed.
        if 2 * times.iter().flatten().count() < times.len() {
            times.iter_mut().for_each(|time| *time = None);
        }
    }
}

/// Removes the samples whose level its design in this process and its round do not explain. A whole process
/// may be slow because of its placement, and that is a property of the design.
fn remove_samples(rounds: &mut [Vec<Blocks<'_>>], processes: &[u64]) {
    let groups = groups(rounds);
    let count = groups.iter().flatten().max().map_or(0, |last| last + 1);
    let places: BTreeMap<u64, usize> =
        processes.iter().copied().collect::<BTreeSet<_>>().into_iter().zip(0..).collect();
    let row = |group: usize, round: usize| places[&processes[round]] * count + group;
    let of_round = |(column, round): (usize, &Vec<Blocks<'_>>)| {
        let cell =
            |(&group, log): (&usize, f64)| Cell { row: row(group, column), column, log, group };
        let cells = groups[column].iter().zip(levels(round)).map(cell);
        cells.filter(|cell| cell.log.is_finite()).collect::<Vec<_>>()
    };
    let cells: Vec<Cell> = rounds.iter().enumerate().flat_map(of_round).collect();
    // Each design has a limit of its own, because designs differ in how much positions move them.
    for Cell { group: spoilt, column, .. } in outliers(cells) {
        let samples = rounds[column].iter_mut().zip(&groups[column]);
        for (blocks, _) in samples.filter(|&(_, &group)| group == spoilt) {
            blocks.times.iter_mut().for_each(|time| *time = None);
        }
    }
}

/// The number of the design of each sample. Most rounds have the same designs in the same order as the one before, and
/// comparing two lists takes a tenth of the time of looking up each name.
fn groups<'a>(rounds: &[Vec<Blocks<'a>>]) -> Vec<Vec<usize>> {
    let mut numbers: BTreeMap<&'a str, usize> = BTreeMap::new();
    let mut groups: Vec<Vec<usize>> = Vec::with_capacity(rounds.len());
    for (place, round) in rounds.iter().enumerate() {
        let is_alike = |one: &usize| {
            let pairs = || rounds[*one].iter().zip(round);
            rounds[*one].len() == round.len()
                && pairs().all(|(one, other)| one.design == other.design)
        };
        let before = place.checked_sub(1).filter(is_alike);
        groups.push(match before {
            Some(before) => groups[before].clone(),
            None => {
                let number = |blocks: &Blocks<'a>| {
                    let next = numbers.len();
                    *numbers.entry(blocks.design).or_insert(next)
                };
                round.iter().map(number).collect()
            }
        });
    }
    groups
}

/// The level of each sample of a round; not a number where no block is left. Only blocks that all other samples
/// have kept count, if there are any, so that all levels are of the same positions.
fn levels(round: &[Blocks<'_>]) -> Vec<f64> {
    let columns = round.iter().map(|blocks| blocks.times.len()).max().unwrap_or(0);
    let kept = |blocks: &Blocks<'_>, place: usize| blocks.times.get(place).copied().flatten();
    let left = || round.iter().filter(|blocks| blocks.times.iter().any(Option::is_some));
    let shared: Vec<usize> =
        (0..columns).filter(|&place| left().all(|blocks| kept(blocks, place).is_some())).collect();
    let own: Vec<usize> = (0..columns).collect();
    let places = if shared.is_empty() { &own } else { &shared };
    let mut kept_times = Vec::new();
    let mut of = |blocks: &Blocks<'_>| {
        kept_times.clear();
        kept_times.extend(places.iter().filter_map(|&place| kept(blocks, place)));
        // The order of times is that of their logarithms, so only those in the middle are needed.
        middle_of(&mut kept_times, f64::ln)
    };
    round.iter().map(&mut of).collect()
}

/// A time in a table of rows and columns.
#[derive(Clone, Copy, Debug)]
struct Cell {
    row: usize,
    column: usize,
    log: f64,
    /// Cells of one group have a common limit.
    group: usize,
}

/// The cells that the level of their row and the level of their column do not explain.
fn outliers(mut cells: Vec<Cell>) -> Vec<Cell> {
    let mut logs: Vec<f64> = cells.iter().map(|cell| cell.log).collect();
    let mut values = vec![0.0; logs.len()];
    let rows = Groups::of(&cells, |cell| cell.row);
    let columns = Groups::of(&cells, |cell| cell.column);
    for _ in 0..ITERATIONS {
        rows.center(&mut logs, &mut values);
        columns.center(&mut logs, &mut values);
    }
    rows.center(&mut logs, &mut values);
    logs.iter_mut().for_each(|log| *log = log.abs());
    let groups = Groups::of(&cells, |cell| cell.group);
    let limits = groups.each(&logs, &mut values, limit);
    let mut deviations = logs.into_iter();
    cells.retain(|cell| deviations.next().is_some_and(|log| log > limits[cell.group]));
    cells
}

/// The groups of a table's cells. They stay the same while the cells are fitted.
struct Groups {
    /// The group of each cell.
    group_of: Vec<usize>,
    /// The place of each cell, group by group.
    places: Vec<usize>,
    /// Start of each group, and the end of the last one.
    starts: Vec<usize>,
}

impl Groups {
    fn of(cells: &[Cell], group: impl Fn(&Cell) -> usize) -> Groups {
        let group_of: Vec<usize> = cells.iter().map(group).collect();
        let count = group_of.iter().max().map_or(0, |last| last + 1);
        // Group n ends where group n + 1 begins. A group is filled from its end.
        let mut starts = vec![0; count + 1];
        group_of.iter().for_each(|&group| starts[group] += 1);
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut place = |&group: &usize| {
            starts[group] -= 1;
            starts[group]
        };
        let places = group_of.iter().map(&mut place).collect();
        Groups { group_of, places, starts }
    }

    /// Subtracts the median of each group. `values` is memory for as many values.
    fn center(&self, logs: &mut [f64], values: &mut [f64]) {
        let levels = self.each(logs, values, middle);
        logs.iter_mut().zip(&self.group_of).for_each(|(log, &group)| *log -= levels[group]);
    }

    /// The summary of the values of each group. `values` is memory for as many values.
    fn each(&self, logs: &[f64], values: &mut [f64], summary: fn(&mut [f64]) -> f64) -> Vec<f64> {
        for (log, &place) in logs.iter().zip(&self.places) {
            values[place] = *log;
        }
        self.starts.windows(2).map(|ends| summary(&mut values[ends[0]..ends[1]])).collect()
    }
}

/// The median; not a number if there are no values. The values are reordered. A session has millions of
/// them, so they are not sorted.
fn middle(values: &mut [f64]) -> f64 {
    middle_of(values, |value| value)
}

/// The median of a rising function of the values.
fn middle_of(values: &mut [f64], of: fn(f64) -> f64) -> f64 {
    let Some(last) = values.len().checked_sub(1) else { return f64::NAN };
    let (_, low, above) = values.select_nth_unstable_by(last / 2, f64::total_cmp);
    let low = of(*low);
    if last % 2 == 0 {
        return low;
    }
    above.iter().copied().min_by(f64::total_cmp).map_or(low, |high| low + 0.5 * (of(high) - low))
}

/// The largest of these deviations that is not too large.
fn limit(deviations: &mut [f64]) -> f64 {
    if deviations.len() < FEWEST {
        return f64::INFINITY;
    }
    (MOST * NORMAL_MAD * middle(deviations)).max(LEAST)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];

    /// A round of ten designs and eight blocks. Design n costs 100 + 10n, block b a part b more of a tenth.
    fn round() -> Vec<Blocks<'static>> {
        let sample = |n: u64| Blocks {
            design: NAMES[n as usize],
            times: (0..8).map(|block| Some(time(n, block))).collect(),
            beside_neighbour: Vec::new(),
        };
        (0..10).map(sample).collect()
    }

    /// Neighbouring cells differ by up to 2 % for no reason.
    fn time(design: u64, block: u64) -> f64 {
        let noise = (design * 7 + block * 5) % 11;
        (100 + 10 * design) as f64 * (10 + block) as f64 * (1.0 + 0.002 * noise as f64)
    }

    fn spoil(round: &mut [Blocks<'_>], design: usize, blocks: std::ops::Range<usize>, factor: f64) {
        for time in &mut round[design].times[blocks] {
            *time = time.map(|time| time * factor);
        }
    }

    fn left(round: &[Blocks<'_>]) -> Vec<usize> {
        round.iter().map(|blocks| blocks.times.iter().flatten().count()).collect()
    }

    #[test]
    fn a_quiet_round_keeps_all_blocks_though_they_differ_in_cost() {
        let mut rounds = vec![round(); 8];
        remove(&mut rounds, &[0; 8]);
        assert!(rounds.iter().all(|kept| *kept == round()));
    }

    #[test]
    fn disturbed_blocks_are_removed_even_if_a_third_of_all_is_disturbed() {
        let mut rounds = vec![round()];
        for design in 1..10 {
            for block in [0, 3, 5].map(|place| (design + place) % 8) {
                spoil(&mut rounds[0], design, block..block + 1, 1.6);
            }
        }
        spoil(&mut rounds[0], 0, 2..3, 0.5);
        remove(&mut rounds, &[0; 8]);
        assert_eq!(left(&rounds[0]), [7, 5, 5, 5, 5, 5, 5, 5, 5, 5]);
        assert_eq!(rounds[0][0].times[2], None, "too short is as wrong as too long");
    }

    #[test]
    fn five_per_cent_are_a_property_of_the_design() {
        let mut rounds = vec![round(); 8];
        rounds.iter_mut().for_each(|round| spoil(round, 4, 0..4, 1.05));
        let before = rounds.clone();
        remove(&mut rounds, &[0; 8]);
        assert_eq!(rounds, before);
    }

    #[test]
    fn a_sample_that_is_disturbed_as_a_whole_is_compared_with_other_rounds() {
        let mut rounds = vec![round(); 8];
        spoil(&mut rounds[3], 6, 0..8, 1.3);
        // A slow phase of the machine that lasts for the round slows all designs.
        (0..10).for_each(|design| spoil(&mut rounds[5], design, 0..8, 1.9));
        remove(&mut rounds, &[0; 8]);
        let expected = |number| match number {
            3 => vec![8, 8, 8, 8, 8, 8, 0, 8, 8, 8],
            _ => vec![8; 10],
        };
        for (number, round) in rounds.iter().enumerate() {
            assert_eq!(left(round), expected(number), "round {number}");
        }
    }

    #[test]
    fn a_process_in_which_a_design_is_slow_throughout_keeps_its_samples() {
        let mut rounds = vec![round(); 12];
        rounds[4..8].iter_mut().for_each(|round| spoil(round, 6, 0..8, 1.3));
        // One round of another process is slow too, which its other rounds do not explain.
        spoil(&mut rounds[9], 6, 0..8, 1.3);
        remove(&mut rounds, &[0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]);
        let kept: Vec<usize> = rounds.iter().map(|round| left(round)[6]).collect();
        assert_eq!(kept, [8, 8, 8, 8, 8, 8, 8, 8, 8, 0, 8, 8]);
    }

    #[test]
    fn samples_of_one_block_are_compared_with_other_rounds_only() {
        let one = |factor: f64| -> Vec<Blocks<'static>> {
            let sample = |n: u64| Blocks {
                design: NAMES[n as usize],
                times: vec![Some(time(n, 0) * if n == 2 { factor } else { 1.0 })],
                beside_neighbour: Vec::new(),
            };
            (0..4).map(sample).collect()
        };
        let mut rounds: Vec<_> = (0..8).map(|n| one(if n == 6 { 1.5 } else { 1.0 })).collect();
        remove(&mut rounds, &[0; 8]);
        assert!((0..8).all(|n| rounds[n][2].times[0].is_some() == (n != 6)));
        assert!(rounds.iter().flatten().filter(|blocks| blocks.times[0].is_none()).count() == 1);
        // Five rounds show no deviation.
        let mut few: Vec<_> = (0..5).map(|n| one(if n == 2 { 1.5 } else { 1.0 })).collect();
        remove(&mut few, &[0; 5]);
        assert!(few.iter().flatten().all(|blocks| blocks.times[0].is_some()));
    }

    #[test]
    fn a_time_of_zero_is_spoilt() {
        let mut rounds = vec![round()];
        rounds[0][2].times[5] = Some(0.0);
        remove(&mut rounds, &[0; 8]);
        assert_eq!(left(&rounds[0]), [8, 8, 7, 8, 8, 8, 8, 8, 8, 8]);
        let mut nothing =
            vec![vec![Blocks { design: "", times: vec![Some(0.0)], beside_neighbour: vec![] }]];
        remove(&mut nothing, &[0]);
        assert_eq!(left(&nothing[0]), [0]);
    }
}
