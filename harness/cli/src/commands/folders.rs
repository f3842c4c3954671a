//! Folders of runs: what they are called, what they contain, how to read it.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use raywalk_measure::utc;
use raywalk_results::journal::{self, Results};

/// Folder of the runs without `--out`, below the working folder.
pub(super) const RESULTS: &str = "raywalk-results";
/// File name of the journal of a run.
pub(super) const JOURNAL: &str = "journal.jsonl";
/// File name of the page of a run.
pub(super) const PAGE: &str = "report.html";

/// The folder of a run that begins now, named after `kind` and the time in UTC.
pub(super) fn new_run(kind: &str) -> PathBuf {
    // Windows forbids colons in file names.
    Path::new(RESULTS).join(format!("{kind}-{}", utc::now().replace(':', "")))
}

/// Creates a folder and those above it.
pub(super) fn create(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))
}

/// Writes a file and creates the folders above it.
pub(super) fn write(file: &Path, text: &str) -> Result<()> {
    // The parent of a bare file name is the empty path, which cannot be created.
    if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        create(folder)?;
    }
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}

/// Reads a text file.
pub(super) fn read_text(file: &Path) -> Result<String> {
    fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
}

/// The path of a journal, given itself or the folder of its run.
pub(super) fn journal_at(path: &Path) -> PathBuf {
    if path.is_dir() { path.join(JOURNAL) } else { path.to_owned() }
}

/// Reads a journal, given its path or the folder of its run. Errors name the file.
pub(super) fn read_journal(path: &Path) -> Result<Results> {
    let path = journal_at(path);
    let file = File::open(&path).with_context(|| format!("cannot open {}", path.display()))?;
    journal::read(BufReader::new(file)).with_context(|| path.display().to_string())
}

/// Reads several journals, as [`read_journal`] does.
pub(super) fn read_journals(paths: &[PathBuf]) -> Result<Vec<Results>> {
    paths.iter().map(|path| read_journal(path)).collect()
}
