//! Carries a plan out: sizes each panel, runs its rounds, keeps them in the journal.
//!
//! Within a round all designs, and the baseline a second time, work on the same positions, in the
//! order of the schedule. Every sample's checksum, made behind what is timed, is compared with an
//! answer made before anything of the round was timed; a wrong answer stops the session, because a
//! wrong answer has no time.
//!
//! Where the answers come from: the first design of each promise (pseudo-legal, legal) is the
//! *referee* of its class and generates the batch once, untimed. It has been verified against an
//! independent oracle before, on fewer positions; here it shows that the designs of a class agree
//! on every position that is timed. A class of one is compared with itself, which shows only that
//! it repeats itself.
//!
//! Where a regime disturbs the machine before each call, the disturbance is timed with an empty
//! call as well, in the same sample, and subtracted.

use std::borrow::Cow;
use std::time::Duration;

use raywalk_core::{Checksum, Legality, Position, Scope};
use raywalk_reports::schema::{Panel, Regime, Round};

use super::clock::Clock;
use super::counters::Counters;
use super::disturb::Disturbances;
use super::journal::{Journal, JournalError};
use super::plan::{PanelPlan, Plan};
use super::progress::{Progress, Step};
use super::schedule::{Schedule, mix};
use super::subject::{Call, Subject};

pub mod feed;
mod sample;
pub mod sizing;

use feed::{Feed, Portion};
use sample::Sampler;

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
    #[error("panel `{0}`: no design that takes part has sliders apart from the other men")]
    NoScope(String),
    /// There is nothing to measure.
    #[error("no design takes part, so there is nothing to measure")]
    NoDesigns,
    /// The baseline takes no part.
    #[error("the baseline `{0}` is none of the designs that take part")]
    NoBaseline(String),
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

/// A plan with everything that it needs to be carried out.
pub struct Session<'a, C: Clock, K: Counters> {
    /// What to do.
    pub plan: &'a Plan,
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
    /// How many random outcomes this machine's predictor memorises, if that is known.
    pub knee: Option<f64>,
    /// Where the rounds go.
    pub journal: &'a mut Journal,
    /// Who is told.
    pub progress: &'a mut dyn Progress,
}

impl<C: Clock, K: Counters> Session<'_, C, K> {
    /// Carries out what of the plan is not in the journal yet. Writing the journal's end is left to
    /// the caller, who may have counts and timings of other tools to add.
    ///
    /// # Errors
    /// [`SessionError`]; what was measured before it is in the journal.
    pub fn run(mut self) -> Result<Outcome, SessionError> {
        let baseline = self.baseline()?;
        let plan = self.plan;
        let begun = self.clock.seconds();
        let open = plan.panels.iter().filter(|panel| !self.is_complete(panel)).count();
        // A resumed session has the time that its open panels had.
        let share_of_all = open as f64 / plan.panels.len().max(1) as f64;
        let time = plan.rounds.time().map(|time| time * share_of_all);
        let mut outcome = Outcome::default();
        let mut left = open;
        for (number, panel) in plan.panels.iter().enumerate() {
            let complete = self.is_complete(panel);
            let spent = self.clock.seconds() - begun;
            let turn = Turn {
                number,
                panels: plan.panels.len(),
                open_after: left.saturating_sub(1),
                share: time.map(|time| (time - spent) / left.max(1) as f64),
            };
            let done = self.run_panel(panel, baseline, &turn)?;
            outcome.rounds += done.rounds;
            outcome.resumed += done.resumed;
            if !complete {
                left -= 1;
            }
        }
        Ok(outcome)
    }

    /// Index of the design that ratios refer to.
    fn baseline(&self) -> Result<usize, SessionError> {
        if self.subjects.is_empty() {
            return Err(SessionError::NoDesigns);
        }
        let Some(name) = &self.plan.baseline else { return Ok(0) };
        let ids = || self.subjects.iter().map(|subject| subject.id());
        ids()
            .position(|id| id == name)
            .or_else(|| ids().position(|id| id.split('/').next() == Some(name)))
            .ok_or_else(|| SessionError::NoBaseline(name.clone()))
    }

    fn is_complete(&self, panel: &PanelPlan) -> bool {
        let id = panel.id();
        let contents = self.journal.contents();
        let rounds = contents.rounds.get(&id).copied().unwrap_or(0);
        contents.panels.get(&id).is_some_and(|known| rounds >= known.rounds)
    }

    /// Sizes a panel, unless the journal knows its size, and runs the rounds that are missing.
    fn run_panel(
        &mut self,
        plan: &PanelPlan,
        baseline: usize,
        turn: &Turn,
    ) -> Result<Outcome, SessionError> {
        let begun = self.clock.seconds();
        let id = plan.id();
        let disturb = self
            .disturbances
            .of(&plan.regime)
            .map_err(|why| SessionError::Regime { panel: id.clone(), why })?;
        let unusable = |why| SessionError::Workload { workload: plan.workload.clone(), why };
        let positions = self.workloads.positions(&plan.workload).map_err(unusable)?;
        let feed = Feed::new(&plan.regime, positions.len()).map_err(unusable)?;
        let seed = mix(self.plan.seed ^ mix(turn.number as u64));
        let wanted = self.subjects[baseline].id().to_owned();
        let mut subjects: Vec<&mut dyn Subject> = Vec::new();
        for subject in self.subjects.iter_mut() {
            if plan.scope.is_in(subject.scopes()) {
                subjects.push(&mut **subject);
            }
        }
        // A baseline that has no such scope leaves its place to the first that has.
        let baseline = subjects.iter().position(|subject| subject.id() == wanted).unwrap_or(0);
        let Some(first) = subjects.get(baseline) else { return Err(SessionError::NoScope(id)) };
        let mut runner = Runner {
            baseline,
            referees: referees(&subjects),
            schedule: Schedule::new(subjects.len() + 1, seed),
            twin: twin_name(first.id()),
            panel: &id,
            sampler: Sampler {
                clock: self.clock,
                counters: &mut *self.counters,
                feed: &feed,
                positions: &positions,
                call: Call::of(plan.stage, plan.scope),
                disturb,
                loaded: vec![None; subjects.len()],
            },
            subjects,
        };
        let known = self.journal.contents().panels.get(&id).cloned();
        let mut panel = Panel {
            id: id.clone(),
            workload: plan.workload.clone(),
            regime: plan.regime.clone(),
            stage: plan.stage.name().to_owned(),
            scope: (plan.scope != Scope::Whole).then(|| plan.scope.name().to_owned()),
            positions: positions.len() as u64,
            batch: known.as_ref().map_or(0, |known| known.batch),
            designs: runner.subjects.iter().map(|subject| subject.id().to_owned()).collect(),
            baseline: runner.subjects[baseline].id().to_owned(),
            twin: runner.twin.clone(),
            rounds: known.as_ref().map_or(0, |known| known.rounds),
            memorised: match &known {
                // Measured again, the knee may lie on the other side.
                Some(known) => known.memorised,
                None => is_memorised(&plan.regime, positions.len(), self.knee),
            },
        };
        match known {
            Some(known) => {
                let batch = known.batch as usize;
                if known != panel || feed.fit(batch, batch) != batch {
                    return Err(self.journal.changed("panel", &id).into());
                }
            }
            None => {
                turn.tell(self.progress, &id, "sizing", 0.0, None);
                let batch = runner.size(self.plan);
                // A round that is not kept: it warms everything up and tells how long one takes.
                let before = self.clock.seconds();
                runner.round(0, batch)?;
                let now = self.clock.seconds();
                let share = turn.share.map(|share| share - (now - begun));
                panel.batch = batch as u64;
                panel.rounds = self.plan.rounds.within(share, now - before);
            }
        }
        self.journal.panel(&panel)?;
        let resumed = self.journal.contents().rounds.get(&id).copied().unwrap_or(0);
        let rounds_begun = self.clock.seconds();
        for round in resumed..panel.rounds {
            self.journal.round(runner.round(round, panel.batch as usize)?)?;
            let done = round + 1;
            let each = (self.clock.seconds() - rounds_begun) / (done - resumed) as f64;
            let rest = each * (panel.rounds - done) as f64;
            let message = format!("round {done} of {}", panel.rounds);
            let share = turn.share.unwrap_or(each * panel.rounds as f64);
            let left = rest + share.max(0.0) * turn.open_after as f64;
            turn.tell(self.progress, &id, &message, done as f64 / panel.rounds as f64, Some(left));
        }
        Ok(Outcome { rounds: panel.rounds.saturating_sub(resumed), resumed })
    }
}

/// A panel's place in the plan.
struct Turn {
    number: usize,
    panels: usize,
    /// Panels behind this one that are not complete.
    open_after: usize,
    /// Seconds that this panel may take, if the plan has a budget.
    share: Option<f64>,
}

impl Turn {
    fn tell(
        &self,
        progress: &mut dyn Progress,
        panel: &str,
        message: &str,
        part: f64,
        left: Option<f64>,
    ) {
        let units = Step::UNITS_PER_PANEL;
        progress.step(&Step {
            done: self.number as u64 * units + (part * units as f64) as u64,
            total: self.panels as u64 * units,
            panel,
            message,
            left: left.map(|seconds| Duration::from_secs_f64(seconds.max(0.0))),
        });
    }
}

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

/// The first design of each promise.
fn referees(subjects: &[&mut dyn Subject]) -> Vec<(Legality, usize)> {
    let mut referees: Vec<(Legality, usize)> = Vec::new();
    for (number, subject) in subjects.iter().enumerate() {
        let legality = subject.legality();
        if referees.iter().all(|&(known, _)| known != legality) {
            referees.push((legality, number));
        }
    }
    referees
}

/// What the rounds of one panel need.
struct Runner<'a, C: Clock, K: Counters> {
    /// Those that have the panel's scope.
    subjects: Vec<&'a mut dyn Subject>,
    baseline: usize,
    referees: Vec<(Legality, usize)>,
    schedule: Schedule,
    twin: String,
    panel: &'a str,
    sampler: Sampler<'a, C, K>,
}

impl<C: Clock, K: Counters> Runner<'_, C, K> {
    /// Times each design on a few positions, and settles the positions of a batch.
    fn size(&mut self, plan: &Plan) -> usize {
        let feed = self.sampler.feed;
        let trial = feed.fit(sizing::TRIAL, sizing::TRIAL);
        let mut costs = Vec::new();
        for (number, subject) in self.subjects.iter_mut().enumerate() {
            let ticks = [0, 1, 2].map(|round| {
                let portion = feed.portion(round, trial);
                self.sampler.prepare(number, &mut **subject, &portion);
                let (ticks, _) = self.sampler.time(&mut **subject, &portion);
                ticks as f64 / portion.positions() as f64
            });
            costs.push(super::clock::median(&ticks));
        }
        let clock = self.sampler.clock;
        let limits = sizing::Limits {
            target: clock.ticks(plan.batch) as f64,
            longest: clock.ticks(Plan::LONGEST_BATCH) as f64,
            least: (Plan::LEAST_QUANTA * clock.facts().quantum) as f64,
        };
        let first = self.subjects.first_mut();
        let size = match first.and_then(|subject| self.sampler.time_disturbance(&mut **subject)) {
            Some(disturbance) => sizing::disturbed_batch(&costs, disturbance, &limits),
            None => sizing::batch(&costs, &limits),
        };
        feed.fit(size.positions, size.most)
    }

    /// One round: the answers first, then every subject in its turn.
    fn round(&mut self, round: u64, batch: usize) -> Result<Round, SessionError> {
        let portion = self.sampler.feed.portion(round, batch);
        let answers = self.answers(&portion);
        let mut samples = Vec::with_capacity(self.subjects.len() + 1);
        for place in self.schedule.order(round) {
            // The last number stands for the twin, which is the baseline itself.
            let twin = place == self.subjects.len();
            let number = if twin { self.baseline } else { place };
            let subject = &mut *self.subjects[number];
            let (mut sample, found) = self.sampler.sample(number, subject, &portion);
            let legality = subject.legality();
            for &(_, referee, expected) in answers.iter().filter(|&&(class, ..)| class == legality)
            {
                if found != expected {
                    return Err(SessionError::Wrong(Box::new(WrongAnswer {
                        design: subject.id().to_owned(),
                        panel: self.panel.to_owned(),
                        round,
                        first: portion.first as u64,
                        positions: portion.positions(),
                        referee: self.subjects[referee].id().to_owned(),
                        expected,
                        found,
                    })));
                }
            }
            if twin {
                sample.design.clone_from(&self.twin);
            }
            samples.push(sample);
        }
        Ok(Round { panel: self.panel.to_owned(), round, first: portion.first as u64, samples })
    }

    /// The answer of each class, untimed.
    fn answers(&mut self, portion: &Portion) -> Vec<(Legality, usize, Checksum)> {
        let mut answers = Vec::with_capacity(self.referees.len());
        for &(class, number) in &self.referees {
            let answer = self.sampler.answer(number, &mut *self.subjects[number], portion);
            answers.push((class, number, answer));
        }
        answers
    }
}

/// The sum of the checksums of several passes: any order of adding gives the same.
fn add(total: &mut Checksum, pass: Checksum) {
    total.moves = total.moves.wrapping_add(pass.moves);
    total.word = total.word.wrapping_add(pass.word);
}

/// Every move of a portion, once, untimed.
fn passes(subject: &mut dyn Subject, call: Call, portion: &Portion) -> Checksum {
    let mut total = Checksum::default();
    for range in &portion.timed {
        add(&mut total, subject.check(call, range.clone()));
    }
    total
}

#[cfg(test)]
mod tests;
