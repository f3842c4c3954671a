//! The two ways to find captures: from the origin and from the target.

use raywalk_core::square_board::StepWalk;
use raywalk_core::{Captures, Card, Control, Legality, MoveList, Piece};

use crate::LoopBoard;
use crate::units::Units;
use crate::winning::WinningWalk;

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
    /// Appends the captures of a piece that is worth more than the capturing one.
    fn winning_captures(&self, board: &LoopBoard, list: &mut MoveList);
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

    #[inline(always)]
    fn winning_captures(&self, board: &LoopBoard, list: &mut MoveList) {
        board.visit::<Captures>(&mut WinningWalk::new(board, list));
    }
}

/// Looks up the difference of cells between each victim and each possible attacker, once for each pair.
pub struct TargetToOrigin {
    units: Units,
}

impl CaptureStage for TargetToOrigin {
    const CARD: Card = Card {
        id: "reul/vector-attacks",
        name: "Reul vector attacks",
        reconstructed: "pawns, promotion, castling, en passant and the order of the attackers of one \
                        victim; bishops are not split by the colour of their squares, an option of the \
                        source; we could not read its figures",
        ..CARD
    };
    const TABLE_BYTES: usize = Units::BYTES;

    fn new() -> Self {
        TargetToOrigin { units: Units::new() }
    }

    #[inline(always)]
    fn captures(&self, board: &LoopBoard, list: &mut MoveList) {
        board.pair_captures(list, |piece, from, to| self.attacks(board, piece, from, to));
    }

    #[inline(always)]
    fn winning_captures(&self, board: &LoopBoard, list: &mut MoveList) {
        board.winning_pair_captures(list, |piece, from, to| self.attacks(board, piece, from, to));
    }
}

impl TargetToOrigin {
    /// Whether the piece, which must be on cell `from`, attacks cell `to`.
    #[inline(always)]
    fn attacks(&self, board: &LoopBoard, piece: Piece, from: u8, to: u8) -> bool {
        let unit = self.units.step(piece, from, to);
        // Only a slider has squares in between.
        unit != 0 && (!piece.kind.is_slider() || board.first_is(from, to, unit))
    }
}
