//! `raywalk doctor`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use raywalk_core::Card;

use super::Format;
use crate::machine::doctor::Diagnosis;
use crate::registry::DESIGNS;

/// Say what can be measured on this machine, what not, why, and what would cure it
#[derive(clap::Args)]
pub struct Doctor {
    /// How to write it
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

impl Doctor {
    pub fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let cards: Vec<Card> = DESIGNS.iter().map(|entry| entry.card).collect();
        let diagnosis = Diagnosis::of_this_machine(&cards);
        match self.format {
            Format::Table => diagnosis.write_table(out)?,
            Format::Json => diagnosis.write_json(out)?,
        }
        Ok(ExitCode::SUCCESS)
    }
}
