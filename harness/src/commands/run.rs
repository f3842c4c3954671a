//! `raywalk run`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use raywalk_core::StageId;
use raywalk_reports::{grade, summary, table};

use super::positions::Positions;
use super::processes::FreshProcesses;
use super::workplace::Workplace;
use super::{Stage, report};
use crate::machine::{self, layouts, workspace};
use crate::measure::disturb::OfThisMachine;
use crate::measure::journal::{Journal, JournalError};
use crate::measure::plan::{PanelPlan, Plan};
use crate::measure::quiet::Look;
use crate::measure::session::{Instruments, Session};
use crate::measure::utc;
use crate::registry::{self, Entry};
use crate::selftest::before_session;

mod bar;
mod proof;

use bar::Bar;

/// Verify, measure, write the report
///
/// All designs of a panel run interleaved in the same rounds on the same positions; every round is
/// kept in a journal as it ends, so that a run that was stopped goes on with --resume.
#[derive(clap::Args)]
pub struct Run {
    /// `quick` (about a minute), `full` (about half an hour), or a plan file
    #[arg(long, default_value = "quick")]
    plan: String,
    /// Only these designs: an id, a family, or a pattern such as `bitboard/*`
    #[arg(long, value_name = "ID")]
    design: Vec<String>,
    /// Only these workloads; one that is not in the plan is added
    #[arg(long, value_name = "NAME")]
    workload: Vec<String>,
    /// Only these stages
    #[arg(long, value_enum)]
    stage: Vec<Stage>,
    /// The design that ratios refer to; the first that takes part if absent
    #[arg(long, value_name = "ID")]
    baseline: Option<String>,
    /// Make the rounds in so many short processes, each with a placement of its own
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    processes: Option<u64>,
    /// Link the program in so many random orders of its sections, measure each, and show how far
    /// they spread; takes cargo, the source and the linker lld
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100))]
    layouts: Option<u64>,
    /// Folder for journal and report; named after plan and time if absent
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with the journal in --out, or with the newest unfinished one
    #[arg(long)]
    resume: bool,
    /// Print the plan and how long it will take
    #[arg(long)]
    dry_run: bool,
}

/// Folder of the programs of the layouts, below that of a run.
const LAYOUTS: &str = "layouts";
/// Where runs without --out keep their folders.
const RESULTS: &str = "raywalk-results";

impl Default for Run {
    /// `raywalk` alone.
    fn default() -> Run {
        Run {
            plan: "quick".to_owned(),
            design: Vec::new(),
            workload: Vec::new(),
            stage: Vec::new(),
            baseline: None,
            processes: None,
            layouts: None,
            out: None,
            resume: false,
            dry_run: false,
        }
    }
}

impl Run {
    pub fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let plan = self.plan()?;
        let entries = registry::matching(&plan.designs)?;
        if self.dry_run {
            return dry_run(&plan, &entries, out);
        }
        let folder = self.folder(&plan)?;
        // Before our own work counts as load.
        let load = machine::load_average();
        let mut proved = proof::prove(&entries, out)?;
        ensure!(!proved.subjects.is_empty(), "no design can be measured");

        let mut positions = Positions::new();
        let corpora = positions.corpora(&plan)?;

        // Before there is a journal: a program that cannot be linked leaves nothing to go on with.
        let asked = !plan.layouts.is_empty();
        let programs = asked.then(|| relink(&plan, &folder)).transpose()?;

        let mut place = Workplace::open(load);
        let session = place.session(&plan, corpora);
        let path = folder.join(report::JOURNAL);
        let mut journal = match self.resume {
            true => match Journal::resume(&path, &session) {
                // Stopped after the last record and before the page was whole: that is left to do.
                Err(JournalError::Finished { .. }) => return show(&folder, proved.wrong, out),
                journal => journal?,
            },
            false => Journal::create(&path, &session)?,
        };
        for design in &proved.designs {
            journal.design(design)?;
        }
        // A resumed session has its own, from before its first round.
        if journal.contents().selftest.is_none() {
            let Workplace { clock, counters, machine, .. } = &mut place;
            journal.selftest(before_session(clock, counters, &machine.caches, plan.seed))?;
        }
        let tried = journal.contents().selftest.as_ref();
        let knee = tried.and_then(|tried| tried.knee.as_ref()).map(|knee| knee.branches);
        let pinned = place.pinned.ok();
        let mut workers = match programs {
            Some(programs) => FreshProcesses::new(programs, pinned),
            None => FreshProcesses::of_this_program(pinned)?,
        };
        let mut bar = Bar::new();
        Session {
            plan: &plan,
            instruments: Instruments {
                subjects: &mut proved.subjects,
                workloads: &mut positions,
                clock: &place.clock,
                counters: &mut place.counters,
                disturbances: &OfThisMachine,
            },
            workers: &mut workers,
            build: session.build,
            knee,
            best: Look::default(),
            journal: &mut journal,
            progress: &mut bar,
        }
        .run()?;
        bar.finish();
        // Their seeds are in the journal, and each is as large as the program.
        let _ = std::fs::remove_dir_all(folder.join(LAYOUTS));
        journal.end(utc::now())?;
        show(&folder, proved.wrong, out)
    }

    /// The plan, with what the flags change in it.
    fn plan(&self) -> Result<Plan> {
        let mut plan = match Plan::built_in(&self.plan) {
            Some(plan) => plan,
            None => Plan::read(Path::new(&self.plan))?,
        };
        if plan.name == "quick" {
            plan.designs = registry::quick();
        }
        if !self.design.is_empty() {
            plan.designs = self.design.clone();
        }
        if self.baseline.is_some() {
            plan.baseline = self.baseline.clone();
        }
        if let Some(processes) = self.processes {
            plan.processes = processes;
        }
        if let Some(layouts) = self.layouts {
            plan.draw_layouts(layouts);
        }
        if !self.workload.is_empty() {
            plan.panels.retain(|panel| self.workload.contains(&panel.workload));
            for name in &self.workload {
                raywalk_positions::Workload::describe(name)?;
                if !plan.panels.iter().any(|panel| panel.workload == *name) {
                    let panel = PanelPlan::of(name, StageId::All);
                    plan.panels.push(
                        panel.with_context(|| {
                            format!("workload `{name}` is too small for a speed")
                        })?,
                    );
                }
            }
        }
        if !self.stage.is_empty() {
            let stages: Vec<StageId> = self.stage.iter().map(|&stage| stage.into()).collect();
            plan.panels.retain(|panel| stages.contains(&panel.stage));
        }
        ensure!(!plan.panels.is_empty(), "the flags leave no panel of plan `{}`", plan.name);
        Ok(plan)
    }

    /// The folder of this run, made if it is not there.
    fn folder(&self, plan: &Plan) -> Result<PathBuf> {
        let folder = match (&self.out, self.resume) {
            (Some(folder), _) => folder.clone(),
            (None, true) => unfinished(Path::new(RESULTS), &plan.name)?,
            (None, false) => {
                Path::new(RESULTS).join(format!("{}-{}", plan.name, utc::now().replace(':', "")))
            }
        };
        let there = folder.join(report::JOURNAL).exists();
        if self.resume && !there {
            bail!("{} holds no journal to go on with", folder.display());
        }
        if !self.resume && there {
            bail!(
                "{} holds a journal already; add --resume, or choose another --out",
                folder.display()
            );
        }
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(folder)
    }
}

/// The programs of the layouts that a plan asks for, linked below the folder of the run.
fn relink(plan: &Plan, folder: &Path) -> Result<Vec<(Option<u64>, PathBuf)>> {
    eprintln!(
        "linking {} layouts; the first may take minutes where cargo has to build the rest again",
        plan.layouts.len()
    );
    let into = folder.join(LAYOUTS);
    let linked = |seed| eprintln!("  linked with seed {seed}");
    let programs = layouts::relink(&workspace::find()?, &plan.layouts, &into, linked)?;
    Ok(plan.layouts.iter().copied().map(Some).zip(programs).collect())
}

/// The newest folder below `results` whose journal belongs to the plan and has no end.
fn unfinished(results: &Path, plan: &str) -> Result<PathBuf> {
    let open = |folder: &PathBuf| {
        let text = std::fs::read_to_string(folder.join(report::JOURNAL)).unwrap_or_default();
        !text.is_empty() && !text.lines().any(|line| line.starts_with("{\"record\":\"end\""))
    };
    let named = |folder: &PathBuf| {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with(&format!("{plan}-"))
    };
    let folders = results.read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
    let newest = folders.filter(named).filter(open).max();
    newest
        .with_context(|| format!("{} holds no unfinished run of plan `{plan}`", results.display()))
}

fn dry_run(plan: &Plan, entries: &[&Entry], out: &mut dyn Write) -> Result<ExitCode> {
    let ids: Vec<_> = entries.iter().map(|entry| entry.card.id).collect();
    writeln!(out, "plan {}, {} designs: {}", plan.name, ids.len(), ids.join(", "))?;
    let estimate = plan.estimate(ids.len());
    for panel in &estimate.panels {
        writeln!(out, "  {:<40} about {} rounds, {}", panel.id, panel.rounds, spoken(panel.time))?;
    }
    writeln!(
        out,
        "about {} of measuring; corpora and verification come on top",
        spoken(estimate.time)
    )?;
    Ok(ExitCode::SUCCESS)
}

/// `4 s`, `12 min`.
fn spoken(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..120 => format!("{seconds} s"),
        seconds => format!("{} min", seconds.div_ceil(60)),
    }
}

/// Writes the page of a finished run, and prints its headline and where both are.
fn show(folder: &Path, wrong: bool, out: &mut dyn Write) -> Result<ExitCode> {
    let (journal, page) = (folder.join(report::JOURNAL), folder.join(report::PAGE));
    let sessions = report::write(std::slice::from_ref(&journal), &report::target_folder(), &page)?;
    print(&sessions[0], out)?;
    writeln!(out, "journal  {}\nreport   {}", journal.display(), page.display())?;
    Ok(ExitCode::from(u8::from(wrong)))
}

/// The headline table and the grade of the session; the other tables are on the page.
fn print(results: &raywalk_reports::journal::Results, out: &mut dyn Write) -> Result<()> {
    let panels = summary::summarise(results);
    if let Some(panel) = summary::headline(&panels) {
        let mut text = String::new();
        table::write(&mut text, results, panel)?;
        writeln!(out, "{text}")?;
        let others = panels.len() - 1;
        if others > 0 {
            writeln!(out, "{others} more tables and the plots are on the page.")?;
        }
    }
    let mut text = String::new();
    grade::write(&mut text, &grade::grade(results, &panels))?;
    writeln!(out, "{text}")?;
    Ok(())
}
