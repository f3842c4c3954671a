//! `raywalk ranking`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use raywalk_reports::journal::Results;
use raywalk_reports::ranking::{rank, write};

use super::report;

/// Hold the rankings of several results against each other; exit code 1 if two contradict
///
/// Designs that stand close change places from session to session. A contradiction is more: one
/// session has proved a design the faster of two, and another has proved it the slower one. The knee
/// of each design's memorisation curve is printed for each session.
#[derive(clap::Args)]
pub struct Ranking {
    /// Two or more results: journals, or folders that hold a `journal.jsonl`
    #[arg(required = true, num_args = 2..)]
    result: Vec<PathBuf>,
}

impl Ranking {
    pub fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let read = |path: &PathBuf| report::read(&report::journal_at(path));
        let sessions = self.result.iter().map(read).collect::<Result<Vec<Results>>>()?;
        let rankings = rank(&sessions);
        ensure!(
            !rankings.panels.is_empty(),
            "these results have no panel in common that all of them have rounds of"
        );
        let mut text = String::new();
        write(&mut text, &sessions, &rankings)?;
        out.write_all(text.as_bytes())?;
        Ok(ExitCode::from(u8::from(!rankings.is_stable())))
    }
}
