//! Reads stored results for a page, and writes it; adds records to results.

use std::path::{Path, PathBuf};

use anyhow::Result;
use raywalk_judge::Judged;
use raywalk_measure::machine;
use raywalk_page::page;
use raywalk_results::journal::{Journal, Results};
use raywalk_results::schema::Record;

use crate::console::note;
use crate::{folders, imports, manifest};

/// Reads the journals, and the results of other tools from cargo's target folder.
pub(crate) fn read(journals: &[PathBuf], target: &Path) -> Result<Vec<Results>> {
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
    Ok(sessions)
}

/// Writes the page of these sessions.
pub(crate) fn write(sessions: &[Judged<'_>], output: &Path) -> Result<()> {
    folders::write(output, &page(sessions))
}

/// Cargo's target folder: that of the environment, or else `target` in the working folder.
pub(crate) fn target_folder() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from)
}

/// Opens a journal to append what belongs beside its session.
///
/// # Errors
/// A journal of another machine or another build.
pub(crate) fn beside(journal: &Path) -> Result<Journal> {
    Ok(Journal::beside(journal, &machine::describe(), &manifest::build())?)
}

/// Appends these records to a journal that was opened [`beside`] its session, and writes its page again.
pub(crate) fn append(
    mut open: Journal,
    journal: &Path,
    records: impl IntoIterator<Item = Record>,
) -> Result<()> {
    records.into_iter().try_for_each(|record| open.append(record))?;
    drop(open);
    let sessions = read(&[journal.to_owned()], &target_folder())?;
    let judged: Vec<Judged<'_>> = sessions.iter().map(Judged::of).collect();
    write(&judged, &journal.with_file_name(folders::PAGE))?;
    note!("appended to {}", journal.display());
    Ok(())
}
