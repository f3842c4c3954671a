//! Regimes: the way the positions of a panel reach the designs.
//!
//! A journal describes each regime by its properties, label and description, so that a reader needs no list of
//! regimes to judge or draw a panel. The behaviour of a regime is one module of `raywalk_measure::regime`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::named;

named! {
    /// The regimes. Each has a module of its own in `raywalk_measure::regime`.
    #[derive(schemars::JsonSchema)]
    pub enum RegimeKind {
        /// K positions, visited in turn over and over.
        Replay = "replay",
        /// K positions, visited in turn over and over, but laid out in memory like a long cycle.
        Matched = "matched",
        /// Positions that do not come back.
        Stream = "stream",
        /// A stream with a branch predictor that is overwritten before each call.
        Cold = "cold",
        /// The same code as in the cold regime before each call, with branches that the predictor
        /// knows.
        ColdPlacebo = "cold-placebo",
        /// A stream with memory read before each call.
        Pressure = "pressure",
        /// A stream whose calls write to many lists in turn.
        Lists = "lists",
    }
}

named! {
    /// Order of the positions of a workload, which decides how much neighbours resemble each other.
    #[derive(schemars::JsonSchema)]
    pub enum Order {
        /// One or two moves apart, as a search visits them.
        Tree = "tree",
        /// One move apart, as they were played.
        Game = "game",
        /// Unrelated: drawn from games or trees and shuffled.
        Shuffled = "shuffled",
        /// Unrelated: pieces placed at random.
        Generated = "generated",
        /// In the order of a user's file.
        Listed = "listed",
    }
}

impl RegimeKind {
    /// The regime that executes the same code before each call without its effect, if there is one.
    pub const fn placebo(self) -> Option<RegimeKind> {
        match self {
            RegimeKind::Cold => Some(RegimeKind::ColdPlacebo),
            _ => None,
        }
    }
}

impl Order {
    /// A stream in this order, for a sentence or a table heading.
    pub const fn label(self) -> &'static str {
        match self {
            Order::Tree => "a stream in search-tree order",
            Order::Game => "a stream in game order",
            Order::Shuffled => "a shuffled stream",
            Order::Generated => "a stream as generated",
            Order::Listed => "a stream in file order",
        }
    }
}

named! {
    /// Unit of the intensity of a perturbation.
    #[derive(schemars::JsonSchema)]
    pub enum IntensityUnit {
        /// Random branches executed before each call.
        Branches = "branches",
        /// Branches executed before each call, each with an outcome that never changes.
        ConstantBranches = "constant-branches",
        /// Bytes of the memory that is read between calls.
        Bytes = "bytes",
    }
}

/// Strength of the perturbation before each call. Two costs are comparable only at the same intensity.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
pub struct Intensity {
    /// Amount; 0 for the same measurement without the perturbation.
    pub amount: u64,
    /// Unit of `amount`, which also names the kind of perturbation.
    pub unit: IntensityUnit,
}

/// The regime of a panel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Regime {
    /// The kind of regime, such as `replay`, `stream` or `cold`.
    pub kind: RegimeKind,
    /// Order of the positions, such as `tree` or `shuffled`.
    pub order: Order,
    /// Distinct positions after which the same ones come back; absent if they come back only at the
    /// end of the workload.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<u64>,
    /// Boards that the distinct positions are laid out as, if more than one each: the memory traffic of
    /// a replay of this many positions with the predictability of a replay of `period`. Such a panel is
    /// the memory-matched control of the memorisation curve and is drawn beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boards: Option<u64>,
    /// Bytes of the move lists that calls write to in turn; absent if all write to one list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lists: Option<u64>,
    /// Perturbation before each call; absent if calls are not perturbed. Perturbed calls are
    /// [timed one by one](super::Sample::ticks).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intensity: Option<Intensity>,
    /// Two or three words for a table: `replay of 16`, `cold predictor`.
    pub label: String,
    /// Noun phrase for a sentence: `a shuffled stream`.
    pub description: String,
}

impl Regime {
    /// A stream that nothing perturbs. Other regimes differ from it in the fields that they set.
    pub fn stream(order: Order) -> Regime {
        Regime {
            kind: RegimeKind::Stream,
            order,
            period: None,
            boards: None,
            lists: None,
            intensity: None,
            label: format!("stream, {order}"),
            description: order.label().to_owned(),
        }
    }

    /// Whether random branches overwrite the branch predictor before each call.
    pub fn overwrites_predictor(&self) -> bool {
        self.intensity.is_some_and(|intensity| intensity.unit == IntensityUnit::Branches)
    }

    /// Whether the machine is perturbed before each call, so that a sample is the difference of two
    /// timed runs. Such numbers stand beside each other and not beside unperturbed ones.
    pub const fn is_perturbed(&self) -> bool {
        self.intensity.is_some()
    }
}

/// Untimed passes in which the designs of a panel learn a replay before each sample. Their number is decided
/// once per panel and is the same for all designs and rounds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Learning {
    /// Number of untimed passes over all positions before each sample.
    pub passes: u64,
    /// Designs whose passes still became faster at the end of the learning, in registry order. The upper
    /// bound on the passes was reached before they had settled.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsettled: Vec<String>,
}
