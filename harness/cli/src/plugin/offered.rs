//! The calls that a plug-in offers, by its functions.

use raywalk_results::schema::{Call, Operation, Scope, Search};

/// The calls that a design has functions for, besides the stages.
#[derive(Clone, Copy)]
pub(super) struct Offered {
    /// It makes moves and takes them back.
    pub makes_moves: bool,
    /// It makes the moves of all leaves, by its own function or one by one.
    pub makes_leaves: bool,
    /// It counts leaves without making those of the last ply, by its own function or by the length of a list.
    pub counts_in_bulk: bool,
    /// It tests whether a square is attacked.
    pub tells_attacks: bool,
}

impl Offered {
    /// Whether the design offers a call. One that makes moves can walk a search.
    pub(super) fn has(self, call: Call) -> bool {
        match call {
            Call::Generate { scope, .. } => scope == Scope::Whole,
            Call::Search { search: Search::Node } => true,
            Call::Search { .. } => self.makes_moves,
            Call::Operation { operation: Operation::Perft } => self.makes_leaves,
            Call::Operation { operation: Operation::PerftBulk } => self.counts_in_bulk,
            Call::Operation { operation: Operation::Attacked } => self.tells_attacks,
            Call::Operation { .. } => false,
        }
    }
}
