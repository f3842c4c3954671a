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
//! which a design is slow throughout keeps its samples: the spread shows that effect. A batch may also cost one design
//! more than the others, in every visit. A sample is therefore kept if most visits of its design to the batch deviate
//! alike.
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

/// The process of a round, and its batch.
pub(crate) type Visit = (u64, u64);

/// Removes the times of spoilt blocks. All samples of a round have the same number of blocks. `visits` has those of the
/// rounds.
pub(crate) fn remove(rounds: &mut [Vec<Blocks<'_>>], visits: &[Visit]) {
    for round in rounds.iter_mut() {
        for Blocks { times, .. } in round.iter_mut() {
            times.iter_mut().for_each(|time| *time = time.filter(|&time| time > 0.0));
        }
        remove_blocks(round);
    }
    remove_samples(rounds, visits);
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
    let Deviations { logs, limits } = Deviations::of(&cells);
    for (Cell { row, column, group, .. }, log) in cells.into_iter().zip(logs) {
        if log.abs() > limits[group] {
            round[row].times[column] = None;
        }
    }
    for Blocks { times, .. } in round {
        // What is left of a sample that was disturbed most of the time is hardly undisturbed.
        if 2 * times.iter().flatten().count() < times.len() {
            times.iter_mut().for_each(|time| *time = None);
        }
    }
}

/// Removes samples whose level deviates from that of their design in the process, times that of the round, unless most
/// visits of the design to the batch lie within the limit of it. A whole process may be slow because of its placement,
/// and a batch because of its positions. Both are properties of the design.
fn remove_samples(rounds: &mut [Vec<Blocks<'_>>], visits: &[Visit]) {
    let groups = groups(rounds);
    let count = groups.iter().flatten().max().map_or(0, |last| last + 1);
    let numbered = |of: fn(&Visit) -> u64| -> BTreeMap<u64, usize> {
        visits.iter().map(of).collect::<BTreeSet<_>>().into_iter().zip(0..).collect()
    };
    let (processes, batches) = (numbered(|visit| visit.0), numbered(|visit| visit.1));
    let of_round = |(column, round): (usize, &Vec<Blocks<'_>>)| {
        let process = processes[&visits[column].0];
        let cell = |(&group, log): (&usize, f64)| {
            let row = process * count + group;
            Cell { row, column, log, group }
        };
        let cells = groups[column].iter().zip(levels(round)).map(cell);
        cells.filter(|cell| cell.log.is_finite()).collect::<Vec<_>>()
    };
    let cells: Vec<Cell> = rounds.iter().enumerate().flat_map(of_round).collect();
    // Each design has a limit of its own, because designs differ in how much positions move them.
    let Deviations { logs, limits } = Deviations::of(&cells);
    let batch = |cell: &Cell| batches[&visits[cell.column].1] * count + cell.group;
    let by_batch = Groups::of(&cells, batch);
    let sorted = by_batch.sorted(&logs);
    let is_alike = |cell: &Cell, log: f64, limit: f64| {
        let batch = batch(cell);
        let visits = &sorted[by_batch.starts[batch]..by_batch.starts[batch + 1]];
        let below = visits.partition_point(|&visit| visit < log - limit);
        // The cell is a visit itself.
        let alike = visits.partition_point(|&visit| visit <= log + limit) - below;
        visits.len() > 1 && 2 * alike > visits.len()
    };
    for (cell, log) in cells.iter().zip(logs) {
        let limit = limits[cell.group];
        if log.abs() > limit && !is_alike(cell, log, limit) {
            let samples = rounds[cell.column].iter_mut().zip(&groups[cell.column]);
            for (blocks, _) in samples.filter(|&(_, &group)| group == cell.group) {
                blocks.times.iter_mut().for_each(|time| *time = None);
            }
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

/// What the level of its row and the level of its column leave of each cell, and the limit of each group.
struct Deviations {
    logs: Vec<f64>,
    limits: Vec<f64>,
}

impl Deviations {
    fn of(cells: &[Cell]) -> Deviations {
        let mut logs: Vec<f64> = cells.iter().map(|cell| cell.log).collect();
        let mut values = vec![0.0; logs.len()];
        let rows = Groups::of(cells, |cell| cell.row);
        let columns = Groups::of(cells, |cell| cell.column);
        for _ in 0..ITERATIONS {
            rows.center(&mut logs, &mut values);
            columns.center(&mut logs, &mut values);
        }
        rows.center(&mut logs, &mut values);
        let sizes: Vec<f64> = logs.iter().map(|log| log.abs()).collect();
        let limits = Groups::of(cells, |cell| cell.group).each(&sizes, &mut values, limit);
        Deviations { logs, limits }
    }
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

    /// The values, group by group, rising in each.
    fn sorted(&self, logs: &[f64]) -> Vec<f64> {
        let mut values = vec![0.0; logs.len()];
        logs.iter().zip(&self.places).for_each(|(log, &place)| values[place] = *log);
        for ends in self.starts.windows(2) {
            values[ends[0]..ends[1]].sort_unstable_by(f64::total_cmp);
        }
        values
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
mod tests;
