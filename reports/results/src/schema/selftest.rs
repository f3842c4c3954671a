//! Results of the self-test: instruments run on kernels with known answers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Unit;

/// The instruments, run on kernels with known answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Selftest {
    /// Duration of the self-test in seconds.
    pub seconds: f64,
    /// One trial per instrument and kernel.
    pub trials: Vec<Trial>,
    /// Capacity of the branch predictor; absent if the curve showed no knee.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub knee: Option<Knee>,
    /// Independent additions per core cycle, the width of the core for integer work; absent where there is no kernel
    /// that measures it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<f64>,
}

impl Selftest {
    /// The trials with a wrong answer. An instrument that is not available does not fail.
    pub fn failed(&self) -> impl Iterator<Item = &Trial> {
        self.trials.iter().filter(|trial| trial.failed())
    }
}

/// One instrument on one kernel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Trial {
    /// Name of the instrument (`clock`, `misprediction cost`, `A/B 0.5 %`).
    pub instrument: String,
    /// The kernel, described in words.
    pub kernel: String,
    /// The range of correct first values, in their unit.
    pub expected: ExpectedRange,
    /// Medians over the rounds. The first is judged; the others repeat it in other units. Empty if
    /// the instrument is not available here.
    pub found: Vec<Found>,
    /// Whether the instrument can be used on this machine.
    pub grade: Grade,
    /// The reason why it cannot be used, in one sentence; empty if it can.
    pub why: String,
}

impl Trial {
    /// Whether the instrument gave a wrong answer.
    pub fn failed(&self) -> bool {
        self.grade == Grade::NotUsable && !self.found.is_empty()
    }
}

/// A closed range; an absent end is unbounded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExpectedRange {
    /// Lower end, included; absent if there is no lower bound.
    pub low: Option<f64>,
    /// Upper end, included; absent if there is no upper bound.
    pub high: Option<f64>,
}

impl ExpectedRange {
    /// The range from `low` to `high`, both included.
    pub const fn between(low: f64, high: f64) -> ExpectedRange {
        ExpectedRange { low: Some(low), high: Some(high) }
    }

    /// The range up to `high`, included.
    pub const fn at_most(high: f64) -> ExpectedRange {
        ExpectedRange { low: None, high: Some(high) }
    }

    /// Whether a value lies in it.
    pub fn holds(self, value: f64) -> bool {
        self.low.is_none_or(|low| value >= low) && self.high.is_none_or(|high| value <= high)
    }
}

/// A median with an interval that holds it at 95 %.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Found {
    /// Median over the rounds.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
    /// Unit of the three values. Cycles are *derived* from ticks.
    pub unit: Unit,
}

/// Whether an instrument can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Grade {
    /// The instrument gave the known answer.
    Usable,
    /// The instrument is not available, or it gave another answer.
    NotUsable,
}

/// The number of random outcomes that the branch predictor memorises when they repeat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Knee {
    /// The period, in branches, at which the cost is half way between learnt and fresh; median.
    pub branches: f64,
    /// Lower end of the interval of `branches`.
    pub low: f64,
    /// Upper end of the interval of `branches`.
    pub high: f64,
    /// Cost of a branch whose outcome was learnt, in nanoseconds.
    pub learnt_ns: f64,
    /// Cost of a branch on fresh random bits, in nanoseconds.
    pub fresh_ns: f64,
    /// The curve, by rising period.
    pub curve: Vec<KneePoint>,
}

/// A point of the curve of cost over period.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KneePoint {
    /// Branches after which the same random outcomes repeat.
    pub period: u64,
    /// Nanoseconds per branch after learning; median.
    pub ns: f64,
}
