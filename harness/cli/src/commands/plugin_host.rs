//! `raywalk plugin-host`: checks a design of a plug-in in a process of its own, started by other commands.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use raywalk_measure::machine::placement;
use raywalk_measure::plan::PluginFile;

use crate::plugin;
use crate::registry::Designs;

/// Answer questions about a design of a plug-in; internal
#[derive(clap::Args)]
pub(super) struct PluginHost {
    /// The library
    file: PathBuf,
    /// The id of the design; without one the library is loaded, and nothing else
    design: Option<String>,
}

impl PluginHost {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        // A host that outlives its command would be left behind.
        placement::end_with_the_parent();
        let designs = Designs::loaded(&[PluginFile::read(&self.file)?], Duration::MAX);
        let Some(design) = self.design else {
            // The command that loads the library next reports its other errors.
            drop(designs);
            plugin::loaded(out)?;
            return Ok(ExitCode::SUCCESS);
        };
        let designs = designs?;
        let entry = designs.named(&design)?;
        plugin::host(entry.here(), std::io::stdin().lock(), out)?;
        Ok(ExitCode::SUCCESS)
    }
}
