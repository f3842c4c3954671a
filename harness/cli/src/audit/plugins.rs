//! Audits of plug-ins: their entries in the loaded library.
//!
//! An entry of a plug-in has the arguments of a built-in one in the same registers: tables, board and list. It has its
//! own board, so the user states how many bytes at its beginning stand for squares. If nothing is stated, branches are
//! not checked. For a board of sets that number is 0; there, a test for a blocker counts as a branch on a square.

use std::path::Path;

use anyhow::{Context, Result};
use raywalk_audit::{Audit, EntryStage, Image, Program, Report, Sources};

use super::executed::count_executed;
use super::subject;
use crate::plugin::Plugin;
use crate::registry::Entry;

/// All lines of a plug-in are its own.
const SOURCES: Sources = Sources { root: None, rare: &[], accessors: &[], rest: &[] };

/// The audit of the libraries.
#[derive(Default)]
pub(crate) struct Libraries {
    /// One report for each entry.
    pub(crate) reports: Vec<Report>,
    /// Properties that were not found, as sentences.
    pub(crate) notes: Vec<String>,
}

/// Audits the designs of plug-ins. `cells` is the number of bytes at the beginning of their boards that stand for
/// squares, if it is known.
///
/// # Errors
/// A sentence that names the file that cannot be audited.
pub(crate) fn audit_plugins(entries: &[&'static Entry], cells: Option<usize>) -> Result<Libraries> {
    let mut found = Libraries::default();
    let plugins = entries.iter().filter_map(|&entry| Some((entry.plugin()?, entry)));
    let plugins: Vec<(&'static Plugin, &'static Entry)> = plugins.collect();
    for of_file in plugins.chunk_by(|(one, _), (other, _)| one.file() == other.file()) {
        let (plugin, entries) = (of_file[0].0, of_file.iter().map(|(_, entry)| *entry));
        let entries: Vec<&'static Entry> = entries.collect();
        library(plugin, &entries, cells, &mut found)
            .with_context(|| format!("cannot audit {}", plugin.file_name()))?;
    }
    let ids = plugins.iter().map(|(_, entry)| entry.card.id).collect::<Vec<_>>().join(", ");
    if !plugins.is_empty() && cells.is_none() {
        found.notes.push(format!(
            "{ids}: no jump is known to test a square, and what the card says of branches is not checked; if the board \
             begins with its squares, give their size in bytes with --cells."
        ));
    }
    Ok(found)
}

/// Audits the designs of one library.
fn library(
    plugin: &Plugin,
    entries: &[&'static Entry],
    cells: Option<usize>,
    found: &mut Libraries,
) -> Result<()> {
    let file: &Path = plugin.file();
    let (name, address) = plugin.exported();
    let image = Image::library(file)?;
    let program = Program::parse_library(&image, name, address)?;
    let audit = Audit::new(&program, SOURCES)?;
    let pairs = entries.iter().flat_map(|entry| EntryStage::ALL.map(|stage| (*entry, stage)));
    let subjects: Vec<_> =
        pairs.filter_map(|(entry, stage)| subject(entry, stage, cells)).collect();
    let mut reports = super::reports(&audit, &subjects)?;
    count_executed(&mut reports, program.base(), |id| {
        entries.iter().copied().find(|entry| entry.card.id == id)
    })?;
    if !program.has_lines() {
        found.notes.push(format!(
            "{} has no line tables, so loops have no source lines and copies of them are not counted; compile it with `-g`, \
             or with `debug = \"line-tables-only\"` in Rust.",
            plugin.file_name()
        ));
    }
    found.reports.extend(reports);
    Ok(())
}
