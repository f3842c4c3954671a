//! `raywalk chains`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use raywalk_audit::{Audit, Program};
use raywalk_core::random::SplitMix;
use raywalk_measure::clock::HardwareClock;
use raywalk_measure::latency::{self, Hammock, Latencies};
use raywalk_measure::machine::{affinity::Pinned, emulation};
use raywalk_results::schema::Record;

use crate::audit::{self, SOURCES};
use crate::chains::{Bench, Lone, Mca, NoChain, Walk};
use crate::output::{Format, progress_bar, screen, write_json};
use crate::registry::{self, Entry};
use crate::{folders, pages};

mod json;
mod table;

/// Compare the dependency chain of each list walk with its measured cycles per visited square; x86-64 Linux
///
/// Measures latencies on this machine: loads from the first-level cache by form of address, simple instructions, a
/// test with a conditional move, and the cost of a misprediction if its branch waits for registers, for one load or
/// for two. Then the loop-carried chain of each design is computed from its compiled code: the instructions through
/// which a visited square waits for the previous one, in the most frequent iteration of the inner loop, with the
/// measured latencies.
///
/// The measured cycles per visited square are a slope. A lone slider visits 7 to 27 empty squares, each position is
/// repeated until it is learnt, and fences keep calls from overlapping; cycles per call and per ray are taken out. A
/// walk of one list must not be faster than its chain. In real positions lists are shorter and the chains of several
/// pieces overlap, so a chain explains a walk but does not predict the time per position. Values that pass through
/// memory are not part of a chain.
///
/// With a single design, the iteration is shown with the steps of its chain. Where llvm-mca is installed, its
/// simulated cycles are shown as well.
#[derive(clap::Args)]
pub(super) struct Chains {
    /// Only these designs: an id, a family, or a pattern such as `bitboard/*` [default: the walks over tables]
    #[arg(long, value_name = "ID")]
    design: Vec<String>,
    /// Also append the chains to this result, a folder of a run or its journal, and write its page again
    #[arg(long, value_name = "RESULT")]
    into: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

/// The families that walk lists or rays in tables.
const WALKS: [&str; 7] =
    ["goulet", "butterfly", "ferret", "diep", "linked-list", "dense-index", "raylist"];
/// Seed of the random bits that are mispredicted.
const SEED: u64 = 12;

/// Measured latencies and computed chains.
struct Outcome {
    /// Latencies and mispredictions, or why there are none.
    instruments: Result<(Latencies, Vec<Hammock>), String>,
    /// The installed program, or why there is none.
    mca: Result<Mca, String>,
    rows: Vec<(&'static Entry, Result<Walk, NoChain>)>,
    /// Why no chain is computed here.
    unavailable: Option<String>,
}

impl Chains {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        emulation::check()?;
        let walks = || WALKS.map(str::to_owned).to_vec();
        let wanted = if self.design.is_empty() { walks() } else { self.design };
        let entries = registry::matching(&wanted)?;
        let journal = self.into.as_deref().map(folders::journal_at);
        if let Some(journal) = &journal {
            // Refused before the measurement.
            pages::beside(journal)?;
        }
        let outcome = Outcome::of(&entries)?;
        if let Some(journal) = &journal {
            outcome.append(journal)?;
        }
        match self.format {
            Format::Table => {
                let mut text = screen();
                table::write(&outcome, &mut text);
                out.write_all(text.as_str().as_bytes())?;
            }
            Format::Json => write_json(out, &json::document(&outcome))?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl Outcome {
    fn of(entries: &[&'static Entry]) -> Result<Outcome> {
        // Without pinning the latencies are noisier.
        let _pinned = Pinned::to_one_processor();
        let clock = HardwareClock::measure();
        let instruments = instruments(&clock);
        let mca = Mca::find();
        let mut outcome = Outcome { instruments, mca, rows: Vec::new(), unavailable: None };
        let image = match raywalk_trace::check() {
            Ok(()) => audit::image().map_err(|reason| reason.to_string()),
            Err(reason) => Err(reason.to_string()),
        };
        let (image, latencies) = match (image, &outcome.instruments) {
            (Ok(image), Ok((latencies, _))) => (image, latencies),
            (Err(reason), _) => {
                outcome.unavailable = Some(reason);
                return Ok(outcome);
            }
            (_, Err(reason)) => {
                outcome.unavailable = Some(reason.clone());
                return Ok(outcome);
            }
        };
        let found = Program::parse(&image).and_then(|program| {
            let audit = Audit::new(&program, SOURCES)?;
            let lone = Lone::all();
            let mca = outcome.mca.as_ref().ok();
            let bench = Bench { audit: &audit, clock: &clock, latencies, mca, lone: &lone };
            let bar =
                progress_bar("measuring {bar:40} {percent} %, {eta} left", entries.len() as u64);
            let one = |&entry: &&'static Entry| {
                let walk = bench.walk(entry)?;
                bar.inc(1);
                Ok((entry, walk))
            };
            let rows: Result<Vec<_>> = entries.iter().map(one).collect();
            bar.finish_and_clear();
            Ok(rows)
        });
        match found {
            Ok(rows) => outcome.rows = rows?,
            Err(reason) => outcome.unavailable = Some(reason.to_string()),
        }
        Ok(outcome)
    }

    /// Appends the chains of the designs that the session has.
    fn append(&self, journal: &Path) -> Result<()> {
        let open = pages::beside(journal)?;
        let walks = self.rows.iter().filter_map(|(entry, walk)| Some((entry, walk.as_ref().ok()?)));
        let walks = walks.filter(|(entry, _)| open.contents().design(entry.card.id).is_some());
        let records: Vec<Record> =
            walks.map(|(entry, walk)| Record::Chain(walk.record(entry))).collect();
        if records.is_empty() {
            let why =
                self.unavailable.as_deref().unwrap_or("the session has none of these designs");
            bail!("there is no chain to append: {}", why.trim_end_matches('.'));
        }
        pages::append(open, journal, records)
    }
}

/// Latencies and the cost of mispredictions, or why they cannot be measured.
fn instruments(clock: &HardwareClock) -> Result<(Latencies, Vec<Hammock>), String> {
    let why = || clock.absent().map_or_else(String::new, |absent| absent.to_string());
    let mut kernels = latency::kernels().ok_or_else(why)?;
    let latencies = latency::latencies(clock, &mut kernels).ok_or_else(why)?;
    let hammocks = latency::hammocks(clock, &mut kernels, &latencies, &mut SplitMix(SEED));
    Ok((latencies, hammocks))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_families_exist() {
        let entries = registry::matching(&WALKS.map(str::to_owned)).expect("families");
        assert!(entries.len() > WALKS.len());
    }
}
