//! Writes a journal, and opens one to resume it.
//!
//! A round is written and forced to disk before the next begins, so a killed session loses at most
//! the line that was being written. Resuming cuts that line off, and refuses a journal of another
//! plan, build or machine, because its rounds would not be comparable with the new ones.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use serde::de::IgnoredAny;

use super::ended::has_ended;
use super::fault::Fault;
use super::reader::Reader;
use super::results::{PanelRounds, Results};
use crate::likeness::{Difference, differences};
use crate::schema::{Build, Design, End, Machine, Panel, Record, RecordKind, Round, Session};

/// A journal that is open for appending.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    reader: Reader,
}

/// Why a journal cannot be written or resumed.
#[derive(Debug, thiserror::Error)]
#[error("journal {}: {problem}", path.display())]
pub struct JournalError {
    /// Path of the journal, as the caller gave it.
    pub path: PathBuf,
    /// The first problem that was found.
    pub problem: Problem,
}

/// A problem with a journal; `Display` is one sentence.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// Reading or writing failed, with the error of the operating system.
    #[error("{0}")]
    Io(io::Error),
    /// A folder, a device or a pipe.
    #[error("it is not a regular file")]
    Irregular,
    /// Another process holds the file.
    #[error("another session is writing it")]
    Busy,
    /// A property of the session differs, so rounds could not be compared with those in the file.
    #[error(
        "{} differs, `{}` there and `{}` here; their rounds are not comparable, so start a new \
         session", .0.what, .0.one, .0.other
    )]
    Foreign(Box<Difference>),
    /// The file is no journal.
    #[error("{0}")]
    Unreadable(Fault),
    /// The session is complete, since this time in UTC, RFC 3339.
    #[error("this session was finished at {0}")]
    Finished(String),
    /// The plan or a design changed since the file was begun.
    #[error("{kind} `{id}` has changed since the journal was begun; start a new session")]
    Changed {
        /// Kind of the changed record: [`RecordKind::Design`] or [`RecordKind::Panel`].
        kind: RecordKind,
        /// Id of the design or panel.
        id: String,
    },
    /// A record that does not fit those before it, and why.
    #[error("{0}")]
    Record(String),
}

impl Problem {
    fn of(self, path: &Path) -> JournalError {
        JournalError { path: path.to_owned(), problem: self }
    }
}

impl Journal {
    /// Begins a journal. The folder must exist, the file must not.
    ///
    /// # Errors
    /// [`Problem::Io`], also if the file exists.
    pub fn create(path: &Path, session: &Session) -> Result<Journal, JournalError> {
        let file = open(path, OpenOptions::new().read(true).append(true).create_new(true))?;
        Journal::begin(path, file, session)
    }

    fn begin(path: &Path, file: File, session: &Session) -> Result<Journal, JournalError> {
        let reader = Reader::new(session.clone());
        let mut journal = Journal { path: path.to_owned(), file, reader };
        let line = journal.line(&Record::Session(session.clone()))?;
        journal.write(&line)?;
        journal.sync()?;
        Ok(journal)
    }

    /// Opens a journal to resume it: cuts off a torn last line, and refuses what cannot be compared
    /// with `session`. A journal torn within its first line is begun anew.
    ///
    /// # Errors
    /// Every [`Problem`] but the last two.
    pub fn resume(path: &Path, session: &Session) -> Result<Journal, JournalError> {
        let mut found = Reopened::of(path)?;
        let Some(results) = found.results.take() else {
            return Journal::begin(path, found.whole(path)?, session);
        };
        let differ = differences(results.session.identity(), session.identity());
        if let Some(difference) = differ.into_iter().next() {
            return Err(Problem::Foreign(Box::new(difference)).of(path));
        }
        if let Some(End { finished, .. }) = results.end {
            return Err(Problem::Finished(finished).of(path));
        }
        // Only now is a torn line cut off: a journal that is refused stays as it is.
        let file = found.whole(path)?;
        Ok(Journal { path: path.to_owned(), file, reader: Reader::resume(results) })
    }

    /// Opens a journal to append records that stand beside its rounds, even if its session has ended.
    ///
    /// # Errors
    /// [`Problem::Foreign`] if the journal is of another machine or build; [`Problem::Io`], [`Problem::Irregular`],
    /// [`Problem::Busy`] or [`Problem::Unreadable`].
    pub fn beside(path: &Path, machine: &Machine, build: &Build) -> Result<Journal, JournalError> {
        let mut found = Reopened::of(path)?;
        let Some(results) = found.results.take() else {
            return Err(Problem::Unreadable(Fault::Torn).of(path));
        };
        let differ = results.session.differences_from(machine, build);
        if let Some(difference) = differ.into_iter().next() {
            return Err(Problem::Foreign(Box::new(difference)).of(path));
        }
        let file = found.whole(path)?;
        Ok(Journal { path: path.to_owned(), file, reader: Reader::resume(results) })
    }

    /// The session of a journal that may be incomplete.
    ///
    /// # Errors
    /// [`Problem::Io`] or [`Problem::Unreadable`].
    pub fn session(path: &Path) -> Result<Session, JournalError> {
        let file = File::open(path).map_err(|error| Problem::Io(error).of(path))?;
        let session = super::read::session(&mut BufReader::new(file));
        session.map_err(|fault| Problem::Unreadable(fault).of(path))
    }

    /// Whether the session of a journal has ended. Only its last lines are read, and none of them is checked.
    ///
    /// # Errors
    /// [`Problem::Io`].
    pub fn has_ended(path: &Path) -> Result<bool, JournalError> {
        let ended = File::open(path).and_then(|mut file| has_ended(&mut file));
        ended.map_err(|error| Problem::Io(error).of(path))
    }

    /// Everything written so far, in a resumed journal also what was read from it.
    pub fn contents(&self) -> &Results {
        &self.reader.results
    }

    /// Rounds of a panel that are written.
    pub fn rounds(&self, panel: &str) -> u64 {
        self.contents().panel(panel).map_or(0, |panel| panel.rounds.len() as u64)
    }

    /// The number after that of the last round of a panel.
    pub fn next_round(&self, panel: &str) -> u64 {
        self.contents().panel(panel).map_or(0, PanelRounds::next_round)
    }

    /// Appends a design unless the journal has it.
    ///
    /// # Errors
    /// [`Problem::Changed`] if the journal has another design of this id.
    pub fn design(&mut self, design: &Design) -> Result<(), JournalError> {
        match self.contents().design(&design.id) {
            Some(known) if known == design => Ok(()),
            Some(_) => Err(self.changed(RecordKind::Design, &design.id)),
            None => self.append(Record::Design(design.clone())),
        }
    }

    /// Appends a panel unless the journal has it.
    ///
    /// # Errors
    /// [`Problem::Changed`] if the journal has another panel of this id.
    pub fn panel(&mut self, panel: &Panel) -> Result<(), JournalError> {
        match self.contents().panel(&panel.id) {
            Some(known) if known.panel == *panel => Ok(()),
            Some(_) => Err(self.changed(RecordKind::Panel, &panel.id)),
            None => self.append(Record::Panel(panel.clone())),
        }
    }

    /// The error for a design or panel that differs from the journal's.
    pub fn changed(&self, kind: RecordKind, id: &str) -> JournalError {
        Problem::Changed { kind, id: id.to_owned() }.of(&self.path)
    }

    /// Appends the next round of a panel and forces it to disk.
    ///
    /// # Errors
    /// [`Problem::Io`], or [`Problem::Record`] if it is not the next round.
    pub fn round(&mut self, round: Round) -> Result<(), JournalError> {
        self.append(Record::Round(round))?;
        self.sync()
    }

    /// Appends the last line: the plan is complete.
    ///
    /// # Errors
    /// [`Problem::Io`].
    pub fn end(mut self, finished: String) -> Result<(), JournalError> {
        let rounds = self.contents().panels.iter().map(|panel| panel.rounds.len() as u64).sum();
        self.append(Record::End(End { finished, rounds }))?;
        self.sync()
    }

    /// Appends a record of any kind.
    ///
    /// # Errors
    /// [`Problem::Io`], or [`Problem::Record`] if it does not fit those before it.
    pub fn append(&mut self, record: Record) -> Result<(), JournalError> {
        let line = self.line(&record)?;
        // Checked before it is written: a rejected record must not stay in the file.
        self.reader.take(record).map_err(|why| Problem::Record(why).of(&self.path))?;
        self.write(&line)
    }

    fn line(&self, record: &Record) -> Result<Vec<u8>, JournalError> {
        let mut line = serde_json::to_vec(record)
            .map_err(|error| Problem::Io(io::Error::other(error)).of(&self.path))?;
        line.push(b'\n');
        Ok(line)
    }

    /// One line in one write, so that a kill tears at most this line.
    fn write(&mut self, line: &[u8]) -> Result<(), JournalError> {
        self.file.write_all(line).map_err(|error| Problem::Io(error).of(&self.path))
    }

    fn sync(&mut self) -> Result<(), JournalError> {
        self.file.sync_data().map_err(|error| Problem::Io(error).of(&self.path))
    }
}

/// The beginning of the first line of every journal.
const FIRST: &[u8] = br#"{"record":"session""#;

/// A journal that was opened and read, and not changed: it may turn out to be another file.
struct Reopened {
    file: File,
    /// None if the first line was torn.
    results: Option<Results>,
    /// Bytes without a torn last line.
    whole: u64,
    /// Whether the last line lacks its end and nothing else.
    is_open: bool,
}

impl Reopened {
    fn of(path: &Path) -> Result<Reopened, JournalError> {
        let io = |error| Problem::Io(error).of(path);
        // A device may have no end, and a pipe would wait for its writer.
        if !path.metadata().map_err(io)?.is_file() {
            return Err(Problem::Irregular.of(path));
        }
        let mut file = open(path, OpenOptions::new().read(true).append(true))?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(io)?;
        let lines = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let ends_early =
            || serde_json::from_slice::<IgnoredAny>(&text).is_err_and(|why| why.is_eof());
        // A torn line may be shorter than this beginning, or go on behind it.
        let begins = FIRST.starts_with(&text) || text.starts_with(FIRST) && ends_early();
        if lines == 0 && begins {
            return Ok(Reopened { file, results: None, whole: 0, is_open: false });
        }
        let results = super::read(text.as_slice());
        let mut results = results.map_err(|fault| Problem::Unreadable(fault).of(path))?;
        let is_open = !results.truncated && lines < text.len();
        let whole = if results.truncated { lines } else { text.len() };
        // `whole` cuts the torn line off before anything is appended.
        results.truncated = false;
        Ok(Reopened { file, results: Some(results), whole: whole as u64, is_open })
    }

    /// The file, behind its last whole line.
    fn whole(mut self, path: &Path) -> Result<File, JournalError> {
        let cut = self.file.set_len(self.whole);
        let ended = if self.is_open { self.file.write_all(b"\n") } else { Ok(()) };
        cut.and(ended).map_err(|error| Problem::Io(error).of(path))?;
        Ok(self.file)
    }
}

fn open(path: &Path, options: &OpenOptions) -> Result<File, JournalError> {
    let file = options.open(path).map_err(|error| Problem::Io(error).of(path))?;
    // A file system without locks is no reason to refuse.
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        return Err(Problem::Busy.of(path));
    }
    Ok(file)
}
