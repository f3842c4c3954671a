//! A journal that has been read: its records by kind.

use crate::schema::{
    Chain, Code, Count, Design, Dropped, End, Fit, Panel, Process, Round, Sample, Selftest,
    Session, Stage, Timing, Trace, WarmUp,
};

/// A journal that has been read and checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    /// Machine, build, clock and plan of the session.
    pub session: Session,
    /// The designs, in the order of the registry that wrote them.
    pub designs: Vec<Design>,
    /// Results of the self-test, one for each part of a session that was stopped and resumed.
    pub selftest: Vec<Selftest>,
    /// Machine code of the audited designs, one record each.
    pub codes: Vec<Code>,
    /// Exact counts of the traced designs, one record for each workload and stage.
    pub traces: Vec<Trace>,
    /// The last fit of modelled mispredictions to measured cycles; absent if there is none.
    pub fit: Option<Fit>,
    /// Dependency chains of walks, the last record of each design.
    pub chains: Vec<Chain>,
    /// Plug-ins that were dropped. Their samples are left out.
    pub dropped: Vec<Dropped>,
    /// The processes that made the rounds, in the order they ran.
    pub processes: Vec<Process>,
    /// Rounds that ran before the kept ones, one record for each process and panel.
    pub warm_ups: Vec<WarmUp>,
    /// The panels in the order of the plan, each with its rounds.
    pub panels: Vec<PanelRounds>,
    /// Counts by instrumenting tools.
    pub counts: Vec<Count>,
    /// Timings by other harnesses.
    pub timings: Vec<Timing>,
    /// The last record of a complete journal; absent if the session was stopped.
    pub end: Option<End>,
    /// Whether the last line was cut in the middle of a record, which was then left out.
    pub truncated: bool,
    /// Records that were skipped because a newer minor version of the schema added their kind.
    pub skipped: usize,
}

impl Results {
    /// The design with this id.
    pub fn design(&self, id: &str) -> Option<&Design> {
        self.designs.iter().find(|design| design.id == id)
    }

    /// The display name of a design, or its id if the journal does not list it.
    pub fn name<'a>(&'a self, id: &'a str) -> &'a str {
        self.design(id).map_or(id, |design| &design.name)
    }

    /// Machine code of a design; `None` if it was not audited.
    pub fn code(&self, design: &str) -> Option<&Code> {
        self.codes.iter().find(|code| code.design == design)
    }

    /// Counts of a design in a stage of a workload; `None` if it was not traced there.
    pub fn trace(&self, design: &str, workload: &str, stage: Stage) -> Option<&Trace> {
        let is_it =
            |it: &&Trace| (&*it.design, &*it.workload, it.stage) == (design, workload, stage);
        self.traces.iter().find(is_it)
    }

    /// The panel with this id.
    pub fn panel(&self, id: &str) -> Option<&PanelRounds> {
        self.panels.iter().find(|rounds| rounds.panel.id == id)
    }
}

/// A panel and its rounds, in the order they ran.
#[derive(Clone, Debug, PartialEq)]
pub struct PanelRounds {
    /// Workload, regime, call and designs.
    pub panel: Panel,
    /// Complete rounds: each design and the A/A control once, on the same positions. Those of a shard are not
    /// numbered without gaps.
    pub rounds: Vec<Round>,
}

impl PanelRounds {
    /// The number after that of the last round.
    pub fn next_round(&self) -> u64 {
        self.rounds.last().map_or(0, |round| round.round + 1)
    }

    /// The samples of one design (or of the A/A control), one per round, in time order.
    pub fn samples<'a>(&'a self, design: &'a str) -> impl Iterator<Item = &'a Sample> + 'a {
        self.rounds.iter().filter_map(move |round| {
            round.samples.iter().find(move |sample| sample.design == design)
        })
    }
}
