//! `raywalk perft`.

use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use clap::ValueEnum;
use raywalk_core::{Board, Leaves, Legality, Position, StageId};

use crate::design::Design;
use crate::registry;

/// Count the legal move sequences of DEPTH plies
///
/// The lines of `--divide` have the form of Stockfish's `go perft`, so that the two can be compared
/// after sorting; `--style perftree` writes the form that the program perftree expects.
#[derive(clap::Args)]
pub struct Perft {
    /// Plies
    #[arg(value_parser = clap::value_parser!(u32).range(0..=20))]
    depth: u32,
    /// The position
    #[arg(long, default_value = Position::START)]
    fen: String,
    /// Moves to play first, in coordinate notation
    #[arg(long, num_args = 1.., value_delimiter = ' ')]
    moves: Vec<String>,
    /// The design to ask
    #[arg(long, default_value = registry::REFERENCE)]
    design: String,
    /// One line per root move
    #[arg(long)]
    divide: bool,
    /// The form of the answer; both styles divide
    #[arg(long, value_enum)]
    style: Option<Style>,
    /// Whether the last ply is played or counted; a pseudo-legal design always plays it
    #[arg(long, value_enum, default_value_t = Count::Make)]
    count: Count,
    /// Remember positions in a table of so many MiB; not with --divide
    #[arg(long, value_name = "MIB", conflicts_with_all = ["divide", "style"], value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Style {
    /// `e2e4: 20`, a blank line, `Nodes searched: 400`
    Stockfish,
    /// `e2e4 20`, a blank line, `400`
    Perftree,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Count {
    /// The last list is counted by its length, where it holds legal moves only
    Bulk,
    /// Every leaf is made and taken back
    Make,
}

impl Perft {
    pub fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let entry = registry::named(&self.design)?;
        let id = entry.card.id;
        let design = entry.build().map_err(|feature| anyhow!("{id} needs {feature}"))?;
        let position = play(&*design, super::position(&self.fen)?, &self.moves)?;
        let leaves = match self.count {
            Count::Make => Leaves::Made,
            Count::Bulk if entry.card.legality == Legality::Pseudo => {
                bail!("--count bulk needs legal moves, and {id} generates pseudo-legal ones")
            }
            Count::Bulk => Leaves::Bulk,
        };
        let style = self.style.or(self.divide.then_some(Style::Stockfish));
        let Some(style) = style else {
            let start = Instant::now();
            let nodes = match self.hash {
                None => design.perft(&position, self.depth, leaves),
                Some(mebibytes) => {
                    design.perft_hashed(&position, self.depth, leaves, mebibytes as usize)
                }
            };
            let seconds = start.elapsed().as_secs_f64();
            let rate = nodes as f64 / seconds.max(1e-9) / 1e6;
            let mode = match (leaves, self.hash) {
                (_, Some(mebibytes)) => format!("hashed, {mebibytes} MiB"),
                (Leaves::Bulk, None) => "bulk".to_owned(),
                (Leaves::Made, None) => "make".to_owned(),
            };
            writeln!(
                out,
                "{nodes} leaves at depth {} ({id}, {mode}, {seconds:.3} s, {rate:.1} million a second)",
                self.depth
            )?;
            return Ok(ExitCode::SUCCESS);
        };
        let rows =
            if self.depth == 0 { Vec::new() } else { design.divide(&position, self.depth, leaves) };
        let total = if self.depth == 0 { 1 } else { rows.iter().map(|(_, nodes)| nodes).sum() };
        for (mv, nodes) in &rows {
            match style {
                Style::Stockfish => writeln!(out, "{mv}: {nodes}")?,
                Style::Perftree => writeln!(out, "{mv} {nodes}")?,
            }
        }
        match style {
            Style::Stockfish => writeln!(out, "\nNodes searched: {total}")?,
            Style::Perftree => writeln!(out, "\n{total}")?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The position after these moves, each of which must be legal.
pub(super) fn play(
    design: &dyn Design,
    mut position: Position,
    moves: &[String],
) -> Result<Position> {
    for (ply, name) in moves.iter().filter(|name| !name.is_empty()).enumerate() {
        let mv = design
            .legal(&position, StageId::All)
            .into_iter()
            .find(|mv| mv.to_string() == *name)
            .with_context(|| format!("move {} `{name}` is not legal in {position}", ply + 1))?;
        let mut board = raywalk_core::Bitboards::new(&position);
        board.make(mv);
        position = board.position();
    }
    Ok(position)
}
