//! Imports the results of `cargo bench` for a report: Callgrind's counts and Criterion's timings.
//!
//! Callgrind's files do not contain the numbers of positions and moves. They are counted here, on the
//! same workload with a verified design.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use raywalk_core::Legality;
use raywalk_positions::{Store, workload};
use raywalk_results::schema::{Call, Count, Stage, Timing};

use crate::external::{self, Names};
use crate::registry::{self, DESIGNS};

/// Positions per Callgrind count: enough to cover all rules and pieces, few enough for a simulator.
pub const COUNTED_POSITIONS: usize = 1024;

/// Results of other tools, read from the target folder of cargo.
#[derive(Debug, Default)]
pub struct Imported {
    /// Callgrind's counts, in the order of the paths of their files.
    pub counts: Vec<Count>,
    /// Criterion's timings, in the order of the paths of their files.
    pub timings: Vec<Timing>,
    /// One sentence per unusable file.
    pub warnings: Vec<String>,
}

/// Reads the results in cargo's target folder. A missing folder holds no results.
pub fn import(target: &Path) -> Imported {
    let ids = DESIGNS.iter().map(|entry| entry.card.id);
    let names = Names::new(ids, workload::ALL.iter().map(|description| description.name));
    let sizes = Sizes { store: Store::open_default(), known: RefCell::default() };
    let size = |design: &str, workload: &str, stage| sizes.of(design, workload, stage);
    let [counted, timed] = folders(target);
    let counts = external::counts(&counted, &names, &size);
    let timings = external::timings(&timed);
    let warnings = [counts.warnings, timings.warnings].concat();
    Imported { counts: counts.results, timings: timings.results, warnings }
}

/// The folders of Callgrind's counts and of Criterion's timings in cargo's target folder.
fn folders(target: &Path) -> [PathBuf; 2] {
    ["gungraun", "criterion"].map(|name| target.join(name))
}

/// Whether a target folder may have results to [`import`].
pub(crate) fn is_there(target: &Path) -> bool {
    folders(target).iter().any(|folder| folder.is_dir())
}

/// Workload, stage, and the design that counts the moves.
type Run = (String, Stage, &'static str);

struct Sizes {
    store: Store,
    known: RefCell<BTreeMap<Run, Option<(u64, u64)>>>,
}

impl Sizes {
    /// The numbers of positions and moves in one pass of a design.
    fn of(&self, design: &str, workload: &str, stage: Stage) -> Option<(u64, u64)> {
        let entry = DESIGNS.iter().find(|entry| entry.card.id == design)?;
        let counter = match entry.card.legality {
            // All pseudo-legal designs generate the same moves; legal ones generate fewer.
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
        let mut design = registry::named(counter).ok()?.build().ok()?;
        design.load(&positions);
        let moves = design.pass(Call::generate(*stage).into(), 0..positions.len());
        Some((positions.len() as u64, moves))
    }
}
