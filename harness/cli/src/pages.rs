//! Writes the page of stored results.

use std::path::{Path, PathBuf};

use anyhow::Result;
use raywalk_judge::Judged;
use raywalk_page::page;
use raywalk_results::journal::Results;

use crate::console::note;
use crate::{folders, imports};

/// Reads the journals, writes their page, and returns the sessions.
pub(crate) fn write(journals: &[PathBuf], target: &Path, output: &Path) -> Result<Vec<Results>> {
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
pub(crate) fn target_folder() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from)
}
