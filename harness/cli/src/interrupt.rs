//! Ctrl-C during a run: prints how to resume it and ends with exit code 130.
//!
//! The terminal sends the signal to the measuring process as well. Whichever end is seen first, that of
//! the measuring process or the signal itself, leads to [`end`]. Rounds are journalled when they end, so
//! at most the current one is lost.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::console::{note, plain};

/// Folder and journal of the current run.
static RUN: Mutex<Option<(PathBuf, PathBuf)>> = Mutex::new(None);

/// Ends the process with a hint at Ctrl-C from now on. A process that ignores the signal, as those in
/// the background of a script do, keeps ignoring it.
pub(crate) fn install() {
    // An error means that there is a handler already, or that the system has none.
    let _ = ctrlc::try_set_handler(|| end());
}

/// Names the folder of the current run and its journal.
pub(crate) fn is_in(folder: &Path, journal: &Path) {
    let run = (folder.to_owned(), journal.to_owned());
    *RUN.lock().unwrap_or_else(PoisonError::into_inner) = Some(run);
}

/// Prints how to resume the run, and ends the process.
pub(crate) fn end() -> ! {
    // Held to the end, so that a second caller waits and prints nothing.
    let run = RUN.lock().unwrap_or_else(PoisonError::into_inner);
    let started = run.as_ref().filter(|(_, journal)| {
        journal.metadata().is_ok_and(|file| file.is_file() && file.len() > 0)
    });
    // The line of the progress bar stays above.
    let gap = if std::io::stderr().is_terminal() { "\n" } else { "" };
    match started {
        Some((folder, _)) => note!(
            "{gap}raywalk: interrupted; continue with `raywalk run --resume --out {}`",
            quoted(folder)
        ),
        None => note!("{gap}raywalk: interrupted; nothing was measured yet"),
    }
    // The status that shells give a program which SIGINT ended: 128 + 2.
    std::process::exit(130)
}

/// A path as a word of a shell's command line.
pub(crate) fn quoted(path: &Path) -> String {
    let text = plain(&path.display().to_string());
    let is_plain = |c: char| c.is_alphanumeric() || "_./-+:=@%,\\".contains(c);
    if text.chars().all(is_plain) && !text.is_empty() {
        text
    } else {
        // Single quotes know no escape: the word is closed, an escaped quote follows, and it is opened again.
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_quoted_where_a_shell_would_split_it() {
        assert_eq!(quoted(Path::new("raywalk-results/quick-1")), "raywalk-results/quick-1");
        assert_eq!(quoted(Path::new("my runs")), "'my runs'");
        assert_eq!(quoted(Path::new("it's")), "'it'\\''s'");
    }
}
