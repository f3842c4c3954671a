//! Reads the results of other tools from their standard folders and converts them to journal records.
//!
//! Criterion's timings are shown next to the session's own and never mixed with them. Callgrind's counts
//! of instructions are exact; its counts of misses come from models. A missing folder holds no results.
//! An unreadable file is skipped, with one sentence as warning.

use std::fs;
use std::path::{Path, PathBuf};

use raywalk_results::json_error::in_words;
use raywalk_results::schema::Stage;
use walkdir::WalkDir;

use crate::registry::identifier;

mod callgrind;
mod criterion;

pub(crate) use callgrind::counts;
pub use criterion::UNITS;
pub(crate) use criterion::timings;

/// Results read from the files of one tool.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Import<T> {
    /// In the order of their paths.
    pub results: Vec<T>,
    /// One sentence per unusable file.
    pub warnings: Vec<String>,
}

impl<T> Import<T> {
    fn of(files: Vec<PathBuf>, read: impl Fn(&Path) -> Result<Option<T>, String>) -> Import<T> {
        let mut import = Import { results: Vec::new(), warnings: Vec::new() };
        for file in files {
            match read(&file) {
                Ok(result) => import.results.extend(result),
                Err(why) => import.warnings.push(format!("{}: {why}", file.display())),
            }
        }
        import
    }
}

/// Converts the names of benchmarks in other tools back to designs, workloads and stages.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    designs: Vec<String>,
    workloads: Vec<String>,
}

impl Names {
    /// Knows the names of these designs and workloads.
    pub(crate) fn new<'a>(
        designs: impl IntoIterator<Item = &'a str>,
        workloads: impl IntoIterator<Item = &'a str>,
    ) -> Names {
        Names {
            designs: designs.into_iter().map(str::to_owned).collect(),
            workloads: workloads.into_iter().map(str::to_owned).collect(),
        }
    }

    /// The design after which the function of a Callgrind benchmark is named.
    fn design(&self, function: &str) -> Option<&str> {
        let named = |id: &&String| identifier(id) == function;
        self.designs.iter().find(named).map(String::as_str)
    }

    /// Workload and stage from the id of a Callgrind benchmark, `<workload>_<stage>`.
    fn run(&self, id: &str) -> Option<(&str, Stage)> {
        let (workload, stage) = id.rsplit_once('_')?;
        let named = |name: &&String| identifier(name) == workload;
        Some((self.workloads.iter().find(named)?, stage.parse().ok()?))
    }
}

/// All files of this name below a folder, sorted. Links are not followed.
fn find(folder: &Path, name: &str) -> Vec<PathBuf> {
    let files = WalkDir::new(folder).sort_by_file_name().into_iter().flatten();
    let named = files.filter(|entry| entry.file_type().is_file() && entry.file_name() == name);
    named.map(walkdir::DirEntry::into_path).collect()
}

fn read<T: serde::de::DeserializeOwned>(file: &Path) -> Result<T, String> {
    let text = fs::read(file).map_err(|error| error.to_string())?;
    serde_json::from_slice(&text).map_err(|error| in_words(&error))
}

#[cfg(test)]
mod tests;
