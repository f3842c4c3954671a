//! `raywalk moves`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Result, bail};
use raywalk_core::{Legality, Position};
use raywalk_results::schema::Stage;

use crate::arguments;
use crate::registry;

/// Print the moves of a position, one per line in coordinate notation, sorted
#[derive(clap::Args)]
pub(super) struct Moves {
    /// Position to generate moves for; `startpos`, or `-` for a FEN on standard input
    #[arg(long, default_value = Position::START)]
    fen: String,
    /// Moves to print; captures include en passant and capturing promotions, quiets are all others
    #[arg(long, value_parser = arguments::names(Stage::ALL, Stage::name), default_value_t = Stage::All)]
    stage: Stage,
    /// Design that generates the moves
    #[arg(long, default_value = registry::REFERENCE)]
    design: String,
    /// Print pseudo-legal moves as generated; needs a pseudo-legal design
    #[arg(long)]
    pseudo: bool,
}

impl Moves {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let position = arguments::position(&self.fen)?;
        let entry = registry::named(&self.design)?;
        let id = entry.card.id;
        if self.pseudo && entry.card.legality == Legality::Legal {
            bail!("{id} generates only legal moves; remove --pseudo");
        }
        let design = entry.built()?;
        let stage = self.stage;
        let moves = match self.pseudo {
            true => design.generated(&position, stage),
            false => design.legal(&position, stage),
        };
        let mut names: Vec<_> = moves.iter().map(ToString::to_string).collect();
        names.sort_unstable();
        for name in names {
            writeln!(out, "{name}")?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
