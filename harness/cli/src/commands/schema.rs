//! `raywalk schema`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use raywalk_results::json_schema::json_schema;

use crate::output::write_json;

/// Print the JSON Schema of journal lines (draft 2020-12)
///
/// A journal is JSON Lines: each line is an object of this schema. The title is the schema version, which
/// the first line of every journal repeats.
#[derive(clap::Args)]
pub(super) struct Schema {}

impl Schema {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        write_json(out, &json_schema())?;
        Ok(ExitCode::SUCCESS)
    }
}
