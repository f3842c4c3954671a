//! Why a journal, or a line of it, is refused.

use std::io;

use crate::json_error::in_line;
use crate::schema::SchemaVersion;

/// Upper bound on the bytes of a line. A round of a hundred designs takes some 100 KiB. A file such as
/// `/dev/zero` must not fill the memory.
pub const LONGEST_LINE: usize = 16 << 20;

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the sentence of each variant documents it")]
pub enum Fault {
    #[error("line {line} cannot be read: {error}")]
    Unreadable {
        /// Number of the line, from 1.
        line: usize,
        error: io::Error,
    },
    #[error("line {line} is longer than {} MiB", LONGEST_LINE >> 20)]
    TooLong {
        /// Number of the line, from 1.
        line: usize,
    },
    #[error("the journal is empty; its first line must be a session")]
    Empty,
    #[error("the journal ends within its first line, which must be a session")]
    Torn,
    #[error(
        "the journal was written by raywalk {writer} in schema `{found}`; this raywalk reads schema \
         `{}` only, so make the session again",
        SchemaVersion::CURRENT
    )]
    Version { writer: String, found: String },
    #[error("line {line}: {why}")]
    Line {
        /// Number of the line, from 1.
        line: usize,
        why: String,
    },
}

/// Why one line is not the next record of a journal.
#[derive(Debug, thiserror::Error)]
pub(super) enum Bad {
    #[error("not a record of schema `{current}`: {}", in_line(.0), current = SchemaVersion::CURRENT)]
    Json(serde_json::Error),
    #[error("{0}")]
    Record(String),
}
