//! The stages of a design in one position and the contract between them.

use raywalk_core::{Move, MoveKind, Position};
use raywalk_measure::design::Design;
use raywalk_positions::difference::{Difference, repeated};
use raywalk_results::schema::Stage;

use super::{Outcome, Question, mismatch};

/// The moves of each stage of a design in a position, sorted.
pub(super) struct Stages {
    pub(super) all: Vec<Move>,
    pub(super) captures: Vec<Move>,
    quiets: Vec<Move>,
}

impl Stages {
    pub(super) fn of(design: &dyn Design, position: &Position) -> Stages {
        let [all, captures, quiets] = [Stage::All, Stage::Captures, Stage::Quiets].map(|stage| {
            let mut moves = design.generated(position, stage);
            moves.sort_unstable();
            moves
        });
        Stages { all, captures, quiets }
    }

    /// Checks the stage contract: *all* equals *captures* and *quiets* together and repeats no move, *captures* takes
    /// something with each move, and *quiets* with none.
    pub(super) fn outcome(&self, name: &str, position: &Position) -> Outcome {
        let Violations { difference, repeated, misplaced } = self.violations(position);
        let broken = difference.len() + repeated.len() + misplaced.len();
        Outcome {
            checks: u64::from(broken == 0),
            mismatch: (broken > 0).then(|| mismatch(name, position, Question::Stages, broken)),
            ..Outcome::default()
        }
    }

    pub(super) fn violations(&self, position: &Position) -> Violations {
        let Stages { all, captures, quiets } = self;
        let takes = |mv: &Move| {
            // The target square of an en passant capture is empty.
            matches!(mv.kind(), MoveKind::EnPassant) || position.piece_at(mv.to()).is_some()
        };
        let misplaced =
            captures.iter().filter(|mv| !takes(mv)).chain(quiets.iter().filter(|mv| takes(mv)));
        Violations {
            misplaced: misplaced.copied().collect(),
            difference: Difference::of(all, &[&captures[..], quiets].concat()),
            repeated: repeated(all),
        }
    }
}

/// Moves that break the stage contract.
pub(super) struct Violations {
    /// Between *all* and the two other stages together.
    pub(super) difference: Difference,
    /// More than once in *all*.
    pub(super) repeated: Vec<Move>,
    /// Quiet moves in *captures*, and captures in *quiets*.
    pub(super) misplaced: Vec<Move>,
}
