//! FEN in and out, and what makes a position possible.
//!
//! Forsyth-Edwards notation is six fields with one space between: board, side to move, castling
//! rights, en passant square, halfmove clock, fullmove number. Here every position has exactly one
//! text. What is read is what would be written, character by character; only the two counters may
//! be left out, and then stand for `0 1`. So the letters of castling come in the order `KQkq`, a
//! run of empty squares is one digit, and no number begins with a zero.
//!
//! The notation is read first and the position is judged afterwards ([`Position::new`] judges the
//! same way), at least as strictly as the strictest of three libraries: cozy-chess 0.3.4, shakmaty
//! 0.30.1, owlchess 0.4.1. A position that all three accept is accepted; the conformance kit tests
//! both directions. The en passant square follows the standard of 1994: it is set after every
//! double push, whether or not a pawn can capture, and it is kept as given.
//!
//! # Source
//! Steven J. Edwards, *Portable Game Notation Specification and Implementation Guide* (1994),
//! section 16.1.

use std::fmt;

use crate::Position;

mod check;
mod read;
mod write;

pub(crate) use check::check;
pub use write::Drawn;

/// The six fields, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// The pieces, from a8 to h1.
    Board,
    /// `w` or `b`.
    SideToMove,
    /// `-` or letters of `KQkq`.
    CastlingRights,
    /// `-` or the square that a pawn has just passed over.
    EnPassant,
    /// Plies since the last capture or pawn move.
    HalfmoveClock,
    /// Number of the move, from 1.
    FullmoveNumber,
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Field::Board => "board",
            Field::SideToMove => "side to move",
            Field::CastlingRights => "castling rights",
            Field::EnPassant => "en passant square",
            Field::HalfmoveClock => "halfmove clock",
            Field::FullmoveNumber => "fullmove number",
        })
    }
}

/// Why pieces and state cannot stand on a board: the field that is wrong, and one sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {why}")]
pub struct Impossible {
    /// The FEN field that is wrong.
    pub field: Field,
    /// What is wrong with it.
    pub why: String,
}

/// Why a text is not the FEN of a position. Always one line, however strange the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// The text is not FEN.
    #[error("{field}: {why}")]
    Malformed {
        /// The FEN field that is wrong.
        field: Field,
        /// What is wrong with it.
        why: String,
    },
    /// The text is FEN, but nothing that can stand on a board.
    #[error(transparent)]
    Impossible(#[from] Impossible),
}

impl FenError {
    /// The FEN field that is wrong.
    pub fn field(&self) -> Field {
        match self {
            FenError::Malformed { field, .. } => *field,
            FenError::Impossible(impossible) => impossible.field,
        }
    }
}

impl Position {
    /// The board as a diagram of nine lines: the ranks from White's side, then the files and the
    /// side to move.
    pub fn drawn(&self) -> Drawn<'_> {
        Drawn(self)
    }
}
