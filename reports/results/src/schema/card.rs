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
        /// No branch depends on the board except at the ends of loops and in tests on sets for castling and rare moves.
        Branchless = "branchless",
        /// Branches decide at some squares or moves and not at others.
        Mixed = "mixed",
    }
}

named! {
    /// Whether a design generates legal or pseudo-legal moves. Only designs of equal legality must find the same
    /// moves.
    #[derive(schemars::JsonSchema)]
    pub enum Legality {
        /// Moves may leave the king in check.
        PseudoLegal = "pseudo-legal",
        /// No move leaves the king in check.
        Legal = "legal",
    }
}

named! {
    /// A CPU feature that a design requires.
    #[derive(schemars::JsonSchema)]
    pub enum Feature {
        /// The instructions `pext` and `pdep`.
        Bmi2 = "Bmi2",
        /// 256-bit integer vectors.
        Avx2 = "Avx2",
        /// `vpcompressb` and what comes with it.
        Avx512Vbmi2 = "Avx512Vbmi2",
        /// An x86-64 processor.
        X86_64 = "X86_64",
    }
}

impl Feature {
    /// Whether its instructions work on vectors.
    pub const fn has_vectors(self) -> bool {
        matches!(self, Feature::Avx2 | Feature::Avx512Vbmi2)
    }
}

/// A design: its card, and what the machine found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Design {
    /// Unique id: `family` or `family/variant`.
    pub id: String,
    /// Name shown in tables and on the page.
    pub name: String,
    /// Author of the published design.
    pub author: String,
    /// Year of the source, if it has one.
    pub year: Option<u16>,
    /// Publication of the design: title or forum thread, place and date.
    pub source: String,
    /// Control flow that the card claims; counted branches show whether it holds.
    pub control: Control,
    /// Whether the moves are legal or pseudo-legal.
    pub legality: Legality,
    /// Bytes of the tables as its source states them; absent if it states none.
    pub published_bytes: Option<u64>,
    /// Bytes of the tables as built; absent if the design could not be built on this machine.
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
    /// Whether the design stores its moves by whole vectors; absent for plug-ins, and in journals of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole_vectors: Option<bool>,
    /// CPU features that the design requires; empty if it runs everywhere.
    pub needs: Vec<Feature>,
    /// Parts that the source leaves open and this implementation completed.
    pub reconstructed: String,
    /// The plug-in that it comes from; absent for a built-in design.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plugin: Option<Plugin>,
    /// Outcome of verification before the session; only verified designs are timed.
    pub status: Status,
}

impl Design {
    /// A design of which nothing else is known. Its name is the id.
    pub fn bare(id: &str, control: Control, status: Status) -> Design {
        Design {
            id: id.to_owned(),
            name: id.to_owned(),
            author: String::new(),
            year: None,
            source: String::new(),
            control,
            legality: Legality::PseudoLegal,
            published_bytes: None,
            table_bytes: None,
            board_bytes: None,
            board_cells: None,
            move_bytes: None,
            whole_vectors: None,
            needs: Vec::new(),
            reconstructed: String::new(),
            plugin: None,
            status,
        }
    }
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
    /// Id of the design of the plug-in.
    pub design: String,
    /// The crash, the timeout or the wrong answer, as a sentence without the name of the design.
    pub why: String,
}

/// The outcome of verification. Only verified designs are timed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum Status {
    /// Every count agrees with the known one.
    Verified {
        /// Number of counts that were checked.
        checks: u64,
    },
    /// A count differs from the known one, or the design failed while it was checked.
    Wrong {
        /// The first failed check, with position, expected and found count.
        why: String,
    },
    /// The design cannot run on this machine.
    Missing {
        /// The missing requirement, as a clause: `it needs` and the name of a CPU feature.
        why: String,
    },
}
