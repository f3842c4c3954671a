//! What a session measures: panels, rounds and batches, by name or from a file.

use std::time::Duration;

use raywalk_core::{Scope, StageId};
use raywalk_positions::Workload;
use raywalk_positions::workload::{self, Order};
use raywalk_reports::schema::Regime;
use raywalk_reports::summary::MARGIN;

use super::disturb::{Flusher, Walker};
use super::schedule::mix;
use crate::machine::layouts;

mod estimate;
mod file;

pub use estimate::{Estimate, PanelEstimate};
pub use file::PlanError;

/// A plan: everything a session needs to know besides designs and positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// `quick`, `full`, or the plan file's stem.
    pub name: String,
    /// Every random order of the session comes from it.
    pub seed: u64,
    /// Ids or families of the designs that take part; empty for all.
    pub designs: Vec<String>,
    /// The design that ratios refer to; the first that takes part if absent.
    pub baseline: Option<String>,
    /// How long a timed batch of the middling design should take. The slowest stays below
    /// [`Plan::LONGEST_BATCH`].
    pub batch: Duration,
    /// How many rounds.
    pub rounds: Rounds,
    /// In how many short processes the rounds are made, if there is one layout only.
    pub processes: u64,
    /// Seeds of the section orders in which the program is linked again; empty for as it is.
    pub layouts: Vec<u64>,
    /// The band of indifference: designs that differ by less are called equal (0.01 is one per
    /// cent).
    pub margin: f64,
    /// The comparisons, in the order they are made.
    pub panels: Vec<PanelPlan>,
}

/// How many rounds a panel gets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rounds {
    /// So many.
    Fixed(u64),
    /// What fits into the time for the whole plan, shared evenly among the panels.
    Budget {
        /// For measuring alone: corpora and verification come on top.
        time: Duration,
        /// At least so many, even if the time runs over.
        least: u64,
        /// At most so many, even if time is left.
        most: u64,
    },
}

/// One panel: a workload, how it is fed, a stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PanelPlan {
    /// Name of the workload.
    pub workload: String,
    /// How it is fed.
    pub regime: Regime,
    /// Which moves.
    pub stage: StageId,
    /// Of which pieces.
    pub scope: Scope,
}

impl PanelPlan {
    /// The panel of a workload in its own regime; `None` if the name has none (see [`regime_of`]).
    pub fn of(workload: &str, stage: StageId) -> Option<PanelPlan> {
        let regime = regime_of(workload)?;
        Some(PanelPlan { workload: workload.to_owned(), regime, stage, scope: Scope::Whole })
    }

    /// `workload/regime/stage`, unique within a plan; the scope is named behind the stage unless it
    /// is the whole generation.
    pub fn id(&self) -> String {
        let regime = match &self.regime {
            Regime::Replay { k } => format!("replay-{k}"),
            Regime::Stream { order } => format!("stream-{order}"),
            Regime::Cold { order, branches: Flusher::SITES } => format!("cold-{order}"),
            Regime::Cold { order, branches } => format!("cold-{branches}-{order}"),
            Regime::Pressure { order, bytes, .. } => format!("pressure-{bytes}-{order}"),
        };
        let scope = match self.scope {
            Scope::Whole => String::new(),
            scope => format!("-{}", scope.name()),
        };
        format!("{}/{regime}/{}{scope}", self.workload, self.stage.name())
    }

    /// The same panel with a cold predictor.
    #[must_use]
    pub fn cold(self) -> PanelPlan {
        let order = order_of(&self.regime);
        PanelPlan { regime: Regime::Cold { order, branches: Flusher::SITES }, ..self }
    }

    /// The same panel with caches that are pressed by so many bytes.
    #[must_use]
    pub fn pressed(self, bytes: u64) -> PanelPlan {
        let order = order_of(&self.regime);
        PanelPlan { regime: Regime::Pressure { order, bytes, lines: Walker::LINES }, ..self }
    }

    /// The same panel for the sliders only.
    #[must_use]
    pub fn sliders(self) -> PanelPlan {
        PanelPlan { scope: Scope::Sliders, ..self }
    }
}

/// The regime that belongs to a workload's order; `None` if there is no such workload.
pub fn regime_of(workload: &str) -> Option<Regime> {
    Some(regime_of_order(Workload::describe(workload).ok()?.order))
}

/// The cold panel of a workload, all moves, where there is a way to make the predictor cold.
fn cold_if_possible(workload: &str) -> impl Iterator<Item = PanelPlan> + use<> {
    let panel = PanelPlan::of(workload, StageId::All).filter(|_| Flusher::IS_WRITTEN);
    panel.map(PanelPlan::cold).into_iter()
}

/// The order in which the positions come when nobody waits for them to be learnt.
fn order_of(regime: &Regime) -> String {
    match regime {
        // Cyclic workloads are positions of many games, shuffled.
        Regime::Replay { .. } => "shuffled".to_owned(),
        Regime::Stream { order } | Regime::Cold { order, .. } | Regime::Pressure { order, .. } => {
            order.clone()
        }
    }
}

fn regime_of_order(order: Order) -> Regime {
    match order {
        Order::Cyclic(k) => Regime::Replay { k: k as u64 },
        order => Regime::Stream { order: order.name().to_owned() },
    }
}

impl Plan {
    /// No timed batch is longer by plan: beyond a slice of the scheduler, which is 3 ms and more,
    /// a busy neighbour doubles the time of slow designs and leaves fast ones alone.
    pub const LONGEST_BATCH: Duration = Duration::from_millis(2);
    /// No timed batch is shorter than so many steps of the clock: 0.1 % resolution.
    pub const LEAST_QUANTA: u64 = 1_000;

    /// Processes of a plan that does not say.
    pub const PROCESSES: u64 = 4;
    /// The most that a plan may ask for.
    pub const MOST_PROCESSES: u64 = 1_000;
    /// Processes of each layout, so that what a layout does can be told from what a process does.
    const PROCESSES_PER_LAYOUT: u64 = 2;

    /// The built-in plans.
    pub const BUILT_IN: [&str; 2] = ["quick", "full"];

    /// A built-in plan by name.
    pub fn built_in(name: &str) -> Option<Plan> {
        match name {
            "quick" => Some(Plan::quick()),
            "full" => Some(Plan::full()),
            _ => None,
        }
    }

    /// The plan of a bare `raywalk run`: the memorisation curve and the headline workloads, in
    /// about 35 seconds of measuring. Replays come first, because they are done early and leave
    /// their time to the others.
    pub fn quick() -> Plan {
        use StageId::{All, Captures, Quiets};
        let panels = [
            ("repeat-1", All),
            ("cycle-16", All),
            ("cycle-256", All),
            ("cycle-1024", All),
            ("cycle-4096", All),
            ("cycle-65536", All),
            ("game", All),
            ("qs", Captures),
            ("ab4", Captures),
            ("ab4", Quiets),
            ("ab4", All),
        ];
        let panels = panels.into_iter().filter_map(|(name, stage)| PanelPlan::of(name, stage));
        // In front, for the same reason: its rounds are few and long.
        let cold = cold_if_possible("ab4");
        Plan {
            panels: cold.chain(panels).collect(),
            rounds: Rounds::Budget { time: Duration::from_secs(35), least: 12, most: 60 },
            ..Plan::empty("quick")
        }
    }

    /// Every workload that speeds may be quoted from, in every stage, and some of them disturbed or
    /// for the sliders only: about half an hour.
    pub fn full() -> Plan {
        // What stands in the order of a file is there for its rare paths and is too little to time.
        let timed = workload::ALL.iter().filter(|known| known.order != Order::Listed);
        let panels = timed.flat_map(|known| {
            StageId::ALL.into_iter().map(|stage| PanelPlan {
                workload: known.name.to_owned(),
                regime: regime_of_order(known.order),
                stage,
                scope: Scope::Whole,
            })
        });
        let all = |name: &str| PanelPlan::of(name, StageId::All);
        let cold = ["ab4", "game", "cycle-65536"].into_iter().flat_map(cold_if_possible);
        let pressed = ["ab4", "cycle-65536"]
            .into_iter()
            .filter_map(all)
            .flat_map(|panel| Walker::SIZES.map(|bytes| panel.clone().pressed(bytes)));
        let sliders = ["repeat-1", "cycle-65536", "game", "ab4"].into_iter().filter_map(all);
        let panels = panels.chain(cold).chain(pressed).chain(sliders.map(PanelPlan::sliders));
        Plan {
            panels: panels.collect(),
            rounds: Rounds::Budget { time: Duration::from_secs(30 * 60), least: 12, most: 400 },
            ..Plan::empty("full")
        }
    }

    fn empty(name: &str) -> Plan {
        Plan {
            name: name.to_owned(),
            seed: 1,
            designs: Vec::new(),
            baseline: None,
            batch: Duration::from_millis(1),
            rounds: Rounds::Fixed(0),
            processes: Plan::PROCESSES,
            layouts: Vec::new(),
            margin: MARGIN,
            panels: Vec::new(),
        }
    }

    /// In how many shares the rounds are cut, one for each process: every layout has as many.
    pub fn shares(&self) -> u64 {
        match self.layouts.len() as u64 {
            0 => self.processes.max(1),
            layouts => layouts
                .saturating_mul(Plan::PROCESSES_PER_LAYOUT)
                .max(self.processes.next_multiple_of(layouts)),
        }
    }

    /// How long one process may put rounds off because the machine is slow: together a fifth of
    /// the time of the plan, or two seconds each if the plan has rounds and no time.
    pub fn patience(&self) -> Duration {
        let each = |time: f64| Duration::from_secs_f64(time / 5.0 / self.shares() as f64);
        self.rounds.time().map_or(Duration::from_secs(2), each)
    }

    /// Has the program linked again in so many section orders, drawn from the seed.
    pub fn draw_layouts(&mut self, number: u64) {
        let draw = |n: u64| layouts::seed(mix(self.seed ^ mix(!n)));
        self.layouts = (0..number).map(draw).collect();
    }

    /// Names of the workloads, each once, in the order of the panels.
    pub fn workloads(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for panel in &self.panels {
            if !names.contains(&panel.workload.as_str()) {
                names.push(&panel.workload);
            }
        }
        names
    }
}

#[cfg(test)]
mod tests;
