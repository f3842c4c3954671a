//! `raywalk moves`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Result, bail};
use raywalk_core::{Legality, Move, Position};
use raywalk_measure::design::Design;
use raywalk_results::schema::{Operation, Stage};

use crate::arguments;
use crate::registry;

/// Print the moves of a position, one per line in coordinate notation, sorted
#[derive(clap::Args)]
pub(super) struct Moves {
    /// Position to generate moves for; `startpos`, or `-` for a FEN on standard input
    #[arg(long, default_value = Position::START)]
    fen: String,
    /// Moves to print
    #[arg(long, value_enum, default_value_t = Wanted::All)]
    stage: Wanted,
    /// Design that generates the moves
    #[arg(long, default_value = registry::REFERENCE)]
    design: String,
    /// Print pseudo-legal moves as generated; needs a pseudo-legal design
    #[arg(long)]
    pseudo: bool,
}

/// The moves to print.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Wanted {
    /// Captures and quiet moves
    All,
    /// Captures, with en passant and capturing promotions
    Captures,
    /// All other moves
    Quiets,
    /// Captures of a piece that is worth more than the capturing one; not all designs offer them
    Winning,
}

impl Wanted {
    /// The moves of a position, the legal ones or those that a pseudo-legal design generates.
    fn of(self, design: &dyn Design, position: &Position, pseudo: bool) -> Result<Vec<Move>> {
        let stage = match self {
            Wanted::All => Stage::All,
            Wanted::Captures => Stage::Captures,
            Wanted::Quiets => Stage::Quiets,
            Wanted::Winning => {
                let winning = Operation::WinningCaptures;
                if !design.offers(winning.into()) {
                    bail!("{} does not generate winning captures alone", design.id());
                }
                let words = design.answers(winning, position, &[]);
                let moves = words.into_iter().map(|word| Move::from_bits(word as u16));
                let legal = design.legal(position, Stage::Captures);
                return Ok(moves.filter(|mv| pseudo || legal.contains(mv)).collect());
            }
        };
        Ok(if pseudo { design.generated(position, stage) } else { design.legal(position, stage) })
    }
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
        let moves = self.stage.of(&*design, &position, self.pseudo)?;
        let mut names: Vec<_> = moves.iter().map(ToString::to_string).collect();
        names.sort_unstable();
        for name in names {
            writeln!(out, "{name}")?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
