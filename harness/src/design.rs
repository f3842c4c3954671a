//! A design after its type has ended: what commands ask of it, outside every timed region.

use raywalk_core::{
    Board, Entries, Feature, Generator, Hashed, Leaves, Legality, Move, MoveList, Position,
    StageId, legal_moves, perft,
};

use crate::hash;

/// A built design, tables and all.
pub trait Design: Send + Sync {
    /// Leaves of `depth` plies.
    fn perft(&self, position: &Position, depth: u32, leaves: Leaves) -> u64;

    /// The same, with a table of so many MiB that counts a transposition once.
    fn perft_hashed(
        &self,
        position: &Position,
        depth: u32,
        leaves: Leaves,
        mebibytes: usize,
    ) -> u64;

    /// The legal moves with the leaves below each, sorted by move. `depth` is at least 1.
    fn divide(&self, position: &Position, depth: u32, leaves: Leaves) -> Vec<(Move, u64)>;

    /// The moves of a stage as generated: the design's own order and legality.
    fn generated(&self, position: &Position, stage: StageId) -> Vec<Move>;

    /// The legal moves of a stage, sorted.
    fn legal(&self, position: &Position, stage: StageId) -> Vec<Move>;

    /// Bytes of the tables, counted.
    fn table_bytes(&self) -> usize;
}

struct Built<G>(Box<G>);

impl<G: Entries> Built<G> {
    fn list(&self, board: &G::Board, stage: StageId) -> MoveList<G::Moves> {
        let mut list = MoveList::new();
        self.0.stage(stage, board, &mut list);
        list
    }
}

impl<G: Entries> Design for Built<G> {
    fn perft(&self, position: &Position, depth: u32, leaves: Leaves) -> u64 {
        perft(&*self.0, &mut G::Board::new(position), depth, leaves)
    }

    fn perft_hashed(
        &self,
        position: &Position,
        depth: u32,
        leaves: Leaves,
        mebibytes: usize,
    ) -> u64 {
        let mut table = hash::Table::new(mebibytes);
        hash::perft(&*self.0, &mut Hashed::new(position), depth, leaves, &mut table)
    }

    fn divide(&self, position: &Position, depth: u32, leaves: Leaves) -> Vec<(Move, u64)> {
        let mut board = G::Board::new(position);
        let below = |mv| {
            let undo = board.make(mv);
            let nodes = perft(&*self.0, &mut board, depth - 1, leaves);
            board.unmake(mv, undo);
            (mv, nodes)
        };
        self.legal(position, StageId::All).into_iter().map(below).collect()
    }

    fn generated(&self, position: &Position, stage: StageId) -> Vec<Move> {
        self.list(&G::Board::new(position), stage).moves().collect()
    }

    fn legal(&self, position: &Position, stage: StageId) -> Vec<Move> {
        let mut board = G::Board::new(position);
        let list = self.list(&board, stage);
        let mut moves = match G::CARD.legality {
            Legality::Legal => list.moves().collect(),
            Legality::Pseudo => legal_moves(&mut board, &list),
        };
        moves.sort_unstable();
        moves
    }

    fn table_bytes(&self) -> usize {
        Generator::table_bytes(&*self.0)
    }
}

/// Builds a design, or names what the machine lacks.
pub(crate) fn build<G: Entries>() -> Result<Box<dyn Design>, Feature> {
    Ok(Box::new(Built(G::build()?)))
}
