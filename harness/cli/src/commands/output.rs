//! Output that several commands share: formats, JSON, progress bars.

use std::io::{IsTerminal, Write};

use anyhow::Result;
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

/// Values of `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Text for people
    Table,
    /// JSON for programs
    Json,
}

/// Writes a value as indented JSON with a line break at its end.
pub(super) fn write_json(out: &mut dyn Write, value: &impl Serialize) -> Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)?;
    Ok(())
}

/// A progress bar on stderr with a template of indicatif; hidden if stderr is not a terminal.
pub(super) fn progress_bar(template: &str, steps: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(template);
    ProgressBar::new(steps).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
