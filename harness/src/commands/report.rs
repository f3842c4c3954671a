//! `raywalk report`.

use std::fs::File;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use raywalk_reports::journal::{self, Results};
use raywalk_reports::page::page;

use crate::imports;

/// Write the page from stored results, without measuring again
///
/// Results of `cargo bench` (criterion, callgrind) are taken along from the target folder when they
/// are there, in columns of their own.
#[derive(clap::Args)]
pub struct Report {
    /// Journals, or folders that hold a `journal.jsonl`
    #[arg(required = true)]
    result: Vec<PathBuf>,
    /// Where to write the page; beside the first result if absent
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Where cargo builds; its `criterion` and `gungraun` folders are looked at
    #[arg(long, value_name = "DIR", default_value_os_t = target_folder())]
    target: PathBuf,
}

/// The name of a journal in the folder of a run.
pub(super) const JOURNAL: &str = "journal.jsonl";
/// The name of the page in the folder of a run.
pub(super) const PAGE: &str = "report.html";

impl Report {
    pub fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let files: Vec<PathBuf> = self.result.iter().map(|path| journal_at(path)).collect();
        let page = match self.output {
            Some(page) => page,
            None => files[0].with_file_name(PAGE),
        };
        write(&files, &self.target, &page)?;
        writeln!(out, "{}", page.display())?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Reads the journals and writes their page; gives back what was read.
pub(super) fn write(files: &[PathBuf], target: &Path, output: &Path) -> Result<Vec<Results>> {
    let mut sessions = files.iter().map(|file| read(file)).collect::<Result<Vec<_>>>()?;
    let found = imports::import(target);
    for warning in &found.warnings {
        eprintln!("raywalk: {warning}");
    }
    // What other tools left on this machine belongs to sessions of this machine: to the last one.
    if let Some(session) = sessions.last_mut() {
        session.counts.extend(found.counts);
        session.timings.extend(found.timings);
    }
    if let Some(folder) = output.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make {}", folder.display()))?;
    }
    std::fs::write(output, page(&sessions))
        .with_context(|| format!("cannot write {}", output.display()))?;
    Ok(sessions)
}

/// The journal itself, or the one in this folder.
pub(super) fn journal_at(path: &Path) -> PathBuf {
    if path.is_dir() { path.join(JOURNAL) } else { path.to_owned() }
}

/// Reads a journal; a fault is told with its file.
pub(super) fn read(path: &Path) -> Result<Results> {
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    journal::read(BufReader::new(file)).with_context(|| path.display().to_string())
}

/// Cargo's target folder: as told, or below the working folder.
pub(super) fn target_folder() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from)
}
