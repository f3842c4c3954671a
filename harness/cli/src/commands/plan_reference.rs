//! `raywalk plan-reference`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use raywalk_measure::plan::Plan;

/// Print the reference of the plan file in Markdown, as in docs/plan-file.md
#[derive(clap::Args)]
pub(super) struct PlanReference {}

impl PlanReference {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        write!(out, "{}", Plan::reference())?;
        Ok(ExitCode::SUCCESS)
    }
}
