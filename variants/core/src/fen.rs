//! Reads and writes FEN.
//!
//! Forsyth-Edwards notation has six fields, separated by one space: board, side to move, castling
//! rights, en passant square, halfmove clock, fullmove number. The reader accepts exactly one text
//! per position, the text that the writer produces. Castling letters come in the order `KQkq`, a
//! run of empty squares is one digit, and numbers have no leading zeros. The only exception: the
//! two counters may be omitted and are then `0 1`.
//!
//! The reader first parses the notation and then validates the position with the rules of
//! [`Position::new`]. A position is accepted if and only if three libraries accept it: cozy-chess
//! 0.3.4, shakmaty 0.30.1 and owlchess 0.4.1. The halfmove clock is an exception: cozy-chess accepts
//! clocks up to 100 and this reader up to 255. The conformance kit tests both directions. The en
//! passant square follows the standard of 1994: it is set after every double push, whether or not a
//! pawn can capture, and it is kept as given.
//!
//! # Source
//! Steven J. Edwards, *Portable Game Notation Specification and Implementation Guide* (1994),
//! section 16.1.

use std::fmt;

use crate::Position;

mod read;
mod write;

pub use crate::validation::{Field, Impossible};

/// A text that is not the FEN of a possible position. The message is always a single line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// The text is not FEN.
    #[error("{field}: {why}")]
    Malformed {
        /// The FEN field that is wrong.
        field: Field,
        /// The reason, without the name of the field.
        why: String,
    },
    /// The text is FEN, but the position is impossible.
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
    /// FEN of the start position.
    pub const START: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    /// A diagram of nine lines: the eight ranks seen from White, then the file letters and the side
    /// to move. No line break at the end.
    pub fn drawn(&self) -> impl fmt::Display + '_ {
        write::Diagram(self)
    }
}

impl Default for Position {
    /// The start position.
    fn default() -> Position {
        Position::START.parse().expect("the start position is possible")
    }
}
