//! `raywalk export`.

use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use raywalk_reports::export::{Table, parquet, table, write_csv};

use super::report;

/// Write every sample as one flat table, for notebooks
///
/// One row per sample, in the order they ran: session, panel, regime, round, process, layout,
/// design, ticks, nanoseconds, positions, moves, marks, and one column per event. What a sample does not have is
/// empty, never zero.
#[derive(clap::Args)]
pub struct Export {
    /// Journals, or folders that hold a `journal.jsonl`
    #[arg(required = true)]
    result: Vec<PathBuf>,
    /// How to write it
    #[arg(long, value_enum)]
    format: Format,
    /// Where to write it; standard output if absent
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// A format of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text that everything reads
    Csv,
    /// Typed columns, a tenth of the size (Apache Parquet)
    Parquet,
}

impl Export {
    pub fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        ensure!(
            self.format != Format::Parquet
                || self.output.is_some()
                || !std::io::stdout().is_terminal(),
            "Parquet is not for terminals: name a file with --output"
        );
        let sessions = self
            .result
            .iter()
            .map(|path| report::read(&report::journal_at(path)))
            .collect::<Result<Vec<_>>>()?;
        let table = table(&sessions);
        match &self.output {
            None => self.write(&table, out)?,
            Some(path) => {
                let failed = || format!("cannot write {}", path.display());
                let mut file = BufWriter::new(File::create(path).with_context(failed)?);
                self.write(&table, &mut file).with_context(failed)?;
                file.flush().with_context(failed)?;
                writeln!(out, "{}: {} rows", path.display(), table.rows)?;
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
