//! How long a plan will take, before anything has run.
//!
//! A guess from constants, for `--dry-run` alone: the session times one round of each panel itself.

use std::time::Duration;

use raywalk_reports::schema::Regime;

use super::{PanelPlan, Plan, Rounds};
use crate::measure::session::feed::{LEAD, RESIDENT};
use crate::measure::session::sizing;

/// A mailbox on shuffled positions; the slowest designs take about this much.
const SLOWEST_NANOSECONDS: f64 = 400.0;
/// Halfway between bitboards and mailboxes.
const MIDDLING_NANOSECONDS: f64 = 130.0;
/// Making one board.
const LOAD_NANOSECONDS: f64 = 250.0;
/// Two calibrations, and reading the counters.
const SAMPLE_NANOSECONDS: f64 = 80_000.0;
/// A branch on a random bit, and a line from a cache that is not the first.
const BRANCH_NANOSECONDS: f64 = 3.2;
const LINE_NANOSECONDS: f64 = 6.0;
/// Calls of a disturbed sample: timed at least, and before.
const DISTURBED_CALLS: f64 = 128.0;
const SETTLING_CALLS: f64 = 64.0;
/// Warm-up of a replay.
const REPLAY_WARM_UP_NANOSECONDS: f64 = 1_500_000.0;

/// What a plan will take.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// One row per panel.
    pub panels: Vec<PanelEstimate>,
    /// All panels together.
    pub time: Duration,
}

/// What a panel will take.
#[derive(Clone, Debug, PartialEq)]
pub struct PanelEstimate {
    /// Id of the panel.
    pub id: String,
    /// Rounds that fit.
    pub rounds: u64,
    /// For all of them.
    pub time: Duration,
}

impl Plan {
    /// A guess at rounds and time with so many designs.
    pub fn estimate(&self, designs: usize) -> Estimate {
        let costs: Vec<f64> =
            self.panels.iter().map(|panel| self.guess_round(panel, designs)).collect();
        let rounds = sizing::allot(self.rounds, &costs, self.rounds.time(), self.shares());
        let panels = self.panels.iter().zip(costs).zip(rounds).map(|((panel, cost), rounds)| {
            let all = (rounds + sizing::WARM_UP * self.shares()) as f64;
            PanelEstimate { id: panel.id(), rounds, time: Duration::from_secs_f64(cost * all) }
        });
        let panels: Vec<_> = panels.collect();
        let time = panels.iter().map(|panel| panel.time).sum();
        Estimate { panels, time }
    }

    /// Seconds of one round.
    fn guess_round(&self, panel: &PanelPlan, designs: usize) -> f64 {
        let target = self.batch.as_nanos() as f64 / MIDDLING_NANOSECONDS;
        let longest = Plan::LONGEST_BATCH.as_nanos() as f64 / SLOWEST_NANOSECONDS;
        let disturbance = match panel.regime {
            Regime::Cold { branches, .. } => branches as f64 * BRANCH_NANOSECONDS,
            Regime::Pressure { lines, .. } => lines as f64 * LINE_NANOSECONDS,
            Regime::Replay { .. } | Regime::Stream { .. } => 0.0,
        };
        let mut batch = target.min(longest);
        if disturbance > 0.0 {
            let call = MIDDLING_NANOSECONDS + 2.0 * disturbance;
            batch = (self.batch.as_nanos() as f64 / call).max(DISTURBED_CALLS);
        }
        let feed = match panel.regime {
            Regime::Replay { k } if k <= RESIDENT as u64 => REPLAY_WARM_UP_NANOSECONDS,
            _ => LEAD as f64 * (LOAD_NANOSECONDS + MIDDLING_NANOSECONDS) + batch * LOAD_NANOSECONDS,
        };
        let disturbed = (2.0 * batch + SETTLING_CALLS) * disturbance;
        // Once timed and once checked.
        let sample = 2.0 * batch * MIDDLING_NANOSECONDS + disturbed + feed + SAMPLE_NANOSECONDS;
        // The twin, and half as much again for the answers.
        (designs as f64 + 1.5) * sample / 1e9
    }
}

impl Rounds {
    /// Seconds of the whole plan, if they are bounded.
    pub(in crate::measure) fn time(self) -> Option<f64> {
        match self {
            Rounds::Fixed(_) => None,
            Rounds::Budget { time, .. } => Some(time.as_secs_f64()),
        }
    }
}
