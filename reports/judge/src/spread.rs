//! How much a ratio varies with placement: its spread over layouts and processes.
//!
//! Within one process a ratio repeats from round to round. Another process, with stack and heap elsewhere,
//! or the same program with its sections in another order, may give another ratio (T. Mytkowicz et al.,
//! *Producing wrong data without doing anything obviously wrong!*, ASPLOS 2009). More rounds in one process
//! cannot show that. A session is therefore cut into processes, and this module asks how far one process
//! is from another.
//!
//! # The effect of a process
//! Processes measure different roots, and roots differ by more than processes do. Where processes meet on
//! roots, the two are told apart (`crossed`). If no root was measured twice, the differences between roots
//! remain in the effects, as noise that is subtracted.
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

use crate::crossed::Fit;
use crate::estimate::Estimate;

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
        let Fit { processes, noise_of_process: noise, .. } = Fit::of(&estimate.parts);
        let effect = |((layout, process), log)| Effect { layout, process, log };
        let effects: Vec<Effect> = processes.into_iter().map(effect).collect();
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

#[cfg(test)]
mod tests;
