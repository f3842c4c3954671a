//! Variation of a ratio with placement: its spread over layouts and processes.
//!
//! Within one process, code, tables and boards keep their places, so a ratio repeats better than between processes.
//! Another process, with stack and heap elsewhere, or the
//! same program with its sections in another order, may give another ratio (T. Mytkowicz et al., *Producing wrong
//! data without doing anything obviously wrong!*, ASPLOS 2009). More rounds in one process cannot show that. A
//! session is therefore cut into processes, and this module estimates how far one process is from another.
//!
//! # The effect of a process
//! It comes from the cheaper half of the visits that the process itself made to a block, so that a disturbance of a few
//! rounds is no difference between processes.
//!
//! Processes measure different roots, and roots differ by more than processes do. Where processes share roots, the
//! two are separated (`crossed`). If no root was measured twice, the differences between roots remain in the effects,
//! as noise that is subtracted. Processes of one round each share a root with one or two others only. They are
//! compared with those, and each group of processes costs a degree of freedom.
//!
//! # The noise of turns
//! In a long stream a design times up to four rounds in one turn, so a neighbour that slows a design for some
//! milliseconds slows up to four rounds of it, and other designs not. Rounds of a turn are therefore not independent:
//! in a session of all designs on a shared machine turns deviated by 14 %, rounds of one turn by 6 %. Where a process
//! has several turns, its effect is their unweighted mean, and its noise comes from the differences between its
//! turns. Otherwise the noise is estimated from the rounds. Where a process has only one turn, its effect and that of
//! the turn cannot be separated, and the spread contains both.
//!
//! # What an effect must exceed
//! A reader who runs the program once runs one layout in one process: 19 of 20 normal processes lie within
//! two standard deviations. A few processes estimate a standard deviation badly, so the bound uses an upper
//! confidence bound of it: four of five true deviations lie below. The noise is subtracted, and because it is
//! an estimate too, its own uncertainty is added. The deviations of layouts and of processes are independent and
//! add up as the root of the sum of squares.
//!
//! # Sources
//! N. Ting, R. K. Burdick, F. A. Graybill, S. Jeyaratnam and T.-F. C. Lu, *Confidence intervals on linear
//! combinations of variance components that are unrestricted in sign*, Journal of Statistical Computation and
//! Simulation 35 (1990), 135–143: the upper bound on a difference of two mean squares, here without the term of
//! their product. With noise that is known exactly it is the mean square, divided by a quantile of χ², less the
//! noise. R. K. Burdick and F. A. Graybill, *Confidence Intervals on Variance Components*, Dekker 1992: unweighted
//! means where groups differ in size.

use std::collections::{BTreeMap, BTreeSet};

use raywalk_results::statistics::mean;
use statrs::distribution::{ChiSquared, ContinuousCDF};

use crate::crossed::{FEWEST_CLUSTERS, Fit, Part};
use crate::estimate::Estimate;

/// 19 of 20 members of a normal population lie within so many standard deviations of the mean.
const WITHIN: f64 = 2.0;
/// One in five true deviations exceeds its upper bound.
const MISSED: f64 = 0.2;

/// Standard deviations of the log ratios of one session.
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

/// Deviation of one process from the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// Seed of its layout, if there is one.
    pub layout: Option<u64>,
    /// Number of the process in the journal, from 0.
    pub process: u64,
    /// ln of its ratio over that of the mean process on the same roots.
    pub log: f64,
}

/// The difference between the runs that a spread is taken over.
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
    /// The cause of the larger part of the spread.
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
    pub(crate) fn of(estimate: &Estimate) -> Spread {
        let Processes { effects: processes, groups, noise } = Processes::of(estimate);
        let effect = |((layout, process), log)| Effect { layout, process, log };
        let effects: Vec<Effect> = processes.into_iter().map(effect).collect();
        let mut layouts: BTreeMap<Option<u64>, Vec<f64>> = BTreeMap::new();
        for effect in &effects {
            layouts.entry(effect.layout).or_default().push(effect.log);
        }
        let means: Vec<f64> = layouts.values().map(|logs| mean(logs)).collect();
        let within: f64 = layouts.values().map(|logs| squares(logs)).sum();
        // Several groups share one layout, so the larger number counts. Without effects there is one group, so `min`
        // keeps the difference at 0.
        let freedom = effects.len() - layouts.len().max(groups).min(effects.len());
        let processes = (freedom > 0).then(|| deviation(within, freedom, noise, effects.len()));
        // The mean of a layout has the noise of its processes, whatever causes it.
        let size = effects.len() as f64 / layouts.len().max(1) as f64;
        let of_processes = match freedom {
            0 => noise,
            _ => Noise { variance: within / freedom as f64, freedom },
        };
        let of_layout = Noise { variance: of_processes.variance / size, ..of_processes };
        let layouts = (means.len() > 1)
            .then(|| deviation(squares(&means), means.len() - 1, of_layout, means.len()));
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

/// A variance that something else causes, with the degrees of freedom of its estimate. Without any it is unknown,
/// and zero.
#[derive(Clone, Copy)]
struct Noise {
    variance: f64,
    freedom: usize,
}

/// The effect of each process, by layout and number, and the variance of one that is noise.
struct Processes {
    effects: BTreeMap<(Option<u64>, u64), f64>,
    /// Groups that are not compared with one another.
    groups: usize,
    noise: Noise,
}

impl Processes {
    fn of(estimate: &Estimate) -> Processes {
        let parts = estimate.parts_of_processes();
        Processes::of_turns(&parts).unwrap_or_else(|| {
            let fit = Fit::of(&parts);
            let Fit { processes: effects, groups, noise_of_process: variance, freedom, .. } = fit;
            Processes { effects, groups, noise: Noise { variance, freedom } }
        })
    }

    /// From the effects of turns; `None` if too few processes have several, or if turns and roots cannot be told
    /// apart.
    fn of_turns(parts: &[Part]) -> Option<Processes> {
        let process: BTreeMap<u64, u64> =
            parts.iter().map(|part| (part.turn, part.process)).collect();
        let processes = process.values().collect::<BTreeSet<_>>().len();
        // Bounds of the two degrees of freedom below, which spare the fit: the parts that it leaves out raise neither.
        if (parts.len() - process.len()).min(process.len() - processes) < FEWEST_CLUSTERS {
            return None;
        }
        let by_turn: Vec<Part> =
            parts.iter().map(|part| Part { process: part.turn, ..*part }).collect();
        let fit = Fit::of(&by_turn);
        let mut turns: BTreeMap<(Option<u64>, u64), Vec<f64>> = BTreeMap::new();
        for (&(layout, turn), &effect) in &fit.processes {
            turns.entry((layout, process[&turn])).or_default().push(effect);
        }
        let freedom = fit.processes.len() - turns.len();
        // Turns of one process in different groups have no common mean.
        if freedom < FEWEST_CLUSTERS || fit.freedom < FEWEST_CLUSTERS || fit.groups > 1 {
            return None;
        }
        let within = turns.values().map(|turns| squares(turns)).sum::<f64>() / freedom as f64;
        let shares: Vec<f64> = turns.values().map(|turns| 1.0 / turns.len() as f64).collect();
        let noise = Noise { variance: within * mean(&shares), freedom };
        let effects = turns.into_iter().map(|(process, turns)| (process, mean(&turns))).collect();
        Some(Processes { effects, groups: 1, noise })
    }
}

/// A deviation from a sum of squares. `noise` is the part of its mean square that something else causes.
fn deviation(squares: f64, freedom: usize, noise: Noise, count: usize) -> Deviation {
    let mean_square = squares / freedom as f64;
    // A mean square below the noise is low by chance, so no more than that is subtracted.
    let variance = noise.variance.min(mean_square);
    let estimate = mean_square - variance;
    // How far the one may lie above its estimate, and the other below.
    let above = (1.0 / relative(freedom, MISSED) - 1.0) * mean_square;
    let below = (1.0 - 1.0 / relative(noise.freedom, 1.0 - MISSED)) * variance;
    let upper = estimate + above.hypot(below);
    Deviation { estimate: estimate.sqrt(), upper: upper.sqrt(), count }
}

/// The quantile of an estimated variance over the true one.
fn relative(freedom: usize, probability: f64) -> f64 {
    let freedom = freedom as f64;
    ChiSquared::new(freedom).map_or(1.0, |chi| chi.inverse_cdf(probability) / freedom)
}

/// The sum of squares around the mean.
fn squares(values: &[f64]) -> f64 {
    let middle = mean(values);
    values.iter().map(|value| (value - middle).powi(2)).sum()
}

#[cfg(test)]
mod tests;
