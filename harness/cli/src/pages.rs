//! Reads stored results for a page, and writes it.

use std::path::{Path, PathBuf};

use anyhow::Result;
use raywalk_judge::Judged;
use raywalk_page::page;
use raywalk_results::journal::Results;

use crate::console::note;
use crate::{folders, imports};

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
