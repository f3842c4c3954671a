//! `raywalk export`.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::ValueEnum;
use raywalk_judge::format::plural;
use raywalk_page::export::{Table, parquet, table, write_csv};

use crate::folders;

/// Export all samples as one flat table, for notebooks
///
/// One row per sample, in the order they ran, with session, panel, regime, round, process, layout, design,
/// ticks, nanoseconds, positions, moves, marks, and one column per event. Missing values are empty, never
/// zero.
#[derive(clap::Args)]
pub(super) struct Export {
    /// Journals, or folders that contain a `journal.jsonl`
    #[arg(required = true)]
    result: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum)]
    format: Format,
    /// Output file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Comma-separated text
    Csv,
    /// Apache Parquet: typed columns, a tenth of the size of CSV
    Parquet,
}

impl Export {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        ensure!(
            self.format != Format::Parquet
                || self.output.is_some()
                || !std::io::stdout().is_terminal(),
            "Parquet is binary and cannot be written to a terminal; name a file with --output"
        );
        let sessions = folders::read_journals(&self.result)?;
        let table = table(&sessions);
        match &self.output {
            None => self.write(&table, out)?,
            Some(path) => {
                folders::replace(path, |file| self.write(&table, file))?;
                writeln!(out, "{}: {}", path.display(), plural(table.rows, "row"))?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    fn write(&self, table: &Table<'_>, out: &mut dyn Write) -> std::io::Result<()> {
        match self.format {
            Format::Csv => write_csv(table, out),
            Format::Parquet => out.write_all(&parquet::to_bytes(table)?),
        }
    }
}
