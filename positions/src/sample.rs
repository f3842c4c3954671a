//! A position together with the oracle's counts.

use raywalk_core::Position;

use crate::oracle::{self, Board};

/// A position with the number of its legal moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The position whose moves are counted.
    pub position: Position,
    /// Number of legal moves. The maximum of a reachable position is 218.
    pub legal: u8,
    /// Number of legal captures, en passant included.
    pub captures: u8,
    /// Whether the side to move is in check.
    pub check: bool,
    /// The part of the corpus, 0 to 3. Corpora without parts use 0.
    pub part: u8,
}

impl Sample {
    /// The position of a board, with the oracle's counts.
    pub fn of(board: &Board, part: u8) -> Sample {
        let (legal, captures) = oracle::count_moves(board);
        Sample {
            position: oracle::position(board),
            // Digests are defined modulo 256, so truncation is harmless; no corpus comes near it.
            legal: legal as u8,
            captures: captures as u8,
            check: oracle::in_check(board),
            part,
        }
    }
}
