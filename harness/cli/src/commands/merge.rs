//! `raywalk merge`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail, ensure};
use raywalk_judge::format::plural;
use raywalk_measure::plan::{PanelPlan, Plan};
use raywalk_results::journal::{self, Results};
use raywalk_results::merge::{Named, merge};

use crate::folders;

/// Merge all shards of a plan into one result
///
/// Every shard of `raywalk run --shard` must be given once and be complete. Shards of another plan, seed, build or
/// processor are refused. The result is the journal of the whole plan, with the rounds that `raywalk run --dry-run`
/// prints; `raywalk report` writes its page.
#[derive(clap::Args)]
pub(super) struct Merge {
    /// Folder for the journal; it must not contain one
    out: PathBuf,
    /// Journals of the shards, or folders that contain a `journal.jsonl`, in any order
    #[arg(required = true)]
    shard: Vec<PathBuf>,
}

impl Merge {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let journal = self.out.join(folders::JOURNAL);
        ensure!(!journal.exists(), "{} already exists; choose another folder", journal.display());
        let shards = folders::read_each(&self.shard)?;
        let names: Vec<String> = self.shard.iter().map(|path| path.display().to_string()).collect();
        let named: Vec<_> =
            names.iter().zip(&shards).map(|(name, results)| Named { name, results }).collect();
        let text = journal::text(&merge(&named, &order(&shards[0]))?);
        // The file is read by everything else, so it is read here first.
        let merged = match journal::read(text.as_bytes()) {
            Ok(merged) => merged,
            Err(fault) => bail!("the shards do not fit together: {fault}"),
        };
        folders::write(&journal, &text)?;
        let rounds = merged.panels.iter().map(|panel| panel.rounds.len()).sum();
        let (panels, processes) = (merged.panels.len(), merged.processes.len());
        writeln!(
            out,
            "{} of {}, {}, {} in {}",
            plural(shards.len(), "shard"),
            merged.session.plan,
            plural(panels, "panel"),
            plural(rounds, "round"),
            plural(processes, "process"),
        )?;
        writeln!(out, "journal  {}", journal.display())?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Ids of the panels in the order of the plan, which the session record holds. Its files need not be on this machine.
fn order(results: &Results) -> Vec<String> {
    let session = &results.session;
    let plan = Plan::parse(&session.plan_file, &session.plan, "in the journal");
    plan.map_or_else(|_| Vec::new(), |plan| plan.panels.iter().map(PanelPlan::id).collect())
}
