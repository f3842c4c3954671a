//! `raywalk schema`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use raywalk_reports::json_schema::json_schema;

/// Print the schema of a journal's lines (JSON Schema, draft 2020-12)
///
/// A journal is JSON Lines: each line by itself is of this schema. Its version is the title, and
/// stands in every journal's first line.
#[derive(clap::Args)]
pub struct Schema {}

impl Schema {
    pub fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        serde_json::to_writer_pretty(&mut *out, &json_schema())?;
        writeln!(out)?;
        Ok(ExitCode::SUCCESS)
    }
}
