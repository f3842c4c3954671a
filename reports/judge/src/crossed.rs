//! Separates the effects of processes and of roots on a ratio, where both cross.
//!
//! Several processes measure several roots, each root in one or more turns. The samples of one process, root and turn
//! are a *part*. If a root has several parts, of several processes or of several turns of one, a least-squares fit of
//! one effect per root and one per process separates the two, and the residual is the noise.
//!
//! If each process has one round, processes meet in groups: those of one root share it with no others. How two groups
//! differ tells nothing about processes, so the effects of each group are those within it. A group may hold one layout
//! only. With several layouts the processes are therefore fitted with their roots only if these connect all of them;
//! otherwise the differences between roots stay in the effects of the processes, as noise.
//!
//! # Source
//! S. R. Searle, G. Casella and C. E. McCulloch, *Variance Components*, Wiley 1992, chapter 4: the mean square of the
//! effects less the contribution of the noise.

use std::collections::BTreeMap;

/// The measurements of one root in one turn of one process, as a part of an estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Part {
    /// 1 for the later session of a change between two, otherwise 0.
    pub session: u8,
    /// The layout of the process.
    pub layout: Option<u64>,
    pub process: u64,
    /// The turn of its round, numbered through all processes.
    pub turn: u64,
    pub root: u64,
    /// Contribution to the error of the log ratio. The contributions of all parts add up to zero.
    pub influence: f64,
    /// The contribution if the cheaper half of the visits of each process counted, and not that of all visits.
    pub of_process: f64,
    /// Fraction of the other design's total time.
    pub weight: f64,
}

/// The effects of processes and roots on a log ratio.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fit {
    /// The effect of each process, by layout and number.
    pub processes: BTreeMap<(Option<u64>, u64), f64>,
    /// The effect of each root that has several parts. Without any, the differences between roots are in the effects
    /// of the processes, as noise.
    pub roots: BTreeMap<u64, f64>,
    /// Groups of processes that share roots, directly or through other processes. One if no root is shared, and for
    /// several layouts.
    pub groups: usize,
    /// Variance of the log ratio of a part of mean weight that neither effect explains.
    pub noise: f64,
    /// The degrees of freedom of the noise; without any, the noise is unknown and zero.
    pub freedom: usize,
    /// The variance of the effect of a process that the noise causes.
    pub noise_of_process: f64,
}

/// An interval takes this many roots, or this many processes.
pub(crate) const FEWEST_CLUSTERS: usize = 6;

/// The least-squares fit converges geometrically.
const ITERATIONS: usize = 60;

/// The log ratio of a process on a root. Both are numbered by rising key.
struct Cell {
    process: usize,
    root: usize,
    weight: f64,
    log: f64,
}

impl Fit {
    /// Fits the effects to the parts of an estimate.
    pub(crate) fn of(parts: &[Part]) -> Fit {
        let parts: Vec<&Part> = parts.iter().filter(|part| part.weight > 0.0).collect();
        let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
        parts.iter().for_each(|part| *counts.entry(part.root).or_default() += 1);
        let one_layout = parts.iter().all(|part| part.layout == parts[0].layout);
        let several = parts.iter().copied().filter(|part| counts[&part.root] > 1).collect();
        let crossing = Some(Crossing::of(several)).filter(|crossing| {
            !crossing.parts.is_empty() && (one_layout || crossing.connects_all_of(&parts))
        });
        let shared = crossing.is_some();
        let Crossing { parts, processes: all_processes, roots: all_roots, cells } =
            crossing.unwrap_or_else(|| Crossing::of(parts));
        let mut processes =
            Means::new(all_processes.len(), &cells, |cell| (cell.process, cell.root));
        let mut roots = Means::new(all_roots.len(), &cells, |cell| (cell.root, cell.process));
        for _ in 0..ITERATIONS {
            let moved = processes.fit(&roots.of);
            // A fixed point stays one.
            if !shared || !(roots.fit(&processes.of) | moved) {
                break;
            }
        }
        let (mut processes, mut roots) = (processes.of, roots.of);
        let groups = match shared && one_layout {
            true => separate(&cells, &mut processes, &mut roots),
            false => 1,
        };
        let rest = |cell: &Cell| cell.log - roots[cell.root] - processes[cell.process];
        let levels = if shared { roots.len() } else { 1 };
        // In each group one constant may move between roots and processes, so it has one parameter less.
        let freedom = (cells.len() + groups).saturating_sub(processes.len() + levels);
        let mean_weight = cells.iter().map(|cell| cell.weight).sum::<f64>() / cells.len() as f64;
        let squares: f64 =
            cells.iter().map(|cell| cell.weight / mean_weight * rest(cell).powi(2)).sum();
        let noise = if freedom > 0 { squares / freedom as f64 } else { 0.0 };
        // A root of n parts tells less about the process of each than one whose cost is known.
        let known = |part: &&Part| match shared {
            true => 1.0 - 1.0 / counts[&part.root] as f64,
            false => 1.0,
        };
        let known: f64 = parts.iter().map(known).sum();
        let per_process = known / processes.len().max(1) as f64;
        // In a small group each effect is taken from the mean of few, which has a part of its noise.
        let own = match groups {
            1 => 1.0,
            _ => (processes.len() - groups) as f64 / processes.len() as f64,
        };
        let noise_of_process = own * noise / per_process.max(1e-9);
        let processes = all_processes.into_iter().zip(processes).collect();
        let roots =
            if shared { all_roots.into_iter().zip(roots).collect() } else { BTreeMap::new() };
        Fit { processes, roots, groups, noise, freedom, noise_of_process }
    }
}

fn process_of(part: &Part) -> (Option<u64>, u64) {
    (part.layout, part.process)
}

/// Parts as cells, with the keys of their processes and roots in the order of the numbers.
struct Crossing<'a> {
    parts: Vec<&'a Part>,
    processes: Vec<(Option<u64>, u64)>,
    roots: Vec<u64>,
    cells: Vec<Cell>,
}

impl<'a> Crossing<'a> {
    fn of(parts: Vec<&'a Part>) -> Crossing<'a> {
        let processes = numbered(parts.iter().map(|part| process_of(part)));
        let roots = numbered(parts.iter().map(|part| part.root));
        let cell = |part: &&Part| {
            let process = processes.binary_search(&process_of(part)).ok()?;
            let root = roots.binary_search(&part.root).ok()?;
            Some(Cell { process, root, weight: part.weight, log: part.influence / part.weight })
        };
        let cells = parts.iter().filter_map(cell).collect();
        Crossing { parts, processes, roots, cells }
    }

    /// Whether the roots connect all processes of these parts, of which the own ones are some.
    fn connects_all_of(&self, parts: &[&Part]) -> bool {
        let Crossing { processes, roots, cells, .. } = self;
        numbered(parts.iter().map(|part| process_of(part))) == *processes
            && groups(cells, processes.len(), roots.len()).iter().all(|&group| group == 0)
    }
}

/// Moves the mean effect of the processes of each group to its roots, if there are several groups. Returns their
/// number.
fn separate(cells: &[Cell], processes: &mut [f64], roots: &mut [f64]) -> usize {
    let groups = groups(cells, processes.len(), roots.len());
    let count = groups.iter().copied().max().map_or(1, |last| last + 1);
    if count < 2 {
        return 1;
    }
    let mut of_process = vec![0; processes.len()];
    cells.iter().for_each(|cell| of_process[cell.process] = groups[cell.root]);
    let mut sums = vec![(0.0, 0.0); count];
    for (&group, effect) in of_process.iter().zip(processes.iter()) {
        let (sum, members) = &mut sums[group];
        *sum += effect;
        *members += 1.0;
    }
    let means: Vec<f64> = sums.into_iter().map(|(sum, members)| sum / members).collect();
    processes.iter_mut().zip(of_process).for_each(|(effect, group)| *effect -= means[group]);
    roots.iter_mut().zip(groups).for_each(|(effect, group)| *effect += means[group]);
    count
}

/// The group of each root, numbered from 0. A page takes a hundred thousand fits, and in most all are connected soon.
fn groups(cells: &[Cell], processes: usize, roots: usize) -> Vec<usize> {
    // Disjoint sets (B. A. Galler and M. J. Fischer, 1964): the roots, then the processes.
    let mut above: Vec<usize> = (0..roots + processes).collect();
    let mut left = above.len();
    for &Cell { process, root, .. } in cells {
        let (one, other) = (top(&mut above, root), top(&mut above, roots + process));
        if one != other {
            above[one.max(other)] = one.min(other);
            left -= 1;
            if left == 1 {
                return vec![0; roots];
            }
        }
    }
    let tops: Vec<usize> = (0..roots).map(|root| top(&mut above, root)).collect();
    let of_groups = numbered(tops.iter().copied());
    tops.iter().map(|top| of_groups.binary_search(top).expect("one of them")).collect()
}

/// The first member of a set.
fn top(above: &mut [usize], mut member: usize) -> usize {
    while above[member] != member {
        // Halves the path, which keeps later searches short.
        above[member] = above[above[member]];
        member = above[member];
    }
    member
}

/// Different keys in rising order. A key has the number of its place.
fn numbered<K: Ord>(keys: impl Iterator<Item = K>) -> Vec<K> {
    let mut keys: Vec<K> = keys.collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// The effects of one kind: the weighted mean of each group of cells, less the effects of the other kind. A page
/// takes a hundred thousand fits, so the cells of a group are together.
struct Means {
    of: Vec<f64>,
    /// The other effect of each cell, its weight and its log ratio, group by group.
    cells: Vec<(usize, f64, f64)>,
    /// End of each group, and the weight of its cells.
    groups: Vec<(usize, f64)>,
}

impl Means {
    /// Effects of zero. `of` tells the group of a cell and its group of the other kind. No group is empty.
    fn new(count: usize, cells: &[Cell], of: impl Fn(&Cell) -> (usize, usize)) -> Means {
        let mut groups = vec![(0, 0.0); count];
        for cell in cells {
            let group = &mut groups[of(cell).0];
            group.0 += 1;
            group.1 += cell.weight;
        }
        let mut next = Vec::with_capacity(count);
        let mut end = 0;
        for group in &mut groups {
            next.push(end);
            end += group.0;
            group.0 = end;
        }
        let mut grouped = vec![(0, 0.0, 0.0); cells.len()];
        for cell in cells {
            let (group, other) = of(cell);
            grouped[next[group]] = (other, cell.weight, cell.log);
            next[group] += 1;
        }
        Means { of: vec![0.0; count], cells: grouped, groups }
    }

    /// Fits these effects to the others. Returns whether any of them changed.
    fn fit(&mut self, others: &[f64]) -> bool {
        let (mut start, mut moved) = (0, false);
        for (mean, &(end, all)) in self.of.iter_mut().zip(&self.groups) {
            let cells = &self.cells[start..end];
            let sum = cells
                .iter()
                .fold(0.0, |sum, &(other, weight, log)| sum + weight * (log - others[other]));
            let before = std::mem::replace(mean, sum / all);
            moved |= before != *mean;
            start = end;
        }
        moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(process: u64, root: u64, log: f64) -> Part {
        let influence = log / 8.0;
        let (layout, turn, weight) = (None, root, 1.0 / 8.0);
        Part { session: 0, layout, process, turn, root, influence, of_process: influence, weight }
    }

    #[test]
    fn exact_effects_are_found_and_leave_no_noise() {
        // Processes +0.1, -0.1, 0; roots +0.2, 0, -0.2, and not every process on every root.
        let (of_process, of_root) = ([0.1, -0.1, 0.0], [0.2, 0.0, -0.2]);
        let met = [(0, 0), (0, 1), (1, 1), (1, 2), (2, 2), (2, 0), (0, 2), (1, 0)];
        let parts = met.map(|(p, r)| part(p as u64, r as u64, of_process[p] + of_root[r]));
        let fit = Fit::of(&parts);
        let effects: Vec<f64> = fit.processes.values().copied().collect();
        let difference = |a: usize, b: usize| effects[a] - effects[b];
        assert!((difference(0, 1) - 0.2).abs() < 1e-9 && (difference(0, 2) - 0.1).abs() < 1e-9);
        assert!((fit.roots[&0] - fit.roots[&2] - 0.4).abs() < 1e-9);
        assert!(fit.noise < 1e-15);
        // Eight cells, three processes, three roots, one level in common.
        assert_eq!(fit.freedom, 3);
    }

    #[test]
    fn processes_are_compared_within_the_group_that_shares_their_roots() {
        // Two processes on each of three roots, which differ by ten times as much.
        let parts: Vec<Part> = (0..6u32)
            .map(|n| part(n.into(), (n / 2).into(), f64::from(n / 2) + 0.1 * f64::from(n % 2)))
            .collect();
        let fit = Fit::of(&parts);
        assert_eq!((fit.groups, fit.freedom, fit.noise), (3, 0, 0.0));
        let effects: Vec<f64> = fit.processes.values().copied().collect();
        assert!(
            effects
                .chunks(2)
                .all(|pair| (pair[0] + 0.05).abs() < 1e-9 && (pair[1] - 0.05).abs() < 1e-9)
        );
        assert!((fit.roots[&2] - fit.roots[&0] - 2.0).abs() < 1e-9);
        // One more part connects the first two groups.
        let connected = [parts.as_slice(), &[part(1, 1, 1.1)]].concat();
        assert_eq!(Fit::of(&connected).groups, 2);
        // Two processes on two roots of their own: each root has one difference of noise for both.
        let noisy = [0.1, -0.1, -0.1, 0.1, 0.1, -0.1, -0.1, 0.1];
        let pairs: Vec<Part> = (0..8u32)
            .zip(noisy)
            .map(|(n, log)| part((n / 4 * 2 + n % 2).into(), (n / 2).into(), log))
            .collect();
        let fit = Fit::of(&pairs);
        assert_eq!((fit.groups, fit.freedom), (2, 2));
        assert!((fit.noise - 0.04).abs() < 1e-9, "eight squares of 0.01 over two: {}", fit.noise);
        assert!((fit.noise_of_process - 0.02).abs() < 1e-9, "half of it: {}", fit.noise_of_process);
        let layouts = parts.iter().map(|part| Part { layout: Some(part.process % 2), ..*part });
        assert_eq!(Fit::of(&layouts.collect::<Vec<_>>()).groups, 1);
    }

    #[test]
    fn layouts_that_few_roots_connect_have_the_differences_of_roots_as_noise() {
        // Four processes of two layouts on three roots each, which differ by up to 1, as processes do by 0.
        let logs = [[0.5, -0.5, 0.0], [0.4, -0.4, 0.0], [0.5, -0.5, 0.0], [0.4, -0.4, 0.0]];
        let own = logs.into_iter().zip(0..).flat_map(|(logs, process)| {
            let roots = logs.into_iter().zip(3 * process..);
            roots.map(move |(log, root)| Part {
                layout: Some(process % 2),
                ..part(process, root, log)
            })
        });
        let own: Vec<Part> = own.collect();
        let apart = Fit::of(&own);
        assert!(apart.roots.is_empty());
        // The first two processes meet on one root, where they differ by 1.
        let met = [own.as_slice(), &[Part { layout: Some(1), ..part(1, 0, -0.5) }]].concat();
        let fit = Fit::of(&met);
        assert!(fit.roots.is_empty() && fit.groups == 1);
        assert!(fit.processes.values().all(|effect| effect.abs() < 0.2), "{:?}", fit.processes);
        assert!(fit.freedom == 9 && fit.noise > 0.1, "{fit:?}");
        // A chain of shared roots connects all four.
        let more = [(2, 3, 0.4), (3, 6, 0.5)].map(|(process, root, log)| Part {
            layout: Some(process % 2),
            ..part(process, root, log)
        });
        let fit = Fit::of(&[met, more.to_vec()].concat());
        assert_eq!(fit.roots.len(), 3);
    }

    #[test]
    fn processes_that_never_meet_have_the_differences_of_their_roots_as_noise() {
        let parts = [part(0, 0, 0.1), part(0, 1, -0.1), part(1, 2, 0.1), part(1, 3, -0.1)];
        let fit = Fit::of(&parts);
        assert!(fit.roots.is_empty() && fit.processes.values().all(|effect| effect.abs() < 1e-12));
        // Four squares of 0.01 over 4 - 2 degrees of freedom; a process has two parts.
        assert!((fit.noise - 0.02).abs() < 1e-12 && (fit.noise_of_process - 0.01).abs() < 1e-12);
    }
}
