//! `raywalk moves`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Result, anyhow};
use raywalk_core::{Legality, Position};

use super::Stage;
use crate::registry;

/// Print the moves of a position, one per line in coordinate notation, sorted
#[derive(clap::Args)]
pub struct Moves {
    /// The position
    #[arg(long, default_value = Position::START)]
    fen: String,
    /// Which moves: captures take (en passant and capturing promotions too), quiets do not
    #[arg(long, value_enum, default_value_t = Stage::All)]
    stage: Stage,
    /// The design to ask
    #[arg(long, default_value = registry::REFERENCE)]
    design: String,
    /// As generated, the own king possibly left in check; a design that generates legal moves
    /// refuses
    #[arg(long)]
    pseudo: bool,
}

impl Moves {
    pub fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let position = super::position(&self.fen)?;
        let entry = registry::named(&self.design)?;
        let id = entry.card.id;
        if self.pseudo && entry.card.legality == Legality::Legal {
            return Err(anyhow!("{id} generates legal moves only; leave out --pseudo"));
        }
        let design = entry.build().map_err(|feature| anyhow!("{id} needs {feature}"))?;
        let stage = self.stage.into();
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
