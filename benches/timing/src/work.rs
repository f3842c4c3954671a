//! What one benchmark does: a design, a stage, and positions that go on from iteration to iteration.

use raywalk_core::{Position, StageId};
use raywalk_harness::measure::subject::Subject;

/// Positions of one iteration.
pub const BATCH: usize = 512;

/// Positions that go round: far more than a branch predictor can learn.
const WINDOW: usize = 32 * BATCH;

/// Workload and stage of each group. `cycle-256` is there to be distrusted: it is the number that
/// most published comparisons show.
pub const GROUPS: &[(&str, StageId)] = &[
    ("ab4", StageId::All),
    ("ab4", StageId::Captures),
    ("ab4", StageId::Quiets),
    ("qs", StageId::Captures),
    ("game", StageId::All),
    ("cycle-65536", StageId::All),
    ("cycle-256", StageId::All),
];

/// A design with a window of boards, and where in it the next iteration begins.
pub struct Work {
    subject: Box<dyn Subject>,
    stage: StageId,
    boards: usize,
    next: usize,
}

impl Work {
    /// Loads the first positions of the workload: whole batches of a long one, all of a short one.
    pub fn new(mut subject: Box<dyn Subject>, positions: &[Position], stage: StageId) -> Work {
        let boards = positions.len().min(WINDOW);
        subject.load(&positions[..boards]);
        Work { subject, stage, boards, next: 0 }
    }

    /// The next batch; returns the moves found.
    pub fn iterate(&mut self) -> u64 {
        let end = (self.next + BATCH).min(self.boards);
        let moves = self.subject.pass(self.stage, self.next..end);
        self.next = if end == self.boards { 0 } else { end };
        moves
    }

    /// Mean moves of an iteration, at least 1: what throughput is counted in.
    pub fn moves(&mut self) -> u64 {
        let iterations = self.boards.div_ceil(BATCH) as u64;
        let total: u64 = (0..iterations).map(|_| self.iterate()).sum();
        (total / iterations).max(1)
    }
}
