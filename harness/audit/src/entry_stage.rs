//! The compiled entries of a design.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A compiled entry of a design, named by the moves that it generates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EntryStage {
    /// Captures and quiet moves.
    All,
    /// Moves that capture.
    Captures,
    /// Moves that do not capture.
    Quiets,
    /// All moves of bishops, rooks and queens.
    Sliders,
    /// Captures of a piece that is worth more than the capturing one.
    Winning,
}

impl EntryStage {
    /// Every entry, in the order of reports.
    pub const ALL: [EntryStage; 5] = [
        EntryStage::All,
        EntryStage::Captures,
        EntryStage::Quiets,
        EntryStage::Sliders,
        EntryStage::Winning,
    ];

    /// The spelling in flags, tables and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            EntryStage::All => "all",
            EntryStage::Captures => "captures",
            EntryStage::Quiets => "quiets",
            EntryStage::Sliders => "sliders",
            EntryStage::Winning => "winning",
        }
    }
}

impl fmt::Display for EntryStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
