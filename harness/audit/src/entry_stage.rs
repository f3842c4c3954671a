//! The compiled entries of a design.

raywalk_results::named! {
    /// A compiled entry of a design, named by the moves that it generates.
    pub enum EntryStage {
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
