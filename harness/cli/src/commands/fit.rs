//! `raywalk fit`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::builder::RangedU64ValueParser;
use raywalk_core::Position;
use raywalk_core::parallel::{self, Beside};
use raywalk_measure::clock::{Clock, HardwareClock};
use raywalk_measure::machine::{affinity::Pinned, emulation};
use raywalk_positions::Store;
use raywalk_positions::workload::Named;
use raywalk_results::schema::{Record, Stage};

use crate::console::note;
use crate::fit::{Experiment, Judged, Recorded, Timed, fitted, judged, replayed, time};
use crate::output::{Format, progress_bar, screen, write_json};
use crate::registry::{self, Entry};
use crate::trace::entry_of;
use crate::{arguments, folders, pages};

mod table;

/// Designs of eleven families: list walks and ray walks, branchy and branchless, on square boards and on bitboards.
const DESIGNS: [&str; 13] = [
    "bell/last-square",
    "butterfly/i16",
    "ferret/pointer",
    "diep/conditional-write",
    "linked-list/pointer",
    "dense-index/u32",
    "bitboard/hyperbola",
    "mailbox/10x12",
    "gambiet/flags",
    "setwise/dumb7-ray-run",
    "bitboard/magic",
    "bitboard/pext",
    "legal/pext",
];

/// Test how well modelled mispredictions predict the clock of this machine; x86-64 Linux only
///
/// Measures each design on self-play positions in learnt runs of K, for rising K; the line through cycles and
/// modelled mispredictions gives the cycles that a misprediction costs. With them it predicts other positions in
/// the order of a tree, of a game, and shuffled: their learnt replay plus this slope times their modelled
/// mispredictions. No parameter is tuned. The judged model is compared with a larger modern one, with older
/// predictors, and with models without branches.
///
/// The whole fit takes about half a minute for each design. Nothing else should run meanwhile.
#[derive(clap::Args)]
pub(super) struct Fit {
    /// Fit these designs: an id, a family, or a pattern such as `bitboard/*` [default: 13 of eleven families]
    #[arg(long, value_name = "ID")]
    design: Vec<String>,
    /// Stage to fit
    #[arg(
        long,
        value_parser = arguments::names(&Stage::ALL, Stage::name),
        default_value = Stage::All.name()
    )]
    stage: Stage,
    /// Positions of each order
    #[arg(
        long,
        value_name = "N",
        default_value_t = 16_384,
        value_parser = RangedU64ValueParser::<usize>::new().range(4096..=65_536)
    )]
    positions: usize,
    /// Positions of the sweep over K
    #[arg(
        long,
        value_name = "N",
        default_value_t = 4096,
        value_parser = RangedU64ValueParser::<usize>::new().range(1024..=65_536)
    )]
    sweep: usize,
    /// Also append the fit to this result, a folder of a run or its journal, and write its page again
    #[arg(long, value_name = "RESULT")]
    into: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

/// Workloads of the sweep, the tree and the game.
const WORKLOADS: [&str; 3] = ["cycle-65536", "ab4", "game"];

impl Fit {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let entries = self.entries()?;
        raywalk_trace::check()?;
        emulation::check()?;
        let journal = self.into.as_deref().map(folders::journal_at);
        if let Some(journal) = &journal {
            // Refused before minutes of work.
            pages::beside(journal)?;
        }
        let experiment = self.experiment()?;
        let rounds = self.timed(&entries, &experiment)?;
        let judged = self.judged(&entries, &experiment, &rounds)?;
        let fit = fitted(self.stage, &experiment, judged);
        if let Some(journal) = &journal {
            pages::append(pages::beside(journal)?, journal, [Record::Fit(fit.clone())])?;
        }
        match self.format {
            Format::Table => {
                let mut text = screen();
                table::write(&fit, &mut text);
                out.write_all(text.as_str().as_bytes())?;
            }
            Format::Json => write_json(out, &fit)?,
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The designs that this machine can run.
    fn entries(&self) -> Result<Vec<&'static Entry>> {
        let named: Vec<String> = if self.design.is_empty() {
            DESIGNS.map(str::to_owned).into()
        } else {
            self.design.clone()
        };
        let mut entries = registry::matching(&named)?;
        entries.retain(|entry| match entry.built() {
            Ok(_) => true,
            Err(reason) => {
                note!("left out: {reason}");
                false
            }
        });
        if entries.is_empty() {
            bail!("this machine runs none of the designs");
        }
        Ok(entries)
    }

    fn experiment(&self) -> Result<Experiment> {
        let store = Store::open_default().with_progress(|line| note!("{line}"));
        let positions = |name: &str, count: usize| -> Result<Vec<Position>> {
            let positions = store.named(&Named::find(name)?)?.positions;
            Ok(positions[..count.min(positions.len())].to_vec())
        };
        let [sweep, tree, game] = WORKLOADS;
        Ok(Experiment {
            workloads: WORKLOADS,
            sweep: positions(sweep, self.sweep)?,
            recorded: [positions(tree, self.positions)?, positions(game, self.positions)?],
        })
    }

    /// Two measurements of each design, interleaved: the second shows the noise.
    fn timed(&self, entries: &[&Entry], experiment: &Experiment) -> Result<Vec<[Timed; 2]>> {
        // Threads of the models inherit the processors of this one, so it is only pinned here.
        let _pinned = Pinned::to_one_processor();
        let clock = HardwareClock::measure();
        if clock.cycles_per_tick().is_none() {
            bail!("the clock of the core cannot be read here");
        }
        let bar = progress_bar("measuring {bar:40} {percent} %", 2 * entries.len() as u64);
        let round = || -> Result<Vec<Timed>> {
            let timed = entries.iter().map(|entry| {
                let timed = time(&clock, &mut *entry.built()?, self.stage, experiment);
                bar.inc(1);
                timed.context("the clock of the core cannot be read here")
            });
            timed.collect()
        };
        let (first, second) = (round()?, round()?);
        bar.finish_and_clear();
        Ok(first.into_iter().zip(second).map(|(first, second)| [first, second]).collect())
    }

    /// Records one design after the other. While one is recorded, the models replay the one before.
    fn judged(
        &self,
        entries: &[&'static Entry],
        experiment: &Experiment,
        rounds: &[[Timed; 2]],
    ) -> Result<Vec<Judged>> {
        let positions =
            experiment.sweep.len() + experiment.recorded.iter().map(Vec::len).sum::<usize>();
        let bar = progress_bar(
            "recording and modelling {bar:40} {percent} %, {eta} left",
            (positions * entries.len()) as u64,
        );
        std::thread::scope(|scope| {
            let mut threads = Vec::new();
            let mut judged_designs = Vec::new();
            let mut before: Option<Arc<Recorded>> = None;
            for (&entry, rounds) in entries.iter().zip(rounds) {
                let (mut design, address) = (entry.built()?, entry_of(entry, self.stage));
                let tick = || bar.inc(1);
                let recorded = Recorded::of(address, &mut *design, self.stage, experiment, &tick)
                    .with_context(|| format!("cannot trace {}", entry.card.id))?;
                let recorded = Arc::new(recorded);
                // The first design follows itself, as the baseline follows its A/A control.
                let before =
                    before.replace(Arc::clone(&recorded)).unwrap_or_else(|| Arc::clone(&recorded));
                judged_designs.extend(finish(&mut threads));
                threads.push(parallel::beside(scope, move || {
                    let replayed = replayed(&recorded, &before, experiment);
                    let (id, bytes) = (entry.card.id, entry.board_bytes as u64);
                    judged(id, bytes, rounds, &replayed, experiment)
                }));
            }
            judged_designs.extend(finish(&mut threads));
            bar.finish_and_clear();
            Ok(judged_designs)
        })
    }
}

/// Waits for the models that are still replaying.
fn finish(threads: &mut Vec<Beside<'_, Judged>>) -> Vec<Judged> {
    threads.drain(..).map(Beside::join).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_designs_of_the_fit_exist() {
        for id in DESIGNS {
            let found = registry::matching(&[id.to_owned()]).expect(id);
            assert_eq!(found.len(), 1, "{id}");
        }
        assert!(WORKLOADS.iter().all(|name| Named::find(name).is_ok()));
    }
}
