//! A design: its card, and what the machine found.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::named;

named! {
    /// The control flow that a design's card claims.
    #[derive(schemars::JsonSchema)]
    pub enum Control {
        /// A branch decides at each square or move.
        Branchy = "branchy",
        /// No branch depends on the board except at the ends of loops.
        Branchless = "branchless",
        /// Both kinds.
        Mixed = "mixed",
    }
}

named! {
    /// Which moves a design promises. Only designs that promise the same must find the same moves.
    #[derive(schemars::JsonSchema)]
    pub enum Legality {
        /// Moves may leave the king in check.
        PseudoLegal = "pseudo-legal",
        /// All moves are legal.
        Legal = "legal",
    }
}

/// A design: its card, and what the machine found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Design {
    /// `family` or `family/variant`.
    pub id: String,
    /// Display name.
    pub name: String,
    /// Author.
    pub author: String,
    /// Year of the source, if it has one.
    pub year: Option<u16>,
    /// Where the design was published.
    pub source: String,
    /// Claimed control flow.
    pub control: Control,
    /// Which moves it promises.
    pub legality: Legality,
    /// Table bytes as published.
    pub published_bytes: Option<u64>,
    /// Table bytes as counted; absent if the design could not be built on this machine.
    pub table_bytes: Option<u64>,
    /// Bytes that one board needs: cells, piece list and state, without cells that no access reaches and
    /// without padding.
    pub board_bytes: Option<u64>,
    /// Cells of the board; absent for a board without cells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board_cells: Option<u64>,
    /// Bytes of a move in the list that the design writes; absent in journals of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub move_bytes: Option<u64>,
    /// Required CPU features.
    pub needs: Vec<String>,
    /// What the source leaves open and this implementation completed.
    pub reconstructed: String,
    /// The plug-in that it comes from; absent for a built-in design.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plugin: Option<Plugin>,
    /// Outcome of verification.
    pub status: Status,
}

/// The shared library of a user that a design comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Plugin {
    /// Name of the file, without its folders.
    pub file: String,
    /// FNV-1a 64 over its bytes, sixteen hex digits.
    pub digest: String,
}

/// A plug-in that cannot be timed any more. Readers treat it as a [wrong](Status::Wrong) design and leave out
/// its samples, so that no number of it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Dropped {
    /// Design id.
    pub design: String,
    /// How it crashed or hung, or what it answered, as a sentence without its name.
    pub why: String,
}

/// The outcome of verification. Only verified designs are timed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum Status {
    /// All checks passed.
    Verified {
        /// Number of counts that were checked.
        checks: u64,
    },
    /// A check failed.
    Wrong {
        /// The first failed check, with position, expected and found count.
        why: String,
    },
    /// The design cannot run on this machine.
    Missing {
        /// What the machine lacks.
        why: String,
    },
}
