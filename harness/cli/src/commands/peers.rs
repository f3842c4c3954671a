//! `raywalk peers`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;

use crate::console::External;
use crate::peers;

/// Build the peers, the generators of other chess libraries, and print the files of their plug-ins
///
/// `raywalk run` does the same when a plan names them. With the files, other commands take them too, as
/// `raywalk verify --plugin FILE`.
#[derive(clap::Args)]
pub(super) struct Peers {}

impl Peers {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let files = peers::all().map_err(|error| External(format!("{error:#}")))?;
        for file in files {
            writeln!(out, "{}", file.display())?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
