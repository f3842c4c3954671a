//! Kinds of boards: a branchless design is compared with a branchy one on the same kind only.

use raywalk_results::journal::Results;
use raywalk_results::schema::Design;

raywalk_results::texts! {
    /// Kind of board that a design reads. Boards read by vector instructions are a kind of their own.
    pub enum BoardKind: plural {
        /// Cells, one per square.
        Squares = "square boards",
        /// Sets of squares only.
        Bitboards = "bitboards",
        /// Either of them, read by vector instructions.
        Vectors = "boards read by vector instructions",
    }
}

impl BoardKind {
    /// The kind of a design's board.
    pub(crate) fn of(results: &Results, id: &str) -> BoardKind {
        results.design(id).map_or(BoardKind::Bitboards, BoardKind::of_design)
    }

    /// The kind of the board of this design.
    pub(crate) fn of_design(design: &Design) -> BoardKind {
        if design.needs.iter().any(|feature| feature.has_vectors()) {
            BoardKind::Vectors
        } else if design.board_cells.is_some() {
            BoardKind::Squares
        } else {
            BoardKind::Bitboards
        }
    }
}
