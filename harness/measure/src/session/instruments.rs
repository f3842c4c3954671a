//! The instruments of a measuring process.

use std::borrow::Cow;
use std::sync::Arc;

use raywalk_core::Position;
use raywalk_positions::recording::RecordedTree;

use crate::clock::Clock;
use crate::counters::Counters;
use crate::design::Design;
use crate::regime::Perturbations;

/// Provides the positions of workloads.
pub trait Workloads {
    /// The positions of a workload, and where its trees begin.
    ///
    /// # Errors
    /// Why the workload cannot be provided, as the end of a sentence.
    fn positions(&mut self, workload: &str) -> Result<WorkloadPositions<'_>, String>;

    /// The recorded searches of the trees of a workload, for the calls that need them.
    ///
    /// # Errors
    /// As for [`positions`](Workloads::positions).
    fn recording(&mut self, _workload: &str) -> Result<Arc<[RecordedTree]>, String> {
        Err("has no recorded search".to_owned())
    }
}

/// The positions of a workload.
#[derive(Clone, Debug)]
pub struct WorkloadPositions<'a> {
    /// In the order in which they are visited, repeats included.
    pub positions: Cow<'a, [Position]>,
    /// Index of the first position of each search tree, in ascending order; empty if there are no trees.
    pub roots: Cow<'a, [usize]>,
}

/// Everything that a process measures with.
pub struct Instruments<'a, C: Clock> {
    /// The designs, verified, in registry order.
    pub designs: &'a mut [Box<dyn Design>],
    /// Makes or reads the positions of a workload.
    pub workloads: &'a mut dyn Workloads,
    /// The clock that times the batches.
    pub clock: &'a C,
    /// Counts hardware events during each sample.
    pub counters: &'a mut dyn Counters,
    /// Provides what perturbs the calls.
    pub perturbations: &'a dyn Perturbations,
}
