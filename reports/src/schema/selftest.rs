//! What the instruments found where the answer is known.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The instruments, tried on kernels whose answer is known.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Selftest {
    /// Seconds it took.
    pub seconds: f64,
    /// One entry for each thing that was tried.
    pub trials: Vec<Trial>,
    /// What the branch predictor can memorise; absent if the curve showed no knee.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub knee: Option<Knee>,
}

impl Selftest {
    /// The trials that gave an answer, and a wrong one. What is not available fails nothing.
    pub fn failed(&self) -> impl Iterator<Item = &Trial> {
        self.trials.iter().filter(|trial| trial.failed())
    }
}

/// One instrument on one kernel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Trial {
    /// What was tried (`clock`, `misprediction cost`, `A/B 0.5 %`).
    pub instrument: String,
    /// The code that it was tried on.
    pub kernel: String,
    /// Where the first value found has to lie, in its unit.
    pub expected: Band,
    /// Medians over the rounds; the first is the one that is judged, the others say it in other
    /// units. Empty if the instrument is not available here.
    pub found: Vec<Found>,
    /// Whether the instrument can be used on this machine.
    pub grade: Grade,
    /// Why it cannot, in one sentence; empty if it can.
    pub why: String,
}

impl Trial {
    /// Whether there is an answer and it is wrong.
    pub fn failed(&self) -> bool {
        self.grade == Grade::NotUsable && !self.found.is_empty()
    }
}

/// Both ends belong to the band; an end that is absent is not there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Band {
    /// Lower end.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
}

impl Band {
    /// Between two ends.
    pub const fn between(low: f64, high: f64) -> Band {
        Band { low: Some(low), high: Some(high) }
    }

    /// No more than this.
    pub const fn at_most(high: f64) -> Band {
        Band { low: None, high: Some(high) }
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
    /// Unit, with what it is per (`cycles/load`). Cycles are *derived* from ticks.
    pub unit: String,
}

/// Whether an instrument can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Grade {
    /// It gave the known answer.
    Usable,
    /// It is not there, or it gave another answer.
    NotUsable,
}

/// How many random outcomes the branch predictor memorises when they come again and again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Knee {
    /// The period, in branches, at which the cost has risen half way from learnt to fresh; median.
    pub branches: f64,
    /// Lower end of its interval.
    pub low: f64,
    /// Upper end of its interval.
    pub high: f64,
    /// Cost of a branch whose outcome was learnt, in nanoseconds.
    pub learnt_ns: f64,
    /// Cost of a branch on fresh random bits, in nanoseconds.
    pub fresh_ns: f64,
    /// The curve, by rising period.
    pub curve: Vec<KneePoint>,
}

/// One period of the curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KneePoint {
    /// Branches after which the same random outcomes come again.
    pub period: u64,
    /// Nanoseconds per branch after learning; median.
    pub ns: f64,
}
