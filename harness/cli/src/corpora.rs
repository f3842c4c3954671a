//! The positions of a session, by workload.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::console::note;
use anyhow::Result;
use raywalk_measure::plan::Plan;
use raywalk_measure::session::{WorkloadPositions, Workloads};
use raywalk_positions::{Ordered, Store};
use raywalk_results::schema;

/// Workloads, loaded at first use and kept.
pub(crate) struct Corpora {
    store: Store,
    loaded: BTreeMap<String, Ordered>,
}

impl Corpora {
    /// Loads nothing yet. Corpora that have to be generated report progress on stderr.
    pub(crate) fn new() -> Corpora {
        let store = Store::open_default().with_progress(|line| note!("{line}"));
        Corpora { store, loaded: BTreeMap::new() }
    }

    /// Loads all workloads of a plan and returns the corpora that they are made of, each once.
    pub(crate) fn load(&mut self, plan: &Plan) -> Result<Vec<schema::Corpus>> {
        let mut corpora: Vec<schema::Corpus> = Vec::new();
        for name in plan.workloads() {
            let workload = self.store.ordered(name)?;
            for source in &workload.sources {
                if !corpora.iter().any(|known| known.name == source.name) {
                    corpora.push(schema::Corpus {
                        name: source.name.to_string(),
                        positions: source.positions as u64,
                        digest: format!("{:016x}", source.digest),
                    });
                }
            }
            self.loaded.insert(name.to_owned(), workload);
        }
        Ok(corpora)
    }
}

impl Workloads for Corpora {
    fn positions(&mut self, workload: &str) -> Result<WorkloadPositions<'_>, String> {
        if !self.loaded.contains_key(workload) {
            let loaded = self.store.ordered(workload).map_err(|error| error.to_string())?;
            self.loaded.insert(workload.to_owned(), loaded);
        }
        let Ordered { positions, roots, .. } = &self.loaded[workload];
        Ok(WorkloadPositions { positions: Cow::Borrowed(positions), roots: Cow::Borrowed(roots) })
    }
}
