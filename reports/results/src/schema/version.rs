//! The version of the schema: `raywalk/MAJOR.MINOR`.
//!
//! A reader accepts every minor version of its own major version: it skips records of kinds that a
//! newer minor version added. It refuses any other major version.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A version of the schema.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct SchemaVersion {
    /// Journals of different major versions cannot be read by one reader.
    pub major: u32,
    /// Grows when record kinds or optional fields are added.
    pub minor: u32,
}

impl SchemaVersion {
    /// The version that this crate writes.
    pub const CURRENT: SchemaVersion = SchemaVersion { major: 3, minor: 11 };
}

impl fmt::Display for SchemaVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "raywalk/{}.{}", self.major, self.minor)
    }
}

/// A text that is no schema version.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a schema version such as `{current}`", current = SchemaVersion::CURRENT)]
pub struct VersionError(String);

impl FromStr for SchemaVersion {
    type Err = VersionError;

    /// Version 1 had no minor version.
    fn from_str(text: &str) -> Result<SchemaVersion, VersionError> {
        let read = || {
            let numbers = text.strip_prefix("raywalk/")?;
            let (major, minor) = numbers.split_once('.').unwrap_or((numbers, "0"));
            Some(SchemaVersion { major: major.parse().ok()?, minor: minor.parse().ok()? })
        };
        read().ok_or_else(|| VersionError(text.to_owned()))
    }
}

impl TryFrom<String> for SchemaVersion {
    type Error = VersionError;

    fn try_from(text: String) -> Result<SchemaVersion, VersionError> {
        text.parse()
    }
}

impl From<SchemaVersion> for String {
    fn from(version: SchemaVersion) -> String {
        version.to_string()
    }
}
