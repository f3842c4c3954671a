//! `raywalk fen`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;

/// Draw a position and write its normalised FEN, or say which field is wrong and why
///
/// Refuses what cannot stand on a board: king counts, pawns on the last ranks, the side not to move
/// in check, castling rights without king or rook at home, an impossible en passant square, more
/// pieces than a game can have.
#[derive(clap::Args)]
pub struct Fen {
    /// The position; quote it, or give its fields as separate words
    #[arg(required = true, num_args = 1..)]
    fen: Vec<String>,
}

impl Fen {
    pub fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let position = super::position(&self.fen.join(" "))?;
        writeln!(out, "{}\n{position}", position.drawn())?;
        Ok(ExitCode::SUCCESS)
    }
}
