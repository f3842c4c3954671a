//! The two ways to find captures: from the origin and from the target.

use raywalk_core::square_board::{Differences, Geometry, Grid15x12, StepWalk};
use raywalk_core::{Captures, Card, Control, Legality, MoveList};

use crate::LoopBoard;

/// A way to find all captures except en passant.
pub trait CaptureStage: Send + Sync + 'static {
    /// The card of the design that uses it.
    const CARD: Card;
    /// Size of its tables in bytes, without the entries beyond the largest difference.
    const TABLE_BYTES: usize;
    /// Builds its tables.
    fn new() -> Self;
    /// Appends all captures except en passant.
    fn captures(&self, board: &LoopBoard, list: &mut MoveList);
}

const CARD: Card = Card {
    id: "reul/blocker-loop",
    name: "Reul blocker loop",
    author: "Fritz Reul",
    year: Some(2009),
    source: "Fritz Reul, New Architectures in Computer Chess (Tilburg 2009), chapter 2; Chess \
             Programming Wiki, Vector Attacks and Table-driven Move Generation",
    control: Control::Branchy,
    legality: Legality::Pseudo,
    published_bytes: None,
    needs: &[],
    reconstructed: "pawns, promotion, castling and en passant; bishops are not split by the colour \
                    of their squares, an option of the source; we could not read its figures",
};

/// Walks every ray from the origin. The loop has an empty body.
pub struct OriginToTarget;

impl CaptureStage for OriginToTarget {
    const CARD: Card = CARD;
    const TABLE_BYTES: usize = 0;

    fn new() -> Self {
        OriginToTarget
    }

    #[inline(always)]
    fn captures(&self, board: &LoopBoard, list: &mut MoveList) {
        board.visit::<Captures>(&mut StepWalk::<Captures, _, _, _>::new(board, list));
    }
}

/// Looks up the difference of cells between each victim and each possible attacker.
pub struct TargetToOrigin {
    differences: Differences,
}

impl CaptureStage for TargetToOrigin {
    const CARD: Card = Card { id: "reul/vector-attacks", name: "Reul vector attacks", ..CARD };
    const TABLE_BYTES: usize = 2 * Differences::entries::<Grid15x12>();

    fn new() -> Self {
        TargetToOrigin { differences: Differences::new(Grid15x12::WIDTH) }
    }

    #[inline(always)]
    fn captures(&self, board: &LoopBoard, list: &mut MoveList) {
        self.differences.pair_captures(board, list);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_difference_tables_have_225_entries_each() {
        assert_eq!(TargetToOrigin::TABLE_BYTES, 2 * 15 * 15);
    }
}
