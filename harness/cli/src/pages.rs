//! Reads stored results for a page, and writes it; adds records to results.

use std::path::{Path, PathBuf};

use anyhow::Result;
use raywalk_judge::Judged;
use raywalk_measure::machine;
use raywalk_page::page;
use raywalk_results::journal::{Journal, Results};
use raywalk_results::likeness::Difference;
use raywalk_results::schema::{Record, Session};

use crate::console::note;
use crate::{folders, imports, manifest};

/// Reads the journals. The page of one session has the results of other tools too: from this target folder of cargo, or
/// else from the usual one. The usual one is of this machine and of the present, so it is read only for a session of
/// this machine and of this build; otherwise a note tells that it is left out.
pub(crate) fn read(journals: &[PathBuf], target: Option<&Path>) -> Result<Vec<Results>> {
    let mut sessions = folders::read_journals(journals)?;
    if let [results] = &mut sessions[..] {
        let usual = || usual_target(&results.session);
        if let Some(target) = target.map(Path::to_owned).or_else(usual) {
            let found = imports::import(&target);
            for warning in &found.warnings {
                note!("raywalk: {warning}");
            }
            results.counts.extend(found.counts);
            results.timings.extend(found.timings);
        }
    }
    Ok(sessions)
}

/// The usual target folder, if this build measured the session on this machine.
fn usual_target(session: &Session) -> Option<PathBuf> {
    let target = target_folder();
    let differ = session.differences_from(&machine::describe(), &manifest::build());
    let Some(Difference { what, one, other }) = differ.first() else { return Some(target) };
    if imports::is_there(&target) {
        note!(
            "raywalk: the results of `cargo bench` in {} are left out, because {what} differs, `{one}` in the journal \
             and `{other}` here; --target adds them",
            target.display()
        );
    }
    None
}

/// Writes the page of these sessions.
pub(crate) fn write(sessions: &[Judged<'_>], output: &Path) -> Result<()> {
    folders::write(output, &page(sessions))
}

/// Cargo's target folder: that of the environment, or else `target` in the working folder.
fn target_folder() -> PathBuf {
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
    // Ends the lock: on some systems a locked file cannot be read.
    drop(open);
    let sessions = read(&[journal.to_owned()], None)?;
    let judged: Vec<Judged<'_>> = sessions.iter().map(Judged::of).collect();
    write(&judged, &journal.with_file_name(folders::PAGE))?;
    note!("appended to {}", journal.display());
    Ok(())
}
