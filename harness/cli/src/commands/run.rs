//! `raywalk run`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, bail, ensure};
use raywalk_judge::format::plural;
use raywalk_judge::{Judged, leaves};
use raywalk_measure::machine;
use raywalk_measure::plan::{BuiltIn, Plan, PluginFile};
use raywalk_page::terminal;
use raywalk_results::schema::{Dropped, Shard, Stage};

use crate::corpora::Corpora;
use crate::plugin::Plugins;
use crate::registry::{self, Designs, Entry};
use crate::session::Assembly;
use crate::{arguments, folders, interrupt, layouts, output, pages, peers, workspace};

mod bar;
mod checks;
mod estimate;
mod panels;
mod place;
mod verification;

use crate::console::note;
use bar::Bar;
use place::Place;

/// Verify the designs, measure them, write the report
///
/// All designs of a panel run interleaved, in the same rounds and on the same positions. Each round is
/// written to the journal when it ends, so an interrupted run can be continued with --resume.
///
/// Exit code 1 if a design is wrong; it is not timed.
#[derive(Default, clap::Args)]
pub(super) struct Run {
    /// Plan to run: `quick` (about a minute), `full` (about 80 minutes), or a plan file, `-` for
    /// standard input [default: quick]
    #[arg(long)]
    plan: Option<PathBuf>,
    /// Measure only these designs: an id, a family, or a pattern such as `bitboard/*`
    #[arg(long, value_name = "ID")]
    design: Vec<String>,
    #[command(flatten)]
    plugins: Plugins,
    /// Do not measure the peers, the generators of other chess libraries. Without this option, the peers that the
    /// plan or --design names are built once, which needs cargo and the source tree
    #[arg(long)]
    no_peers: bool,
    /// Measure only these workloads; those that are not in the plan are added. A workload is a name or
    /// the path of a file of positions: FEN or EPD, one per line, or PGN
    #[arg(long, value_name = "NAME|FILE")]
    workload: Vec<String>,
    /// Measure the workloads of --workload as replays of K positions: the only regime for a file with fewer positions
    /// than a branch predictor can memorise
    #[arg(long, value_name = "K", requires = "workload", value_parser = clap::value_parser!(u64).range(1..))]
    replay: Option<u64>,
    /// Measure only these stages; those that the plan lacks are added for each --workload
    #[arg(long, value_parser = arguments::names(&Stage::ALL, Stage::name))]
    stage: Vec<Stage>,
    /// Baseline of the ratios [default: that of the plan, or else its first design]
    #[arg(long, value_name = "ID")]
    baseline: Option<String>,
    /// Spread the rounds over N short processes, each with its own memory placement
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    processes: Option<u64>,
    /// Measure only shard I of N of the plan, on this machine or another one of its kind; needs --seed. `raywalk
    /// merge` merges the shards
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    #[command(flatten)]
    flags: Flags,
    /// Print the plan and its estimated time, and exit
    #[arg(long)]
    dry_run: bool,
}

/// The flags of every command that measures a plan.
#[derive(Default, clap::Args)]
pub(super) struct Flags {
    /// Seed of every random order, to repeat a session [default: that of the plan, or else drawn and
    /// printed]
    #[arg(long, value_name = "N", value_parser = arguments::seed())]
    seed: Option<u64>,
    /// Link the program with N random section orders, measure each, and show the spread. Each is one sample, so
    /// fewer than 12 make wide intervals. Needs cargo, the source tree and the linker lld. Linking takes seconds, after
    /// a plain `cargo run` minutes for the first layout; it is stopped after an hour
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100))]
    layouts: Option<u64>,
    /// Folder for journal and report [default: raywalk-results/PLAN-TIME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Resume the run in --out, or the newest unfinished one; needs no other flag, because the journal
    /// contains the plan
    #[arg(long)]
    resume: bool,
}

/// Folder of the programs of the layouts, in the folder of the run.
const LAYOUTS: &str = "layouts";

impl Run {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let given = self.plan.as_deref().map(named).transpose()?;
        let name = given.as_ref().map(|plan| plan.name.clone());
        let usual = || Ok(with_designs(BuiltIn::Quick));
        let (plan, place) = self.begun_or_resumed(given, usual, name.as_deref())?;
        if self.dry_run {
            let entries = self.checked(&plan, out)?;
            let mut ids: Vec<_> = entries.iter().map(|entry| entry.card.id).collect();
            ids.extend(peers::named(&plan.designs));
            let mut text = output::screen();
            estimate::write(&plan, &ids, &mut text);
            out.write_all(text.as_str().as_bytes())?;
            return Ok(ExitCode::SUCCESS);
        }
        let Measured { folder, wrong } = self.measure(plan, place, out)?;
        show(&folder, wrong, out)
    }

    /// Verifies the designs, and times those that are right.
    fn measure(&self, mut plan: Plan, place: Place, out: &mut dyn Write) -> Result<Measured> {
        let mut entries = self.checked(&plan, out)?;
        if !peers::named(&plan.designs).is_empty() {
            let begun = plan.designs.clone();
            peers::join(&mut plan)?;
            ensure!(
                !self.flags.resume || plan.designs == begun,
                "the run was begun with peers that cannot be had now; start a new run"
            );
            entries = self.entries(&plan)?;
        }
        note!("seed {}", plan.draw_seed());
        interrupt::install();
        // Peers are built before this: the time of a plan does not contain it.
        let begun = Instant::now();
        let load = machine::load_average(); // before this process adds load
        let verified = verification::verify(&entries, out)?;
        ensure!(
            !verified.designs.is_empty(),
            "every design is wrong or unavailable on this machine"
        );
        let right: Vec<_> = verified.designs.iter().map(|design| design.id()).collect();
        checks::takes_part(&plan, &right)?;
        let folder = place.create()?;
        let journal = folder.join(folders::JOURNAL);
        interrupt::is_in(&folder, &journal);
        let mut corpora = Corpora::new(plan.files());
        // Linked before the journal exists: a run whose linking failed has nothing to resume.
        let relinks = !plan.layouts.is_empty();
        let programs = relinks.then(|| relink(&plan, &folder)).transpose()?;
        let mut bar = Bar::new(plan.panels.len());
        let assembly = Assembly {
            plan: &plan,
            entries: &entries,
            designs: verified.designs,
            records: verified.records,
            corpora: &mut corpora,
            programs,
            journal: &journal,
            resume: self.flags.resume,
            selftest: true,
            begun,
            plugin_timeout: self.plugins.timeout,
            load,
            progress: &mut bar,
        };
        let dropped = assembly.run()?;
        bar.finish();
        for Dropped { design, why } in &dropped {
            writeln!(out, "{design} {why}; nothing of it is kept")?;
        }
        // Each program is as large as this one. The journal has the seeds to link it again.
        let _ = std::fs::remove_dir_all(folder.join(LAYOUTS));
        Ok(Measured { folder, wrong: verified.wrong || !dropped.is_empty() })
    }

    /// The designs of a plan without its peers, which may have to be built. Its panels are checked, and its
    /// files are described on `out`.
    fn checked(&self, plan: &Plan, out: &mut dyn Write) -> Result<Vec<&'static Entry>> {
        let mut plain = plan.clone();
        peers::leave_out(&mut plain, &[])?;
        let entries = self.entries(&plain)?;
        checks::check(plan, &entries)?;
        for file in plan.files() {
            writeln!(out, "{}", file.contents)?;
        }
        Ok(entries)
    }

    /// The designs of a plan: those of all plug-ins, and the peers that it names.
    fn entries(&self, plan: &Plan) -> Result<Vec<&'static Entry>> {
        let designs = Designs::of_files(&plan.libraries(), self.plugins.timeout)?;
        let mut entries = designs.with_all_plugins(&plan.designs)?;
        let named = peers::named(&plan.designs);
        // A library of peers has others beside those that are named.
        let is_wanted = |id| plan.peers.is_empty() || !peers::is_peer(id) || named.contains(&id);
        entries.retain(|entry| is_wanted(entry.card.id));
        Ok(entries)
    }

    /// Plan and folder of the run to resume (of the named plan, if one is named), or else of a new run of the given or
    /// the usual plan.
    fn begun_or_resumed(
        &self,
        given: Option<Plan>,
        usual: impl FnOnce() -> Result<Plan>,
        name: Option<&str>,
    ) -> Result<(Plan, Place)> {
        if self.flags.resume {
            return self.resumed(given, name);
        }
        let plan = self.changed(given.map_or_else(usual, Ok)?)?;
        let place = Place::of(self.flags.out.as_deref(), &plan.name)?;
        Ok((plan, place))
    }

    /// Plan and folder of the run to resume. The plan comes from the journal; flags may repeat it. Without
    /// `--out` it is the newest unfinished run, of a plan of this name if there is one.
    fn resumed(&self, given: Option<Plan>, name: Option<&str>) -> Result<(Plan, Place)> {
        let folder = place::to_resume(self.flags.out.as_deref(), name)?;
        let journal = folder.join(folders::JOURNAL);
        let plan = match (place::stored(&journal)?, given) {
            (None, None) => bail!(
                "{} was stopped before its plan was recorded; name the plan with --plan and the folder with --out",
                journal.display()
            ),
            (None, Some(plan)) => self.changed(plan)?,
            (Some((session, plan)), given) => {
                let mut asked = given.unwrap_or_else(|| plan.clone());
                asked.seed = asked.seed.or(plan.seed);
                asked.shard = plan.shard;
                let asked = self.changed(asked)?;
                if let Some(difference) = plan.difference(&asked) {
                    bail!(
                        "{} was begun with other flags: {} `{}` there, `{}` here; leave the flags out \
                         to resume it, or start a new run",
                        journal.display(),
                        difference.what,
                        difference.one,
                        difference.other
                    );
                }
                place::can_be_resumed(&journal, &session, &plan)?;
                plan
            }
        };
        Ok((plan, Place::Named(folder)))
    }

    /// A plan with the changes of the flags.
    fn changed(&self, mut plan: Plan) -> Result<Plan> {
        if !self.design.is_empty() {
            plan.designs = self.design.clone();
        }
        if self.no_peers {
            peers::leave_out(&mut plan, &[])?;
        }
        if !self.plugins.files.is_empty() {
            let files = self.plugins.files.iter().map(|path| PluginFile::read(path));
            plan.plugins = files.collect::<Result<_, _>>()?;
        }
        if self.baseline.is_some() {
            plan.baseline = self.baseline.clone();
        }
        if let Some(processes) = self.processes {
            plan.processes = processes;
        }
        plan.seed = self.flags.seed.or(plan.seed);
        plan.shard = self.shard.or(plan.shard);
        ensure!(
            plan.shard.is_none() || plan.seed.is_some(),
            "--shard needs --seed: the shards of a plan must share one seed, and without it each run draws its own"
        );
        if let Some(layouts) = self.flags.layouts {
            plan.draw_seed();
            plan.draw_layouts(layouts);
        }
        self.select_panels(&mut plan)?;
        plan.check_shard()?;
        Ok(plan)
    }
}

/// Runs the given plan for another command, or else its usual plan, which has this name. Names of files and wrong
/// designs are written to `out`.
pub(super) fn measure(
    given: Option<Plan>,
    usual: impl FnOnce() -> Result<Plan>,
    name: &str,
    flags: Flags,
    out: &mut dyn Write,
) -> Result<Measured> {
    let run = Run { flags, ..Run::default() };
    let name = given.as_ref().map_or_else(|| name.to_owned(), |plan| plan.name.clone());
    let (plan, place) = run.begun_or_resumed(given, usual, Some(&name))?;
    run.measure(plan, place, out)
}

pub(super) struct Measured {
    pub(super) folder: PathBuf,
    /// Whether a design was wrong.
    pub(super) wrong: bool,
}

/// The built-in plan of this name, or that of the file.
pub(super) fn named(name: &Path) -> Result<Plan> {
    match name.to_str().and_then(BuiltIn::named) {
        Some(built_in) => Ok(with_designs(built_in)),
        None => Ok(Plan::read(name)?),
    }
}

fn with_designs(built_in: BuiltIn) -> Plan {
    match built_in {
        BuiltIn::Quick => {
            let designs = [registry::quick(), peers::QUICK.map(str::to_owned).into()].concat();
            Plan { designs, ..Plan::quick() }
        }
        BuiltIn::Full => {
            // All built-in designs, and all peers.
            let designs = vec!["*".to_owned()];
            let number = registry::DESIGNS.len() + peers::named(&designs).len();
            Plan { designs, ..Plan::full(number) }
        }
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
    let programs = layouts::relink(&workspace::find()?, &plan.layouts, &into, linked)
        .map_err(checks::failure)?;
    Ok(plan.layouts.iter().copied().map(Some).zip(programs).collect())
}

/// Writes the page of a finished run, and prints the headline table and the paths of journal and page.
fn show(folder: &Path, wrong: bool, out: &mut dyn Write) -> Result<ExitCode> {
    let (journal, page) = (folder.join(folders::JOURNAL), folder.join(folders::PAGE));
    let sessions = pages::read(std::slice::from_ref(&journal), None)?;
    let judged: Vec<Judged<'_>> = sessions.iter().map(Judged::of).collect();
    pages::write(&judged, &page)?;
    print(&judged[0], out)?;
    writeln!(out, "journal  {}\nreport   {}", journal.display(), page.display())?;
    Ok(ExitCode::from(u8::from(wrong)))
}

/// Prints the headline table and what the session resolves.
fn print(session: &Judged<'_>, out: &mut dyn Write) -> Result<()> {
    let mut text = output::screen();
    if let Some(panel) = session.headline() {
        terminal::session::write(&mut text, session, panel);
        text.blank();
        let others = session.panels.len() - 1;
        if others > 0 {
            let tables = plural(others, "more table");
            text.line(format!("The report has {tables} and the plots."));
        }
    }
    for table in raywalk_page::calls(session) {
        table.write(&mut text);
        text.blank();
    }
    terminal::leaves::write(&mut text, session, &leaves::tables(session));
    terminal::trust::write(&mut text, &session.trust);
    writeln!(out, "{}", text.as_str())?;
    Ok(())
}
