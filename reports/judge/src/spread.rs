//! How much a ratio varies with placement: its spread over layouts and processes.
//!
//! Within one process a ratio repeats from round to round and its interval becomes narrow. Another
//! process, with stack and heap elsewhere, or the same program with its sections in another order,
//! may give another ratio (T. Mytkowicz et al., *Producing wrong data without doing anything
//! obviously wrong!*, ASPLOS 2009). More rounds in one process cannot show that. A session is
//! therefore cut into processes that all visit the same positions, and this module splits the log
//! ratios into the parts of the layout, the process, the position and the round.
//!
//! # What an effect must exceed
//!
//! Two standard deviations over layouts, or over the processes within them, whichever is larger: 19
//! of 20 processes of a normal population lie within. A smaller effect is not resolved, because a
//! reader who runs the program once runs one layout in one process.
//!
//! The farthest median of a process would be simpler and worse. A quick plan gives a process four
//! rounds, the median of four rounds is mostly noise, and so is the farthest of several such medians.
//! Requiring an interval for each process takes six rounds per process, and in shorter sessions an
//! effect of placement would pass for one of the design. The component of variance has the noise of the rounds removed, uses all
//! rounds of all processes together, and is as often too small as too large. Without an effect of
//! placement it is zero in about half of all cases, and otherwise about as wide as the interval of
//! the median: few processes cost resolution. The farthest medians are reported too, as a
//! description.
//!
//! Four processes that differ from each other, but not from the baseline on average, exceed twice
//! their own deviation together in 3 of 100 cases, before their interval is considered; two processes
//! do so in 22. A spread over two processes is a weak estimate, though better than none.
//!
//! # Which rounds take part
//!
//! Those of complete processes. Shares differ by one round at most, so a process that has two rounds
//! fewer than the longest was interrupted: its rounds count in every median and interval, but not in
//! the spread.

use std::collections::BTreeMap;

use raywalk_results::journal::{PanelRounds, Results};
use raywalk_results::schema::{Process, Round};
use raywalk_results::statistics::median;

use crate::ratios;

mod components;
use components::components;
pub use components::{Components, Observation};

/// 19 of 20 members of a normal population lie within so many standard deviations of the mean.
const WITHIN: f64 = 2.0;

/// How far the ratios of one session lie apart, in ln.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spread {
    /// Farthest median of one layout from the median of all; absent below two layouts.
    pub layouts: Option<f64>,
    /// Farthest median of one process from the median of all; absent below two processes.
    pub processes: Option<f64>,
    /// Components of the variance; absent if the rounds do not suffice to estimate them.
    pub split: Option<Components>,
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
    /// As a log ratio, not negative.
    pub log: f64,
}

impl Bound {
    /// As a fraction: 0.01 is one per cent.
    pub fn fraction(self) -> f64 {
        self.log.exp_m1()
    }
}

impl Spread {
    /// The spread of ln(one ÷ other) in a panel.
    pub(crate) fn between(
        results: &Results,
        rounds: &PanelRounds,
        one: &str,
        other: &str,
    ) -> Spread {
        Spread::of(&observations(results, rounds, one, other))
    }

    fn of(observations: &[Observation]) -> Spread {
        Spread {
            layouts: farthest(observations, |one| one.layout),
            processes: farthest(observations, |one| one.process),
            split: components(observations),
        }
    }

    /// Two standard deviations over layouts or over processes, whichever is larger; absent if
    /// neither is known.
    pub fn bound(&self) -> Option<Bound> {
        let split = self.split?;
        let of = |over, deviation: Option<f64>| Some(Bound { over, log: WITHIN * deviation? });
        match (of(Over::Layouts, split.layout), of(Over::Processes, split.process)) {
            (Some(one), Some(other)) if other.log > one.log => Some(other),
            (one, other) => one.or(other),
        }
    }
}

/// The farthest median of a group from the median of all; `None` below two groups.
fn farthest<K: Ord>(
    observations: &[Observation],
    group: impl Fn(&Observation) -> K,
) -> Option<f64> {
    let mut groups: BTreeMap<K, Vec<f64>> = BTreeMap::new();
    for one in observations {
        groups.entry(group(one)).or_default().push(one.value);
    }
    if groups.len() < 2 {
        return None;
    }
    let all: Vec<f64> = observations.iter().map(|one| one.value).collect();
    let middle = median(&all)?;
    groups
        .values()
        .map(|values| Some((median(values)? - middle).abs()))
        .collect::<Option<Vec<f64>>>()?
        .into_iter()
        .reduce(f64::max)
}

/// ln(one ÷ other) of each round of the complete processes, with layout, process and position. Empty
/// if the journal lists no processes.
pub fn observations(
    results: &Results,
    rounds: &PanelRounds,
    one: &str,
    other: &str,
) -> Vec<Observation> {
    let complete = complete(results, rounds);
    let index = |round: &Round, id: &str| -> Option<usize> {
        round.samples.iter().position(|sample| sample.design == id)
    };
    rounds
        .rounds
        .iter()
        .filter_map(|round| {
            let process = complete.get(&round.process)?;
            Some(Observation {
                layout: process.layout,
                process: process.number,
                position: round.first,
                value: ratios::of_samples(
                    &round.samples[index(round, one)?],
                    &round.samples[index(round, other)?],
                ),
            })
        })
        .collect()
}

/// The processes that ran a complete share of a panel's rounds, by number.
fn complete<'a>(results: &'a Results, rounds: &PanelRounds) -> BTreeMap<u64, &'a Process> {
    let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
    for round in &rounds.rounds {
        *counts.entry(round.process).or_default() += 1;
    }
    let most = counts.values().copied().max().unwrap_or(0);
    results
        .processes
        .iter()
        .filter(|process| counts.get(&process.number).is_some_and(|&rounds| rounds + 1 >= most))
        .map(|process| (process.number, process))
        .collect()
}

#[cfg(test)]
mod tests;
