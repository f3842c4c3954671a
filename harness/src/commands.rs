//! The commands, one file each. A command answers with an exit code: 0 fine, 1 the check failed.
//! An error is bad input or a machine that fails: one sentence, exit code 2.

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand, ValueEnum};
use raywalk_core::{Position, StageId};

mod compare;
mod doctor;
mod export;
mod fen;
mod hunt;
mod list;
mod moves;
mod new_design;
mod perft;
mod positions;
mod processes;
mod ranking;
mod receipt;
mod report;
mod run;
mod schema;
mod selftest;
mod verify;
mod worker;
mod workplace;

/// Measures chess move generators, branchy against branchless, and shows why.
///
/// Without a command: `raywalk run --plan quick`.
#[derive(Parser)]
#[command(name = "raywalk", version, arg_required_else_help = false)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Run(run::Run),
    Report(report::Report),
    Compare(compare::Compare),
    Ranking(ranking::Ranking),
    Export(export::Export),
    Schema(schema::Schema),
    List(list::List),
    Verify(verify::Verify),
    Perft(perft::Perft),
    Moves(moves::Moves),
    Fen(fen::Fen),
    Hunt(hunt::Hunt),
    Doctor(doctor::Doctor),
    Selftest(selftest::Selftest),
    NewDesign(new_design::NewDesign),
    #[command(hide = true)]
    Worker(worker::Worker),
    #[command(hide = true)]
    Receipt(receipt::PrintReceipt),
}

impl Cli {
    /// Carries out the command, writing its answer to `out`.
    ///
    /// # Errors
    /// Bad input, as one sentence.
    pub fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        match self.command {
            None => run::Run::default().run(out),
            Some(Command::Run(command)) => command.run(out),
            Some(Command::Report(command)) => command.run(out),
            Some(Command::Compare(command)) => command.run(out),
            Some(Command::Ranking(command)) => command.run(out),
            Some(Command::Export(command)) => command.run(out),
            Some(Command::Schema(command)) => command.run(out),
            Some(Command::List(command)) => command.run(out),
            Some(Command::Verify(command)) => command.run(out),
            Some(Command::Perft(command)) => command.run(out),
            Some(Command::Moves(command)) => command.run(out),
            Some(Command::Fen(command)) => command.run(out),
            Some(Command::Hunt(command)) => command.run(out),
            Some(Command::Doctor(command)) => command.run(out),
            Some(Command::Selftest(command)) => command.run(out),
            Some(Command::NewDesign(command)) => command.run(out),
            Some(Command::Worker(command)) => command.run(out),
            Some(Command::Receipt(command)) => command.run(out),
        }
    }
}

/// How an answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Table,
    /// For programs.
    Json,
}

/// A stage on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Stage {
    All,
    Captures,
    Quiets,
}

impl From<Stage> for StageId {
    fn from(stage: Stage) -> StageId {
        match stage {
            Stage::All => StageId::All,
            Stage::Captures => StageId::Captures,
            Stage::Quiets => StageId::Quiets,
        }
    }
}

/// Reads a FEN from the command line, where blanks come as the shell gives them.
fn position(fen: &str) -> Result<Position> {
    let fen = fen.split_whitespace().collect::<Vec<_>>().join(" ");
    fen.parse().with_context(|| format!("bad FEN `{fen}`"))
}
