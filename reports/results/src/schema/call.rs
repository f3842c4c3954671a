//! What is timed: the call that a panel makes for each position.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::names::{labelled, named};

labelled! {
    /// Which moves are generated. Promotions by capture are captures.
    pub enum Stage {
        All = "all", "all moves";
        Captures = "captures", "captures only";
        Quiets = "quiets", "quiet moves only";
    }
}

named! {
    /// Which pieces moves are generated for.
    pub enum Scope {
        /// All pieces.
        Whole = "whole",
        /// Bishops, rooks and queens only.
        Sliders = "sliders",
    }
}

/// The call that is timed.
///
/// A new kind of call (attack sets, a check test, make and unmake, the first capture, a recorded
/// tree, counting without a list) is a new variant here. The compiler then names the other places: the
/// methods below, `raywalk_measure::design` (its execution), `raywalk_measure::plan` (its keys in plan files),
/// `raywalk_measure::fake`, and the column `scope` of `raywalk_page::export`.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Call {
    /// Generate moves into a list.
    Generate {
        /// Which moves.
        stage: Stage,
        /// For which pieces.
        scope: Scope,
    },
}

impl Call {
    /// Generates a stage for all pieces.
    pub const fn generate(stage: Stage) -> Call {
        Call::Generate { stage, scope: Scope::Whole }
    }

    /// Whether the call generates all moves of all pieces.
    pub const fn is_whole(self) -> bool {
        matches!(self, Call::Generate { stage: Stage::All, scope: Scope::Whole })
    }

    /// Whether every design offers the call.
    pub const fn is_offered_by_all(self) -> bool {
        matches!(self, Call::Generate { scope: Scope::Whole, .. })
    }

    /// The stage of the generated moves; `None` for a call that generates none.
    pub const fn stage(self) -> Option<Stage> {
        match self {
            Call::Generate { stage, .. } => Some(stage),
        }
    }

    /// The last part of a panel's id: `all`, `all-sliders`.
    pub fn id(self) -> String {
        match self {
            Call::Generate { stage, scope: Scope::Whole } => stage.to_string(),
            Call::Generate { stage, scope } => format!("{stage}-{scope}"),
        }
    }

    /// The call in a sentence or a table heading: `captures only`, `all moves of the sliders`.
    pub fn label(self) -> String {
        match self {
            Call::Generate { stage, scope: Scope::Whole } => stage.label().to_owned(),
            Call::Generate { stage, scope } => format!("{} of the {scope}", stage.label()),
        }
    }
}
