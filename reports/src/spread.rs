//! How much of a comparison is an accident of placement: its spread over layouts and processes.
//!
//! Within one process the same ratio comes back round after round, and its interval gets narrow;
//! yet another process, with stack and heap elsewhere, or the same program with its sections in
//! another order, may answer with another ratio (T. Mytkowicz et al., *Producing wrong data without
//! doing anything obviously wrong!*, ASPLOS 2009). No number of rounds in one process can show that.
//! A session is therefore cut into processes that all visit the same positions, and here its log
//! ratios are split into what belongs to the layout, to the process, to the position and to the
//! round.
//!
//! # What an effect must exceed
//!
//! Two standard deviations of the layouts, or of the processes within them, whichever is more: 19 of
//! 20 processes of a normal population lie within. An effect below that is not resolved, because a
//! reader who runs the program once runs one layout in one process.
//!
//! The farthest median of a process would be the simpler bound and the worse one. A quick plan gives
//! a process four rounds, the median of four rounds is noise, and the farthest of several is mostly
//! that; asking for an interval of the process's own first takes six rounds and then lets true
//! effects through in every shorter session. The component of variance has the noise of the rounds
//! taken out, uses all rounds of all processes together, and is as often too small as too large.
//! Without an effect of placement it is zero in about half of all cases, and otherwise about as wide
//! as the interval of the median: the price of few processes, paid in caution. The farthest medians
//! are kept beside it as what they are, a description.
//!
//! Four processes that differ, but not from the baseline, exceed twice their own deviation together in
//! 3 of 100 cases, before their interval is asked; two processes do so in 22. A spread over two is
//! better than none and not worth much.
//!
//! # What takes part
//!
//! Complete processes alone. Shares differ by a round at most, so a process that has two rounds less
//! than the longest was broken off: its rounds count in every median and interval, but it says
//! nothing of placement.

use std::collections::BTreeMap;

use crate::journal::{PanelRounds, Results};
use crate::schema::{Process, Round};
use crate::statistics::median;
use crate::summary::ratio;

pub mod components;
pub use components::{Components, Observation, components};

/// Within so many standard deviations of the middle lie 19 of 20 members of a normal population.
const WITHIN: f64 = 2.0;

/// How far the answers of one session lie apart, in ln.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spread {
    /// Farthest median of one layout from the median of all; absent below two layouts.
    pub layouts: Option<f64>,
    /// Farthest median of one process from the median of all; absent below two processes.
    pub processes: Option<f64>,
    /// What the variance is made of; absent where the rounds cannot tell.
    pub split: Option<Components>,
}

/// What a spread goes over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// Orders of sections that the program was linked in.
    Layouts,
    /// Processes of one and the same program.
    Processes,
}

impl Over {
    /// `layouts` or `processes`.
    pub fn word(self) -> &'static str {
        match self {
            Over::Layouts => "layouts",
            Over::Processes => "processes",
        }
    }
}

/// How large an effect must be to be more than an accident of placement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// What it comes from.
    pub over: Over,
    /// As a log ratio, not negative.
    pub log: f64,
}

impl Bound {
    /// As a share: 0.01 is one per cent.
    pub fn share(self) -> f64 {
        self.log.exp_m1()
    }
}

impl Spread {
    /// The spread of these values.
    pub fn of(observations: &[Observation]) -> Spread {
        Spread {
            layouts: farthest(observations, |one| one.layout),
            processes: farthest(observations, |one| one.process),
            split: components(observations),
        }
    }

    /// Two standard deviations over layouts or over processes, whichever is more; absent where
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

/// The spread of ln(one ÷ other) in a panel.
pub fn spread(results: &Results, rounds: &PanelRounds, one: &str, other: &str) -> Spread {
    Spread::of(&observations(results, rounds, one, other))
}

/// ln(one ÷ other) of each round of the complete processes, with what the round belongs to. Empty if
/// the journal knows no processes.
pub fn observations(
    results: &Results,
    rounds: &PanelRounds,
    one: &str,
    other: &str,
) -> Vec<Observation> {
    let complete = complete(results, rounds);
    let of = |round: &'_ Round, id: &str| -> Option<usize> {
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
                value: ratio(&round.samples[of(round, one)?], &round.samples[of(round, other)?]),
            })
        })
        .collect()
}

/// The processes that made a whole share of a panel, by number.
pub fn complete<'a>(results: &'a Results, rounds: &PanelRounds) -> BTreeMap<u64, &'a Process> {
    let mut made: BTreeMap<u64, usize> = BTreeMap::new();
    for round in &rounds.rounds {
        *made.entry(round.process).or_default() += 1;
    }
    let most = made.values().copied().max().unwrap_or(0);
    let known = results.processes.iter();
    known
        .filter(|process| made.get(&process.number).is_some_and(|&rounds| rounds + 1 >= most))
        .map(|process| (process.number, process))
        .collect()
}

#[cfg(test)]
mod tests;
