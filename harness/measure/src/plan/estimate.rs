//! Estimates how long a plan will take, before anything has run.
//!
//! The estimate comes from constants and serves `--dry-run` and shards, which cannot time each other: a session of a
//! whole plan times one round of each panel instead.

use std::time::Duration;

use raywalk_positions::Workload;
use raywalk_results::schema::Operation;

use super::{PanelPlan, Plan, share_of};
use crate::learning;
use crate::regime::rules;
use crate::sizing::{self, Cost};
use crate::source::{CALLS, LEAST_PREFIX, MOST_POSITIONS, PREFIX, TURN};

/// Time per position of the slowest designs: a mailbox on shuffled positions.
const SLOWEST_NANOSECONDS: f64 = 400.0;
/// Time per position of the median design, halfway between bitboards and mailboxes.
const MEDIAN_NANOSECONDS: f64 = 130.0;
/// Leaves of a perft of two plies.
const LEAVES: u64 = 1_000;
/// Time per leaf of the median design if every leaf is made.
const MADE_LEAF_NANOSECONDS: f64 = 40.0;
/// The same for a perft in bulk, shared among all designs, of which few offer it.
const COUNTED_LEAF_NANOSECONDS: f64 = 1.0;
const LOAD_NANOSECONDS: f64 = 250.0;
/// Two calibrations, two probes of the core, a reading of both before the design, and one of the counters.
const SAMPLE_NANOSECONDS: f64 = 140_000.0;
const SETTLING_CALLS: f64 = 64.0;

/// Estimated time of a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Rounds and time of each panel that has rounds, in the order of the plan.
    pub panels: Vec<PanelEstimate>,
    /// Sum over all panels.
    pub time: Duration,
}

/// Estimated rounds and time of a panel.
#[derive(Clone, Debug, PartialEq)]
pub struct PanelEstimate {
    /// Id of the panel, such as `ab4/stream-tree/all`.
    pub id: String,
    /// Number of rounds that fit into the time of the plan.
    pub rounds: u64,
    /// Time of these rounds, warm-up included.
    pub time: Duration,
}

impl Plan {
    /// Estimates rounds and time for this number of designs. A shard has the panels that it makes rounds of.
    pub fn estimate(&self, designs: usize) -> Estimate {
        let (costs, rounds) = self.expected(designs);
        let made = self.dealt().into_iter().zip(rounds).map(|(shares, rounds)| -> Vec<u64> {
            let of = |share| share_of(rounds, self.shares(), share).count() as u64;
            shares.into_iter().map(of).collect()
        });
        let panels = self.panels.iter().zip(costs).zip(made).map(|((panel, cost), made)| {
            let seconds = made.iter().map(|&rounds| cost.of(rounds, 1)).sum();
            let time = Duration::from_secs_f64(seconds);
            PanelEstimate { id: panel.id(), rounds: made.iter().sum(), time }
        });
        let panels: Vec<_> = panels.filter(|panel| panel.rounds > 0).collect();
        let time = panels.iter().map(|panel| panel.time).sum();
        Estimate { panels, time }
    }

    /// The estimated cost and the rounds of each panel of the whole plan, for this number of designs. They are the
    /// same on every machine.
    pub(crate) fn expected(&self, designs: usize) -> (Vec<Cost>, Vec<u64>) {
        let costs: Vec<Cost> = self.panels.iter().map(|panel| self.guess(panel, designs)).collect();
        let rounds = sizing::allot(self.rounds, &costs, self.rounds.time(), self.shares());
        (costs, rounds)
    }

    fn guess(&self, panel: &PanelPlan, designs: usize) -> Cost {
        let regime = &panel.regime;
        let perturbation = rules(regime.kind).perturbation_nanoseconds(regime);
        let row = Workload::describe(&panel.workload).ok();
        let leaves = row.and_then(|row| row.leaves()).unwrap_or(LEAVES) as f64;
        let is_long = panel.is_long();
        let median = match panel.call.operation() {
            Some(Operation::PerftBulk) => leaves * COUNTED_LEAF_NANOSECONDS,
            Some(Operation::Perft) => leaves * MADE_LEAF_NANOSECONDS,
            _ => MEDIAN_NANOSECONDS,
        };
        let (positions, preparation, length) = match regime.period {
            Some(k) if panel.is_resident() => {
                let target = self.batch.as_nanos() as f64 / MEDIAN_NANOSECONDS;
                let longest = Plan::LONGEST_BATCH.as_nanos() as f64 / SLOWEST_NANOSECONDS;
                let learning = learning::usual_positions(k as usize) as f64 * median;
                // At least one whole pass is timed.
                (target.min(longest).max(k as f64), learning, 1)
            }
            _ => {
                let is_short = perturbation > 0.0 || is_long;
                let most = if is_short { CALLS } else { MOST_POSITIONS } as f64;
                let known = row.and_then(|row| row.positions());
                let boards = regime.boards.or(known.map(|known| known as u64));
                let positions = most.min(boards.map_or(f64::INFINITY, |boards| boards as f64));
                let (prefix, length) = match regime.period {
                    Some(k) if is_long => ((k as f64).min(LEAST_PREFIX as f64), 1),
                    _ if is_long => (LEAST_PREFIX as f64, TURN),
                    _ => (PREFIX as f64, TURN),
                };
                (positions, prefix * median, length)
            }
        };
        let perturbed = if perturbation > 0.0 { 2.0 * positions * perturbation } else { 0.0 };
        let loading = if length == 1 { 0.0 } else { positions * LOAD_NANOSECONDS };
        // Each batch is generated twice: once timed, once checked.
        let sample = 2.0 * positions * median + loading + perturbed + SAMPLE_NANOSECONDS;
        // One more sample for the A/A control.
        let all = (designs as f64 + 1.0) / 1e9;
        let turn = all * (preparation + SETTLING_CALLS * perturbation);
        Cost { turn, round: all * sample, length: length as u64, weight: panel.weight() }
    }
}
