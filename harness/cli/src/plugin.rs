//! Plug-ins: designs of a user in a shared library, written in any language. `docs/plugin/raywalk.h` is
//! their interface.
//!
//! A library is foreign code: it may crash or never return. It is loaded here only for its cards and sizes, after
//! another process has loaded it without a crash. It is checked in a process of its own and timed in the measuring
//! processes. A failed design is reported in one sentence, and the others continue.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, anyhow, bail, ensure};
use raywalk_core::{Card, Position, StageId};
use raywalk_measure::design::{Design, Failure};
use raywalk_measure::plan::PluginFile;
use raywalk_results::schema::{Call, Stage};

use crate::arguments;
use crate::console::External;

#[allow(unsafe_code, reason = "calls a library by its C interface")]
mod abi;
mod calls;
mod design;
mod lists;
mod offered;
mod remote;
mod rules;
mod slots;
mod walk;

use abi::Declared;
use design::Plugged;
use remote::Remote;

pub(crate) use remote::{host, loaded};

/// The flags of commands that take plug-ins.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Plugins {
    /// Also take the designs of this plug-in, a shared library; docs/plugin/README.md shows how to write
    /// one
    #[arg(long = "plugin", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Stop waiting for a plug-in after this time without an answer
    #[arg(long = "plugin-timeout", value_name = "TIME", default_value = "60s", value_parser = arguments::timeout)]
    pub(crate) timeout: Duration,
}

impl Default for Plugins {
    fn default() -> Plugins {
        Plugins { files: Vec::new(), timeout: Duration::from_secs(60) }
    }
}

/// A design of a plug-in.
pub(crate) struct Plugin {
    /// The file, by its absolute path.
    file: &'static Path,
    /// The digest of its contents.
    pub(crate) digest: String,
    declared: &'static Declared,
    timeout: Duration,
}

impl Plugin {
    pub(crate) fn card(&self) -> &'static Card {
        &self.declared.card
    }

    /// The file without its folders.
    pub(crate) fn file_name(&self) -> String {
        self.file.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    pub(crate) fn board_bytes(&self) -> usize {
        self.declared.board_bytes
    }

    pub(crate) fn move_bytes(&self) -> usize {
        self.declared.move_bytes
    }

    /// Whether the design has the functions of a call.
    pub(crate) fn offers(&self, call: Call) -> bool {
        self.declared.offered().has(call)
    }

    /// The file, by its absolute path.
    pub(crate) fn file(&self) -> &'static Path {
        self.file
    }

    /// A function that the library exports, and its address.
    pub(crate) fn exported(&self) -> (&'static str, usize) {
        self.declared.exported()
    }

    /// Address of the function that generates a stage.
    pub(crate) fn entry(&self, stage: StageId) -> usize {
        self.declared.entry(stage)
    }

    /// The design in a process of its own, for checks.
    pub(crate) fn apart(&self) -> Box<dyn Design> {
        Box::new(Remote::start(self))
    }

    /// The design in this process.
    ///
    /// # Errors
    /// The reason of the design why it cannot run on this machine, one sentence.
    pub(crate) fn here(&self) -> Result<Box<dyn Design>, String> {
        Ok(Box::new(Plugged::build(self.declared)?))
    }

    /// The design in this process, once it has generated these moves in another one: what crashes or hangs
    /// does so there.
    ///
    /// # Errors
    /// One sentence that names the design.
    pub(crate) fn tried<'a>(
        &self,
        stages: &[Stage],
        positions: impl Iterator<Item = &'a Position>,
    ) -> Result<Box<dyn Design>> {
        let id = self.card().id;
        let apart = self.apart();
        for position in positions {
            stages.iter().for_each(|&stage| drop(apart.generated(position, stage)));
        }
        if let Some(Failure::Missing(why) | Failure::Broken(why)) = apart.failure() {
            bail!(External(format!("{id} {why}")));
        }
        self.here().map_err(|why| anyhow!("{id} {why}"))
    }
}

/// Loads the library in a process of its own, to find out whether that crashes or hangs. Other errors of a library are
/// reported when this process loads it.
///
/// # Errors
/// One sentence that names the file.
pub(crate) fn try_apart(file: &PluginFile, timeout: Duration) -> Result<()> {
    let failure = remote::load(Path::new(&file.path), timeout);
    if let Err(Failure::Missing(why) | Failure::Broken(why)) = failure {
        bail!(External(format!("plug-in {} {why}", Path::new(&file.path).display())));
    }
    Ok(())
}

/// Loads the designs of a library. They stay loaded until the process ends.
///
/// # Errors
/// One sentence that names the file.
pub(crate) fn load(file: &PluginFile, timeout: Duration) -> Result<Vec<Plugin>> {
    let path: &'static Path = Box::leak(PathBuf::from(&file.path).into_boxed_path());
    ensure!(
        PluginFile::read(path)? == *file,
        "plug-in {} was rebuilt during the session, so these rounds would not be comparable with the \
         others; start a new session",
        path.display()
    );
    let declared: &'static [Declared] = Box::leak(abi::load(path)?.into_boxed_slice());
    let plugin = |declared| Plugin { file: path, digest: file.digest.clone(), declared, timeout };
    Ok(declared.iter().map(plugin).collect())
}
