//! The positions of a session.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::Result;
use raywalk_core::Position;
use raywalk_positions::Store;
use raywalk_reports::schema;

use crate::measure::plan::Plan;
use crate::measure::session::Workloads;

/// Workloads, loaded when they are first asked for.
pub(super) struct Positions {
    store: Store,
    made: BTreeMap<String, Arc<[Position]>>,
}

impl Positions {
    /// Nothing loaded yet; corpora that have to be made are announced.
    pub fn new() -> Positions {
        let store = Store::open_default().with_progress(|line| eprintln!("{line}"));
        Positions { store, made: BTreeMap::new() }
    }

    /// Loads all workloads of a plan; the corpora behind them, each once.
    pub fn corpora(&mut self, plan: &Plan) -> Result<Vec<schema::Corpus>> {
        let mut corpora: Vec<schema::Corpus> = Vec::new();
        for name in plan.workloads() {
            let workload = self.store.workload(name)?;
            for source in &workload.sources {
                if !corpora.iter().any(|known| known.name == source.name) {
                    corpora.push(schema::Corpus {
                        name: source.name.to_string(),
                        positions: source.positions as u64,
                        digest: format!("{:016x}", source.digest),
                    });
                }
            }
            self.made.insert(name.to_owned(), workload.positions);
        }
        Ok(corpora)
    }
}

impl Workloads for Positions {
    fn positions(&mut self, workload: &str) -> Result<Cow<'_, [Position]>, String> {
        if !self.made.contains_key(workload) {
            let made = self.store.workload(workload).map_err(|error| error.to_string())?;
            self.made.insert(workload.to_owned(), made.positions);
        }
        Ok(Cow::Borrowed(&self.made[workload]))
    }
}
