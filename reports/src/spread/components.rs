//! Components of variance: how much of a spread is layout, process, position and round.
//!
//! The model is one of random effects: processes nested in layouts, positions crossed with both,
//! and the rest, which is the round. Its components come from mean squares by the method of moments;
//! one that would be negative is zero.
//!
//! Means and squares are at the mercy of a single interruption, and an interruption is no spread: it
//! would come in any process, and one stroke of 100 % outweighs a thousand rounds of 1 %. So before
//! the squares are made each value is drawn in to three standard deviations around its fit, that is,
//! around the sum of a median of its process and a median of its position. Three leave a normal
//! sample alone (3 values of 1,000 are moved, by little) and take an interruption's weight; an effect
//! of layout, process or position is in the fit and is not drawn in at all.
//!
//! The formulae are those of a balanced design, in which every process visits every position equally
//! often. What does not fit is left out: positions that one process did not reach, repetitions that
//! only some have, processes that one layout has more than the others.

use std::collections::{BTreeMap, BTreeSet};

use crate::statistics::median;

/// Values are drawn in to so many standard deviations around their fit.
const DRAWN_IN: f64 = 3.0;

/// Median of the absolute value of a standard normal variable: makes a deviation of a median.
const MIDDLE_DEVIATION: f64 = 0.674_489_75;

/// Sweeps of medians; a table of a session needs four or five.
const MOST_SWEEPS: usize = 20;

/// A value and what it belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observation {
    /// Seed of the layout, if there is one.
    pub layout: Option<u64>,
    /// Number of the process.
    pub process: u64,
    /// Where the positions begin.
    pub position: u64,
    /// The log ratio.
    pub value: f64,
}

/// Standard deviations, in ln.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Components {
    /// Between layouts; absent below two of them. With one process for each layout the spread of
    /// processes is in it, because nothing can tell them apart.
    pub layout: Option<f64>,
    /// Between processes of one layout; absent where no layout has two.
    pub process: Option<f64>,
    /// Between positions; absent where all rounds have the same.
    pub position: Option<f64>,
    /// Between rounds on the same positions in one process.
    pub round: f64,
}

/// Splits the variance. `None` if there is one process only, if no position was visited by all, or if
/// nothing is left for the rounds.
///
/// # Source
/// S. R. Searle, G. Casella and C. E. McCulloch, *Variance Components*, Wiley 1992, chapter 4: mean
/// squares of balanced data and their expectations.
pub fn components(observations: &[Observation]) -> Option<Components> {
    let mut table = Balanced::of(observations)?;
    table.draw_in();
    table.split()
}

/// A balanced table: `a` layouts of `b` processes each, `c` positions, `m` values in each cell.
struct Balanced {
    a: usize,
    b: usize,
    c: usize,
    m: usize,
    /// By process (layout after layout), then position, then repetition.
    values: Vec<f64>,
}

impl Balanced {
    fn of(observations: &[Observation]) -> Option<Balanced> {
        if observations.iter().any(|one| !one.value.is_finite()) {
            return None;
        }
        let mut cells: BTreeMap<(u64, u64), Vec<f64>> = BTreeMap::new();
        let mut layouts: BTreeMap<Option<u64>, BTreeSet<u64>> = BTreeMap::new();
        for one in observations {
            cells.entry((one.process, one.position)).or_default().push(one.value);
            layouts.entry(one.layout).or_default().insert(one.process);
        }
        // As many processes as fit, but never fewer than two layouts where there are two.
        let sizes: Vec<usize> = layouts.values().map(BTreeSet::len).collect();
        let (b, a) = fullest(&sizes, sizes.len().min(2))?;
        let processes: Vec<u64> = layouts
            .values()
            .filter(|processes| processes.len() >= b)
            .flat_map(|processes| processes.iter().take(b).copied())
            .collect();
        if processes.len() < 2 {
            return None;
        }
        let positions: BTreeSet<u64> = observations.iter().map(|one| one.position).collect();
        let least = |position: &u64| {
            let counts = processes.iter().map(|process| cells.get(&(*process, *position)));
            counts.map(|cell| cell.map_or(0, Vec::len)).min().unwrap_or(0)
        };
        let repeats: Vec<usize> = positions.iter().map(least).collect();
        let (m, c) = fullest(&repeats, 1)?;
        let kept: Vec<u64> = positions
            .iter()
            .zip(&repeats)
            .filter(|&(_, &repeats)| repeats >= m)
            .map(|(&position, _)| position)
            .collect();
        let mut values = Vec::with_capacity(a * b * c * m);
        for process in &processes {
            for position in &kept {
                values.extend(&cells.get(&(*process, *position))?[..m]);
            }
        }
        Some(Balanced { a, b, c, m, values })
    }

    /// Process and position of each value.
    fn places(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (c, m) = (self.c, self.m);
        (0..self.values.len()).map(move |i| (i / (c * m), i / m % c))
    }

    /// Draws each value in towards the sum of its process's and its position's median, which are
    /// found by sweeping medians out of the table in turns (J. W. Tukey, *Exploratory Data Analysis*,
    /// 1977, chapter 11).
    fn draw_in(&mut self) {
        let mut rest = self.values.clone();
        for _ in 0..MOST_SWEEPS {
            let by_process = self.sweep(&mut rest, |(process, _)| process);
            let by_position = self.sweep(&mut rest, |(_, position)| position);
            if by_process.max(by_position) < 1e-12 {
                break;
            }
        }
        // A fit by medians meets as many values as it has parameters; they tell nothing of the rest
        // (as in W. DuMouchel and F. O'Brien, Integrating a robust option into a multiple regression
        // computing environment, 1989).
        let mut sizes: Vec<f64> = rest.iter().map(|rest| rest.abs()).collect();
        sizes.sort_by(f64::total_cmp);
        let fitted = self.a * self.b + self.c - 1;
        let Some(middle) = sizes.get(fitted..).and_then(median) else { return };
        let limit = DRAWN_IN * middle / MIDDLE_DEVIATION;
        // More than half of the rest alike to the last digit: no noise that a limit could be made of.
        if limit > 0.0 {
            for (value, rest) in self.values.iter_mut().zip(&rest) {
                *value += rest.clamp(-limit, limit) - rest;
            }
        }
    }

    /// Takes the median of each group out of `rest`; the largest that was taken.
    fn sweep(&self, rest: &mut [f64], group: impl Fn((usize, usize)) -> usize) -> f64 {
        let mut groups: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for (place, &value) in self.places().zip(rest.iter()) {
            groups.entry(group(place)).or_default().push(value);
        }
        let medians: BTreeMap<usize, f64> = groups
            .into_iter()
            .map(|(group, values)| (group, median(&values).unwrap_or(0.0)))
            .collect();
        for (place, value) in self.places().zip(rest.iter_mut()) {
            *value -= medians.get(&group(place)).copied().unwrap_or(0.0);
        }
        medians.values().fold(0.0, |most, median| most.max(median.abs()))
    }

    fn split(&self) -> Option<Components> {
        let Balanced { a, b, c, m, .. } = *self;
        let whole = mean(&self.values);
        let processes = self.means(a * b, |(process, _)| process);
        let layouts: Vec<f64> = processes.chunks(b).map(mean).collect();
        let positions = self.means(c, |(_, position)| position);
        let squares = |means: &[f64], around: &dyn Fn(usize) -> f64| -> f64 {
            means.iter().enumerate().map(|(i, mean)| (mean - around(i)).powi(2)).sum()
        };
        let (per_layout, per_process, per_position) = (b * c * m, c * m, a * b * m);
        let of_layouts = per_layout as f64 * squares(&layouts, &|_| whole);
        let of_processes = per_process as f64 * squares(&processes, &|i| layouts[i / b]);
        let of_positions = per_position as f64 * squares(&positions, &|_| whole);
        let rest: f64 = self
            .places()
            .zip(&self.values)
            .map(|((process, position), value)| {
                (value - processes[process] - positions[position] + whole).powi(2)
            })
            .sum();
        let freedom = (self.values.len() + 1).checked_sub(a * b + c).filter(|&left| left > 0)?;
        let round = rest / freedom as f64;
        // Each expectation holds the ones below it: round, then process, then layout.
        let square = |sum: f64, freedom: usize| (freedom > 0).then(|| sum / freedom as f64);
        let within = square(of_processes, a * (b - 1));
        let between = square(of_layouts, a - 1);
        let component =
            |square: f64, noise: f64, size: usize| ((square - noise) / size as f64).max(0.0).sqrt();
        Some(Components {
            layout: between.map(|square| {
                // A square of processes below that of the rounds is noise, and no lower a noise.
                component(square, within.map_or(round, |within| within.max(round)), per_layout)
            }),
            process: within.map(|square| component(square, round, per_process)),
            position: square(of_positions, c - 1)
                .map(|square| component(square, round, per_position)),
            round: round.sqrt(),
        })
    }

    /// The mean of each of `count` groups of equal size.
    fn means(&self, count: usize, group: impl Fn((usize, usize)) -> usize) -> Vec<f64> {
        let mut sums = vec![0.0; count];
        for (place, value) in self.places().zip(&self.values) {
            sums[group(place)] += value;
        }
        let size = (self.values.len() / count) as f64;
        sums.into_iter().map(|sum| sum / size).collect()
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The depth at which most is kept when all groups are cut to one depth and the shallower ones are
/// dropped, and how many are left; at least `least` of them. Of equal choices the one with more
/// groups.
fn fullest(depths: &[usize], least: usize) -> Option<(usize, usize)> {
    let most = depths.iter().copied().max()?;
    (1..=most)
        .rev()
        .map(|depth| (depth, depths.iter().filter(|&&have| have >= depth).count()))
        .filter(|&(_, left)| left >= least.max(1))
        .max_by_key(|&(depth, left)| depth * left)
}
