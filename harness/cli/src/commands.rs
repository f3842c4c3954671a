//! The commands, one file each.
//!
//! A command writes its output to `out` and returns the exit code: 0 for success, 1 for a failed check.
//! Bad input and failures of the system are errors of one sentence, which `main` turns into exit code 2,
//! or 3 if another program failed.

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::arguments;
use crate::console::plain;

mod audit;
mod chains;
mod claims;
mod compare;
mod completions;
mod doctor;
mod export;
mod fen;
mod fit;
mod hunt;
mod list;
mod man;
mod manifest;
mod merge;
mod moves;
mod new_design;
mod new_plugin;
mod peers;
mod perft;
mod perftree;
mod plan_reference;
mod plugin_host;
mod ranking;
mod report;
mod run;
mod schema;
mod selftest;
mod show;
mod trace;
mod verify;
mod worker;
mod workloads;

/// Benchmark chess move generators, branchy against branchless, and explain the results
///
/// Without a command, raywalk does the same as `raywalk run --plan quick`.
#[derive(Parser)]
#[command(name = "raywalk", version, arg_required_else_help = false, after_help = EXIT_CODES)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

/// The README has the same list; a test compares them.
const EXIT_CODES: &str = "\
Exit codes:
  0    the command finished, and every check passed
  1    a check failed: a wrong design, a regression, a contradiction, a difference
  2    bad input, or a failure of the system
  3    another program failed or cannot start: an engine, cargo, a linked or measuring program
  130  interrupted by Ctrl-C; `raywalk run --resume` continues a run";

macro_rules! commands {
    ($($(#[$meta:meta])* $Name:ident($Type:ty),)+) => {
        #[derive(Subcommand)]
        enum Command { $($(#[$meta])* $Name($Type),)+ }

        impl Command {
            fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
                match self { $(Command::$Name(command) => command.run(out),)+ }
            }
        }
    };
}

commands! {
    Run(run::Run),
    Merge(merge::Merge),
    Report(report::Report),
    Show(show::Show),
    Compare(compare::Compare),
    Ranking(ranking::Ranking),
    Claims(claims::Claims),
    Export(export::Export),
    Schema(schema::Schema),
    List(list::List),
    Workloads(workloads::Workloads),
    Verify(verify::Verify),
    Audit(audit::AuditCode),
    Perft(perft::Perft),
    Perftree(perftree::Perftree),
    Moves(moves::Moves),
    Fen(fen::Fen),
    Hunt(hunt::Hunt),
    Doctor(doctor::Doctor),
    Trace(trace::Trace),
    Fit(fit::Fit),
    Chains(chains::Chains),
    Selftest(selftest::Selftest),
    NewDesign(new_design::NewDesign),
    NewPlugin(new_plugin::NewPlugin),
    Peers(peers::Peers),
    Completions(completions::Completions),
    Man(man::Manual),
    #[command(hide = true)]
    Worker(worker::Worker),
    #[command(hide = true)]
    PluginHost(plugin_host::PluginHost),
    #[command(hide = true)]
    Manifest(manifest::PrintManifest),
    #[command(hide = true)]
    PlanReference(plan_reference::PlanReference),
}

impl Cli {
    /// Parses the command line of this process.
    ///
    /// # Errors
    /// The message about a wrong command line, or the help that was asked for.
    pub fn of_process() -> Result<Cli, clap::Error> {
        Cli::of(&perftree::words(std::env::args_os()))
    }

    /// Parses the words of a command line. A message repeats wrong words, which may be long or control
    /// the terminal, so a wrong command line is parsed once more with each word as it may be shown.
    fn of(words: &[OsString]) -> Result<Cli, clap::Error> {
        Cli::try_parse_from(words).map_err(|error| {
            let shown = words.iter().map(|word| plain(&arguments::shown(&word.to_string_lossy())));
            Cli::try_parse_from(shown).err().unwrap_or(error)
        })
    }

    /// Runs the command, writes its output to `out` and returns the exit code: 0 for success, 1 for a
    /// failed check.
    ///
    /// # Errors
    /// Bad input or a failure of the system, as one sentence.
    pub fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        match self.command {
            None => run::Run::default().run(out),
            Some(command) => command.run(out),
        }
    }
}
