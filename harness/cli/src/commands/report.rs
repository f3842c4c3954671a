//! `raywalk report`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, ensure};
use raywalk_judge::Judged;
use raywalk_page::page;
use raywalk_results::journal::Results;

use super::folders;
use crate::console::note;
use crate::imports;

/// Write the HTML report of stored results
///
/// Nothing is measured again. Results of `cargo bench` (criterion, callgrind) are read from the target
/// folder if it contains any, and are shown in columns of their own.
#[derive(clap::Args)]
pub(super) struct Report {
    /// Journals, or folders that contain a `journal.jsonl`
    #[arg(required = true)]
    result: Vec<PathBuf>,
    /// Output file [default: report.html next to the first journal]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Cargo's target folder, to read its `criterion` and `gungraun` folders [default:
    /// $CARGO_TARGET_DIR, or `target`]
    #[arg(long, value_name = "DIR")]
    target: Option<PathBuf>,
}

impl Report {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let target = match self.target {
            Some(target) => {
                ensure!(
                    target.is_dir(),
                    "{} is not a folder; --target takes cargo's target folder",
                    target.display()
                );
                target
            }
            None => target_folder(),
        };
        let page = match self.output {
            Some(page) => page,
            None => folders::journal_at(&self.result[0]).with_file_name(folders::PAGE),
        };
        write(&self.result, &target, &page)?;
        writeln!(out, "{}", page.display())?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Reads the journals, writes their page, and returns the sessions.
pub(super) fn write(journals: &[PathBuf], target: &Path, output: &Path) -> Result<Vec<Results>> {
    let mut sessions = folders::read_journals(journals)?;
    let found = imports::import(target);
    for warning in &found.warnings {
        note!("raywalk: {warning}");
    }
    // Cargo's target folder is of this machine and of the present, so its results go to the last session.
    if let Some(session) = sessions.last_mut() {
        session.counts.extend(found.counts);
        session.timings.extend(found.timings);
    }
    let judged: Vec<Judged<'_>> = sessions.iter().map(Judged::of).collect();
    folders::write(output, &page(&judged))?;
    Ok(sessions)
}

/// Cargo's target folder: that of the environment, or else `target` in the working folder.
pub(super) fn target_folder() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from)
}
