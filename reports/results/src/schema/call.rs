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

labelled! {
    /// A part of a recorded alpha-beta search.
    pub enum Search {
        Node = "node", "the stage of each node";
        Tree = "tree", "what an engine pays";
        BareTree = "bare-tree", "what an engine pays without generation";
    }
}

impl Search {
    /// Whether one board walks the search: make, test legality, unmake. Legal and pseudo-legal designs then
    /// do the same work, the test of legality included, so they can be compared.
    pub const fn is_walk(self) -> bool {
        matches!(self, Search::Tree | Search::BareTree)
    }

    /// What is timed for a position, in sentences.
    pub const fn explained(self) -> &'static str {
        match self {
            Search::Node => "Captures are generated at quiescence nodes, all moves elsewhere.",
            Search::Tree => {
                "One board walks a recorded alpha-beta search. A position is a node: its moves are generated, \
                 captures at quiescence nodes and all moves elsewhere, and the moves that the search tried \
                 are made, tested for legality and taken back."
            }
            Search::BareTree => {
                "One board walks a recorded alpha-beta search. The moves that the search tried are made, \
                 tested for legality and taken back, and nothing is generated. A position is a node, a move \
                 a legal move made."
            }
        }
    }
}

/// The call that is timed.
///
/// A new kind of call (attack sets, a check test, make and unmake, the first capture, counting without a
/// list) is a new variant here. The compiler then names the other places: the methods below,
/// `raywalk_measure::design` (its execution), `raywalk_measure::plan` (its keys in plan files),
/// `raywalk_measure::fake`, and the columns of `raywalk_page::export`.
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
    /// Do what a recorded search did.
    Search {
        /// Which part of it.
        search: Search,
    },
}

impl From<Search> for Call {
    fn from(search: Search) -> Call {
        Call::Search { search }
    }
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
        match self {
            Call::Generate { scope, .. } => matches!(scope, Scope::Whole),
            Call::Search { .. } => true,
        }
    }

    /// The part of a recorded search that the call consists of, if it needs one. Only some workloads have
    /// a recording.
    pub const fn search(self) -> Option<Search> {
        match self {
            Call::Generate { .. } => None,
            Call::Search { search } => Some(search),
        }
    }

    /// Whether the call [walks](Search::is_walk) a recorded search.
    pub const fn is_walk(self) -> bool {
        matches!(self, Call::Search { search } if search.is_walk())
    }

    /// The stage of the generated moves; `None` for a call without one stage.
    pub const fn stage(self) -> Option<Stage> {
        match self {
            Call::Generate { stage, .. } => Some(stage),
            Call::Search { .. } => None,
        }
    }

    /// The scope of the generated moves; `None` for a call that generates none.
    pub const fn scope(self) -> Option<Scope> {
        match self {
            Call::Generate { scope, .. } => Some(scope),
            Call::Search { search: Search::Node | Search::Tree } => Some(Scope::Whole),
            Call::Search { search: Search::BareTree } => None,
        }
    }

    /// The last part of a panel's id: `all`, `all-sliders`, `tree`.
    pub fn id(self) -> String {
        match self {
            Call::Generate { stage, scope: Scope::Whole } => stage.to_string(),
            Call::Generate { stage, scope } => format!("{stage}-{scope}"),
            Call::Search { search } => search.to_string(),
        }
    }

    /// The call in a sentence or a table heading: `captures only`, `all moves of the sliders`.
    pub fn label(self) -> String {
        match self {
            Call::Generate { stage, scope: Scope::Whole } => stage.label().to_owned(),
            Call::Generate { stage, scope } => format!("{} of the {scope}", stage.label()),
            Call::Search { search } => search.label().to_owned(),
        }
    }
}
