//! `raywalk ranking`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use raywalk_judge::Judged;
use raywalk_judge::ranking::rank;
use raywalk_page::terminal;

use crate::folders;
use crate::output::{Format, screen, write_json};

mod json;

/// Check whether several results rank the designs alike; exit code 1 if two contradict each other
///
/// Designs of similar speed may swap ranks between sessions. Two sessions contradict each other only if
/// one finds a design significantly faster than another and the other finds it significantly slower. Also
/// prints the knee of each design's memorisation curve in each session.
#[derive(clap::Args)]
pub(super) struct Ranking {
    /// Two or more journals, or folders that contain a `journal.jsonl`
    #[arg(required = true, num_args = 2..)]
    result: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

impl Ranking {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let sessions = folders::read_journals(&self.result)?;
        let sessions: Vec<Judged<'_>> = sessions.iter().map(Judged::of).collect();
        let rankings = rank(&sessions);
        ensure!(!rankings.panels.is_empty(), "no panel has rounds in all of these results");
        ensure!(
            rankings.panels.iter().any(|panel| panel.judged > 0),
            "nothing can be ranked: no two results judge the same pair of designs; make longer sessions"
        );
        match self.format {
            Format::Table => {
                let mut text = screen();
                terminal::ranking::write(&mut text, &sessions, &rankings);
                out.write_all(text.as_str().as_bytes())?;
            }
            Format::Json => write_json(out, &json::Document::of(&sessions, &rankings))?,
        }
        Ok(ExitCode::from(u8::from(!rankings.is_stable())))
    }
}
