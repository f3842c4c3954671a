//! Output that several commands share: formats, texts for the terminal, JSON, progress bars.

use std::io::{IsTerminal, Write};
use std::time::Duration;

use anstream::{AutoStream, ColorChoice};
use anyhow::Result;
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};
use raywalk_page::terminal::Screen;
use serde::Serialize;

use crate::duration::in_words;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text for people
    Table,
    /// JSON for programs
    Json,
}

/// Values of `--format` of a command whose output is also part of documentation or of pull requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DocFormat {
    /// Text for people
    Table,
    /// JSON for programs
    Json,
    /// Markdown for documentation and pull requests
    Markdown,
}

/// Width of texts that go to a file or to another program.
const WIDTH: usize = 100;
/// Widths that the environment may set. Wider lines are hard to read, narrower ones hold no table.
const WIDTHS: std::ops::RangeInclusive<usize> = 20..=1_000;

/// An empty text for standard output: as wide as its terminal, or else as wide as the variable COLUMNS
/// says, or else 100 columns. Colours are for terminals; NO_COLOR, CLICOLOR and CLICOLOR_FORCE change that.
pub(crate) fn screen() -> Screen {
    let stdout = std::io::stdout();
    let terminal = terminal_size::terminal_size_of(&stdout).map(|(width, _)| width.0.into());
    let columns = std::env::var_os("COLUMNS");
    let width = width(terminal, columns.as_deref().and_then(|text| text.to_str()));
    Screen::new(width, AutoStream::choice(&stdout) != ColorChoice::Never)
}

/// The width of a terminal, or else that of the environment.
fn width(terminal: Option<usize>, columns: Option<&str>) -> usize {
    let columns = || columns?.trim().parse().ok().filter(|width| WIDTHS.contains(width));
    // Some terminals do not know their size and answer 0.
    terminal.filter(|&width| width > 0).or_else(columns).unwrap_or(WIDTH)
}

/// Writes a value as indented JSON with a line break at its end.
pub(crate) fn write_json(out: &mut dyn Write, value: &impl Serialize) -> Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)?;
    Ok(())
}

/// A progress bar on stderr with a template of indicatif; hidden if stderr is not a terminal.
pub(crate) fn progress_bar(template: &str, steps: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(template);
    ProgressBar::new(steps).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// A line on stderr that counts the seconds of something that has no steps, until it is dropped; hidden if stderr is
/// not a terminal.
pub(crate) fn stopwatch(limit: Duration) -> ProgressBar {
    let bar = progress_bar("  {elapsed} of at most {msg}", 0).with_message(in_words(limit));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar.with_finish(ProgressFinish::AndClear)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_width_is_that_of_the_terminal_or_of_the_environment() {
        assert_eq!(width(Some(80), Some("60")), 80);
        assert_eq!(width(None, Some("60")), 60);
        assert_eq!(width(Some(0), Some("60")), 60);
        for unusable in
            [None, Some(""), Some("0"), Some("-1"), Some("99999999999999999999"), Some("x")]
        {
            assert_eq!(width(None, unusable), WIDTH);
        }
    }
}
