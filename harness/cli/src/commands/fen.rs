//! `raywalk fen`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;

use crate::arguments;

/// Draw a position and print its normalised FEN
///
/// An invalid position is rejected; the message names the wrong field and the reason. The command
/// checks the numbers of kings and pieces, pawns on the first and last rank, whether the side not to
/// move is in check, castling rights without king or rook at home, and the en passant square.
#[derive(clap::Args)]
pub(super) struct Fen {
    /// Position to draw, quoted or as separate words; `startpos`, or `-` for a FEN on standard input
    #[arg(required = true, num_args = 1..)]
    fen: Vec<String>,
}

impl Fen {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let position = arguments::position(&self.fen.join(" "))?;
        writeln!(out, "{}\n{position}", position.drawn())?;
        Ok(ExitCode::SUCCESS)
    }
}
