//! The folder of a run: found, checked, and created.

use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result, bail, ensure};
use raywalk_measure::machine;
use raywalk_measure::plan::Plan;
use raywalk_results::journal::{Journal, JournalError, LONGEST_LINE, Problem};
use raywalk_results::likeness::differences;
use raywalk_results::schema::Session;

use crate::folders;
use crate::manifest;

/// Folder of a new run.
pub(super) enum Place {
    /// Into the folder of `--out`.
    Named(PathBuf),
    /// Into a new folder of this name, or the next free one.
    New(PathBuf),
}

impl Place {
    /// Checks that a run can be written there. Leaves nothing behind.
    pub(super) fn of(out: Option<&Path>, plan: &str) -> Result<Place> {
        let place = match out {
            Some(folder) => Place::Named(folder.to_owned()),
            None => Place::New(folders::new_run(plan)),
        };
        let (Place::Named(folder) | Place::New(folder)) = &place;
        if let Place::Named(folder) = &place {
            ensure!(
                !folder.join(folders::JOURNAL).exists(),
                "{} already contains a journal; add --resume or choose another --out",
                folder.display()
            );
        }
        can_be_written(folder)?;
        Ok(place)
    }

    pub(super) fn create(self) -> Result<PathBuf> {
        match self {
            Place::Named(folder) => {
                folders::create(&folder)?;
                Ok(folder)
            }
            Place::New(folder) => next_free(&folder),
        }
    }
}

/// Creates this folder, or `FOLDER-2`, `FOLDER-3`, … if another run has taken the name.
fn next_free(folder: &Path) -> Result<PathBuf> {
    if let Some(above) = folder.parent() {
        folders::create(above)?;
    }
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    for number in 1..=1_000 {
        let free = match number {
            1 => folder.to_owned(),
            number => folder.with_file_name(format!("{name}-{number}")),
        };
        match fs::create_dir(&free) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            created => {
                return created
                    .map(|()| free.clone())
                    .with_context(|| format!("cannot create {}", free.display()));
            }
        }
    }
    bail!(
        "there are already a thousand runs named {}; choose another name with --out",
        folder.display()
    )
}

/// Fails if a file cannot be created in the folder, or in the nearest existing one above it.
fn can_be_written(folder: &Path) -> Result<()> {
    let existing = folders::existing_above(folder).unwrap_or(Path::new("."));
    ensure!(
        existing.is_dir(),
        "cannot write a run to {}, because {} is not a folder",
        folder.display(),
        existing.display()
    );
    // A name that is too long, for example.
    if let Err(error) = folder.metadata()
        && error.kind() != ErrorKind::NotFound
    {
        return Err(error).with_context(|| format!("cannot write a run to {}", folder.display()));
    }
    let probe = existing.join(format!(".raywalk-{}.tmp", std::process::id()));
    let written = OpenOptions::new().write(true).create_new(true).open(&probe);
    written.with_context(|| {
        format!(
            "cannot write a run to {}, because {} refuses",
            folder.display(),
            existing.display()
        )
    })?;
    let _ = fs::remove_file(probe);
    Ok(())
}

/// The folder of the run to resume: that of `--out`, or the newest unfinished one.
pub(super) fn to_resume(out: Option<&Path>, plan: Option<&str>) -> Result<PathBuf> {
    let folder = match out {
        Some(folder) => folder.to_owned(),
        None => unfinished(Path::new(folders::RESULTS), plan)?,
    };
    // Not a pipe either, which could never be read again.
    let is_journal = folder.join(folders::JOURNAL).is_file();
    ensure!(is_journal, "{} contains no journal to resume", folder.display());
    Ok(folder)
}

/// The newest folder in `results` with an unfinished journal, of this plan if one is named.
fn unfinished(results: &Path, plan: Option<&str>) -> Result<PathBuf> {
    let begun = |folder: PathBuf| -> Option<(SystemTime, PathBuf)> {
        let file = folder.join(folders::JOURNAL).metadata().ok()?;
        (file.is_file() && file.len() > 0).then_some((file.modified().ok()?, folder))
    };
    let can_go_on = |journal: &Path| {
        let is_of = |plan| Journal::session(journal).is_ok_and(|session| session.plan == plan);
        plan.is_none_or(is_of) && Journal::has_ended(journal).is_ok_and(|ended| !ended)
    };
    let folders = results.read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
    let mut runs: Vec<_> = folders.filter_map(begun).collect();
    runs.sort();
    let mut newest = runs.into_iter().rev().map(|(_, folder)| folder);
    newest.find(|folder| can_go_on(&folder.join(folders::JOURNAL))).with_context(|| {
        let of = plan.map(|plan| format!(" of plan `{plan}`")).unwrap_or_default();
        format!("{} contains no unfinished run{of}; name its folder with --out", results.display())
    })
}

/// The session of a journal with its plan; `None` if the run was stopped before its first line was
/// complete. The files of the plan are read again, and must not have changed.
pub(super) fn stored(journal: &Path) -> Result<Option<(Session, Plan)>> {
    let mut line = Vec::new();
    let file = fs::File::open(journal).map(|file| file.take(LONGEST_LINE as u64));
    let read = file.and_then(|file| BufReader::new(file).read_until(b'\n', &mut line));
    read.with_context(|| format!("cannot read {}", journal.display()))?;
    if line.last() != Some(&b'\n') && line.len() < LONGEST_LINE {
        return Ok(None);
    }
    // Every line is checked now, before work begins.
    let session = folders::read_journal(journal)?.session;
    ensure!(
        !session.plan_file.is_empty(),
        "journal {} contains no plan, so it cannot be resumed",
        journal.display()
    );
    let mut plan = Plan::parse(&session.plan_file, &session.plan, "in the journal")
        .with_context(|| format!("{} cannot be resumed", journal.display()))?;
    plan.layouts.clone_from(&session.layouts);
    plan.shard = session.shard;
    for file in plan.files() {
        let corpus = session.corpora.iter().find(|corpus| corpus.name == file.contents.name);
        ensure!(
            corpus.is_none_or(|corpus| corpus.digest == file.contents.digest),
            "{} has changed since the run was begun; restore it to resume the run, or start a new one",
            file.path
        );
    }
    Ok(Some((session, plan)))
}

/// Fails if rounds made here could not be compared with those of the journal. Whether the corpora agree
/// is checked when they are there.
pub(super) fn can_be_resumed(journal: &Path, session: &Session, plan: &Plan) -> Result<()> {
    let ours = Session {
        plan: plan.name.clone(),
        seed: plan.seed(),
        shares: plan.shares(),
        layouts: plan.layouts.clone(),
        shard: plan.shard,
        build: manifest::build(),
        machine: machine::describe(),
        ..session.clone()
    };
    match differences(session.identity(), ours.identity()).into_iter().next() {
        None => Ok(()),
        Some(difference) => {
            let problem = Problem::Foreign(Box::new(difference));
            Err(JournalError { path: journal.to_owned(), problem }.into())
        }
    }
}

#[cfg(test)]
mod tests {
    use raywalk_results::fixture::{self, Recipe};
    use raywalk_results::schema::Record;

    use super::*;

    #[test]
    fn runs_of_one_second_get_folders_of_their_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let wanted = folder.path().join("results/quick-now");
        let create = || Place::New(wanted.clone()).create().expect("a folder");
        let names: Vec<_> = (0..3).map(|_| create()).collect();
        let expected = ["quick-now", "quick-now-2", "quick-now-3"];
        assert_eq!(names, expected.map(|name| folder.path().join("results").join(name)));
    }

    #[test]
    fn a_folder_below_a_file_cannot_be_written_and_a_check_leaves_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        fs::write(&file, "").expect("written");
        let error = can_be_written(&file.join("below/it")).expect_err("not a folder");
        assert!(error.to_string().contains("is not a folder"), "{error}");
        can_be_written(&folder.path().join("new/one")).expect("a folder that can be written");
        assert_eq!(folder.path().read_dir().expect("a folder").count(), 1);
    }

    #[test]
    fn the_newest_unfinished_run_is_resumed() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str, age: u64| {
            let path = folder.path().join(name);
            folders::create(&path).expect("a folder");
            let journal = path.join(folders::JOURNAL);
            fs::write(&journal, text).expect("written");
            let time = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000 - age);
            let file = OpenOptions::new().append(true).open(journal).expect("a file");
            file.set_modified(time).expect("a time");
        };
        let session = |plan: &str| {
            let mut records = Recipe::SMALL.records();
            records.truncate(1);
            if let Some(Record::Session(session)) = records.first_mut() {
                session.plan = plan.to_owned();
            }
            fixture::text(&records)
        };
        write("quick-1", &session("quick"), 40);
        write("full-1", &session("full"), 30);
        // A plan whose name begins with that of another one.
        write("quick-long-1", &session("quick-long"), 20);
        // Another program may write the same JSON in another way.
        write("quick-2", &(session("quick") + "{ \"record\": \"end\" }\n"), 10);
        write("quick-3", "", 5);
        let found = |plan| {
            unfinished(folder.path(), plan)
                .ok()
                .map(|path| path.file_name().unwrap_or_default().to_string_lossy().into_owned())
        };
        assert_eq!(found(None).as_deref(), Some("quick-long-1"));
        assert_eq!(found(Some("full")).as_deref(), Some("full-1"));
        assert_eq!(found(Some("quick")).as_deref(), Some("quick-1"));
        assert_eq!(found(Some("mine")), None);
    }
}
