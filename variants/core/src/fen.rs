//! FEN in and out, and what makes a position possible.
use crate::Position;

/// Why a position cannot stand on a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {why}")]
pub struct Impossible {
    /// FEN field
    pub field: &'static str,
    /// Reason
    pub why: String,
}

pub(crate) fn check(_: &Position) -> Result<(), Impossible> {
    Ok(())
}

impl std::str::FromStr for Position {
    type Err = Impossible;
    fn from_str(_: &str) -> Result<Position, Impossible> {
        Err(Impossible { field: "fen", why: String::new() })
    }
}
