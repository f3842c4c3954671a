//! Measured cycles of a design.

use raywalk_core::Position;
use raywalk_measure::blocks::{Passes, cycles_of_blocks, least_cycles};
use raywalk_measure::clock::Clock;
use raywalk_measure::design::{Design, Invocation};
use raywalk_results::schema::{Call, Scope, Stage};
use raywalk_results::statistics::mean;

use super::{BLOCK, Experiment, ORDERS};

/// A run shorter than a block is repeated within it, so it is learnt sooner.
const SHORT: Passes = Passes { training: 12, timed: 8 };
const LEARNT: Passes = Passes { training: 16, timed: 12 };
const STREAM: Passes = Passes { training: 3, timed: 10 };
/// The boards of a block fill the memory of a whole order several times.
const MATCHED: Passes = Passes { training: 2, timed: 3 };
/// Positions of a learnt run. Every predictor of today learns so few.
const LEARNT_RUN: usize = 64;
/// Runs that show what memory costs, spread over the order.
const MATCHED_RUNS: usize = 8;

/// Measured core cycles per position.
#[derive(Clone, Debug)]
pub(crate) struct Timed {
    /// For each run of the sweep the mean over its blocks.
    pub(super) sweep: Vec<f64>,
    /// The positions of the sweep in learnt runs.
    pub(super) learnt: f64,
    /// One element for each of [`ORDERS`], in the same order.
    pub(super) orders: Vec<TimedOrder>,
}

/// One order, block by block.
#[derive(Clone, Debug)]
pub(super) struct TimedOrder {
    /// In learnt runs of a block each.
    pub(super) learnt: Vec<f64>,
    /// In the order itself: one run of all positions.
    pub(super) measured: Vec<f64>,
    /// In some of the learnt runs, at equal distances, with boards that take as much memory as those of the order.
    matched: Vec<f64>,
}

impl TimedOrder {
    /// What memory adds to the learnt runs. The least of two measurements is that of each time, and not of their
    /// difference, which a disturbed learnt run makes too small.
    pub(super) fn memory(&self) -> f64 {
        let learnt = self.learnt.iter().step_by(every(&self.learnt));
        let extra: Vec<f64> =
            self.matched.iter().zip(learnt).map(|(matched, learnt)| matched - learnt).collect();
        mean(&extra)
    }
}

/// Distance of the learnt runs that show what memory costs.
fn every(learnt: &[f64]) -> usize {
    (learnt.len() / MATCHED_RUNS).max(1)
}

/// Measures a stage of a design. `None` where the clock of the core cannot be read.
pub(crate) fn time<C: Clock>(
    clock: &C,
    design: &mut dyn Design,
    stage: Stage,
    experiment: &Experiment,
) -> Option<Timed> {
    let call = Call::Generate { stage, scope: Scope::Whole };
    design.prepare_for(call);
    let invocation: Invocation = call.into();
    let mut blocks = |positions: &[Position], run: usize, passes: Passes| {
        cycles_of_blocks(clock, design, invocation, positions, [BLOCK, run], passes)
    };
    let mut sweep = Vec::new();
    for run in experiment.runs() {
        let passes = if run < BLOCK { SHORT } else { LEARNT };
        sweep.push(mean(&blocks(&experiment.sweep, run, passes)?));
    }
    let learnt = mean(&blocks(&experiment.sweep, LEARNT_RUN, LEARNT)?);
    let mut orders = Vec::new();
    for order in ORDERS {
        let positions = experiment.positions(order);
        let learnt = blocks(&positions, LEARNT_RUN, LEARNT)?;
        let measured = blocks(&positions, positions.len() / BLOCK * BLOCK, STREAM)?;
        orders.push(TimedOrder { learnt, measured, matched: Vec::new() });
    }
    for (order, timed) in ORDERS.into_iter().zip(&mut orders) {
        let (positions, every) = (experiment.positions(order), every(&timed.learnt));
        timed.matched = matched(clock, design, invocation, &positions, every)?;
    }
    Some(Timed { sweep, learnt, orders })
}

/// Cycles of learnt runs whose boards are copied until they take as much memory as all positions. The branches stay the
/// same, so the difference from the learnt run is that of memory.
fn matched<C: Clock>(
    clock: &C,
    design: &mut dyn Design,
    invocation: Invocation,
    positions: &[Position],
    every: usize,
) -> Option<Vec<f64>> {
    let runs = positions.chunks_exact(BLOCK);
    let blocks = [BLOCK, runs.len()];
    let cycles = |run: &[Position]| {
        design.load(&run.repeat(blocks[1]));
        Some(mean(&least_cycles(clock, design, invocation, blocks, MATCHED)?))
    };
    runs.step_by(every).map(cycles).collect()
}

impl Timed {
    /// The least of two measurements of the same design, value by value.
    pub(super) fn least(&self, other: &Timed) -> Timed {
        let least = |one: &[f64], other: &[f64]| -> Vec<f64> {
            one.iter().zip(other).map(|(one, other)| one.min(*other)).collect()
        };
        let order = |(one, other): (&TimedOrder, &TimedOrder)| TimedOrder {
            learnt: least(&one.learnt, &other.learnt),
            measured: least(&one.measured, &other.measured),
            matched: least(&one.matched, &other.matched),
        };
        Timed {
            sweep: least(&self.sweep, &other.sweep),
            learnt: self.learnt.min(other.learnt),
            orders: self.orders.iter().zip(&other.orders).map(order).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raywalk_measure::fake::{FakeClock, FakeDesign, Time, position};

    fn experiment() -> Experiment {
        let positions = |count| (0..count).map(position).collect::<Vec<_>>();
        Experiment {
            workloads: ["sweep", "tree", "game"],
            sweep: positions(130),
            recorded: [positions(192), positions(128)],
        }
    }

    fn timed(ticks: u64) -> Timed {
        let now = Time::default();
        let mut design = FakeDesign::new("fake", ticks, &now);
        time(&FakeClock::new(&now), &mut design, Stage::All, &experiment()).expect("a core clock")
    }

    #[test]
    fn a_design_without_a_predictor_costs_the_same_in_every_order() {
        let timed = timed(100);
        assert_eq!(timed.sweep, [200.0; 4], "K is 1, 4, 16 and 64");
        assert_eq!(timed.learnt, 200.0);
        let blocks: Vec<_> = timed.orders.iter().map(|order| order.measured.clone()).collect();
        assert_eq!(blocks, [vec![200.0; 3], vec![200.0; 2], vec![200.0; 3]]);
        assert!(timed.orders.iter().all(|order| order.memory() == 0.0), "{timed:?}");
    }

    #[test]
    fn a_disturbed_learnt_run_does_not_hide_the_cost_of_memory() {
        let order = |learnt: f64| TimedOrder {
            learnt: vec![learnt; 16],
            measured: vec![300.0; 16],
            matched: vec![260.0; 8],
        };
        let timed = |learnt| Timed { sweep: vec![], learnt, orders: vec![order(learnt)] };
        assert_eq!(timed(200.0).least(&timed(250.0)).orders[0].memory(), 60.0);
    }

    #[test]
    fn of_two_measurements_the_least_counts() {
        let [slow, fast] = [timed(100), timed(90)];
        let least = slow.least(&fast);
        assert_eq!(
            (least.learnt, least.sweep[0], least.orders[1].measured[0]),
            (180.0, 180.0, 180.0)
        );
    }
}
