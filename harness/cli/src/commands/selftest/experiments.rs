//! Pairs of designs whose difference is known.

use std::fmt;
use std::time::Duration;

use anyhow::{Context, Result};
use raywalk_judge::simulation::{Components, Size};
use raywalk_measure::plan::{PanelPlan, Plan, Rounds};
use raywalk_results::schema::Stage;
use raywalk_results::statistics::Interval;
use serde::Serialize;

use crate::known;

/// A comparison of two designs with a known answer.
#[derive(Debug)]
pub(super) struct Experiment {
    /// Prefix of the names of its folders.
    pub(super) name: &'static str,
    /// Its row heading in the table.
    pub(super) description: &'static str,
    /// Ids of the baseline and of the design that is compared with it.
    pub(super) designs: fn() -> [String; 2],
    /// Whether the second design does more work than the first.
    pub(super) differs: bool,
    /// Seconds of measuring in one session.
    seconds: u64,
}

/// Workload that provides the positions.
pub(super) const WORKLOAD: &str = "ab4";

/// Name of the experiment in which every difference that is found is false.
pub(super) const NULL: &str = "copy";

pub(super) const EXPERIMENTS: [Experiment; 5] = [
    Experiment {
        name: NULL,
        description: "`ferret/pointer` against a copy of its machine code, stream of `ab4`: no \
                      difference",
        designs: || [known::FERRET, known::COPY].map(str::to_owned),
        differs: false,
        seconds: 10,
    },
    Experiment {
        name: "steps",
        description: "2,010 dependent steps against 2,000",
        designs: || [2_000, 2_010].map(|count| known::Work::Steps.id(count)),
        differs: true,
        seconds: 20,
    },
    Experiment {
        name: "repeated-calls",
        description: "`ferret/pointer` with every 200th call made twice against the same without, \
                      stream of `ab4`",
        designs: || [known::ONCE, known::TWICE].map(str::to_owned),
        differs: true,
        // In 50 seconds, two of twenty sessions did not resolve it.
        seconds: 80,
    },
    Experiment {
        name: "cached-loads",
        description: "2,010 dependent loads against 2,000, from a ring of 128 KiB",
        designs: || [2_000, 2_010].map(|count| known::Work::CachedLoads.id(count)),
        differs: true,
        seconds: 15,
    },
    Experiment {
        name: "loads",
        description: "300 dependent loads against 200, from a ring of 8 MiB",
        designs: || [200, 300].map(|count| known::Work::Loads.id(count)),
        differs: true,
        seconds: 20,
    },
];

impl Experiment {
    pub(super) fn expected(&self) -> Answer {
        if self.differs { Answer::Slower } else { Answer::NoDifference }
    }

    /// The plan of one session.
    pub(super) fn plan(&self, seed: u64) -> Result<Plan> {
        let panel = PanelPlan::of(WORKLOAD, Stage::All).context("unknown workload")?;
        let time = Duration::from_secs(self.seconds);
        Ok(Plan {
            name: self.name.to_owned(),
            seed: Some(seed),
            rounds: Rounds::Budget { time, total: None, least: 40, most: 50_000 },
            processes: 2 * Plan::quick().processes,
            panels: vec![panel],
            // Every significant difference counts, however small.
            margin: 0.0,
            ..Plan::quick()
        })
    }
}

/// The harness that measured a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Harness {
    Raywalk,
    Criterion,
}

impl fmt::Display for Harness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Harness::Raywalk => "Raywalk",
            Harness::Criterion => "Criterion",
        })
    }
}

/// Verdict on the second design, compared with the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Answer {
    Slower,
    Faster,
    NoDifference,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Answer::Slower => "slower",
            Answer::Faster => "faster",
            Answer::NoDifference => "no difference",
        })
    }
}

/// What one session of an experiment found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Found {
    pub(super) answer: Answer,
    /// Time of the second design ÷ time of the first.
    pub(super) ratio: f64,
    /// Fields of our own sessions only.
    pub(super) ours: Option<Ours>,
    /// The time that it took; `None` if an earlier command ran it or a part of it.
    pub(super) seconds: Option<f64>,
}

/// Further results from the journal of a session.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ours {
    /// Half the width of the confidence interval of the A/A control.
    pub(super) half_width: f64,
    /// The intervals of the ratio at 95 % and at 99.4 %.
    pub(super) intervals: [Interval; 2],
    /// Components of variance and the size of the panel, if they can be told apart.
    pub(super) components: Option<(Components, Size)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_designs_of_every_experiment_exist() {
        for experiment in &EXPERIMENTS {
            let [one, other] = (experiment.designs)();
            assert_ne!(one, other);
            let exists = |id: &str| known::built_in(id).is_ok();
            assert!(exists(&one) && exists(&other));
            assert!(experiment.plan(1).is_ok());
        }
        let null = EXPERIMENTS.iter().filter(|one| !one.differs).map(|one| one.name);
        assert_eq!(null.collect::<Vec<_>>(), [NULL]);
    }
}
