//! The call that a panel makes, and times, for each position.

use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::names::{UnknownName, labelled};

labelled! {
    /// The kind of moves that a call generates. A capture that promotes counts as a capture.
    pub enum Stage {
        All = "all", "all moves";
        Captures = "captures", "captures only";
        Quiets = "quiets", "quiet moves only";
    }
}

labelled! {
    /// The pieces of the side to move whose moves are generated.
    pub enum Scope {
        Whole = "whole", "all pieces";
        Sliders = "sliders", "bishops, rooks and queens";
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

    /// Describes the timed work of one position, in whole sentences for the page.
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

labelled! {
    /// A call other than the generation of a stage.
    pub enum Operation {
        PieceAttacks = "piece-attacks", "attack set of one piece";
        SideAttacks = "side-attacks", "attack sets of all pieces";
        QueenLookups = "queen-lookups", "attack sets of a queen on each of 64 squares";
        Attacked = "attacked", "is a square attacked";
        InCheck = "in-check", "is the king in check";
        MakeUnmake = "make-unmake", "make and unmake of every legal move";
        FirstCapture = "first-capture", "first capture";
        FirstMoves = "first-moves", "first four moves, the last of them made";
        MovesTo = "moves-to", "moves to one square";
        WinningCaptures = "winning-captures", "captures of pieces that are worth more";
        Paired = "paired", "captures, then quiets, into one list";
        Perft = "perft", "perft, every leaf made";
        PerftBulk = "perft-bulk", "perft, leaves counted in bulk";
    }
}

impl Operation {
    /// Whether every design offers it, because it needs only the stages of the design or its board.
    pub const fn is_offered_by_all(self) -> bool {
        use Operation::{Attacked, InCheck, MakeUnmake, Paired, Perft};
        matches!(self, Attacked | InCheck | MakeUnmake | Paired | Perft)
    }

    /// Whether its results are moves, so that a cost per move has a meaning.
    pub const fn finds_moves(self) -> bool {
        use Operation::{FirstMoves, MakeUnmake, MovesTo, Paired, WinningCaptures};
        let is_list = matches!(self, FirstMoves | MakeUnmake | MovesTo | Paired | WinningCaptures);
        is_list || self.counts_leaves()
    }

    /// Whether its results are the leaves of a perft, of which each stands for a move.
    pub const fn counts_leaves(self) -> bool {
        matches!(self, Operation::Perft | Operation::PerftBulk)
    }

    /// Attack sets that one call looks up, if it does nothing else.
    pub const fn lookups(self) -> Option<u64> {
        match self {
            Operation::QueenLookups => Some(64),
            _ => None,
        }
    }

    /// Whether a call takes tens of microseconds or more, so that a batch must have few.
    pub const fn is_long(self) -> bool {
        self.counts_leaves()
    }
}

/// The call that is timed.
///
/// A new kind of call (counting without a list) is a new variant here, or an [`Operation`] if it is one
/// function of a position. The compiler then names the other places: the methods below,
/// `raywalk_measure::design` (its execution), `raywalk_measure::plan` (its keys in plan files),
/// `raywalk_measure::fake`, and the columns of `raywalk_page::export`.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Call {
    /// Generate moves into a list.
    Generate {
        /// The kind of moves: `all`, `captures` or `quiets`.
        stage: Stage,
        /// `whole` for all pieces, `sliders` for bishops, rooks and queens only.
        scope: Scope,
    },
    /// Do what a recorded search did.
    Search {
        /// The timed part of the search: generation only, the walk, or the walk without generation.
        search: Search,
    },
    /// Anything else that a design or its board can be asked about a position.
    Operation {
        /// The timed function, such as `in-check` or `perft`.
        operation: Operation,
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

    /// Whether the call generates all that a node asks for, for all pieces: all moves, or the stage of
    /// each node of a recorded search.
    pub const fn is_complete(self) -> bool {
        self.is_whole() || matches!(self, Call::Search { search: Search::Node })
    }

    /// Whether every design offers the call.
    pub const fn is_offered_by_all(self) -> bool {
        match self {
            Call::Generate { scope, .. } => matches!(scope, Scope::Whole),
            Call::Search { .. } => true,
            Call::Operation { operation } => operation.is_offered_by_all(),
        }
    }

    /// Why a design that is not in a panel does not offer its call, in a clause.
    pub const fn why_not_offered(self) -> &'static str {
        match self {
            Call::Generate { .. } => "they generate the moves of all pieces at once",
            Call::Search { .. } | Call::Operation { .. } => "they do not offer this call",
        }
    }

    /// Whether the results of the call are moves, so that a cost per move has a meaning.
    pub const fn finds_moves(self) -> bool {
        match self {
            Call::Generate { .. } | Call::Search { .. } => true,
            Call::Operation { operation } => operation.finds_moves(),
        }
    }

    /// Noun for one result of the call: `leaf` for a perft, otherwise `move`.
    pub const fn result(self) -> &'static str {
        match self {
            Call::Operation { operation } if operation.counts_leaves() => "leaf",
            _ => "move",
        }
    }

    /// The part of a recorded search that the call consists of, if it needs one. Only some workloads have
    /// a recording.
    pub const fn search(self) -> Option<Search> {
        match self {
            Call::Search { search } => Some(search),
            Call::Generate { .. } | Call::Operation { .. } => None,
        }
    }

    /// Whether the call [walks](Search::is_walk) a recorded search.
    pub const fn is_walk(self) -> bool {
        matches!(self, Call::Search { search } if search.is_walk())
    }

    /// The operation, if the call is one.
    pub const fn operation(self) -> Option<Operation> {
        match self {
            Call::Operation { operation } => Some(operation),
            Call::Generate { .. } | Call::Search { .. } => None,
        }
    }

    /// The stage of the generated moves; `None` for a call without one stage.
    pub const fn stage(self) -> Option<Stage> {
        match self {
            Call::Generate { stage, .. } => Some(stage),
            Call::Search { .. } | Call::Operation { .. } => None,
        }
    }

    /// The scope of the generated moves; `None` for a call without a scope.
    pub const fn scope(self) -> Option<Scope> {
        match self {
            Call::Generate { scope, .. } => Some(scope),
            Call::Search { search: Search::Node | Search::Tree } => Some(Scope::Whole),
            Call::Search { search: Search::BareTree } | Call::Operation { .. } => None,
        }
    }

    /// The last part of a panel's id: `all`, `all-sliders`, `tree`, `in-check`.
    pub fn id(self) -> String {
        match self {
            Call::Generate { stage, scope: Scope::Whole } => stage.to_string(),
            Call::Generate { stage, scope } => format!("{stage}-{scope}"),
            Call::Search { search } => search.to_string(),
            Call::Operation { operation } => operation.to_string(),
        }
    }

    /// The call in a sentence or a table heading: `captures only`, `all moves of the sliders`.
    pub fn label(self) -> String {
        match self {
            Call::Generate { stage, scope: Scope::Whole } => stage.label().to_owned(),
            Call::Generate { stage, scope } => format!("{} of the {scope}", stage.label()),
            Call::Search { search } => search.label().to_owned(),
            Call::Operation { operation } => operation.label().to_owned(),
        }
    }
}

impl From<Operation> for Call {
    fn from(operation: Operation) -> Call {
        Call::Operation { operation }
    }
}

impl FromStr for Call {
    type Err = UnknownName;

    /// Parses an [id](Call::id); the error lists the known ids, without those of a scope.
    fn from_str(id: &str) -> Result<Call, UnknownName> {
        let generated = Scope::ALL.iter().flat_map(|&scope| {
            Stage::ALL.iter().map(move |&stage| Call::Generate { stage, scope })
        });
        let searches = Search::ALL.iter().map(|&search| Call::from(search));
        let operations = Operation::ALL.iter().map(|&operation| Call::from(operation));
        let mut all = generated.chain(searches).chain(operations);
        all.find(|call| call.id() == id).ok_or_else(|| {
            let searches = Search::ALL.iter().map(|search| search.name());
            let operations = Operation::ALL.iter().map(|operation| operation.name());
            let stages = Stage::ALL.iter().map(|stage| stage.name());
            UnknownName {
                found: id.to_owned(),
                known: stages.chain(searches).chain(operations).collect(),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_parsed_to_its_call() {
        let sliders = Call::Generate { stage: Stage::All, scope: Scope::Sliders };
        for call in
            [Call::generate(Stage::Quiets), sliders, Search::Tree.into(), Operation::InCheck.into()]
        {
            assert_eq!(call.id().parse(), Ok(call));
        }
        let error = "loud".parse::<Call>().expect_err("an unknown call");
        assert!(error.to_string().starts_with("`loud` is not one of all, captures"), "{error}");
    }
}
