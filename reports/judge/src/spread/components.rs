//! Components of variance: how much of a spread is due to layout, process, position and round.
//!
//! The model is one of random effects: processes nested in layouts, positions crossed with both, and
//! a remainder, the round. The components come from mean squares by the method of moments; a negative
//! estimate is set to zero.
//!
//! Means and squares are sensitive to a single interruption, and an interruption is not an effect of
//! placement: it could hit any process, and one outlier of 100 % outweighs a thousand rounds of 1 %.
//! So the values are winsorised first: each is limited to three standard deviations around its fit,
//! the sum of a median of its process and a median of its position. Three deviations leave a normal
//! sample almost unchanged (3 values of 1,000 move, by little) and remove the weight of an
//! interruption. An effect of layout, process or position is part of the fit and is not limited.
//!
//! The formulae are those of a balanced design, in which every process visits every position equally
//! often. What does not fit is dropped: positions that one process did not reach, repetitions that
//! only some have, processes that one layout has more of than the others.

use std::collections::{BTreeMap, BTreeSet};

use raywalk_results::statistics::median;

/// Values are limited to so many standard deviations around their fit.
const WINSORISED_AT: f64 = 3.0;

/// Median of the absolute value of a standard normal variable: a median absolute deviation divided by
/// it estimates the standard deviation.
const NORMAL_MAD: f64 = 0.674_489_75;

/// Upper bound on the iterations of the median polish; the table of a session needs four or five.
const MOST_ITERATIONS: usize = 20;

/// A log ratio with its layout, process and position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observation {
    /// Seed of the layout, if there is one.
    pub layout: Option<u64>,
    /// Number of the process.
    pub process: u64,
    /// Index of the first position of the batch.
    pub position: u64,
    /// Log ratio of the round.
    pub value: f64,
}

/// Components of the variance, as standard deviations in ln.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Components {
    /// Between layouts; absent below two layouts. With one process per layout it includes the spread
    /// of processes, because the two cannot be separated.
    pub layout: Option<f64>,
    /// Between processes of one layout; absent if no layout has two.
    pub process: Option<f64>,
    /// Between positions; absent if all rounds have the same positions.
    pub position: Option<f64>,
    /// Between rounds on the same positions in one process.
    pub round: f64,
}

/// Splits the variance. `None` with a single process, if no position was visited by all processes,
/// or if no degree of freedom is left for the rounds.
///
/// # Source
/// S. R. Searle, G. Casella and C. E. McCulloch, *Variance Components*, Wiley 1992, chapter 4: mean
/// squares of balanced data and their expectations.
pub(super) fn components(observations: &[Observation]) -> Option<Components> {
    let mut table = Balanced::of(observations)?;
    table.winsorise();
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
        // As many processes as fit, but two layouts if there are two.
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

    /// Limits each value around the sum of a median of its process and a median of its position. The
    /// medians come from a median polish (J. W. Tukey, *Exploratory Data Analysis*, 1977, chapter
    /// 11).
    fn winsorise(&mut self) {
        let mut residuals = self.values.clone();
        for _ in 0..MOST_ITERATIONS {
            let by_process = self.subtract_medians(&mut residuals, |(process, _)| process);
            let by_position = self.subtract_medians(&mut residuals, |(_, position)| position);
            if by_process.max(by_position) < 1e-12 {
                break;
            }
        }
        // A fit by medians passes through as many values as it has parameters. Their residuals are
        // zero whatever the noise is, so they are left out (as in W. DuMouchel and F. O'Brien,
        // Integrating a robust option into a multiple regression computing environment, 1989).
        let mut sizes: Vec<f64> = residuals.iter().map(|residual| residual.abs()).collect();
        sizes.sort_by(f64::total_cmp);
        let fitted = self.a * self.b + self.c - 1;
        let Some(deviation) = sizes.get(fitted..).and_then(median) else { return };
        let limit = WINSORISED_AT * deviation / NORMAL_MAD;
        // Zero if more than half of the residuals are: there is no noise to derive a limit from.
        if limit > 0.0 {
            for (value, residual) in self.values.iter_mut().zip(&residuals) {
                *value += residual.clamp(-limit, limit) - residual;
            }
        }
    }

    /// Subtracts the median of each group from its members and returns the largest absolute median.
    fn subtract_medians(
        &self,
        residuals: &mut [f64],
        group: impl Fn((usize, usize)) -> usize,
    ) -> f64 {
        let mut groups: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for (place, &value) in self.places().zip(residuals.iter()) {
            groups.entry(group(place)).or_default().push(value);
        }
        let medians: BTreeMap<usize, f64> = groups
            .into_iter()
            .map(|(group, values)| (group, median(&values).unwrap_or(0.0)))
            .collect();
        for (place, value) in self.places().zip(residuals.iter_mut()) {
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
        // The expectation of each mean square includes the components below it: round, then process,
        // then layout.
        let square = |sum: f64, freedom: usize| (freedom > 0).then(|| sum / freedom as f64);
        let within = square(of_processes, a * (b - 1));
        let between = square(of_layouts, a - 1);
        let component =
            |square: f64, noise: f64, size: usize| ((square - noise) / size as f64).max(0.0).sqrt();
        Some(Components {
            layout: between.map(|square| {
                // A mean square of processes below that of the rounds is low by chance.
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

/// The size to cut all groups to, dropping smaller ones, so that most members remain; and the number
/// of groups that remain, at least `least`. Of equal choices the one with more groups.
fn fullest(sizes: &[usize], least: usize) -> Option<(usize, usize)> {
    let most = sizes.iter().copied().max()?;
    (1..=most)
        .rev()
        .map(|size| (size, sizes.iter().filter(|&&have| have >= size).count()))
        .filter(|&(_, left)| left >= least.max(1))
        .max_by_key(|&(size, left)| size * left)
}
