//! The journal: one JSON record per line, appended as the session goes.
//!
//! A round is written and forced to disk before the next begins, so a killed session loses one
//! round at most: the line that was being written. Going on cuts that line off, and refuses a
//! journal of another schema, plan, build or machine, because its rounds would not be comparable
//! with the new ones.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use raywalk_reports::schema::{
    Count, Design, End, Panel, Process, Record, Round, SCHEMA, Selftest, Session, Timing, WarmUp,
};

/// A journal that is open for appending.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    contents: Contents,
}

/// What the lines so far say, as far as going on needs it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contents {
    /// What the instruments found before the first round.
    pub selftest: Option<Selftest>,
    /// Designs by id.
    pub designs: BTreeMap<String, Design>,
    /// Panels by id.
    pub panels: BTreeMap<String, Panel>,
    /// Processes that began.
    pub processes: u64,
    /// Rounds of each panel: those from 0 to this number are there.
    pub rounds: BTreeMap<String, u64>,
}

/// Why a journal cannot be written or gone on with.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file system says no.
    #[error("journal {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it says.
        source: io::Error,
    },
    /// Another process holds it.
    #[error("journal {}: another session is writing it", .0.display())]
    Busy(PathBuf),
    /// Rounds of this session could not be compared with those in the file.
    #[error(
        "journal {}: its {what} is {found}, this session's is {ours}; \
         results of the two cannot stand in one journal, so start a new one", path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What differs.
        what: &'static str,
        /// In the file.
        found: String,
        /// Here.
        ours: String,
    },
    /// A line that no session wrote.
    #[error("journal {}, line {line}: {why}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// There is nothing to go on with.
    #[error("journal {}: this session was finished at {finished}", path.display())]
    Finished {
        /// The file.
        path: PathBuf,
        /// UTC, RFC 3339.
        finished: String,
    },
    /// The plan or a design changed since the file was begun.
    #[error(
        "journal {}: {what} `{id}` is not what it was when the journal was begun; start a new one",
        path.display()
    )]
    Changed {
        /// The file.
        path: PathBuf,
        /// `design` or `panel`.
        what: &'static str,
        /// Which.
        id: String,
    },
}

impl Journal {
    /// Begins a journal. The folder must exist, the file must not.
    ///
    /// # Errors
    /// [`JournalError::Io`], also if the file exists.
    pub fn create(path: &Path, session: &Session) -> Result<Journal, JournalError> {
        let options = OpenOptions::new().read(true).append(true).create_new(true).clone();
        let mut journal = Journal::open(path, &options)?;
        journal.append(&Record::Session(session.clone()))?;
        journal.keep()?;
        Ok(journal)
    }

    /// Opens a journal to go on with it: cuts off the line that was torn, and refuses what cannot
    /// be compared with `session`. A journal torn within its first line is begun anew.
    ///
    /// # Errors
    /// All of [`JournalError`].
    pub fn resume(path: &Path, session: &Session) -> Result<Journal, JournalError> {
        let options = OpenOptions::new().read(true).append(true).clone();
        let mut journal = Journal::open(path, &options)?;
        let mut text = Vec::new();
        journal.file.read_to_end(&mut text).map_err(|source| journal.io(source))?;
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        text.truncate(whole);
        let lines = (1..).zip(text.split(|&byte| byte == b'\n'));
        let mut lines = lines.filter(|(_, line)| !line.is_empty());
        let first = lines.next().map(|(_, line)| journal.first(line)).transpose()?;
        match first {
            Some(Record::Session(begun)) => journal.compare(&begun, session)?,
            Some(_) => return Err(journal.line(1, "the first record is not a session".to_owned())),
            None => {}
        }
        for (number, line) in lines {
            let record = journal.parse(number, line)?;
            journal.take(number, record)?;
        }
        journal.cut(whole as u64)?;
        if whole == 0 {
            journal.append(&Record::Session(session.clone()))?;
            journal.keep()?;
        }
        Ok(journal)
    }

    /// Where the journal is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What has been written so far.
    pub fn contents(&self) -> &Contents {
        &self.contents
    }

    /// Names a design; once, however often it is said.
    ///
    /// # Errors
    /// [`JournalError::Changed`] if the journal knows another design of this id.
    pub fn design(&mut self, design: &Design) -> Result<(), JournalError> {
        match self.contents.designs.get(&design.id) {
            Some(known) if known == design => Ok(()),
            Some(_) => Err(self.changed("design", &design.id)),
            None => self.write(Record::Design(design.clone())),
        }
    }

    /// Appends what the instruments found where the answer is known.
    ///
    /// # Errors
    /// [`JournalError::Io`].
    pub fn selftest(&mut self, selftest: Selftest) -> Result<(), JournalError> {
        self.write(Record::Selftest(selftest))
    }

    /// Names a panel; once, however often it is said.
    ///
    /// # Errors
    /// [`JournalError::Changed`] if the journal knows another panel of this id.
    pub fn panel(&mut self, panel: &Panel) -> Result<(), JournalError> {
        match self.contents.panels.get(&panel.id) {
            Some(known) if known == panel => Ok(()),
            Some(_) => Err(self.changed("panel", &panel.id)),
            None => self.write(Record::Panel(panel.clone())),
        }
    }

    /// A process of the session began.
    ///
    /// # Errors
    /// [`JournalError::Io`].
    pub fn process(&mut self, process: Process) -> Result<(), JournalError> {
        self.write(Record::Process(process))
    }

    /// Appends what was run before a round was kept.
    ///
    /// # Errors
    /// [`JournalError::Io`].
    pub fn warm_up(&mut self, warm_up: WarmUp) -> Result<(), JournalError> {
        self.write(Record::WarmUp(warm_up))
    }

    /// The error for a design or panel that is not what the journal says.
    pub(crate) fn changed(&self, what: &'static str, id: &str) -> JournalError {
        JournalError::Changed { path: self.path.clone(), what, id: id.to_owned() }
    }

    /// Appends the next round of a panel and forces it to disk.
    ///
    /// # Errors
    /// [`JournalError::Io`].
    pub fn round(&mut self, round: Round) -> Result<(), JournalError> {
        self.write(Record::Round(round))?;
        self.keep()
    }

    /// Appends a count of an instrumenting tool.
    ///
    /// # Errors
    /// [`JournalError::Io`].
    pub fn count(&mut self, count: Count) -> Result<(), JournalError> {
        self.write(Record::Count(count))
    }

    /// Appends a timing of another harness.
    ///
    /// # Errors
    /// [`JournalError::Io`].
    pub fn timing(&mut self, timing: Timing) -> Result<(), JournalError> {
        self.write(Record::Timing(timing))
    }

    /// The plan was carried out: the last line.
    ///
    /// # Errors
    /// [`JournalError::Io`].
    pub fn end(mut self, finished: String) -> Result<(), JournalError> {
        let rounds = self.contents.rounds.values().sum();
        self.append(&Record::End(End { finished, rounds }))?;
        self.keep()
    }

    fn open(path: &Path, options: &OpenOptions) -> Result<Journal, JournalError> {
        let failed = |source| JournalError::Io { path: path.to_owned(), source };
        let file = options.open(path).map_err(failed)?;
        // A file system without locks is no reason to refuse.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(JournalError::Busy(path.to_owned()));
        }
        Ok(Journal { path: path.to_owned(), file, contents: Contents::default() })
    }

    fn write(&mut self, record: Record) -> Result<(), JournalError> {
        self.append(&record)?;
        self.take(0, record)
    }

    /// One line in one write, so that a kill tears at most this line.
    fn append(&mut self, record: &Record) -> Result<(), JournalError> {
        let mut line =
            serde_json::to_vec(record).map_err(|error| self.io(io::Error::other(error)))?;
        line.push(b'\n');
        self.file.write_all(&line).map_err(|source| self.io(source))
    }

    fn keep(&mut self) -> Result<(), JournalError> {
        self.file.sync_data().map_err(|source| self.io(source))
    }

    fn cut(&mut self, length: u64) -> Result<(), JournalError> {
        self.file
            .set_len(length)
            .and_then(|()| self.file.seek(SeekFrom::Start(length)))
            .map(drop)
            .map_err(|source| self.io(source))
    }

    fn parse(&self, line: usize, text: &[u8]) -> Result<Record, JournalError> {
        serde_json::from_slice(text).map_err(|error| self.line(line, error.to_string()))
    }

    /// The first record. Its schema is read before the rest, which another schema may spell
    /// otherwise.
    fn first(&self, text: &[u8]) -> Result<Record, JournalError> {
        #[derive(serde::Deserialize)]
        struct Head {
            schema: String,
        }
        match serde_json::from_slice::<Head>(text) {
            Ok(head) if head.schema != SCHEMA => Err(JournalError::Foreign {
                path: self.path.clone(),
                what: "schema",
                found: head.schema,
                ours: SCHEMA.to_owned(),
            }),
            _ => self.parse(1, text),
        }
    }

    /// Adds a record to the contents.
    fn take(&mut self, line: usize, record: Record) -> Result<(), JournalError> {
        match record {
            Record::Session(_) => {
                return Err(self.line(line, "a second session begins here".to_owned()));
            }
            Record::Design(design) => {
                self.contents.designs.insert(design.id.clone(), design);
            }
            Record::Panel(panel) => {
                self.contents.panels.insert(panel.id.clone(), panel);
            }
            Record::Round(round) => {
                if !self.contents.panels.contains_key(&round.panel) {
                    let why =
                        format!("a round of panel `{}`, which is not named above", round.panel);
                    return Err(self.line(line, why));
                }
                let next = self.contents.rounds.entry(round.panel).or_default();
                if round.round != *next {
                    let why = format!("round {} where round {next} was due", round.round);
                    return Err(self.line(line, why));
                }
                *next += 1;
            }
            Record::Process(process) => {
                if process.number != self.contents.processes {
                    let due = self.contents.processes;
                    let why = format!("process {} where process {due} was due", process.number);
                    return Err(self.line(line, why));
                }
                self.contents.processes += 1;
            }
            Record::Selftest(tried) => self.contents.selftest = Some(tried),
            Record::WarmUp(_) | Record::Count(_) | Record::Timing(_) => {}
            Record::End(end) => {
                let path = self.path.clone();
                return Err(JournalError::Finished { path, finished: end.finished });
            }
        }
        Ok(())
    }

    /// Refuses what cannot stand beside rounds of `ours`.
    fn compare(&self, begun: &Session, ours: &Session) -> Result<(), JournalError> {
        type Part = fn(&Session) -> String;
        let machine: Part = |s| {
            let m = &s.machine;
            format!("{} {} under {}", m.cpu, m.model, m.hypervisor.as_deref().unwrap_or("nothing"))
        };
        let build: Part = |s| {
            let (b, dirty) = (&s.build, if s.build.dirty { ", changed" } else { "" });
            let commit = b.commit.as_deref().unwrap_or("no commit");
            let made = [&b.rustc, &b.target, &b.profile, &b.flags].map(String::as_str).join(", ");
            format!("{} ({commit}{dirty}, sources {}), {made}", b.version, b.sources)
        };
        let corpora: Part = |s| {
            let digests = s.corpora.iter().map(|c| format!("{} {}", c.name, c.digest));
            digests.collect::<Vec<_>>().join(", ")
        };
        let shares: Part = |s| format!("{} processes of layouts {:?}", s.shares, s.layouts);
        let parts: [(&str, Part); 7] = [
            ("plan", |s| s.plan.clone()),
            ("seed", |s| s.seed.to_string()),
            ("build", build),
            ("division", shares),
            ("machine", machine),
            ("clock", |s| s.clock.source.clone()),
            ("corpus", corpora),
        ];
        for (what, part) in parts {
            let (found, ours) = (part(begun), part(ours));
            if found != ours {
                return Err(JournalError::Foreign { path: self.path.clone(), what, found, ours });
            }
        }
        Ok(())
    }

    fn io(&self, source: io::Error) -> JournalError {
        JournalError::Io { path: self.path.clone(), source }
    }

    fn line(&self, line: usize, why: String) -> JournalError {
        JournalError::Line { path: self.path.clone(), line, why }
    }
}

#[cfg(test)]
mod tests;
