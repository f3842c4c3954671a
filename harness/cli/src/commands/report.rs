//! `raywalk report`.

use std::io::Write;
use std::mem::ManuallyDrop;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use raywalk_judge::{Judged, leaves};
use raywalk_page::terminal;

use crate::console::External;
use crate::output::screen;
use crate::{folders, pages};

mod check;

/// Write the HTML report of stored results
///
/// Nothing is measured again. The page of one result has everything about it; that of several compares them. Results of
/// `cargo bench` (criterion, callgrind) are shown on the page of one result, in columns of their own: those of cargo's
/// target folder if this build measured the result on this machine, or those that --target names. A session that
/// measured several calls on one workload prints them side by side.
#[derive(clap::Args)]
pub(super) struct Report {
    /// Journals, or folders that contain a `journal.jsonl`
    #[arg(required = true)]
    result: Vec<PathBuf>,
    /// Output file [default: report.html next to the journal, comparison.html next to the first of several]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Cargo's target folder, to read its `criterion` and `gungraun` folders, whatever machine and build the result is
    /// of; for one result [default: $CARGO_TARGET_DIR, or `target`]
    #[arg(long, value_name = "DIR")]
    target: Option<PathBuf>,
    /// Open the page in the browser; exit code 3 if no program opens it
    #[arg(long)]
    open: bool,
    /// Write no page, but check that each result can be contributed: complete, undisturbed enough, of a known build,
    /// and without names of folders, machine and user; exit code 1 if one cannot
    #[arg(long, conflicts_with_all = ["output", "target", "open"])]
    check: bool,
}

impl Report {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        if self.check {
            // Each is checked by itself, so a copy is no harm.
            let sessions = folders::read_each(&self.result)?;
            let all_fit = check::check(&self.result, &sessions, out)?;
            return Ok(ExitCode::from(u8::from(!all_fit)));
        }
        if let Some(target) = &self.target {
            ensure!(
                target.is_dir(),
                "{} is not a folder; --target takes cargo's target folder",
                target.display()
            );
            ensure!(
                self.result.len() == 1,
                "--target needs one result, because the page of several shows no results of `cargo bench`"
            );
        }
        let page = match self.output {
            Some(page) => page,
            None => {
                let name = if self.result.len() > 1 { folders::COMPARISON } else { folders::PAGE };
                folders::journal_at(&self.result[0]).with_file_name(name)
            }
        };
        // Never freed: the process ends next, and a full session has a million samples.
        let sessions = ManuallyDrop::new(pages::read(&self.result, self.target.as_deref())?);
        let judged: Vec<Judged<'_>> = sessions.iter().map(Judged::of).collect();
        pages::write(&judged, &page)?;
        let mut text = screen();
        for session in &judged {
            for table in raywalk_page::calls(session) {
                table.write(&mut text);
                text.blank();
            }
            terminal::leaves::write(&mut text, session, &leaves::tables(session));
        }
        out.write_all(text.as_str().as_bytes())?;
        writeln!(out, "{}", page.display())?;
        if self.open {
            let failed = |error| External(format!("cannot open {}: {error}", page.display()));
            open::that(&page).map_err(failed)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
