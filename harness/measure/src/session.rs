//! Runs a plan: sizes each panel, starts processes for its rounds, and appends the rounds to the journal.
//!
//! One process is a single sample of the addresses of code, stack and tables, however many rounds it runs
//! (T. Mytkowicz et al., *Producing wrong data without doing anything obviously wrong!*, ASPLOS
//! 2009; C. Curtsinger and E. D. Berger, *Stabilizer*, ASPLOS 2013). A session therefore consists of
//! several short processes. The first one verifies the designs, determines the batch sizes and the number
//! of rounds, and writes the journal. Each of the others runs one [`Job`], a share of the rounds of every
//! panel.
//!
//! Within a round all designs, and the baseline a second time, run on the same positions in the order of
//! the schedule. After the round the checksums of all samples, each computed after its sample was timed,
//! are compared. A wrong answer stops the session, and nothing of its round is kept.
//!
//! A plug-in is code of a user. The first process never calls it, and a plug-in that crashes, hangs or gives a wrong
//! answer in another one is dropped: the journal records the reason, and the rounds continue without it.
//!
//! Layers, bottom to top: `error`, `instruments`, `pace`, `recorded` · `message`, `sample` · `runner` · `job` · this
//! file.

use std::ops::Range;
use std::time::Duration;

use raywalk_core::random::mix;
use raywalk_results::journal::Journal;
use raywalk_results::schema::{Build, Dropped, Panel, Record, RecordKind};

use crate::clock::Clock;
use crate::environment::Best;
use crate::plan::{PanelPlan, Plan, share_of};
use crate::progress::{Activity, Progress, Step};
use crate::sizing::{self, Cost};

mod error;
mod instruments;
mod job;
mod message;
mod pace;
mod recorded;
mod resumed;
mod runner;
mod sample;

use pace::{Pace, Work};
use resumed::is_possible;

pub use error::{SessionError, WrongAnswer};
pub use instruments::{Instruments, WorkloadPositions, Workloads};
pub use job::{Job, Task, Workers};
pub use message::{Message, Receive};

/// Numbers of rounds of a session, and the plug-ins that it dropped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Rounds that this run added.
    pub rounds: u64,
    /// Rounds that were in the journal already.
    pub resumed: u64,
    /// Plug-ins that were dropped, each with the reason.
    pub dropped: Vec<Dropped>,
}

/// A plan and everything that running it needs.
pub struct Session<'a, C: Clock> {
    /// Panels, designs and rounds to measure.
    pub plan: &'a Plan,
    /// The instruments that size the panels.
    pub instruments: Instruments<'a, C>,
    /// Runs the jobs, in processes or, in tests, in this one.
    pub workers: &'a mut dyn Workers,
    /// The build of this program.
    pub build: Build,
    /// Time that the command has taken before.
    pub spent: Duration,
    /// The journal of the session.
    pub journal: &'a mut Journal,
    /// Is told of each sized panel and of each round.
    pub progress: &'a mut dyn Progress,
}

struct Ready {
    panel: Panel,
    seed: u64,
    /// If this run has sized the panel.
    cost: Option<Cost>,
    /// The shares of its rounds that the session makes.
    shares: Vec<u64>,
}

impl Ready {
    /// The rounds that the session makes of one of so many shares.
    fn rounds(&self, shares: u64, share: u64) -> Range<u64> {
        match self.shares.contains(&share) {
            true => share_of(self.panel.rounds, shares, share),
            false => 0..0,
        }
    }
}

impl<C: Clock> Session<'_, C> {
    /// Runs the part of the plan that is not in the journal yet. The caller writes the journal's end,
    /// because it may add counts and timings of other tools.
    ///
    /// # Errors
    /// [`SessionError`]; everything measured before it is in the journal.
    pub fn run(mut self) -> Result<Outcome, SessionError> {
        let begun = self.instruments.clock.seconds();
        let mut panels = self.size()?;
        let sizing = self.instruments.clock.seconds() - begun;
        self.allot(&mut panels, self.spent.as_secs_f64() + sizing);
        // Only now: the rounds of a panel depend on the costs of all.
        for ready in &panels {
            self.journal.panel(&ready.panel)?;
        }
        let known = |ready: &Ready| self.journal.rounds(&ready.panel.id);
        let mut outcome = Outcome { resumed: panels.iter().map(known).sum(), ..Outcome::default() };
        let all = self.plan.shares();
        let works = panels.iter().map(|ready| Work {
            panel: &ready.panel.id,
            rounds: (0..all).map(|share| ready.rounds(all, share).count() as u64).sum(),
            seconds: ready
                .cost
                .map(|cost| cost.of(ready.panel.rounds, all) / ready.panel.rounds.max(1) as f64),
        });
        let mut pace = Pace::new(&works.collect::<Vec<_>>(), self.instruments.clock.seconds());
        panels.iter().for_each(|ready| pace.skip(&ready.panel.id, known(ready)));
        // The best levels that a process has reported, and when.
        let mut best = (Best::default(), self.instruments.clock.seconds());
        let mut shares = (0..all).peekable();
        while let Some(&share) = shares.peek() {
            // A process that failed since then has reported none, and may have taken long.
            let age = self.instruments.clock.seconds() - best.1;
            let job = self.job(&panels, share, best.0.later(age));
            if job.tasks.is_empty() {
                shares.next();
                continue;
            }
            let Session { instruments, workers, journal, progress, .. } = &mut self;
            let clock = instruments.clock;
            let run = workers.run(&job, &mut |message| {
                match message {
                    Message::Started(process) => journal.append(Record::Process(process))?,
                    Message::WarmUp(warm_up) => journal.append(Record::WarmUp(warm_up))?,
                    Message::Round(round) => {
                        let panel = round.panel.clone();
                        journal.round(*round)?;
                        outcome.rounds += 1;
                        pace.made(&panel, clock.seconds());
                        progress.step(&pace.step(&panel, Activity::Measuring));
                    }
                    Message::Done(seen) => best = (seen, clock.seconds()),
                    Message::Failed(why) => return Err(SessionError::Process(why)),
                    Message::Unfit(dropped) => return Err(SessionError::Plugin(dropped)),
                    // Not for the journal: they limit the time of a plug-in, where the process is watched.
                    Message::Calling { .. } | Message::Returned => {}
                }
                Ok(())
            });
            match run {
                // The rest of the share is made by another process.
                Err(SessionError::Plugin(dropped)) => {
                    let is_other = |id: &String| *id != dropped.design;
                    panels.iter_mut().for_each(|ready| ready.panel.designs.retain(is_other));
                    self.journal.append(Record::Dropped(dropped.clone()))?;
                    outcome.dropped.push(dropped);
                    continue;
                }
                run => run?,
            }
            shares.next();
            // A process that ended early without a message must not leave a journal that looks complete.
            if let Some(task) =
                job.tasks.iter().find(|task| self.made(&task.panel) < job.rounds(task).end)
            {
                return Err(SessionError::Process(format!(
                    "a process ended before its rounds of panel `{}` were made",
                    task.panel.id
                )));
            }
        }
        Ok(outcome)
    }

    /// The first round of a panel that is not in the journal.
    fn made(&self, panel: &Panel) -> u64 {
        self.journal.next_round(&panel.id)
    }

    /// The missing rounds of a share.
    fn job(&self, panels: &[Ready], share: u64, best: Best) -> Job {
        let shares = self.plan.shares();
        let tasks = panels.iter().filter_map(|ready| {
            let Ready { panel, seed, .. } = ready;
            let rounds = ready.rounds(shares, share);
            let next = self.made(panel).max(rounds.start);
            let task = Task { panel: panel.clone(), seed: *seed, next };
            (next < rounds.end).then_some(task)
        });
        let processes = &self.journal.contents().processes;
        let process = processes.len() as u64;
        // The process of a share is placed alike in a whole session and in a shard. One that resumes the share is
        // placed anew.
        let before = processes.iter().filter(|process| process.share == share).count() as u64;
        let place = share + shares * before;
        let word = |purpose| mix(mix(self.plan.seed() ^ mix(place)) ^ purpose);
        let layouts = &self.plan.layouts;
        let batches =
            panels.iter().map(|Ready { panel, .. }| panel.rounds * panel.designs.len() as u64);
        Job {
            process,
            share,
            shares,
            layout: layouts.get(share as usize % layouts.len().max(1)).copied(),
            padding: word(0) % PAGE,
            // The allocator rounds sizes up to sixteen bytes.
            heap_padding: (word(1) % PAGE) & !15,
            pages: word(2),
            patience: self.plan.patience(batches.sum()),
            best,
            build: self.build.clone(),
            files: self.plan.files().into_iter().cloned().collect(),
            plugins: self.plan.libraries(),
            tasks: tasks.collect(),
        }
    }

    /// Describes every panel that the session makes rounds of, and determines the batch size of those that are not in
    /// the journal.
    fn size(&mut self) -> Result<Vec<Ready>, SessionError> {
        let plan = self.plan;
        let baseline = self.baseline()?;
        let mut panels = Vec::with_capacity(plan.panels.len());
        for ((number, asked), shares) in plan.panels.iter().enumerate().zip(plan.dealt()) {
            if shares.is_empty() {
                continue;
            }
            // The number counts the panels of other shards as well, so that a shard has the orders of the whole plan.
            let seed = mix(plan.seed() ^ mix(number as u64));
            let mut panel = self.describe(asked, &baseline)?;
            let known = self.journal.contents().panel(&panel.id);
            let known = known.map(|known| (known.panel.clone(), is_possible(plan, known)));
            if let Some((known, is_possible)) = known {
                let learning = known.learning.clone();
                // The sizes stay those of the journal. Everything else has to be as it is described now.
                let Panel { roots, batch, blocks, rounds, .. } = known;
                panel = Panel { roots, batch, blocks, rounds, learning, ..panel };
                if known != panel || !is_possible {
                    return Err(self.journal.changed(RecordKind::Panel, &panel.id).into());
                }
                panels.push(Ready { panel, seed, cost: None, shares });
                continue;
            }
            let activity = Activity::Sizing;
            let step = Step { done: 0, total: 1, panel: &panel.id, activity, left: None };
            self.progress.step(&step);
            let clock = self.instruments.clock;
            // A plug-in that crashes must not end the session, so it is not called here.
            let designs = self.instruments.designs.iter();
            let plugins: Vec<&str> =
                designs.filter(|design| design.is_plugin()).map(|design| design.id()).collect();
            let mut sized = panel.clone();
            sized.designs.retain(|id| !plugins.contains(&id.as_str()));
            let (learning, roots, [batch, blocks], cost) =
                self.instruments.open(&sized, seed, None, |runner| {
                    let learning = runner.learn();
                    let (batch, blocks) = runner.size(plan);
                    // The first round of a turn, which is not kept, shows how long preparation and rounds take.
                    let begun = clock.seconds();
                    let turn = runner.turn(0);
                    let first = turn.start..turn.start + 1;
                    runner.rounds(first, [batch, blocks], None, &mut |_| Ok(()))?;
                    // A plug-in is taken to cost as much as the others. The A/A control is one more.
                    let (all, timed) = (panel.designs.len() + 1, sized.designs.len() + 1);
                    let scale = all as f64 / timed as f64;
                    let time = (clock.seconds() - begun) * scale;
                    let length = turn.end - turn.start;
                    let prepared = (runner.prepared() * scale).min(time);
                    let round = time - prepared;
                    let cost = Cost { turn: prepared, round, length, weight: asked.weight() };
                    Ok((learning, runner.batches.roots(), [batch, blocks], cost))
                })?;
            panel.learning = learning;
            panel.roots = roots as u64;
            panel.batch = batch as u64;
            panel.blocks = blocks as u64;
            panels.push(Ready { panel, seed, cost: Some(cost), shares });
        }
        Ok(panels)
    }

    /// Sets the number of rounds of the panels that this run has sized. `spent` is the seconds since the verification
    /// began. Shards cannot time each other's panels, and all must come to the same numbers.
    fn allot(&self, panels: &mut [Ready], spent: f64) {
        if self.plan.shard.is_some() {
            let (_, rounds) = self.plan.expected(self.instruments.designs.len());
            for (asked, rounds) in self.plan.panels.iter().zip(rounds) {
                let id = asked.id();
                let sized = |ready: &&mut Ready| ready.cost.is_some() && ready.panel.id == id;
                panels.iter_mut().filter(sized).for_each(|ready| ready.panel.rounds = rounds);
            }
            return;
        }
        let costs: Vec<Cost> = panels.iter().filter_map(|ready| ready.cost).collect();
        let share_of_all = costs.len() as f64 / panels.len().max(1) as f64;
        let starts = self.plan.shares() as f64 * START;
        let time = self.plan.rounds.time_after(spent + starts).map(|time| time * share_of_all);
        let rounds = sizing::allot(self.plan.rounds, &costs, time, self.plan.shares());
        let open = panels.iter_mut().filter(|ready| ready.cost.is_some());
        for (ready, rounds) in open.zip(rounds) {
            ready.panel.rounds = rounds;
        }
    }

    fn baseline(&self) -> Result<String, SessionError> {
        let designs = self.instruments.designs.iter();
        let mut ids = designs.filter(|design| !design.is_plugin()).map(|design| design.id());
        let Some(first) = ids.clone().next() else { return Err(SessionError::NoDesigns) };
        let Some(name) = &self.plan.baseline else { return Ok(first.to_owned()) };
        ids.clone()
            .find(|id| id == name)
            .or_else(|| ids.find(|id| id.split('/').next() == Some(name)))
            .map(str::to_owned)
            .ok_or_else(|| SessionError::NoBaseline(name.clone()))
    }

    /// Describes a panel of the plan, without its sizes.
    fn describe(&mut self, plan: &PanelPlan, wanted: &str) -> Result<Panel, SessionError> {
        let id = plan.id();
        let positions = self.instruments.workloads.positions(&plan.workload);
        let unusable = |why| SessionError::Workload { workload: plan.workload.clone(), why };
        let positions = positions.map_err(unusable)?.positions.len();
        let designs = self.instruments.designs.iter();
        let designs: Vec<String> = designs
            .filter(|design| design.offers(plan.call))
            .map(|design| design.id().to_owned())
            .collect();
        // If the baseline does not offer the call, the first design that does takes its place. A plug-in
        // cannot, because it may be dropped.
        let instruments = &self.instruments;
        let is_built_in = |id: &&String| {
            instruments
                .designs
                .iter()
                .any(|design| design.id() == id.as_str() && !design.is_plugin())
        };
        let mut built_in = designs.iter().filter(is_built_in);
        let first = built_in.clone().next();
        let baseline = built_in.find(|id| *id == wanted).or(first);
        let Some(baseline) = baseline.cloned() else { return Err(SessionError::NotOffered(id)) };
        Ok(Panel {
            id,
            workload: plan.workload.clone(),
            regime: plan.regime.clone(),
            call: plan.call,
            positions: positions as u64,
            roots: 0,
            batch: 0,
            blocks: 1,
            aa_control: aa_control_name(&baseline),
            designs,
            baseline,
            rounds: 0,
            learning: None,
            memorisation_curve: plan.is_on_memorisation_curve(),
        })
    }
}

/// Upper bound of the bytes by which stack and heap of a process are moved, drawn at random: one page,
/// because caches and predictors see the same low bits of the addresses again after a page.
const PAGE: u64 = 4096;

/// Seconds in which a process starts, builds its tables and warms up, about.
const START: f64 = 0.3;

/// The name under which a baseline runs a second time.
fn aa_control_name(baseline: &str) -> String {
    format!("{baseline} (again)")
}

#[cfg(test)]
mod tests;
