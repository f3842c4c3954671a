//! `raywalk receipt`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;

use crate::machine::built::Receipt;

/// Print what this program was built from and how it was laid out, as JSON
///
/// For `raywalk run --layouts`, which compares the programs that it links.
#[derive(clap::Args)]
pub struct PrintReceipt {}

impl PrintReceipt {
    pub fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        serde_json::to_writer_pretty(&mut *out, &Receipt::of_this_binary())?;
        writeln!(out)?;
        Ok(ExitCode::SUCCESS)
    }
}
