//! The positions of a session, by workload.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::console::note;
use anyhow::{Result, ensure};
use raywalk_measure::plan::{Contents, Plan, WorkloadFile};
use raywalk_measure::session::{WorkloadPositions, Workloads};
use raywalk_positions::recording::RecordedTree;
use raywalk_positions::{Ordered, Store, Workload};
use raywalk_results::schema;

/// Workloads, loaded at first use and kept.
pub(crate) struct Corpora {
    store: Store,
    /// The workloads that are files, by name. All others are made by the store.
    files: BTreeMap<String, WorkloadFile>,
    loaded: BTreeMap<String, Ordered>,
    recorded: BTreeMap<String, Arc<[RecordedTree]>>,
}

impl Corpora {
    /// Loads nothing yet. Corpora that have to be generated report progress on stderr.
    pub(crate) fn new<'a>(files: impl IntoIterator<Item = &'a WorkloadFile>) -> Corpora {
        let store = Store::open_default().with_progress(|line| note!("{line}"));
        let files = files.into_iter().map(|file| (file.contents.name.clone(), file.clone()));
        Corpora {
            store,
            files: files.collect(),
            loaded: BTreeMap::new(),
            recorded: BTreeMap::new(),
        }
    }

    /// Loads all workloads of a plan and returns the corpora that they are made of, each once.
    pub(crate) fn load(&mut self, plan: &Plan) -> Result<Vec<schema::Corpus>> {
        let mut corpora: Vec<schema::Corpus> = Vec::new();
        for name in plan.workloads() {
            let workload = self.workload(name)?;
            for source in &workload.sources {
                match corpora.iter_mut().find(|known| known.name == source.name) {
                    Some(known) => known.workloads.push(name.to_owned()),
                    None => corpora.push(schema::Corpus {
                        name: source.name.to_string(),
                        positions: source.positions as u64,
                        digest: format!("{:016x}", source.digest),
                        workloads: vec![name.to_owned()],
                    }),
                }
            }
            self.loaded.insert(name.to_owned(), workload);
        }
        Ok(corpora)
    }

    /// Makes a workload, or reads its file, which must still contain what it contained when the plan was
    /// read: all processes of a session must time the same positions.
    fn workload(&self, name: &str) -> Result<Ordered> {
        let Some(file) = self.files.get(name) else { return Ok(self.store.ordered(name)?) };
        let workload = Workload::of_file(Path::new(&file.path))?;
        ensure!(
            Contents::of(&workload) == file.contents,
            "{} has changed since the plan was read",
            file.path
        );
        let Workload { positions, roots, sources, .. } = workload;
        Ok(Ordered { positions, roots, sources })
    }
}

impl Workloads for Corpora {
    fn positions(&mut self, workload: &str) -> Result<WorkloadPositions<'_>, String> {
        if !self.loaded.contains_key(workload) {
            let loaded = self.workload(workload).map_err(|error| error.to_string())?;
            self.loaded.insert(workload.to_owned(), loaded);
        }
        let Ordered { positions, roots, .. } = &self.loaded[workload];
        Ok(WorkloadPositions { positions: Cow::Borrowed(positions), roots: Cow::Borrowed(roots) })
    }

    fn recording(&mut self, workload: &str) -> Result<Arc<[RecordedTree]>, String> {
        if let Some(trees) = self.recorded.get(workload) {
            return Ok(Arc::clone(trees));
        }
        let trees = match self.files.contains_key(workload) {
            true => None,
            false => self.store.recording(workload).map_err(|error| error.to_string())?,
        };
        let trees: Arc<[RecordedTree]> = trees.ok_or("has no recorded search")?.into();
        self.recorded.insert(workload.to_owned(), Arc::clone(&trees));
        Ok(trees)
    }
}

#[cfg(test)]
mod tests {
    use raywalk_measure::plan::Chosen;
    use raywalk_results::schema::Stage;

    use super::*;

    #[test]
    fn a_file_that_changes_under_a_run_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.txt");
        let write = |text: &str| std::fs::write(&path, text).expect("written");
        write("[Event \"?\"]\n1. e4 e5 *");
        let chosen = Chosen::find(path.to_str().expect("a path in UTF-8")).expect("a game");
        let panel = chosen.panel(Some(2), Stage::All).expect("a replay");
        let plan = Plan { panels: vec![panel], ..Plan::quick() };

        let mut corpora = Corpora::new(plan.files());
        let loaded = corpora.load(&plan).expect("the game");
        assert_eq!((loaded[0].name.as_str(), loaded[0].positions), ("games.txt", 3));
        assert_eq!(corpora.positions("games.txt").expect("the game").positions.len(), 3);

        write("[Event \"?\"]\n1. e4 e6 *");
        assert_eq!(corpora.positions("games.txt").expect("kept").positions.len(), 3);
        let mut later = Corpora::new(plan.files());
        let error = later.positions("games.txt").expect_err("another game");
        assert!(error.ends_with("games.txt has changed since the plan was read"), "{error}");
        assert!(later.load(&plan).is_err());
    }
}
