//! `raywalk doctor`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use raywalk_core::Card;

use crate::diagnosis::Diagnosis;
use crate::output::{Format, screen, write_json};
use crate::registry::DESIGNS;

/// Show which instruments this machine offers, which are missing, and how to fix that
///
/// Doctor changes nothing on the system.
#[derive(clap::Args)]
pub(super) struct Doctor {
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

impl Doctor {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let cards: Vec<Card> = DESIGNS.iter().map(|entry| entry.card).collect();
        let diagnosis = Diagnosis::of_this_machine(&cards);
        match self.format {
            Format::Table => {
                let mut text = screen();
                diagnosis.write_table(&mut text);
                out.write_all(text.as_str().as_bytes())?;
            }
            Format::Json => write_json(out, &diagnosis)?,
        }
        Ok(ExitCode::SUCCESS)
    }
}
