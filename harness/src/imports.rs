//! What `cargo bench` left behind, brought into a report: callgrind's counts, criterion's timings.
//!
//! A count tells what a run cost, not how long it was; positions and moves are found again here, from
//! the same workload and a design that is right.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use raywalk_core::{Legality, StageId};
use raywalk_positions::{Store, workload};
use raywalk_reports::schema::{Count, Timing};

use crate::measure::external::{self, Names};
use crate::registry::{self, DESIGNS};

/// Positions of each callgrind count: enough for every rule and piece, few enough for a simulator.
pub const COUNTED_POSITIONS: usize = 1024;

/// Results of other tools, and one sentence for each file that could not be used.
#[derive(Debug, Default)]
pub struct Imported {
    /// Callgrind's.
    pub counts: Vec<Count>,
    /// criterion's.
    pub timings: Vec<Timing>,
    /// What was passed over.
    pub warnings: Vec<String>,
}

/// Looks into cargo's target folder. Folders that are not there hold no results.
pub fn import(target: &Path) -> Imported {
    let ids = DESIGNS.iter().map(|entry| entry.card.id);
    let names = Names::new(ids, workload::ALL.iter().map(|description| description.name));
    let sizes = Sizes { store: Store::open_default(), known: RefCell::default() };
    let size = |design: &str, workload: &str, stage| sizes.of(design, workload, stage);
    let counts = external::counts(&target.join("gungraun"), &names, &size);
    let timings = external::timings(&target.join("criterion"));
    let warnings = [counts.warnings, timings.warnings].concat();
    Imported { counts: counts.results, timings: timings.results, warnings }
}

/// Workload, stage, and what tells legal from pseudo-legal moves: the design that counts them.
type Run = (String, StageId, &'static str);

struct Sizes {
    store: Store,
    known: RefCell<BTreeMap<Run, Option<(u64, u64)>>>,
}

impl Sizes {
    /// Positions and moves of a run.
    fn of(&self, design: &str, workload: &str, stage: StageId) -> Option<(u64, u64)> {
        let entry = DESIGNS.iter().find(|entry| entry.card.id == design)?;
        let counter = match entry.card.legality {
            Legality::Pseudo => registry::REFERENCE,
            Legality::Legal => entry.card.id,
        };
        let run = (workload.to_owned(), stage, counter);
        if let Some(&size) = self.known.borrow().get(&run) {
            return size;
        }
        let size = self.count(&run);
        self.known.borrow_mut().insert(run, size);
        size
    }

    fn count(&self, (workload, stage, counter): &Run) -> Option<(u64, u64)> {
        let positions = self.store.first(workload, COUNTED_POSITIONS).ok()?;
        let mut subject = registry::named(counter).ok()?.subject().ok()?;
        subject.load(&positions);
        let moves = subject.pass(*stage, 0..positions.len());
        Some((positions.len() as u64, moves))
    }
}
