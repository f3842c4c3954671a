//! `raywalk run`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use raywalk_judge::Judged;
use raywalk_judge::format::plural;
use raywalk_measure::machine;
use raywalk_measure::plan::{PanelPlan, Plan};
use raywalk_page::terminal;
use raywalk_results::schema::Stage;

use super::{arguments, folders, output, report};
use crate::corpora::Corpora;
use crate::registry;
use crate::session::Assembly;
use crate::{layouts, workspace};

mod bar;
mod estimate;
mod verification;

use crate::console::note;
use bar::Bar;

/// Verify the designs, measure them, write the report
///
/// All designs of a panel run interleaved, in the same rounds and on the same positions. Each round is
/// written to the journal when it ends, so an interrupted run can be continued with --resume.
///
/// Exit code 1 if a design is wrong; it is not timed.
#[derive(clap::Args)]
pub(super) struct Run {
    /// Plan to run: `quick` (about a minute), `full` (about half an hour), or a plan file
    #[arg(long, default_value = "quick")]
    plan: String,
    /// Measure only these designs: an id, a family, or a pattern such as `bitboard/*`
    #[arg(long, value_name = "ID")]
    design: Vec<String>,
    /// Measure only these workloads; those that are not in the plan are added
    #[arg(long, value_name = "NAME")]
    workload: Vec<String>,
    /// Measure only these stages
    #[arg(long, value_parser = arguments::names(Stage::ALL, Stage::name))]
    stage: Vec<Stage>,
    /// Baseline of the ratios [default: that of the plan, or else its first design]
    #[arg(long, value_name = "ID")]
    baseline: Option<String>,
    /// Spread the rounds over N short processes, each with its own memory placement
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    processes: Option<u64>,
    /// Link the program with N random section orders, measure each, and show the spread; needs cargo,
    /// the source tree and the linker lld
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100))]
    layouts: Option<u64>,
    /// Folder for journal and report [default: raywalk-results/PLAN-TIME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Resume the journal in --out, or the newest unfinished one of the plan
    #[arg(long)]
    resume: bool,
    /// Print the plan and its estimated time, and exit
    #[arg(long)]
    dry_run: bool,
}

/// Folder of the programs of the layouts, in the folder of the run.
const LAYOUTS: &str = "layouts";

impl Default for Run {
    /// The run of `raywalk` without a command.
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
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let plan = self.plan()?;
        let entries = registry::matching(&plan.designs)?;
        if self.dry_run {
            estimate::write(&plan, &entries, out)?;
            return Ok(ExitCode::SUCCESS);
        }
        let folder = self.folder(&plan)?;
        let load = machine::load_average(); // before this process adds load
        let verified = verification::verify(&entries, out)?;
        ensure!(
            !verified.designs.is_empty(),
            "every design is wrong or unavailable on this machine"
        );
        let mut corpora = Corpora::new();
        // Linked before the journal exists: a run whose linking failed has nothing to resume.
        let relinks = !plan.layouts.is_empty();
        let programs = relinks.then(|| relink(&plan, &folder)).transpose()?;
        let mut bar = Bar::new();
        Assembly {
            plan: &plan,
            designs: verified.designs,
            records: verified.records,
            corpora: &mut corpora,
            programs,
            journal: &folder.join(folders::JOURNAL),
            resume: self.resume,
            selftest: true,
            load,
            progress: &mut bar,
        }
        .run()?;
        bar.finish();
        // Each program is as large as this one. The journal has the seeds to link it again.
        let _ = std::fs::remove_dir_all(folder.join(LAYOUTS));
        show(&folder, verified.wrong, out)
    }

    /// The plan with the changes of the flags.
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
                    plan.panels.extend(PanelPlan::of(name, Stage::All));
                }
            }
        }
        if !self.stage.is_empty() {
            plan.panels.retain(|panel| self.stage.contains(&panel.call.stage()));
        }
        ensure!(
            !plan.panels.is_empty(),
            "no panel of plan `{}` matches --workload and --stage",
            plan.name
        );
        Ok(plan)
    }

    /// The folder of this run, created if necessary.
    fn folder(&self, plan: &Plan) -> Result<PathBuf> {
        let folder = match (&self.out, self.resume) {
            (Some(folder), _) => folder.clone(),
            (None, true) => unfinished(Path::new(folders::RESULTS), &plan.name)?,
            (None, false) => folders::new_run(&plan.name),
        };
        match (self.resume, folder.join(folders::JOURNAL).exists()) {
            (true, false) => bail!("{} contains no journal to resume", folder.display()),
            (false, true) => bail!(
                "{} already contains a journal; add --resume or choose another --out",
                folder.display()
            ),
            _ => {}
        }
        folders::create(&folder)?;
        Ok(folder)
    }
}

/// Links one program per layout of the plan, in the folder of the run.
fn relink(plan: &Plan, folder: &Path) -> Result<Vec<(Option<u64>, PathBuf)>> {
    note!(
        "linking {}; the first takes minutes if cargo has to rebuild the libraries",
        plural(plan.layouts.len(), "layout")
    );
    let into = folder.join(LAYOUTS);
    let linked = |seed| note!("  linked seed {seed}");
    let programs = layouts::relink(&workspace::find()?, &plan.layouts, &into, linked)?;
    Ok(plan.layouts.iter().copied().map(Some).zip(programs).collect())
}

/// The newest folder in `results` with an unfinished journal of this plan.
fn unfinished(results: &Path, plan: &str) -> Result<PathBuf> {
    let unfinished = |folder: &PathBuf| {
        let text = std::fs::read_to_string(folder.join(folders::JOURNAL)).unwrap_or_default();
        !text.is_empty() && !text.lines().any(|line| line.starts_with("{\"record\":\"end\""))
    };
    let named = |folder: &PathBuf| {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with(&format!("{plan}-"))
    };
    let folders = results.read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
    // Names end in the time, so the greatest is the newest.
    let newest = folders.filter(named).filter(unfinished).max();
    newest.with_context(|| {
        format!("{} contains no unfinished run of plan `{plan}`", results.display())
    })
}

/// Writes the page of a finished run, and prints the headline table and the paths of journal and page.
fn show(folder: &Path, wrong: bool, out: &mut dyn Write) -> Result<ExitCode> {
    let (journal, page) = (folder.join(folders::JOURNAL), folder.join(folders::PAGE));
    let sessions = report::write(std::slice::from_ref(&journal), &report::target_folder(), &page)?;
    print(&Judged::of(&sessions[0]), out)?;
    writeln!(out, "journal  {}\nreport   {}", journal.display(), page.display())?;
    Ok(ExitCode::from(u8::from(wrong)))
}

/// Prints the headline table and the grade of the session.
fn print(session: &Judged<'_>, out: &mut dyn Write) -> Result<()> {
    let mut text = output::screen();
    if let Some(panel) = session.headline() {
        terminal::session::write(&mut text, session.results, panel);
        text.blank();
        let others = session.panels.len() - 1;
        if others > 0 {
            let tables = plural(others, "more table");
            text.line(format!("The report has {tables} and the plots."));
        }
    }
    terminal::grade::write(&mut text, &session.grade);
    writeln!(out, "{}", text.as_str())?;
    Ok(())
}
