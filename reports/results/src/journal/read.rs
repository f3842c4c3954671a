//! Reads a journal: one JSON record per line, the session first.
//!
//! A journal is outside input. A fault is one sentence with the number of its line.

use std::io::{BufRead, Read};
use std::ops::ControlFlow;

use raywalk_core::parallel;
use serde_json::Value;

use super::fault::{Bad, Fault, LONGEST_LINE};
use super::reader::Reader;
use super::results::Results;
use crate::json_error::in_line;
use crate::schema::{Record, RecordKind, SchemaVersion, Session};

/// Lines are read in blocks of at least this many bytes, so that their records can be parsed on all cores. A
/// session of all designs has two hundred megabytes, and the text of all of it need not be in memory.
const BLOCK: usize = 16 << 20;

/// Lines that a thread parses before it hands them over. Each of them alone would wake the other threads too often.
const RUN: usize = 4;

/// Reads one journal.
///
/// # Errors
/// A [`Fault`] names the line and what is wrong with it. A last line that was cut off by a crash is
/// no fault: see [`Results::truncated`].
pub fn read(mut source: impl BufRead + Send) -> Result<Results, Fault> {
    let mut lines = Lines::default();
    let mut reader = Reader::new(session(&mut source)?);
    let minor = reader.results.session.schema.minor;
    let mut ended = lines.next(&mut source, 1, BLOCK);
    let mut following = Lines::default();
    loop {
        let before = lines.before;
        let (mut line, mut found) = (lines.before, Ok(()));
        let mut take = |parsed| {
            line += 1;
            found = match parsed {
                Ok(Parsed::Blank) => Ok(()),
                Ok(Parsed::Newer) => {
                    reader.results.skipped += 1;
                    Ok(())
                }
                Ok(Parsed::Record(record)) => reader.take(*record).map_err(Bad::Record),
                Ok(Parsed::Cut) => {
                    reader.results.truncated = true;
                    Ok(())
                }
                Err(error) => Err(Bad::Json(error)),
            };
            if found.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let count = lines.ends.len();
        // The next lines are read while these are parsed.
        let next_ended = std::thread::scope(|scope| {
            let reading = parallel::beside(scope, || match ended {
                Ok(()) => following.next(&mut source, before + count, BLOCK),
                Err(_) => Ok(()),
            });
            let parsed = |run| {
                let first = run as usize * RUN;
                let lines = (first..count.min(first + RUN)).map(|place| lines.line(place));
                lines.map(|line| parse(line, minor)).collect::<Vec<_>>()
            };
            parallel::in_order(count.div_ceil(RUN) as u64, parsed, |run| {
                run.into_iter().try_for_each(&mut take)
            });
            reading.join()
        });
        found.map_err(|bad| Fault::Line { line, why: bad.to_string() })?;
        // A fault of a line before it was found first.
        ended?;
        if count == 0 {
            return Ok(reader.results);
        }
        std::mem::swap(&mut lines, &mut following);
        ended = next_ended;
    }
}

/// The session, from the first line.
pub(super) fn session(source: &mut impl BufRead) -> Result<Session, Fault> {
    let mut lines = Lines::default();
    // One byte is enough, so exactly one line is read.
    lines.next(source, 0, 1)?;
    if lines.ends.is_empty() {
        return Err(Fault::Empty);
    }
    first(lines.line(0))
}

/// Some lines of a journal, one after another.
#[derive(Default)]
struct Lines {
    /// Number of the lines before them.
    before: usize,
    bytes: Vec<u8>,
    /// End of each of them, after its line feed.
    ends: Vec<usize>,
}

impl Lines {
    /// Reads the lines that follow the first ones, until they have so many bytes or there are no more.
    fn next(
        &mut self,
        source: &mut impl BufRead,
        before: usize,
        enough: usize,
    ) -> Result<(), Fault> {
        self.before = before;
        self.bytes.clear();
        self.ends.clear();
        while self.bytes.len() < enough {
            let line = self.before + self.ends.len() + 1;
            // One byte more than is accepted, so that a longer line is seen.
            let length = source
                .take(LONGEST_LINE as u64 + 1)
                .read_until(b'\n', &mut self.bytes)
                .map_err(|error| Fault::Unreadable { line, error })?;
            if length > LONGEST_LINE {
                return Err(Fault::TooLong { line });
            }
            if length == 0 {
                break;
            }
            self.ends.push(self.bytes.len());
        }
        Ok(())
    }

    fn line(&self, place: usize) -> &[u8] {
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[place]]
    }
}

enum Parsed {
    Record(Box<Record>),
    Blank,
    /// A record of a kind that only a newer minor version has.
    Newer,
    /// The beginning of a record, at the end of the journal.
    Cut,
}

/// What every record has, whatever its kind.
#[derive(serde::Deserialize)]
struct Head {
    record: String,
}

/// The kind of the record of a line. None if the line is torn, or if this version does not know its kind.
pub(super) fn kind(bytes: &[u8]) -> Option<RecordKind> {
    serde_json::from_slice::<Head>(bytes).ok()?.record.parse().ok()
}

/// Parses a line of a journal of this minor version.
fn parse(bytes: &[u8], minor: u32) -> Result<Parsed, serde_json::Error> {
    if bytes.trim_ascii().is_empty() {
        return Ok(Parsed::Blank);
    }
    let is_newer = || {
        minor > SchemaVersion::CURRENT.minor
            && serde_json::from_slice::<Head>(bytes)
                .is_ok_and(|head| head.record.parse::<RecordKind>().is_err())
    };
    match Record::parse(bytes) {
        Ok(record) => Ok(Parsed::Record(Box::new(record))),
        Err(_) if is_newer() => Ok(Parsed::Newer),
        // Only the last line can lack its line feed. After a loss of power, zeros may stand for what was not written.
        Err(error) if bytes.last() != Some(&b'\n') && (error.is_eof() || bytes.contains(&0)) => {
            Ok(Parsed::Cut)
        }
        Err(error) => Err(error),
    }
}

/// The session of the first line. The schema is looked at before anything else, because another
/// version may spell the rest differently.
fn first(bytes: &[u8]) -> Result<Session, Fault> {
    let fault = |why| Fault::Line { line: 1, why };
    // Editors of some systems put a byte order mark before the text.
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let value: Value = serde_json::from_slice(bytes)
        .map_err(|error| fault(format!("not a session of a journal: {}", in_line(&error))))?;
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    if text("record") != Some(RecordKind::Session.name()) {
        return Err(fault("a journal begins with a session".to_owned()));
    }
    let Some(found) = text("schema") else {
        return Err(fault("the session names no schema".to_owned()));
    };
    let version: SchemaVersion =
        found.parse().map_err(|error: crate::schema::VersionError| fault(error.to_string()))?;
    if version.major != SchemaVersion::CURRENT.major {
        let writer = value.pointer("/build/version").and_then(Value::as_str);
        return Err(Fault::Version {
            writer: writer.unwrap_or("of unknown version").to_owned(),
            found: found.to_owned(),
        });
    }
    let session: Session = serde_json::from_slice(bytes).map_err(|error| {
        fault(format!("the session does not fit its schema: {}", in_line(&error)))
    })?;
    let (hertz, margin) = (session.clock.hertz, session.margin);
    if !(1.0..=1e12).contains(&hertz) {
        return Err(fault(format!("clock.hertz is {hertz:?}; it must be from 1 to 1e12")));
    }
    if !(0.0..=1.0).contains(&margin) {
        return Err(fault(format!("margin is {margin:?}; it must be from 0 to 1")));
    }
    Ok(session)
}
