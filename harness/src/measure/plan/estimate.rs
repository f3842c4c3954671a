//! How long a plan will take, before anything has run.
//!
//! A guess from constants, for `--dry-run` alone: the session times one round of each panel itself.

use std::time::Duration;

use raywalk_reports::schema::Regime;

use super::{PanelPlan, Plan, Rounds};
use crate::measure::session::feed::{LEAD, RESIDENT};

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
        let count = self.panels.len().max(1) as f64;
        let panels = self.panels.iter().map(|panel| {
            let round = self.guess_round(panel, designs);
            let rounds = self.rounds.within(self.rounds.time().map(|time| time / count), round);
            PanelEstimate {
                id: panel.id(),
                rounds,
                time: Duration::from_secs_f64(round * rounds as f64),
            }
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
        let sample = batch * MIDDLING_NANOSECONDS + disturbed + feed + SAMPLE_NANOSECONDS;
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

    /// Rounds of `round` seconds each that fit into a panel's share of the time, in seconds.
    pub(in crate::measure) fn within(self, share: Option<f64>, round: f64) -> u64 {
        match self {
            Rounds::Fixed(rounds) => rounds,
            Rounds::Budget { least, most, .. } => {
                let fit = share.unwrap_or(0.0).max(0.0) / round.max(1e-9);
                (fit as u64).clamp(least, most.max(least))
            }
        }
    }
}
