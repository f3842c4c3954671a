//! How much a ratio varies with placement: its spread over layouts and processes.
//!
//! Within one process a ratio repeats from round to round. Another process, with stack and heap elsewhere,
//! or the same program with its sections in another order, may give another ratio (T. Mytkowicz et al.,
//! *Producing wrong data without doing anything obviously wrong!*, ASPLOS 2009). More rounds in one process
//! cannot show that. A session is therefore cut into processes, and this module asks how far one process
//! is from another.
//!
//! # The effect of a process
//! Processes measure different roots, and roots differ by more than processes do. If processes share roots,
//! a least-squares fit of one effect per root and one per process tells the two apart. If no root was
//! measured twice, the differences between roots remain in the effects, as noise that is subtracted.
//!
//! # What an effect must exceed
//! A reader who runs the program once runs one layout in one process: 19 of 20 normal processes lie within
//! two standard deviations. A few processes estimate a standard deviation badly, so the bound uses an upper
//! confidence bound of it: four of five true deviations lie below. The noise of the rounds is subtracted. The
//! deviations of layouts and of processes are independent and add up as the root of the sum of squares.
//!
//! # Source
//! S. R. Searle, G. Casella and C. E. McCulloch, *Variance Components*, Wiley 1992, chapter 3.8: the upper
//! bound on a component is its mean square, divided by a quantile of χ², less the noise.

use std::collections::BTreeMap;

use statrs::distribution::{ChiSquared, ContinuousCDF};

use crate::estimate::{Estimate, Part};

/// 19 of 20 members of a normal population lie within so many standard deviations of the mean.
const WITHIN: f64 = 2.0;
/// One in five true deviations exceeds its upper bound.
const MISSED: f64 = 0.2;

/// How far the ratios of one session lie apart, in ln.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spread {
    /// Between layouts; absent below two layouts.
    pub layouts: Option<Deviation>,
    /// Between processes of one layout; absent if no layout has two.
    pub processes: Option<Deviation>,
    /// The effect of each process, in the order of layouts and processes.
    pub effects: Vec<Effect>,
}

/// A standard deviation, in ln.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deviation {
    /// The estimate; zero if the noise of the rounds explains all differences.
    pub estimate: f64,
    /// The upper confidence bound at 80 %.
    pub upper: f64,
    /// Number of layouts or processes that it is estimated from.
    pub count: usize,
}

/// How far one process is from the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// Seed of its layout, if there is one.
    pub layout: Option<u64>,
    /// Number of the process.
    pub process: u64,
    /// ln of its ratio over that of the mean process on the same roots.
    pub log: f64,
}

/// What differs between the runs that a spread is taken over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// The order of sections that the program was linked with.
    Layouts,
    /// The process, of the same program.
    Processes,
}

impl Over {
    /// The plural noun for tables and sentences.
    pub fn label(self) -> &'static str {
        match self {
            Over::Layouts => "layouts",
            Over::Processes => "processes",
        }
    }
}

/// The size that an effect must exceed, because placement alone causes smaller ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// What causes the larger part.
    pub over: Over,
    /// As a log ratio, positive.
    pub log: f64,
}

impl Bound {
    /// As a fraction: 0.01 is one per cent.
    pub fn fraction(self) -> f64 {
        self.log.exp_m1()
    }
}

impl Spread {
    /// The spread of an estimate.
    pub(crate) fn of(estimate: &Estimate) -> Spread {
        let (effects, noise) = effects(&estimate.parts);
        let mut layouts: BTreeMap<Option<u64>, Vec<f64>> = BTreeMap::new();
        for effect in &effects {
            layouts.entry(effect.layout).or_default().push(effect.log);
        }
        let means: Vec<f64> = layouts.values().map(|logs| mean(logs)).collect();
        let within: f64 = layouts.values().map(|logs| squares(logs)).sum();
        let freedom = effects.len() - layouts.len().min(effects.len());
        let processes = (freedom > 0).then(|| deviation(within, freedom, noise, effects.len()));
        // The mean of a layout has the noise of its processes, whatever causes it.
        let size = effects.len() as f64 / layouts.len().max(1) as f64;
        let of_processes = if freedom > 0 { within / freedom as f64 } else { noise };
        let layouts = (means.len() > 1)
            .then(|| deviation(squares(&means), means.len() - 1, of_processes / size, means.len()));
        Spread { layouts, processes, effects }
    }

    /// Two standard deviations over layouts and processes together, at the upper bounds of both; absent if
    /// neither is known.
    pub fn bound(&self) -> Option<Bound> {
        let upper = |one: Option<Deviation>| one.map_or(0.0, |one| one.upper);
        let (layouts, processes) = (upper(self.layouts), upper(self.processes));
        self.layouts.or(self.processes)?;
        Some(Bound {
            over: if layouts > processes { Over::Layouts } else { Over::Processes },
            log: WITHIN * layouts.hypot(processes),
        })
    }
}

/// A deviation from a sum of squares. `noise` is the part of its mean square that something else causes.
fn deviation(squares: f64, freedom: usize, noise: f64, count: usize) -> Deviation {
    let mean_square = squares / freedom as f64;
    let low = ChiSquared::new(freedom as f64).map_or(0.0, |chi| chi.inverse_cdf(MISSED));
    // A mean square below the noise is low by chance, so the bound subtracts no more than that.
    let noise = noise.min(mean_square);
    let estimate = mean_square - noise;
    let upper = squares / low - noise;
    Deviation { estimate: estimate.sqrt(), upper: upper.sqrt(), count }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The sum of squares around the mean.
fn squares(values: &[f64]) -> f64 {
    let middle = mean(values);
    values.iter().map(|value| (value - middle).powi(2)).sum()
}

/// The effects of the processes, and the variance of one effect that the noise of its rounds causes.
fn effects(parts: &[Part]) -> (Vec<Effect>, f64) {
    let parts = || parts.iter().filter(|part| part.weight > 0.0);
    let mut visits: BTreeMap<u64, usize> = BTreeMap::new();
    parts().for_each(|part| *visits.entry(part.root).or_default() += 1);
    let shared = visits.values().any(|&visits| visits > 1);
    let cells: Vec<Cell> = parts()
        .filter(|part| !shared || visits[&part.root] > 1)
        .map(|part| Cell {
            process: (part.layout, part.process),
            root: part.root,
            weight: part.weight,
            log: part.influence / part.weight,
        })
        .collect();
    let (mut by_process, mut by_root) = (BTreeMap::new(), BTreeMap::new());
    for _ in 0..ITERATIONS {
        by_process =
            weighted(&cells, |cell| cell.process, |cell| cell.log - at(&by_root, cell.root));
        if !shared {
            break;
        }
        by_root =
            weighted(&cells, |cell| cell.root, |cell| cell.log - at(&by_process, cell.process));
    }
    let rest = |cell: &Cell| cell.log - at(&by_root, cell.root) - at(&by_process, cell.process);
    let roots = if shared { by_root.len() } else { 1 };
    let freedom = (cells.len() + 1).saturating_sub(by_process.len() + roots);
    let mean_weight = cells.iter().map(|cell| cell.weight).sum::<f64>() / cells.len() as f64;
    let squares: f64 =
        cells.iter().map(|cell| cell.weight / mean_weight * rest(cell).powi(2)).sum();
    // A root that n processes measured tells less about each of them than one whose cost is known.
    let known = |cell: &Cell| if shared { 1.0 - 1.0 / visits[&cell.root] as f64 } else { 1.0 };
    let per_process = cells.iter().map(known).sum::<f64>() / by_process.len().max(1) as f64;
    let noise = if freedom > 0 { squares / freedom as f64 / per_process.max(1e-9) } else { 0.0 };
    let effects =
        by_process.into_iter().map(|((layout, process), log)| Effect { layout, process, log });
    (effects.collect(), noise)
}

/// The least-squares fit of an effect per root and per process converges geometrically.
const ITERATIONS: usize = 60;

/// The log ratio of a process on a root.
struct Cell {
    process: (Option<u64>, u64),
    root: u64,
    weight: f64,
    log: f64,
}

/// The weighted mean of the cells of each group.
fn weighted<K: Ord>(
    cells: &[Cell],
    group: impl Fn(&Cell) -> K,
    value: impl Fn(&Cell) -> f64,
) -> BTreeMap<K, f64> {
    let mut sums: BTreeMap<K, (f64, f64)> = BTreeMap::new();
    for cell in cells {
        let sum = sums.entry(group(cell)).or_default();
        sum.0 += cell.weight * value(cell);
        sum.1 += cell.weight;
    }
    sums.into_iter().map(|(key, (sum, weight))| (key, sum / weight)).collect()
}

fn at<K: Ord>(effects: &BTreeMap<K, f64>, key: K) -> f64 {
    effects.get(&key).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests;
