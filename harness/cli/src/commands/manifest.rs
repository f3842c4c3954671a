//! `raywalk manifest`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;

use crate::manifest::BuildManifest;
use crate::output::write_json;

/// Print the build manifest as JSON: sources, flags and entry offsets
///
/// `raywalk run --layouts` runs this command in each program that it links and compares the manifests.
#[derive(clap::Args)]
pub(super) struct PrintManifest {}

impl PrintManifest {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        write_json(out, &BuildManifest::of_this_binary())?;
        Ok(ExitCode::SUCCESS)
    }
}
