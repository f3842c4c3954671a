//! A design and its board as objects, so that the obligations are compiled once.
//!
//! Only the functions here are compiled for each design. As generic functions, the obligations were a quarter of all
//! the compilation for `cargo test`. Nothing here is timed, so calls through a table of functions cost nothing that
//! counts.

use raywalk_core::{
    AttackSets, Board, Card, Color, Entries, Feature, Hashed, Key, Leaves, LookupOrder, Move,
    MoveList, Position, Scope, Square, StageId, Undo, perft_by_lists,
};

/// A design that the obligations are asked of.
pub struct Design {
    /// The facts and claims of its source.
    pub(crate) card: Card,
    /// Whether it generates the moves of sliders separately.
    pub(crate) has_sliders: bool,
    /// Builds the tables of the design; the error is the CPU feature that is missing.
    pub(crate) build: fn() -> Result<Box<dyn Tables>, Feature>,
}

impl Design {
    /// The design of a type.
    pub const fn of<G: Entries>() -> Design {
        Design {
            card: G::CARD,
            has_sliders: Scope::Sliders.is_in(G::SCOPES),
            build: || Ok(Box::new(Built::<G>(G::build()?))),
        }
    }
}

/// The tables of a design.
pub(crate) trait Tables {
    /// A board of the design with this position.
    fn set_up<'a>(&'a self, position: &Position) -> Box<dyn Play + 'a>;
}

/// What a move destroys: the board and its key.
type Undone = (Undo, Key);

/// A board of a design, and what the design answers for it. All lists are in the order of generation, and codes are
/// replaced by moves.
pub(crate) trait Play {
    fn position(&self) -> Position;
    /// Kept up to date by make and unmake.
    fn key(&self) -> Key;
    fn in_check(&self, color: Color) -> bool;
    fn make(&mut self, mv: Move) -> Undone;
    fn unmake(&mut self, mv: Move, undone: Undone);

    /// The moves of stages that are generated one behind the other into one list.
    fn stages(&self, stages: &[StageId]) -> Vec<Move>;
    /// The moves of the entry for sliders.
    fn sliders(&self) -> Vec<Move>;
    fn perft_by_lists(&self, depth: u32, leaves: Leaves) -> u64;

    // `None` if the design does not offer the call.
    fn piece_attacks(&self, square: Square) -> Option<u64>;
    fn side_attacks(&self) -> Option<AttackSets>;
    fn queen_lookups(&self, order: &LookupOrder) -> Option<u64>;
    fn first_capture(&self) -> Option<Option<Move>>;
    fn first_moves(&self) -> Option<Vec<Move>>;
    fn moves_to(&self, square: Square) -> Option<Vec<Move>>;
    fn winning_captures(&self) -> Option<Vec<Move>>;
    fn count(&self) -> Option<u64>;
    fn perft_by_copies(&self, depth: u32, leaves: Leaves) -> Option<u64>;
}

impl dyn Play + '_ {
    /// The moves of one stage.
    pub(crate) fn stage(&self, stage: StageId) -> Vec<Move> {
        self.stages(&[stage])
    }

    /// Those of some moves that do not leave the own king in check.
    pub(crate) fn legal(&mut self, moves: &[Move]) -> Vec<Move> {
        let side = self.position().side();
        let legal = |&mv: &Move| {
            let undone = self.make(mv);
            let legal = !self.in_check(side);
            self.unmake(mv, undone);
            legal
        };
        moves.iter().copied().filter(legal).collect()
    }
}

struct Built<G>(Box<G>);

impl<G: Entries> Tables for Built<G> {
    fn set_up<'a>(&'a self, position: &Position) -> Box<dyn Play + 'a> {
        Box::new(Played { generator: &*self.0, board: Hashed::new(position) })
    }
}

struct Played<'a, G: Entries> {
    generator: &'a G,
    board: Hashed<G::Board>,
}

impl<G: Entries> Played<'_, G> {
    /// The moves that a call appends to an empty list.
    fn list(&self, call: impl FnOnce(&G, &G::Board, &mut MoveList<G::Moves>)) -> Vec<Move> {
        let mut list = MoveList::new();
        call(self.generator, self.board.board(), &mut list);
        list.moves().collect()
    }
}

impl<G: Entries> Play for Played<'_, G> {
    fn position(&self) -> Position {
        self.board.board().position()
    }

    fn key(&self) -> Key {
        self.board.key()
    }

    fn in_check(&self, color: Color) -> bool {
        self.board.board().in_check(color)
    }

    fn make(&mut self, mv: Move) -> Undone {
        self.board.make(mv)
    }

    fn unmake(&mut self, mv: Move, undone: Undone) {
        self.board.unmake(mv, undone);
    }

    fn stages(&self, stages: &[StageId]) -> Vec<Move> {
        self.list(|generator, board, list| {
            stages.iter().for_each(|&stage| generator.stage(stage, board, list));
        })
    }

    fn sliders(&self) -> Vec<Move> {
        self.list(|generator, board, list| {
            generator.sliders(board, list);
            generator.unpack_behind(0, board, list);
        })
    }

    fn perft_by_lists(&self, depth: u32, leaves: Leaves) -> u64 {
        perft_by_lists(self.generator, &mut self.board.board().clone(), depth, leaves)
    }

    fn piece_attacks(&self, square: Square) -> Option<u64> {
        Some(G::OPTIONAL.piece_attacks?(self.generator, self.board.board(), square))
    }

    fn side_attacks(&self) -> Option<AttackSets> {
        let mut sets = AttackSets::new();
        G::OPTIONAL.side_attacks?(self.generator, self.board.board(), &mut sets);
        Some(sets)
    }

    fn queen_lookups(&self, order: &LookupOrder) -> Option<u64> {
        Some(G::OPTIONAL.queen_lookups?(self.generator, self.board.board(), order))
    }

    fn first_capture(&self) -> Option<Option<Move>> {
        Some(G::OPTIONAL.first_capture?(self.generator, self.board.board()))
    }

    fn first_moves(&self) -> Option<Vec<Move>> {
        G::OPTIONAL.first_moves?;
        Some(self.list(|generator, board, list| {
            G::OPTIONAL.completed_first_moves(generator, board, list);
        }))
    }

    fn moves_to(&self, square: Square) -> Option<Vec<Move>> {
        let call = G::OPTIONAL.moves_to?;
        Some(self.list(|generator, board, list| call(generator, board, square, list)))
    }

    fn winning_captures(&self) -> Option<Vec<Move>> {
        let call = G::OPTIONAL.winning_captures?;
        Some(self.list(call))
    }

    fn count(&self) -> Option<u64> {
        Some(G::OPTIONAL.count?(self.generator, self.board.board()))
    }

    fn perft_by_copies(&self, depth: u32, leaves: Leaves) -> Option<u64> {
        Some(G::OPTIONAL.perft?(self.generator, self.board.board(), depth, leaves))
    }
}
