//! The legality of pseudo-legal moves, as far as it is seen without making them.
//!
//! Perft in bulk counts the moves of its last ply and makes only those of which it does not see whether they are legal.

use crate::{Board, Color, Kind, Move, MoveKind, Square};

/// Whether a pseudo-legal move is legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SeenLegality {
    Legal,
    Illegal,
    /// The king has to be tested after the move.
    Unseen,
}

/// What the legality of the moves of a position depends on.
pub(crate) struct LegalityView {
    side: Color,
    king: Square,
    in_check: bool,
    /// The own pieces that stand alone between the king and a slider which would attack it.
    pinned: u64,
    /// Where a move of another piece than the king may end if the king is attacked: on the line to every slider that
    /// attacks it.
    evasions: u64,
}

impl LegalityView {
    pub(crate) fn of<B: Board>(board: &B, side: Color) -> LegalityView {
        let king = board.king(side);
        let (mut pinned, mut evasions) = (0, u64::MAX);
        for &(files, ranks) in Kind::Queen.steps() {
            let slider = if files != 0 && ranks != 0 { Kind::Bishop } else { Kind::Rook };
            let (mut square, mut line, mut own) = (king, 0, 0);
            while let Some(next) = square.offset(files, ranks) {
                square = next;
                line |= square.bit();
                let Some(piece) = board.piece_at(square) else { continue };
                if piece.color == side && own == 0 {
                    own = square.bit();
                    continue;
                }
                if piece.color != side && (piece.kind == slider || piece.kind == Kind::Queen) {
                    pinned |= own;
                    evasions &= if own == 0 { line } else { u64::MAX };
                }
                break;
            }
        }
        LegalityView { side, king, in_check: board.in_check(side), pinned, evasions }
    }

    /// The seen on a pseudo-legal move of the position.
    pub(crate) fn on<B: Board>(&self, board: &B, mv: Move) -> SeenLegality {
        let (from, to) = (mv.from(), mv.to());
        match mv.kind() {
            // It removes two pawns from a line.
            MoveKind::EnPassant => SeenLegality::Unseen,
            MoveKind::Castle => SeenLegality::Unseen,
            // A slider that attacks the king also attacks the square behind it. Without check, nothing does so.
            _ if from == self.king && self.in_check => SeenLegality::Unseen,
            _ if from == self.king && board.attacked(to, !self.side) => SeenLegality::Illegal,
            _ if from == self.king => SeenLegality::Legal,
            _ if self.evasions & to.bit() == 0 => SeenLegality::Illegal,
            _ if self.in_check || self.pinned & from.bit() != 0 => SeenLegality::Unseen,
            _ => SeenLegality::Legal,
        }
    }
}
