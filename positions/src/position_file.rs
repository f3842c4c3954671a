//! Files of positions: FEN lines, EPD lines, or PGN games taken position by position.
//!
//! The notation is recognised by the content: a line that begins with a tag, `[Name "value"]`, makes
//! it PGN, and so does the extension `.pgn`. Every other file is read as lines, each a FEN of four to
//! six fields, `startpos`, or an EPD line ([`epd`]).
//!
//! Positions without a legal move are kept. A game that ends in mate ends with one, a search meets
//! them as well, and a generator must find out that there is no move.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;

use crate::epd::{self, EpdError};
use crate::oracle::{self, Refused};
use crate::packed;
use crate::pgn::{self, PgnError};
use crate::sample::Sample;
use crate::totals::Totals;

/// Upper bound on the bytes of a file. A file such as `/dev/zero` must not fill the memory.
pub const MOST_BYTES: u64 = 256 << 20;
/// Upper bound on the positions of a file. A position takes 140 bytes of memory, in the session
/// and in each of its measuring processes.
pub const MOST_POSITIONS: usize = 2_000_000;

/// Format of a file of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Notation {
    /// One position per line, in FEN or EPD.
    Lines,
    /// Games, in PGN.
    Games,
}

impl Notation {
    /// The notation of a text. `extension` is that of its file.
    pub fn of(text: &str, extension: Option<&str>) -> Notation {
        let is_pgn = extension.is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"));
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if is_pgn || text.lines().any(pgn::is_tag) { Notation::Games } else { Notation::Lines }
    }
}

/// The positions of a file, repeats included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionFile {
    /// Format of the file.
    pub notation: Notation,
    /// The positions, in the order of the file.
    pub samples: Vec<Sample>,
    /// Number of distinct positions by pieces, side to move, castling rights and en passant square.
    pub distinct: usize,
    /// The totals of `samples`.
    pub totals: Totals,
}

/// The reason why a file cannot be read as positions: the part of a sentence after its name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// The system cannot read it, for this reason.
    #[error("{0}")]
    Unreadable(String),
    /// The file is larger than [`MOST_BYTES`].
    #[error("it is longer than {} MiB", MOST_BYTES >> 20)]
    Long,
    /// Not text, or text in an encoding with zero bytes such as UTF-16.
    #[error("it is not UTF-8 text")]
    NotText,
    /// A line is no position.
    #[error(transparent)]
    Line(#[from] EpdError),
    /// The oracle rejects the position of a line.
    #[error("line {line}: {refused}")]
    Refused {
        /// Line number, from 1.
        line: usize,
        /// The error of the oracle.
        refused: Refused,
    },
    /// A game cannot be read.
    #[error(transparent)]
    Game(#[from] PgnError),
    /// The file contains no position.
    #[error("it contains no position")]
    Empty,
    /// The file has more than [`MOST_POSITIONS`] positions.
    #[error("it contains more than {MOST_POSITIONS} positions; split it")]
    Many,
}

impl PositionFile {
    /// Reads a file, or standard input if the path is `-`.
    ///
    /// # Errors
    /// [`FileError`].
    pub fn read(path: &Path) -> Result<PositionFile, FileError> {
        let unreadable = |error: io::Error| FileError::Unreadable(error.to_string());
        let bytes = if path == Path::new("-") {
            limited(io::stdin().lock())
        } else {
            File::open(path).and_then(limited)
        };
        let extension = path.extension().and_then(|extension| extension.to_str());
        PositionFile::parse(&bytes.map_err(unreadable)?, extension)
    }

    /// Reads the content of a file with this extension.
    ///
    /// # Errors
    /// [`FileError`], but for [`FileError::Unreadable`].
    pub fn parse(bytes: &[u8], extension: Option<&str>) -> Result<PositionFile, FileError> {
        PositionFile::parse_at_most(MOST_POSITIONS, bytes, extension)
    }

    fn parse_at_most(
        most: usize,
        bytes: &[u8],
        extension: Option<&str>,
    ) -> Result<PositionFile, FileError> {
        if bytes.len() as u64 > MOST_BYTES {
            return Err(FileError::Long);
        }
        let text = String::from_utf8_lossy(bytes);
        let notation = Notation::of(&text, extension);
        // Many PGN files are in Latin-1. Only names and comments have letters that differ from UTF-8.
        let is_foreign = matches!(text, Cow::Owned(_)) && notation == Notation::Lines;
        if is_foreign || bytes.contains(&0) {
            return Err(FileError::NotText);
        }
        // One more than allowed shows that there are too many, without reading the rest.
        let samples = match notation {
            Notation::Games => games(&text, most + 1)?,
            Notation::Lines => lines(&text, most + 1)?,
        };
        if samples.len() > most {
            return Err(FileError::Many);
        }
        if samples.is_empty() {
            return Err(FileError::Empty);
        }
        let distinct: HashSet<_> = samples.iter().map(packed::seen).collect();
        let totals = Totals::of_file(&samples);
        Ok(PositionFile { notation, distinct: distinct.len(), totals, samples })
    }
}

/// Reads one byte more than may be there at most.
fn limited(input: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The positions of the first `most` lines.
fn lines(text: &str, most: usize) -> Result<Vec<Sample>, FileError> {
    let (mut samples, mut wrong) = (Vec::new(), None);
    epd::each(text, |fact| {
        match oracle::board(&fact.position) {
            // The position as written: the counters of the oracle have smaller limits.
            Ok(board) => samples.push(Sample { position: fact.position, ..Sample::of(&board, 0) }),
            Err(refused) => wrong = Some(FileError::Refused { line: fact.line, refused }),
        }
        until(wrong.is_some() || samples.len() == most)
    })?;
    wrong.map_or(Ok(samples), Err)
}

/// The first `most` positions of the games.
fn games(text: &str, most: usize) -> Result<Vec<Sample>, FileError> {
    let mut samples = Vec::new();
    pgn::read(text, |board| {
        samples.push(Sample::of(board, 0));
        until(samples.len() == most)
    })?;
    Ok(samples)
}

fn until(enough: bool) -> ControlFlow<()> {
    if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

#[cfg(test)]
mod tests;
