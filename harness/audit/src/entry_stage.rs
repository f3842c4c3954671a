//! The compiled entries of a design.

use std::fmt;

use serde::{Deserialize, Serialize};

raywalk_results::texts! {
    /// A compiled entry of a design, named by the moves that it generates.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum EntryStage: name {
        /// Captures and quiet moves.
        All = "all",
        /// Moves that capture.
        Captures = "captures",
        /// Moves that do not capture.
        Quiets = "quiets",
        /// All moves of bishops, rooks and queens.
        Sliders = "sliders",
        /// Captures of a piece that is worth more than the capturing one.
        Winning = "winning",
    }
}

impl fmt::Display for EntryStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
