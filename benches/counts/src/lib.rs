//! Counts every design under Callgrind: `cargo bench -p raywalk-bench-counts`.
//!
//! Instructions, branches and memory accesses are exact, and identical on every machine for one
//! binary. Cache misses and mispredictions come from Callgrind's models: the caches have the geometry
//! given in [`CACHES`], and the branch predictor is gselect with seven outcomes and no tags: of the class of the 1990s,
//! or of about 2004 by its manual. It learns short patterns, but no sequence of positions.
//!
//! Only a design's compiled entry is counted. Collection starts when the entry is called and stops when
//! it returns, so the boards and the loop over them are excluded.
//!
//! `cargo bench -p raywalk-bench-counts -- bell/last-square` counts one design; see [`filter`].

pub mod filter;

use raywalk::imports::COUNTED_POSITIONS;
use raywalk::registry::{self, DESIGNS};
use raywalk_measure::design::Design;
use raywalk_positions::Store;
use raywalk_results::schema::{Call, Stage};

/// Simulated first-level and last-level caches: bytes, ways, bytes per line. Fixed, because the
/// geometry that Callgrind detects in a virtual machine can be absurd.
pub const CACHES: [&str; 3] = ["--I1=32768,8,64", "--D1=49152,12,64", "--LL=33554432,16,64"];

/// Callgrind's pattern for the functions that are counted. It must not contain a blank, because it
/// passes through a command line.
pub const ENTRIES: &str = "*raywalk_core::generator::Entries*";

/// Workloads to prepare before the benchmark starts: those that its functions load.
pub const WORKLOADS: [&str; 2] = ["ab4", "cycle-65536"];

/// Environment variables that locate the corpora. Gungraun hides all others from the benchmark.
pub const CACHE_VARIABLES: [&str; 4] = ["RAYWALK_CACHE", "XDG_CACHE_HOME", "HOME", "LOCALAPPDATA"];

/// A design with its boards loaded, or nothing if this machine cannot run it.
pub struct Work {
    design: Option<Box<dyn Design>>,
    stage: Stage,
    boards: usize,
}

/// Loads the first [`COUNTED_POSITIONS`] positions of a workload into the design `name`. If this
/// machine lacks a feature that the design needs, the passes do nothing.
///
/// # Panics
/// If the workload cannot be built.
pub fn load((name, workload, stage): (&str, &str, Stage)) -> Work {
    let entry = DESIGNS.iter().find(|entry| registry::identifier(entry.card.id) == name);
    let mut design = entry.and_then(|entry| entry.build().ok());
    let positions = Store::open_default()
        .first(workload, COUNTED_POSITIONS)
        .expect("the runner built the workload before starting the benchmark");
    if let Some(design) = &mut design {
        design.load(&positions);
    }
    Work { design, stage, boards: positions.len() }
}

impl Work {
    /// Generates the stage once for every board. Returns the number of moves.
    pub fn pass(&mut self) -> u64 {
        let boards = self.boards;
        self.design
            .as_mut()
            .map_or(0, |design| design.pass(Call::generate(self.stage).into(), 0..boards))
    }
}
