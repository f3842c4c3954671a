//! Fits modelled mispredictions to the clock of this machine.
//!
//! 1. The clock measures each design: a sweep of learnt runs of K positions, and other positions in the order of a
//!    tree, of a game, and shuffled.
//! 2. The branches of the same positions are recorded with breakpoints.
//! 3. Models of predictors replay them in the same orders and the same runs.
//! 4. The slope of a design, its cycles per miss, comes from the sweep. It predicts the orders, none of which was
//!    used for the slope.
//!
//! The parameters of the models are constants, so nothing is tuned here. `raywalk_models::fit` defines line, learnt
//! replay and rival.
//!
//! | module | step |
//! |---|---|
//! | `timed` | 1 |
//! | `replayed` | 2 and 3 |
//! | `judged` | 4 |

use raywalk_core::Position;
use raywalk_core::random::SplitMix;
use raywalk_results::schema::Order;

mod judged;
mod replayed;
mod timed;

pub(crate) use judged::{Judged, fitted, judged};
use replayed::MODELS;
pub(crate) use replayed::{Recorded, replayed};
pub(crate) use timed::{Timed, time};

/// Positions of a block, the unit of all results.
const BLOCK: usize = raywalk_models::branch::BLOCK;

/// The runs of the sweep; dense where the knees of large predictors lie.
const RUNS: [usize; 14] = [1, 4, 16, 64, 256, 512, 640, 768, 896, 1024, 1536, 2048, 3072, 4096];

/// The positions of a fit.
pub(crate) struct Experiment {
    /// The workloads of the sweep, of the tree and of the game.
    pub(crate) workloads: [&'static str; 3],
    pub(crate) sweep: Vec<Position>,
    /// Positions in the order of a tree, and in that of a game.
    pub(crate) recorded: [Vec<Position>; 2],
}

/// The orders that are measured.
const ORDERS: [Order; 3] = [Order::Tree, Order::Game, Order::Shuffled];

/// Which of [`Experiment::recorded`] an order takes its positions from: those of the tree, except for a game.
fn source(order: Order) -> usize {
    usize::from(order == Order::Game)
}

/// Where each of `count` positions of an order is in its source.
fn places(order: Order, count: usize) -> Vec<usize> {
    match order {
        Order::Shuffled => SplitMix(1).permutation(count),
        _ => (0..count).collect(),
    }
}

impl Experiment {
    /// The runs of the sweep that its positions fill at least once.
    fn runs(&self) -> impl Iterator<Item = usize> + use<> {
        let count = self.sweep.len();
        RUNS.into_iter().filter(move |&run| run <= count)
    }

    /// The positions of an order.
    fn positions(&self, order: Order) -> Vec<Position> {
        let recorded = &self.recorded[source(order)];
        places(order, recorded.len()).into_iter().map(|place| recorded[place]).collect()
    }
}
