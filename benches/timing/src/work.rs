//! The work of one benchmark function: a design generates a stage for one batch of positions after
//! another.

use raywalk_core::{Position, StageId};
use raywalk_harness::measure::subject::Subject;

/// Positions per iteration.
pub const BATCH: usize = 512;

/// Positions that the iterations cycle through: far more than a branch predictor can learn.
const WINDOW: usize = 32 * BATCH;

/// Workload and stage of each group. `cycle-256` is a negative example: a branch predictor learns so
/// few positions, and most published comparisons measure this way.
pub const GROUPS: &[(&str, StageId)] = &[
    ("ab4", StageId::All),
    ("ab4", StageId::Captures),
    ("ab4", StageId::Quiets),
    ("qs", StageId::Captures),
    ("game", StageId::All),
    ("cycle-65536", StageId::All),
    ("cycle-256", StageId::All),
];

/// A design with a window of boards. Each iteration continues where the previous one stopped.
pub struct Work {
    subject: Box<dyn Subject>,
    stage: StageId,
    boards: usize,
    next: usize,
}

impl Work {
    /// Loads the first positions of the workload: 32 batches, or all positions of a shorter workload.
    pub fn new(mut subject: Box<dyn Subject>, positions: &[Position], stage: StageId) -> Work {
        let boards = positions.len().min(WINDOW);
        subject.load(&positions[..boards]);
        Work { subject, stage, boards, next: 0 }
    }

    /// Generates the next batch. Returns the number of moves.
    pub fn iterate(&mut self) -> u64 {
        let end = (self.next + BATCH).min(self.boards);
        let moves = self.subject.pass(self.stage, self.next..end);
        self.next = if end == self.boards { 0 } else { end };
        moves
    }

    /// Mean number of moves per iteration, at least 1, for Criterion's throughput. Runs every batch of
    /// the window once.
    pub fn moves(&mut self) -> u64 {
        let iterations = self.boards.div_ceil(BATCH) as u64;
        let total: u64 = (0..iterations).map(|_| self.iterate()).sum();
        (total / iterations).max(1)
    }
}
