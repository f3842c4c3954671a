//! Carries a plan out: sizes each panel, sends out processes for its rounds, keeps them in the
//! journal.
//!
//! One process is one sample of where code, stack and tables lie, however often it repeats itself
//! (T. Mytkowicz et al., *Producing wrong data without doing anything obviously wrong!*, ASPLOS 2009;
//! C. Curtsinger and E. D. Berger, *Stabilizer*, ASPLOS 2013). So a session is several short
//! processes: this one proves the designs, settles how many positions a batch has and how many
//! rounds fit, and writes the journal; the others carry out one [`Errand`] each, a share of the
//! rounds of every panel.
//!
//! Within a round all designs, and the baseline a second time, work on the same positions, in the
//! order of the schedule. Every sample's checksum, made behind what is timed, is compared with an
//! answer made before anything of the round was timed; a wrong answer stops the session, because a
//! wrong answer has no time.
//!
//! Where a regime disturbs the machine before each call, each call is timed by itself, and what the
//! clock takes is timed with empty calls, in the same sample, and subtracted.

use std::borrow::Cow;

use raywalk_core::{Checksum, Position, Scope};
use raywalk_reports::schema::{Build, Panel, Regime};

use super::clock::Clock;
use super::counters::Counters;
use super::disturb::Disturbances;
use super::journal::{Journal, JournalError};
use super::plan::{PanelPlan, Plan};
use super::progress::{Progress, Step};
use super::quiet::Look;
use super::schedule::mix;
use super::subject::Subject;

mod errand;
pub mod feed;
mod pace;
mod runner;
mod sample;
pub mod sizing;

use pace::Pace;

pub use errand::{Errand, Hear, Message, Placement, Task, Workers};

/// Where positions come from.
pub trait Workloads {
    /// The positions of a workload in the order they are visited, repeats included.
    ///
    /// # Errors
    /// One sentence why there are none.
    fn positions(&mut self, workload: &str) -> Result<Cow<'_, [Position]>, String>;
}

/// Why a session stopped.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// A design generated other moves than the referee of its class.
    #[error(transparent)]
    Wrong(Box<WrongAnswer>),
    /// A workload has no positions, or too few for its regime.
    #[error("workload `{workload}`: {why}")]
    Workload {
        /// Its name.
        workload: String,
        /// One sentence.
        why: String,
    },
    /// What a regime does before each call cannot be done here.
    #[error("panel `{panel}`: {why}")]
    Regime {
        /// Its id.
        panel: String,
        /// One sentence.
        why: String,
    },
    /// A panel asks for a scope that no design has.
    #[error("panel `{0}`: no design that takes part has sliders apart from the other pieces")]
    NoScope(String),
    /// There is nothing to measure.
    #[error("no design takes part, so there is nothing to measure")]
    NoDesigns,
    /// The baseline takes no part.
    #[error("the baseline `{0}` is none of the designs that take part")]
    NoBaseline(String),
    /// A process of the session broke its errand off.
    #[error("{0}")]
    Process(String),
    /// The journal cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// A design, and what it should have found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{design}` is wrong in panel {panel}, round {round}, positions {first} to {}: \
     it found {} moves (word {:016x}) where `{referee}` found {} (word {:016x}); \
     a wrong answer has no time, so the session stops here",
    first + positions - 1, found.moves, found.word, expected.moves, expected.word
)]
pub struct WrongAnswer {
    /// Id of the design.
    pub design: String,
    /// Id of the panel.
    pub panel: String,
    /// Number of the round.
    pub round: u64,
    /// Index of the first position of the batch.
    pub first: u64,
    /// Positions in the batch.
    pub positions: u64,
    /// Whose answer it is compared with.
    pub referee: String,
    /// The answer.
    pub expected: Checksum,
    /// What the design gave.
    pub found: Checksum,
}

/// What a run of a session did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Rounds that this run added.
    pub rounds: u64,
    /// Rounds that were in the journal already.
    pub resumed: u64,
}

/// What a process measures with.
pub struct Instruments<'a, C: Clock, K: Counters> {
    /// The designs, verified, in registry order.
    pub subjects: &'a mut [Box<dyn Subject>],
    /// The positions.
    pub workloads: &'a mut dyn Workloads,
    /// What times.
    pub clock: &'a C,
    /// What counts.
    pub counters: &'a mut K,
    /// What disturbs.
    pub disturbances: &'a dyn Disturbances,
}

/// A plan with everything that it needs to be carried out.
pub struct Session<'a, C: Clock, K: Counters> {
    /// What to do.
    pub plan: &'a Plan,
    /// What the panels are sized with.
    pub instruments: Instruments<'a, C, K>,
    /// Who makes the rounds.
    pub workers: &'a mut dyn Workers,
    /// The build that this is.
    pub build: Build,
    /// How many random outcomes this machine's predictor memorises, if that is known.
    pub knee: Option<f64>,
    /// The best that was seen of the machine so far.
    pub best: Look,
    /// Where the rounds go.
    pub journal: &'a mut Journal,
    /// Who is told.
    pub progress: &'a mut dyn Progress,
}

/// A panel that is ready for its rounds.
struct Ready {
    panel: Panel,
    seed: u64,
    /// Seconds of one round, if it was sized now.
    cost: Option<f64>,
}

impl<C: Clock, K: Counters> Session<'_, C, K> {
    /// Carries out what of the plan is not in the journal yet. Writing the journal's end is left to
    /// the caller, who may have counts and timings of other tools to add.
    ///
    /// # Errors
    /// [`SessionError`]; what was measured before it is in the journal.
    pub fn run(mut self) -> Result<Outcome, SessionError> {
        let mut panels = self.size()?;
        self.allot(&mut panels);
        for ready in &panels {
            self.journal.panel(&ready.panel)?;
        }
        let resumed = panels.iter().map(|ready| self.made(&ready.panel)).sum();
        let mut outcome = Outcome { rounds: 0, resumed };
        let mut pace = Pace::new(&panels, self.instruments.clock.seconds());
        panels.iter().for_each(|ready| pace.skip(ready, self.made(&ready.panel)));
        for share in 0..self.plan.shares() {
            let errand = self.errand(&panels, share);
            if errand.tasks.is_empty() {
                continue;
            }
            let Session { instruments, workers, journal, progress, best, .. } = &mut self;
            let clock = instruments.clock;
            workers.carry_out(&errand, &mut |message| {
                match message {
                    Message::Began(process) => journal.process(process)?,
                    Message::WarmUp(warm_up) => journal.warm_up(warm_up)?,
                    Message::Round(round) => {
                        let panel = round.panel.clone();
                        journal.round(*round)?;
                        outcome.rounds += 1;
                        pace.made(&panel, clock.seconds());
                        progress.step(&pace.step(&panel, "measuring"));
                    }
                    Message::Ended(seen) => *best = seen,
                    Message::Failed(why) => return Err(SessionError::Process(why)),
                }
                Ok(())
            })?;
            // A process that ends early and says nothing must not end in a journal that looks whole.
            if let Some(task) =
                errand.tasks.iter().find(|task| self.made(&task.panel) < task.rounds.end)
            {
                return Err(SessionError::Process(format!(
                    "a process ended before its rounds of panel `{}` were made",
                    task.panel.id
                )));
            }
        }
        Ok(outcome)
    }

    /// Rounds of a panel that are in the journal.
    fn made(&self, panel: &Panel) -> u64 {
        self.journal.contents().rounds.get(&panel.id).copied().unwrap_or(0)
    }

    /// What is missing of a share.
    fn errand(&self, panels: &[Ready], share: u64) -> Errand {
        let shares = self.plan.shares();
        let tasks = panels.iter().filter_map(|Ready { panel, seed, .. }| {
            let rounds = panel.rounds * share / shares..panel.rounds * (share + 1) / shares;
            let next = self.made(panel).max(rounds.start);
            let task = Task { panel: panel.clone(), seed: *seed, rounds, next };
            (next < task.rounds.end).then_some(task)
        });
        let process = self.journal.contents().processes;
        let layouts = &self.plan.layouts;
        Errand {
            process,
            share,
            layout: layouts.get(share as usize % layouts.len().max(1)).copied(),
            padding: mix(self.plan.seed ^ mix(process)) % MOST_PADDING,
            patience: self.plan.patience(),
            best: self.best,
            build: self.build.clone(),
            tasks: tasks.collect(),
        }
    }

    /// Describes every panel, and settles the batches of those that the journal does not know.
    fn size(&mut self) -> Result<Vec<Ready>, SessionError> {
        let plan = self.plan;
        let baseline = self.baseline()?;
        let mut panels = Vec::with_capacity(plan.panels.len());
        for (number, asked) in plan.panels.iter().enumerate() {
            let seed = mix(plan.seed ^ mix(number as u64));
            let mut panel = self.describe(asked, &baseline)?;
            let known = self.journal.contents().panels.get(&panel.id).cloned();
            if let Some(known) = known {
                // Measured again, the knee may lie on the other side.
                let Panel { batch, blocks, rounds, memorised, .. } = known;
                panel = Panel { batch, blocks, rounds, memorised, ..panel };
                if known != panel {
                    return Err(self.journal.changed("panel", &panel.id).into());
                }
                panels.push(Ready { panel, seed, cost: None });
                continue;
            }
            let step = Step { done: 0, total: 1, panel: &panel.id, message: "sizing", left: None };
            self.progress.step(&step);
            let clock = self.instruments.clock;
            let (batch, blocks, cost) = self.instruments.open(&panel, seed, |runner| {
                let (batch, blocks) = runner.size(plan);
                // A round that is not kept tells how long one takes.
                let before = clock.seconds();
                runner.round(0, 0, batch)?;
                Ok((batch, blocks, clock.seconds() - before))
            })?;
            panel.batch = batch as u64;
            panel.blocks = blocks as u64;
            panels.push(Ready { panel, seed, cost: Some(cost) });
        }
        Ok(panels)
    }

    /// Gives the panels that were sized now as many rounds as fit.
    fn allot(&self, panels: &mut [Ready]) {
        let costs: Vec<f64> = panels.iter().filter_map(|ready| ready.cost).collect();
        let share_of_all = costs.len() as f64 / panels.len().max(1) as f64;
        let time = self.plan.rounds.time().map(|time| time * share_of_all);
        let rounds = sizing::allot(self.plan.rounds, &costs, time, self.plan.shares());
        let open = panels.iter_mut().filter(|ready| ready.cost.is_some());
        for (ready, rounds) in open.zip(rounds) {
            ready.panel.rounds = rounds;
        }
    }

    /// Id of the design that ratios refer to.
    fn baseline(&self) -> Result<String, SessionError> {
        let mut ids = self.instruments.subjects.iter().map(|subject| subject.id());
        let Some(first) = ids.clone().next() else { return Err(SessionError::NoDesigns) };
        let Some(name) = &self.plan.baseline else { return Ok(first.to_owned()) };
        ids.clone()
            .find(|id| id == name)
            .or_else(|| ids.find(|id| id.split('/').next() == Some(name)))
            .map(str::to_owned)
            .ok_or_else(|| SessionError::NoBaseline(name.clone()))
    }

    /// The panel of a plan, without its sizes.
    fn describe(&mut self, plan: &PanelPlan, wanted: &str) -> Result<Panel, SessionError> {
        let id = plan.id();
        let positions = self.instruments.workloads.positions(&plan.workload);
        let unusable = |why| SessionError::Workload { workload: plan.workload.clone(), why };
        let positions = positions.map_err(unusable)?.len();
        let subjects = self.instruments.subjects.iter();
        let designs: Vec<String> = subjects
            .filter(|subject| plan.scope.is_in(subject.scopes()))
            .map(|subject| subject.id().to_owned())
            .collect();
        // A baseline that has no such scope leaves its place to the first that has.
        let baseline = designs.iter().find(|id| *id == wanted).or(designs.first());
        let Some(baseline) = baseline.cloned() else { return Err(SessionError::NoScope(id)) };
        Ok(Panel {
            id,
            workload: plan.workload.clone(),
            regime: plan.regime.clone(),
            stage: plan.stage.name().to_owned(),
            scope: (plan.scope != Scope::Whole).then(|| plan.scope.name().to_owned()),
            positions: positions as u64,
            batch: 0,
            blocks: 1,
            twin: twin_name(&baseline),
            designs,
            baseline,
            rounds: 0,
            memorised: is_memorised(&plan.regime, positions, self.knee),
        })
    }
}

/// The environment of a process is made longer by less than this many bytes, drawn at random: a
/// page, which is what the alignment of the stack goes round in.
const MOST_PADDING: u64 = 4096;

/// The name under which a baseline runs a second time.
pub fn twin_name(baseline: &str) -> String {
    format!("{baseline} (again)")
}

/// Outcomes of one position that are hard to predict, about: a walk over rays has over a hundred, and
/// with so many the cliff of the memorisation curve lies where the knee of random branches says.
const HARD_OUTCOMES: f64 = 100.0;

/// Whether the positions of a panel come back before the predictor has forgotten them.
fn is_memorised(regime: &Regime, positions: usize, knee: Option<f64>) -> bool {
    let period = match *regime {
        Regime::Replay { k } => k as f64,
        Regime::Stream { .. } | Regime::Pressure { .. } => positions as f64,
        Regime::Cold { .. } => f64::INFINITY,
    };
    knee.is_some_and(|knee| period * HARD_OUTCOMES < knee)
}

#[cfg(test)]
mod tests;
