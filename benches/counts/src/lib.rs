//! Callgrind counts of every design: `cargo bench -p raywalk-bench-counts`.
//!
//! Instructions, branches and memory accesses are exact and the same on every machine for one
//! binary. Cache misses and mispredictions come from callgrind's models: the caches have the
//! geometry given here, the branch predictor is of the 1990s and never learns a repeated sequence.
//!
//! Only a design's compiled entry is counted. Collection begins when it is entered and ends when it
//! is left; boards and loop are outside.

use raywalk_core::StageId;
use raywalk_harness::imports::COUNTED_POSITIONS;
use raywalk_harness::measure::subject::Subject;
use raywalk_harness::registry::{self, DESIGNS};
use raywalk_positions::Store;

/// First-level data cache and last level that callgrind simulates: bytes, ways, line. Given by
/// name, because what callgrind detects in virtual machines can be absurd.
pub const CACHES: [&str; 3] = ["--I1=32768,8,64", "--D1=49152,12,64", "--LL=33554432,16,64"];

/// The functions that are counted, as callgrind names them.
/// No blank, because the pattern passes through a command line.
pub const ENTRIES: &str = "*raywalk_core::generator::Entries*";

/// The workloads that are counted.
pub const WORKLOADS: [&str; 2] = ["ab4", "cycle-65536"];

/// The variables that tell where corpora are kept; gungraun hides all others from what it runs.
pub const CACHE_VARIABLES: [&str; 4] = ["RAYWALK_CACHE", "XDG_CACHE_HOME", "HOME", "LOCALAPPDATA"];

/// A design with its boards.
pub struct Work {
    subject: Option<Box<dyn Subject>>,
    stage: StageId,
    boards: usize,
}

/// Loads the first [`COUNTED_POSITIONS`] of a workload for the design of this name. A design that this
/// machine cannot run counts nothing.
///
/// # Panics
/// If the workload cannot be made.
pub fn load((name, workload, stage): (&str, &str, StageId)) -> Work {
    let entry = DESIGNS.iter().find(|entry| registry::name_of(entry.card.id) == name);
    let mut subject = entry.and_then(|entry| entry.subject().ok());
    let positions = Store::open_default().first(workload, COUNTED_POSITIONS).expect("a workload");
    if let Some(subject) = &mut subject {
        subject.load(&positions);
    }
    Work { subject, stage, boards: positions.len() }
}

impl Work {
    /// Generates the stage for every board once; returns the moves.
    pub fn pass(&mut self) -> u64 {
        let boards = self.boards;
        self.subject.as_mut().map_or(0, |subject| subject.pass(self.stage, 0..boards))
    }
}
