//! The work of one benchmark function: a design generates a stage for one batch of positions after
//! another.

use raywalk_core::Position;
use raywalk_measure::design::Design;
use raywalk_results::schema::{Call, Stage};

/// Positions per iteration.
const BATCH: usize = 512;

/// Positions that the iterations cycle through: far more than a branch predictor can learn, and less than
/// `cycle-65536` and `ab4` have. Their boards are loaded together, so an iteration does not wait for a load.
const WINDOW: usize = 32 * BATCH;

/// Workload and stage of each group. `cycle-256` is a negative example: a branch predictor learns so
/// few positions, and most published comparisons measure this way.
pub const GROUPS: &[(&str, Stage)] = &[
    ("ab4", Stage::All),
    ("ab4", Stage::Captures),
    ("ab4", Stage::Quiets),
    ("qs", Stage::Captures),
    ("game", Stage::All),
    ("cycle-65536", Stage::All),
    ("cycle-256", Stage::All),
];

/// A design with a window of boards. Each iteration continues where the previous one stopped.
pub struct Work {
    design: Box<dyn Design>,
    stage: Stage,
    boards: usize,
    next: usize,
}

impl Work {
    /// Loads the first positions of the workload: 32 batches, or all positions of a shorter workload.
    pub fn new(mut design: Box<dyn Design>, positions: &[Position], stage: Stage) -> Work {
        let boards = positions.len().min(WINDOW);
        design.load(&positions[..boards]);
        Work { design, stage, boards, next: 0 }
    }

    /// Generates the next batch. Returns the number of moves.
    pub fn iterate(&mut self) -> u64 {
        let end = (self.next + BATCH).min(self.boards);
        let moves = self.design.pass(Call::generate(self.stage).into(), self.next..end);
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
