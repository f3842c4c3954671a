//! `raywalk selftest`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use raywalk_positions::Store;
use raywalk_reports::selftest;

use super::Format;
use crate::machine;
use crate::machine::affinity::Pinned;
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
}

/// Positions of `ab4` that the harness's own cost is measured on: about half a millisecond of a
/// fast design.
const POSITIONS: usize = 8_192;

impl Selftest {
    pub fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
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
}
