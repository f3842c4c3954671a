//! `raywalk perft`.

use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use raywalk_core::{Board, Leaves, Legality, Position};
use raywalk_measure::design::{Design, PerftOptions};
use raywalk_results::schema::Stage;

use super::arguments;
use crate::registry;

/// Count the legal move sequences of DEPTH plies
///
/// `--divide` prints the format of Stockfish's `go perft`; sort both outputs to compare them. `--style
/// perftree` prints the format that the program perftree expects.
#[derive(clap::Args)]
pub(super) struct Perft {
    /// Depth in plies
    #[arg(value_parser = clap::value_parser!(u32).range(0..=20))]
    depth: u32,
    /// Root position
    #[arg(long, default_value = Position::START)]
    fen: String,
    /// Moves to play before counting, in coordinate notation
    #[arg(long, num_args = 1.., value_delimiter = ' ')]
    moves: Vec<String>,
    /// Design that generates the moves
    #[arg(long, default_value = registry::REFERENCE)]
    design: String,
    /// Print one count per root move
    #[arg(long)]
    divide: bool,
    /// Output format of --divide, which it implies
    #[arg(long, value_enum)]
    style: Option<Style>,
    /// How to count leaves; pseudo-legal designs must make them
    #[arg(long, value_enum, default_value_t = Count::Make)]
    count: Count,
    /// Size of the hash table in MiB; without it none is used
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
    /// Add the length of the last move list; needs a design that generates legal moves
    Bulk,
    /// Make and unmake every leaf
    Make,
}

impl Perft {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let entry = registry::named(&self.design)?;
        let id = entry.card.id;
        let design = entry.built()?;
        let position = play(&*design, arguments::position(&self.fen)?, &self.moves)?;
        let leaves = match self.count {
            Count::Make => Leaves::Made,
            Count::Bulk if entry.card.legality == Legality::Pseudo => {
                bail!("--count bulk needs a legal design, and {id} generates pseudo-legal moves")
            }
            Count::Bulk => Leaves::Bulk,
        };
        let style = self.style.or(self.divide.then_some(Style::Stockfish));
        let Some(style) = style else {
            let start = Instant::now();
            let options =
                PerftOptions { leaves, hash: self.hash.map(|mebibytes| mebibytes as usize) };
            let nodes = design.perft(&position, self.depth, options);
            let seconds = start.elapsed().as_secs_f64();
            let rate = nodes as f64 / seconds.max(1e-9) / 1e6;
            let mode = match (leaves, self.hash) {
                (_, Some(mebibytes)) => format!("hashed, {mebibytes} MiB"),
                (Leaves::Bulk, None) => "bulk".to_owned(),
                (Leaves::Made, None) => "make".to_owned(),
            };
            writeln!(
                out,
                "{nodes} leaves at depth {} ({id}, {mode}, {seconds:.3} s, {rate:.1} million/s)",
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

/// Plays moves from a position. Fails at the first one that `design` does not find legal.
pub(super) fn play(
    design: &dyn Design,
    mut position: Position,
    moves: &[String],
) -> Result<Position> {
    for (ply, name) in moves.iter().filter(|name| !name.is_empty()).enumerate() {
        let mv = design
            .legal(&position, Stage::All)
            .into_iter()
            .find(|mv| mv.to_string() == *name)
            .with_context(|| format!("move {} `{name}` is not legal in {position}", ply + 1))?;
        let mut board = raywalk_core::Bitboards::new(&position);
        board.make(mv);
        position = board.position();
    }
    Ok(position)
}
