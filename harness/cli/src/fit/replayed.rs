//! The misses of a design by all models, from its recorded branches.

use raywalk_core::random::SplitMix;
use raywalk_core::{Position, parallel};
use raywalk_measure::design::Design;
use raywalk_measure::{MOST_POSITIONS, PREFIX};
use raywalk_models::branch::{
    ConditionalModel, IndirectModel, Misses, Part, Recording, missed_in_parts,
};
use raywalk_results::schema::{Order, Stage};
use raywalk_results::statistics::mean;
use raywalk_trace::{Counts, TraceError};

use crate::trace::{Followed, record};

use super::{BLOCK, Experiment, ORDERS, places, source};

/// The models: that which is judged, another modern one, and the rivals.
pub(crate) const MODELS: [(ConditionalModel, IndirectModel); 4] = [
    (ConditionalModel::Tage, IndirectModel::Ittage),
    (ConditionalModel::TageScL, IndirectModel::Ittage),
    (ConditionalModel::Gshare, IndirectModel::Ittage),
    (ConditionalModel::Callgrind, IndirectModel::LastTarget),
];

/// The recordings of one design.
pub(crate) struct Recorded {
    sweep: Followings,
    /// Recordings in the order of a tree and in that of a game, as in [`Experiment::recorded`].
    orders: [Followings; 2],
}

/// The branches of positions, and what was counted.
struct Followings {
    recording: Recording,
    instructions: Vec<u64>,
    moves: Vec<u64>,
}

impl Followings {
    fn of(
        entry: usize,
        design: &mut dyn Design,
        stage: Stage,
        positions: &[Position],
        tick: &dyn Fn(),
    ) -> Result<Followings, TraceError> {
        let (mut instructions, mut moves) = (Vec::new(), Vec::new());
        let recording = record(entry, design, stage, positions, |followed: &Followed<'_>| {
            instructions.push(Counts::of(followed.code, followed.trace).instructions);
            moves.push(followed.moves);
            tick();
        })?;
        Ok(Followings { recording, instructions, moves })
    }
}

impl Recorded {
    /// Records a stage of a design. `tick` is called after each position.
    pub(crate) fn of(
        entry: usize,
        design: &mut dyn Design,
        stage: Stage,
        experiment: &Experiment,
        tick: &dyn Fn(),
    ) -> Result<Recorded, TraceError> {
        let mut of = |positions: &[Position]| Followings::of(entry, design, stage, positions, tick);
        let [tree, game] = &experiment.recorded;
        Ok(Recorded { sweep: of(&experiment.sweep)?, orders: [of(tree)?, of(game)?] })
    }
}

/// Modelled misses and counts of one design, per position.
pub(crate) struct Replayed {
    /// For each model and each run of the sweep.
    pub(super) sweep: Vec<Vec<f64>>,
    /// Instructions and moves of the positions of the sweep, counted.
    pub(super) of_sweep: Counted,
    /// One element for each of [`ORDERS`], in the same order.
    pub(super) orders: Vec<ReplayedOrder>,
    /// Misses of the judged model in the first order, block by block, if the blocks and the positions of each come in
    /// another order.
    pub(super) other_order: Vec<f64>,
}

/// Mean instructions and moves per position.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counted {
    pub(super) instructions: f64,
    pub(super) moves: f64,
}

/// One order, block by block.
pub(super) struct ReplayedOrder {
    /// Misses per position, for each of [`MODELS`] and each block.
    pub(super) misses: Vec<Vec<f64>>,
    pub(super) instructions: Vec<f64>,
    pub(super) counted: Counted,
    /// Misses of the judged model per position, as a session runs the order.
    pub(super) in_session: f64,
}

/// Replays what was recorded through all models, side by side. `before` is the design that runs before this one in a
/// session.
pub(crate) fn replayed(
    recorded: &Recorded,
    before: &Recorded,
    experiment: &Experiment,
) -> Replayed {
    let orders = ORDERS.map(|order| {
        let followings = &recorded.orders[source(order)];
        (followings, places(order, whole_blocks(followings.instructions.len())))
    });
    let one = |&(conditional, indirect): &(ConditionalModel, IndirectModel)| {
        let sweep = experiment.runs().map(|run| {
            let misses = recorded.sweep.recording.replayed(run, conditional, indirect);
            mean(&totals(&misses))
        });
        let streams = orders.iter().map(|(followings, places)| {
            totals(&followings.recording.streamed(places, conditional, indirect))
        });
        (sweep.collect::<Vec<f64>>(), streams.collect::<Vec<Vec<f64>>>())
    };
    let in_session = |(order, (own, places)): (Order, &(&Followings, Vec<usize>))| {
        in_session(own, &before.orders[source(order)], places)
    };
    let by_model = parallel::map(&MODELS, one);
    let in_session: Vec<f64> = ORDERS.into_iter().zip(&orders).map(in_session).collect();
    let replayed = orders.iter().enumerate().map(|(number, (followings, places))| {
        let at = |values: &[u64]| places.iter().map(|&place| values[place] as f64).collect();
        let (instructions, moves): (Vec<f64>, Vec<f64>) =
            (at(&followings.instructions), at(&followings.moves));
        ReplayedOrder {
            misses: by_model.iter().map(|(_, streams)| streams[number].clone()).collect(),
            instructions: instructions.chunks(BLOCK).map(mean).collect(),
            counted: Counted { instructions: mean(&instructions), moves: mean(&moves) },
            in_session: in_session[number],
        }
    });
    let of_sweep = |values: &[u64]| mean(&values.iter().map(|&one| one as f64).collect::<Vec<_>>());
    Replayed {
        orders: replayed.collect(),
        sweep: by_model.iter().map(|(sweep, _)| sweep.clone()).collect(),
        of_sweep: Counted {
            instructions: of_sweep(&recorded.sweep.instructions),
            moves: of_sweep(&recorded.sweep.moves),
        },
        other_order: in_other_order(&recorded.orders[0]),
    }
}

/// Misses of the judged model as a session runs an order: batch after batch, and for each another design first and then
/// this one. Both run a prefix of other positions, the batch, and the batch again to check the moves. Only the batch of
/// this design counts.
fn in_session(own: &Followings, before: &Followings, places: &[usize]) -> f64 {
    let (conditional, indirect) = MODELS[0];
    let batches: Vec<[Vec<usize>; 2]> = places
        .chunks(MOST_POSITIONS)
        .enumerate()
        .map(|(number, batch)| {
            // The prefix ends where the batch begins, and goes round.
            let (count, first) = (places.len(), number * MOST_POSITIONS);
            let length = PREFIX.min(count - batch.len());
            let prefix = (count + first - length..count + first).map(|place| places[place % count]);
            [prefix.collect(), batch.to_vec()]
        })
        .collect();
    let parts = batches.iter().flat_map(|[prefix, batch]| {
        [(before, false), (own, true)].into_iter().flat_map(move |(design, counted)| {
            let part =
                |positions, counted| Part { recording: &design.recording, positions, counted };
            [part(prefix, false), part(batch, counted), part(batch, false)]
        })
    });
    missed_in_parts(parts, conditional, indirect).total()
}

/// The positions of whole blocks.
const fn whole_blocks(positions: usize) -> usize {
    positions / BLOCK * BLOCK
}

/// Misses of the blocks if the judged model sees the blocks, and the positions of each of them, in another order.
fn in_other_order(followings: &Followings) -> Vec<f64> {
    let (conditional, indirect) = MODELS[0];
    let blocks = followings.instructions.len() / BLOCK;
    let mut random = SplitMix(2);
    let order = random.permutation(blocks);
    let places: Vec<usize> = order
        .iter()
        .flat_map(|&block| {
            random.permutation(BLOCK).into_iter().map(move |within| block * BLOCK + within)
        })
        .collect();
    let streamed = totals(&followings.recording.streamed(&places, conditional, indirect));
    let mut misses = vec![0.0; blocks];
    for (&block, streamed) in order.iter().zip(streamed) {
        misses[block] = streamed;
    }
    misses
}

fn totals(misses: &[Misses]) -> Vec<f64> {
    misses.iter().map(|misses| misses.total()).collect()
}
