//! Perft counts per root move, and the position to count from.

use std::io::Write;

use anyhow::{Context, Result};
use clap::ValueEnum;
use raywalk_core::{Board, Leaves, Move, Position};
use raywalk_measure::design::Design;
use raywalk_results::schema::Stage;

use crate::arguments;

/// Formats of the counts per root move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Style {
    /// `e2e4: 20`, a blank line, `Nodes searched: 400`
    Stockfish,
    /// `e2e4 20`, a blank line, `400`
    Perftree,
}

/// The root moves with the leaves below each; none at depth 0.
pub(crate) fn divided(
    design: &dyn Design,
    position: &Position,
    depth: u32,
    leaves: Leaves,
) -> Vec<(Move, u64)> {
    if depth == 0 { Vec::new() } else { design.divide(position, depth, leaves) }
}

/// The leaves of all root moves; at depth 0 the position itself is the only leaf.
pub(crate) fn total(rows: &[(Move, u64)], depth: u32) -> u64 {
    if depth == 0 { 1 } else { rows.iter().map(|(_, nodes)| nodes).sum() }
}

/// Writes counts per root move, a blank line and the total.
pub(crate) fn write_divide(
    rows: &[(Move, u64)],
    total: u64,
    style: Style,
    out: &mut dyn Write,
) -> Result<()> {
    for (mv, nodes) in rows {
        match style {
            Style::Stockfish => writeln!(out, "{mv}: {nodes}")?,
            Style::Perftree => writeln!(out, "{mv} {nodes}")?,
        }
    }
    match style {
        Style::Stockfish => writeln!(out, "\nNodes searched: {total}")?,
        Style::Perftree => writeln!(out, "\n{total}")?,
    }
    Ok(())
}

/// Plays moves from a position. Fails at the first one that `design` does not find legal.
pub(crate) fn play(
    design: &dyn Design,
    mut position: Position,
    moves: &[String],
) -> Result<Position> {
    for (ply, name) in moves.iter().filter(|name| !name.is_empty()).enumerate() {
        let mv = design
            .legal(&position, Stage::All)
            .into_iter()
            .find(|mv| mv.to_string() == *name)
            .with_context(|| {
                let name = arguments::shown(name);
                format!("move {} `{name}` is not legal in {position}", ply + 1)
            })?;
        let mut board = raywalk_core::Bitboards::new(&position);
        board.make(mv);
        position = board.position();
    }
    Ok(position)
}
