//! Describes what a session measures: panels, rounds and batches. Plans are built in or read from a file.

use std::sync::Arc;
use std::time::Duration;

use raywalk_core::random::mix;
use raywalk_positions::Workload;
use raywalk_positions::workload;
use raywalk_results::schema::{
    Call, Operation, Order, Regime, RegimeKind, Scope, Search, Shard, Stage,
};

use crate::regime::rules;
use crate::schedule::{draw_seed, layout_seed};
use crate::sizing::DELAYS;
pub use crate::sizing::Rounds;
use crate::source::RESIDENT;

mod built_in;
mod deal;
mod estimate;
mod file;
mod keys;
mod nesting;
mod plugins;
mod reference;
mod workloads;
mod write;

pub use built_in::BuiltIn;
pub use deal::TooManyShards;
pub(crate) use deal::share_of;
pub use estimate::{Estimate, PanelEstimate};
pub use file::PlanError;
pub use plugins::{PluginError, PluginFile};
pub use reference::Examples;
pub use workloads::{ChoiceError, Chosen, Contents, WorkloadFile};

/// Everything that defines a session besides designs and positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// `quick`, `full`, or the plan file's stem.
    pub name: String,
    /// Seed of every random order of the session; absent until it is given or drawn.
    pub seed: Option<u64>,
    /// Ids or families of the designs that take part; empty for all.
    pub designs: Vec<String>,
    /// Shared libraries whose designs take part as well.
    pub plugins: Vec<PluginFile>,
    /// Shared libraries of the peers among `designs`. They are found again in each run, so plan files do not
    /// name them.
    pub peers: Vec<PluginFile>,
    /// The design that ratios refer to; the first that takes part if absent.
    pub baseline: Option<String>,
    /// Upper bound on the timed passes of a replay by the median design. The slowest one stays below 2 ms unless the
    /// clock is too coarse for the fastest.
    pub batch: Duration,
    /// Number of rounds of each panel, or the time for all panels.
    pub rounds: Rounds,
    /// Number of short processes that run the rounds, if there is one layout only.
    pub processes: u64,
    /// Seeds of the section orders that the program is linked in again; empty to run it as it is.
    pub layouts: Vec<u64>,
    /// The part of the plan that a session makes; absent for all of it.
    pub shard: Option<Shard>,
    /// Equality margin: designs that differ by less are called equal (0.01 is one per cent).
    pub margin: f64,
    /// Positions of each traced workload whose branches are recorded for each design; no trace if 0.
    pub trace: usize,
    /// The panels, in the order in which they run.
    pub panels: Vec<PanelPlan>,
}

/// One panel: a workload, a regime and a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PanelPlan {
    /// Name of the workload, such as `ab4`; of a file, its name without folders.
    pub workload: String,
    /// The file that its positions come from; absent for a workload of the table.
    pub file: Option<Arc<WorkloadFile>>,
    /// The regime: how the positions reach the designs, and the perturbation before each call.
    pub regime: Regime,
    /// The call that is timed for each position.
    pub call: Call,
    /// Whether the panel represents the session in summaries. If several do, the first one counts.
    pub headline: bool,
}

impl PanelPlan {
    /// The panel of a workload of the table in its own regime; `None` for an unknown workload.
    pub fn of(workload: &str, stage: Stage) -> Option<PanelPlan> {
        let row = Chosen::Row(Workload::describe(workload).ok()?);
        Some(row.panel_in(row.own_regime(), Call::generate(stage)))
    }

    /// `workload/regime/call`, unique within a plan.
    pub fn id(&self) -> String {
        let regime = rules(self.regime.kind).id(&self.regime);
        format!("{}/{regime}/{}", self.workload, self.call.id())
    }

    pub(crate) fn is_on_memorisation_curve(&self) -> bool {
        let series = Workload::describe(&self.workload).ok().and_then(|workload| workload.series);
        let Some(workload::Series::Memorisation { k }) = series else { return false };
        let is_replay = self.regime.kind == RegimeKind::Replay;
        is_replay && self.call.is_whole() && self.regime.period == Some(k as u64)
    }

    /// Whether its boards stay loaded, so that the number of passes over them has to be measured.
    pub(crate) fn is_resident(&self) -> bool {
        let Regime { kind, period, boards, .. } = self.regime;
        let is_short = period.is_some_and(|k| k <= RESIDENT as u64);
        kind == RegimeKind::Replay && is_short && boards.is_none() && !self.is_long()
    }

    /// Whether its call takes so long that a batch has few of them.
    pub(crate) fn is_long(&self) -> bool {
        self.call.operation().is_some_and(Operation::is_long)
    }

    /// Rounds of the panel for each round of a point of the memorisation curve, whose neighbours differ by more
    /// than other panels need to resolve. In the built-in plans the headline panel and those on trees visit all 64
    /// roots of their workload twice if the time suffices.
    pub(crate) fn weight(&self) -> u64 {
        let is_on_trees = self.regime.order == Order::Tree && self.regime.period.is_none();
        match self.regime.period {
            _ if self.headline || is_on_trees => 6,
            Some(_) => 1,
            None => 2,
        }
    }

    #[must_use]
    pub(crate) fn in_regime(self, regime: Regime) -> PanelPlan {
        PanelPlan { regime, ..self }
    }

    #[must_use]
    pub(crate) fn calling(self, search: Search) -> PanelPlan {
        PanelPlan { call: search.into(), ..self }
    }

    #[must_use]
    pub(crate) fn sliders(self) -> PanelPlan {
        PanelPlan { call: Call::Generate { stage: Stage::All, scope: Scope::Sliders }, ..self }
    }

    #[must_use]
    pub(crate) fn asking(self, operation: Operation) -> PanelPlan {
        PanelPlan { call: operation.into(), ..self }
    }
}

impl Plan {
    /// Upper bound on the time of a batch. A time slice of the scheduler is 3 ms or more. Beyond it, a busy
    /// neighbour would double the time of slow designs and leave fast ones unchanged.
    pub(crate) const LONGEST_BATCH: Duration = Duration::from_millis(2);
    /// Lower bound on the time of a batch, in steps of the clock: a resolution of 0.1 %.
    pub(crate) const LEAST_QUANTA: u64 = 1_000;

    /// Default number of processes: as many placements as fit into a quick plan beside the rounds that tell
    /// their effects from those of the positions.
    const PROCESSES: u64 = 12;
    /// Upper bound on the number of processes.
    pub(crate) const MOST_PROCESSES: u64 = 1_000;
    /// Processes of each layout, so that the effects of layout and process can be separated.
    const PROCESSES_PER_LAYOUT: u64 = 2;
    /// Default equality margin. Moving the same code to another address changes the time of branchy
    /// loops by more.
    pub const MARGIN: f64 = 0.01;

    fn empty(name: &str) -> Plan {
        Plan {
            name: name.to_owned(),
            seed: None,
            designs: Vec::new(),
            plugins: Vec::new(),
            peers: Vec::new(),
            baseline: None,
            batch: Duration::from_millis(1),
            rounds: Rounds::Fixed(0),
            processes: Plan::PROCESSES,
            layouts: Vec::new(),
            shard: None,
            margin: Plan::MARGIN,
            trace: 0,
            panels: Vec::new(),
        }
    }

    /// Id of the panel that represents the session: the first marked one, else the first unperturbed one
    /// with all moves, else the first.
    pub fn headline(&self) -> String {
        let plain = |panel: &&PanelPlan| panel.call.is_whole() && !panel.regime.is_perturbed();
        let marked = self.panels.iter().find(|panel| panel.headline);
        let first = || self.panels.iter().find(plain).or(self.panels.first());
        marked.or_else(first).map(PanelPlan::id).unwrap_or_default()
    }

    /// Number of shares that the rounds are divided into, one for each process. Every layout has the same
    /// number of shares.
    pub fn shares(&self) -> u64 {
        match self.layouts.len() as u64 {
            0 => self.processes.max(1),
            layouts => layouts
                .saturating_mul(Plan::PROCESSES_PER_LAYOUT)
                .max(self.processes.next_multiple_of(layouts)),
        }
    }

    /// Upper bound on the delays of one process because the machine is slow: [`DELAYS`] of the plan's time, divided by
    /// the processes. The time of a plan with a fixed number of rounds is that of its batches.
    pub(crate) fn patience(&self, batches: u64) -> Duration {
        let time = self.rounds.time().unwrap_or(self.batch.as_secs_f64() * batches as f64);
        Duration::from_secs_f64(time * DELAYS / self.shares() as f64)
    }

    /// The seed, or 1 if none was given or drawn.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }

    /// Draws a seed, unless the plan has one, and returns it.
    pub fn draw_seed(&mut self) -> u64 {
        *self.seed.get_or_insert_with(draw_seed)
    }

    /// Draws seeds for `number` section orders from the plan's seed.
    pub fn draw_layouts(&mut self, number: u64) {
        let seed = self.seed();
        // The inverted number gives words of their own: the number itself gives the seed of a panel.
        self.layouts = (0..number).map(|n| layout_seed(mix(seed ^ mix(!n)))).collect();
    }

    /// The panel whose perturbation holds the most memory, with the bytes.
    pub fn largest_memory(&self) -> Option<(String, u64)> {
        let bytes = |panel: &PanelPlan| rules(panel.regime.kind).memory(&panel.regime);
        let panels = self.panels.iter().map(|panel| (panel.id(), bytes(panel)));
        panels.max_by_key(|&(_, bytes)| bytes)
    }

    /// Names of the workloads without duplicates, in the order of the panels.
    pub fn workloads(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for panel in &self.panels {
            if !names.contains(&panel.workload.as_str()) {
                names.push(&panel.workload);
            }
        }
        names
    }

    /// The files among the workloads, each once, in the order of the panels.
    pub fn files(&self) -> Vec<&WorkloadFile> {
        let mut files: Vec<&WorkloadFile> = Vec::new();
        for file in self.panels.iter().filter_map(|panel| panel.file.as_deref()) {
            if !files.contains(&file) {
                files.push(file);
            }
        }
        files
    }

    /// All shared libraries of the plan: plug-ins, then peers.
    pub fn libraries(&self) -> Vec<PluginFile> {
        [&self.plugins[..], &self.peers].concat()
    }

    /// Adds a panel. Results name a workload by the name of its file, so two files must not share it.
    ///
    /// # Errors
    /// [`ChoiceError::Twice`].
    pub fn add(&mut self, panel: PanelPlan) -> Result<(), ChoiceError> {
        fn path(panel: &PanelPlan) -> Option<&str> {
            panel.file.as_ref().map(|file| file.path.as_str())
        }
        // All panels of a workload have one path, so the first of them decides.
        let same = self.panels.iter().find(|other| other.workload == panel.workload);
        if same.is_some_and(|other| path(other) != path(&panel)) {
            return Err(ChoiceError::Twice(panel.workload));
        }
        self.panels.push(panel);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
