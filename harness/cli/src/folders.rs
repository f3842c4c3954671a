//! Folders of runs: their names, their content, and how to read it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use raywalk_judge::format::plural;
use raywalk_measure::utc;
use raywalk_results::journal::{self, Fault, Journal, JournalError, Problem, Results};

use crate::console::note;

/// Folder of the runs without `--out`, below the working folder.
pub(crate) const RESULTS: &str = "raywalk-results";
/// File name of the journal of a run.
pub(crate) const JOURNAL: &str = "journal.jsonl";
/// File name of the page of a run.
pub(crate) const PAGE: &str = "report.html";
/// File of the page of several results, beside the first journal, where the page of that result has its own.
pub(crate) const COMPARISON: &str = "comparison.html";

/// The folder of a run that begins now, named after `kind` and the time in UTC.
pub(crate) fn new_run(kind: &str) -> PathBuf {
    // Windows forbids colons in file names.
    Path::new(RESULTS).join(format!("{kind}-{}", utc::now().replace(':', "")))
}

/// Creates a folder and those above it.
pub(crate) fn create(folder: &Path) -> Result<()> {
    let Err(error) = fs::create_dir_all(folder) else { return Ok(()) };
    let shown = folder.display();
    // The error of the system would be that a file exists.
    match existing_above(folder) {
        Some(path) if !path.is_dir() => {
            bail!("cannot create {shown}, because {} is not a folder", path.display())
        }
        _ => Err(error).with_context(|| format!("cannot create {shown}")),
    }
}

/// The path, or else the nearest one above it, at which something exists, be it a broken link.
pub(crate) fn existing_above(path: &Path) -> Option<&Path> {
    // A slash at the end would hide that there is a file.
    let path = path.components().as_path();
    path.ancestors().find(|path| path.symlink_metadata().is_ok())
}

/// Writes a text file and creates the folders above it, as [`replace`] does.
pub(crate) fn write(file: &Path, text: &str) -> Result<()> {
    // The parent of a bare file name is the empty path, which cannot be created.
    if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        create(folder)?;
    }
    replace(file, |out| out.write_all(text.as_bytes()))
}

/// Writes a file under another name beside its place and renames it, so that a failure leaves an existing
/// file as it was and never half a file.
pub(crate) fn replace(
    file: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    ensure!(
        !is_journal(file),
        "{} is a journal, which is not overwritten; choose another file",
        file.display()
    );
    replaced(file, write).with_context(|| format!("cannot write {}", file.display()))
}

fn replaced(file: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let existing = fs::metadata(file).ok();
    if existing.as_ref().is_some_and(|existing| !existing.is_file()) {
        // A device or a pipe is no place to rename to, and a folder is an error.
        let mut out = BufWriter::new(OpenOptions::new().write(true).open(file)?);
        write(&mut out)?;
        return out.flush();
    }
    let file = target_of(file)?;
    let part = Part(part_of(&file));
    let mut out = BufWriter::new(File::create(&part.0)?);
    if let Some(existing) = existing {
        // Before the contents, which not everybody may be allowed to read.
        out.get_ref().set_permissions(existing.permissions())?;
    }
    write(&mut out)?;
    // A drop would hide an error of the last flush.
    out.into_inner()?;
    fs::rename(&part.0, &file)
}

/// Follows symbolic links, because the target of a link is replaced, not the link. The last one may point to
/// a file that does not exist yet.
fn target_of(file: &Path) -> io::Result<PathBuf> {
    /// As many as Linux follows.
    const MOST_LINKS: usize = 40;
    let mut path = file.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// A file that is removed when dropped. After it was renamed, there is nothing to remove.
struct Part(PathBuf);

impl Drop for Part {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// The name of an unfinished file. It contains the number of the process, so that two commands that write
/// the same file do not mix.
fn part_of(file: &Path) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    file.with_file_name(name)
}

/// The path of a journal, given itself or the folder of its run.
pub(crate) fn journal_at(path: &Path) -> PathBuf {
    if path.is_dir() { path.join(JOURNAL) } else { path.to_owned() }
}

/// Reads a journal, given its path or the folder of its run. Errors name the file.
pub(crate) fn read_journal(path: &Path) -> Result<Results> {
    let path = journal_at(path);
    let file = File::open(&path).with_context(|| format!("cannot open {}", path.display()))?;
    let results =
        journal::read(BufReader::new(file)).with_context(|| path.display().to_string())?;
    if results.skipped > 0 {
        let records = plural(results.skipped, "record");
        let schema = results.session.schema;
        note!("{}: skipped {records} that only schema `{schema}` knows", path.display());
    }
    Ok(results)
}

/// Whether a file begins with the session of a journal.
fn is_journal(file: &Path) -> bool {
    use Problem::Unreadable;
    // Those of other versions too.
    let is_other =
        |error: &JournalError| matches!(error.problem, Unreadable(Fault::Version { .. }));
    file.is_file() && Journal::session(file).map_or_else(|error| is_other(&error), |_| true)
}

/// Reads several journals, as [`read_journal`] does. Some may be copies or parts of one session.
pub(crate) fn read_each(paths: &[PathBuf]) -> Result<Vec<Results>> {
    paths.iter().map(|path| read_journal(path)).collect()
}

/// Reads the journals of several sessions. Fails if two are of one.
pub(crate) fn read_journals(paths: &[PathBuf]) -> Result<Vec<Results>> {
    let sessions = read_each(paths)?;
    check_distinct(paths, &sessions)?;
    Ok(sessions)
}

/// Fails if two of these results are of one session: it would agree with itself.
fn check_distinct(paths: &[PathBuf], sessions: &[Results]) -> Result<()> {
    for (one, other) in (0..sessions.len()).flat_map(|one| (0..one).map(move |other| (other, one)))
    {
        ensure!(
            !is_same_session(&sessions[one], &sessions[other]),
            "{} and {} are the same session; name each session once",
            paths[one].display(),
            paths[other].display()
        );
    }
    Ok(())
}

/// Whether two journals are of one session. The session record alone does not tell two sessions that began
/// in the same second apart, but no two sessions measure the same ticks.
fn is_same_session(one: &Results, other: &Results) -> bool {
    let rounds = |results: &Results| results.panels.iter().map(|panel| panel.rounds.len()).sum();
    // A copy that was made while the session ran is shorter.
    let [one_rounds, other_rounds]: [usize; 2] = [rounds(one), rounds(other)];
    let common = one.panels.iter().zip(&other.panels).all(|(one, other)| {
        one.panel.id == other.panel.id
            && one.rounds.iter().zip(&other.rounds).all(|(one, other)| one == other)
    });
    common && one.session == other.session && one_rounds.min(other_rounds) > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = folder.read_dir().expect("a folder").flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_failed_write_leaves_the_existing_file_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("report.html");
        let fail = |out: &mut dyn Write| {
            out.write_all(&[b'x'; 100_000])?;
            Err(io::ErrorKind::StorageFull.into())
        };
        let error = replace(&file, fail).expect_err("a full disk");
        assert!(error.to_string().starts_with("cannot write"), "{error}");
        assert!(names(folder.path()).is_empty());
        write(&file, "old").expect("written");
        replace(&file, fail).expect_err("a full disk");
        assert_eq!(fs::read_to_string(&file).expect("a file"), "old");
        assert_eq!(names(folder.path()), ["report.html"]);
        write(&file, "new").expect("written");
        assert_eq!(fs::read_to_string(&file).expect("a file"), "new");
        assert_eq!(names(folder.path()), ["report.html"]);
    }

    #[test]
    #[cfg(unix)]
    fn links_and_permissions_are_kept_and_devices_are_written_directly() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().expect("a folder");
        let [file, link] = ["file", "link"].map(|name| folder.path().join(name));
        write(&file, "old").expect("written");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("own file");
        symlink("file", &link).expect("a link");
        write(&link, "new").expect("written");
        assert_eq!(fs::read_to_string(&file).expect("a file"), "new");
        assert!(link.is_symlink());
        let mode = fs::metadata(&file).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        let [dangling, circle] = ["dangling", "circle"].map(|name| folder.path().join(name));
        symlink("missing", &dangling).expect("a link");
        symlink("circle", &circle).expect("a link");
        write(&dangling, "new").expect("written");
        assert_eq!(fs::read_to_string(folder.path().join("missing")).expect("a file"), "new");
        assert!(write(&circle, "text").is_err());
        assert!(dangling.is_symlink() && circle.is_symlink());
        write(Path::new("/dev/null"), "nothing").expect("written");
        assert!(!fs::metadata("/dev/null").expect("a device").is_file());
        assert!(write(folder.path(), "text").is_err());
    }
}
