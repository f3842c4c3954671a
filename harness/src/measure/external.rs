//! Results of other tools, in their usual places and formats, brought into a journal's records.
//!
//! criterion's timings stand beside ours and are never mixed with them; callgrind's counts are
//! exact where they count instructions, and a model where they count misses. A folder that is not
//! there holds no results; a file that cannot be understood is passed over with one sentence.

use std::fs;
use std::path::{Path, PathBuf};

use raywalk_core::StageId;

mod callgrind;
mod criterion;

pub use callgrind::{Sizes, counts};
pub use criterion::{UNITS, timings};

/// What was found, and what could not be used.
#[derive(Clone, Debug, PartialEq)]
pub struct Import<T> {
    /// Results, in the order of their folders.
    pub results: Vec<T>,
    /// One sentence for each file that could not be used.
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

/// The names that benchmarks carry in other tools, in one place.
#[derive(Clone, Debug, Default)]
pub struct Names {
    designs: Vec<String>,
    workloads: Vec<String>,
}

impl Names {
    /// The names of these designs and workloads.
    pub fn new<'a>(
        designs: impl IntoIterator<Item = &'a str>,
        workloads: impl IntoIterator<Item = &'a str>,
    ) -> Names {
        Names {
            designs: designs.into_iter().map(str::to_owned).collect(),
            workloads: workloads.into_iter().map(str::to_owned).collect(),
        }
    }

    /// An id or a workload as a Rust name: `bitboard/pext` is `bitboard_pext`.
    pub fn identifier(name: &str) -> String {
        name.replace(['/', '-'], "_")
    }

    /// The design that a callgrind benchmark's function is named for.
    fn design(&self, function: &str) -> Option<&str> {
        let named = |id: &&String| Names::identifier(id) == function;
        self.designs.iter().find(named).map(String::as_str)
    }

    /// Workload and stage of a callgrind benchmark's id, `<workload>_<stage>`.
    fn run(&self, id: &str) -> Option<(&str, StageId)> {
        let (workload, stage) = id.rsplit_once('_')?;
        let named = |name: &&String| Names::identifier(name) == workload;
        Some((self.workloads.iter().find(named)?, stage_of(stage)?))
    }
}

/// The stage of this name.
fn stage_of(name: &str) -> Option<StageId> {
    StageId::ALL.into_iter().find(|stage| stage.name() == name)
}

/// All files of this name below a folder, sorted.
fn find(folder: &Path, name: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let Ok(entries) = folder.read_dir() else { continue };
        for entry in entries.flatten() {
            // Links are not followed, so that no loop of them can hold us.
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => open.push(entry.path()),
                Ok(kind) if kind.is_file() && entry.file_name() == name => files.push(entry.path()),
                _ => {}
            }
        }
    }
    files.sort();
    files
}

/// A JSON file as a value of this type.
fn read<T: serde::de::DeserializeOwned>(file: &Path) -> Result<T, String> {
    let text = fs::read(file).map_err(|error| error.to_string())?;
    serde_json::from_slice(&text).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests;
