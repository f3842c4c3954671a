//! `raywalk selftest`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use raywalk_positions::Store;
use raywalk_reports::selftest;

use super::Format;
use crate::machine::{self, affinity::Pinned, workspace};
use crate::measure::clock::HardwareClock;
use crate::measure::counters;
use crate::registry;
use crate::selftest::{self as instruments, Effort, Instruments, kernels};

/// Try the instruments on code of which the answer is known
///
/// Each is graded usable or not on this machine. Exit code 1 if one is there and gives a wrong
/// answer; what is not there fails nothing.
#[derive(clap::Args)]
pub struct Selftest {
    /// How to write it
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// About how long it may take; the least is one or two
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=600))]
    seconds: u16,
    /// All random bits and orders come from it
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Make so many whole sessions of which the answer is known, instead: a design against itself,
    /// and 0.5 % more work; about half a minute each time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    sessions: Option<u64>,
    /// The same beside it with criterion's change detection, which takes cargo and the source
    #[arg(long, requires = "sessions")]
    criterion: bool,
    /// Folder for the journals of the sessions; named after the time if absent
    #[arg(long, value_name = "DIR", requires = "sessions")]
    out: Option<PathBuf>,
}

mod criterion;
mod sessions;

/// Positions of `ab4` that the harness's own cost is measured on: about half a millisecond of a
/// fast design.
const POSITIONS: usize = 8_192;

impl Selftest {
    pub fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        if let Some(number) = self.sessions {
            return self.whole_sessions(number, out);
        }
        let store = Store::open_default().with_progress(|line| eprintln!("{line}"));
        let positions = store.first("ab4", POSITIONS)?;
        let design = registry::named(registry::REFERENCE)?.subject()?;
        // Not being pinned makes it noisier, which the trials then show.
        let _pinned = Pinned::to_one_processor();
        let mut kernels = kernels::of_this_machine();
        let tried = instruments::run(
            Instruments {
                clock: &HardwareClock::measure(),
                counters: &mut *counters::of_this_machine(),
                kernels: kernels.as_deref_mut(),
                caches: &machine::describe().caches,
                design: Some((design, &positions)),
            },
            Effort { seconds: f64::from(self.seconds), levels: usize::MAX, seed: self.seed },
        );
        match self.format {
            Format::Table => {
                let mut text = String::new();
                selftest::write(&mut text, &tried)?;
                out.write_all(text.as_bytes())?;
            }
            Format::Json => {
                serde_json::to_writer_pretty(&mut *out, &tried)?;
                writeln!(out)?;
            }
        }
        Ok(ExitCode::from(u8::from(tried.failed().next().is_some())))
    }

    /// Exit code 1 if one of our own sessions said what is not true.
    fn whole_sessions(self, number: u64, out: &mut dyn Write) -> Result<ExitCode> {
        let folder = self.out.unwrap_or_else(sessions::folder);
        let mut lines = sessions::all(number, self.seed, &folder)?;
        let wrong = lines.iter().map(sessions::Line::wrong).sum::<usize>();
        if self.criterion {
            let root = workspace::find()?;
            lines.extend(criterion::all(&root, number, &folder)?);
        }
        sessions::write(out, &lines)?;
        Ok(ExitCode::from(u8::from(wrong > 0)))
    }
}
