//! Records the branches of consecutive positions and replays them through models of branch predictors.
//!
//! A predictor depends on the order of the positions. So windows of consecutive positions are recorded, spread evenly
//! over the workload, and replayed in two orders:
//!
//! * as a stream: the windows one after the other, each position once;
//! * as a learnt replay: runs of K positions, each repeated until the predictor has learnt it.
//!
//! Both count the same positions. The first windows of the stream only train the predictor and are not counted.

use std::ops::Range;

use raywalk_core::{Position, parallel};
use raywalk_measure::design::Design;
use raywalk_models::branch::{ConditionalModel, IndirectModel, Missed, Recording};
use raywalk_results::schema::Stage;
use raywalk_trace::{Sites, TraceError};

use super::recorded::record;
use super::spread;

/// Positions of a long recording's windows, unless the replay is longer. Long against the step from one window to the
/// next.
const WINDOW: usize = 256;
/// The part of the windows that only trains the stream: one of this many, and one of three.
const TRAINING: usize = 4;

/// The modelled predictors: one for conditional and one for indirect branches. Callgrind and older models predict the
/// last target.
pub(crate) const PREDICTORS: [(ConditionalModel, IndirectModel); 5] = [
    (ConditionalModel::Tage, IndirectModel::Ittage),
    (ConditionalModel::TageScL, IndirectModel::Ittage),
    (ConditionalModel::Gshare, IndirectModel::Ittage),
    (ConditionalModel::Callgrind, IndirectModel::LastTarget),
    (ConditionalModel::Bimodal, IndirectModel::LastTarget),
];

/// Positions of a window of so many: a power of two. A quarter of a short recording trains as well.
pub(crate) fn window(positions: usize) -> usize {
    (positions / TRAINING).checked_ilog2().map_or(1, |bits| WINDOW.min(1 << bits))
}

/// Positions to record, window after window.
pub(crate) struct Windows {
    pub(crate) positions: Vec<Position>,
    /// For each position whether it is a quiescence node; empty if the workload is no recorded search.
    pub(crate) quiescence: Vec<bool>,
    /// Positions at the beginning that only train the stream.
    pub(crate) warm_up: usize,
    /// Positions of a run of the learnt replay.
    pub(crate) replay: usize,
}

impl Windows {
    /// At most about `most` of the positions, but one window at least. `replay` is a power of two; a shorter workload
    /// makes it smaller.
    pub(crate) fn of(
        positions: &[Position],
        quiescence: &[bool],
        most: usize,
        replay: usize,
    ) -> Windows {
        let largest = positions.len().checked_ilog2().map_or(0, |bits| 1 << bits);
        let replay = replay.min(largest);
        if replay == 0 {
            return Windows { positions: Vec::new(), quiescence: Vec::new(), warm_up: 0, replay };
        }
        // Whole runs of the replay.
        let length = replay.max(window(most.min(positions.len())));
        let windows = (most / length).clamp(1, positions.len() / length);
        let starts = spread(positions.len() / length, windows);
        let window = |&start: &usize| start * length..(start + 1) * length;
        let nodes = |places: Range<usize>| quiescence.get(places).unwrap_or_default();
        Windows {
            positions: starts.iter().flat_map(|it| &positions[window(it)]).copied().collect(),
            quiescence: starts.iter().flat_map(|it| nodes(window(it))).copied().collect(),
            warm_up: (windows + 1) / TRAINING * length,
            replay,
        }
    }

    /// The positions that are counted.
    pub(crate) fn counted(&self) -> Range<usize> {
        self.warm_up..self.positions.len()
    }
}

/// The misses of a design by all models.
pub(crate) struct Modelled {
    /// The branches of the counted positions, as they were executed.
    pub(crate) sites: Sites,
    /// In the order of [`PREDICTORS`].
    pub(crate) predictors: Vec<Predictor>,
}

/// Mispredictions of one predictor at the counted positions, by addresses relative to the file of the code.
pub(crate) struct Predictor {
    pub(crate) conditional: ConditionalModel,
    pub(crate) indirect: IndirectModel,
    pub(crate) stream: Missed,
    pub(crate) replay: Missed,
}

/// Records a stage of a design with breakpoints and replays it. `tick` is called after each position.
pub(crate) fn model(
    entry: usize,
    design: &mut dyn Design,
    stage: Stage,
    windows: &Windows,
    tick: &dyn Fn(),
) -> Result<Modelled, TraceError> {
    let mut sites = Sites::default();
    let recording = record(entry, design, stage, &windows.positions, |followed| {
        if followed.place >= windows.warm_up {
            sites.add(followed.code, followed.trace);
        }
        tick();
    })?;
    Ok(Modelled { sites, predictors: replay(&recording, windows) })
}

/// Replays a recording through all predictors, side by side.
fn replay(recording: &Recording, windows: &Windows) -> Vec<Predictor> {
    let (counted, k) = (windows.counted(), windows.replay);
    parallel::map(&PREDICTORS, |&(conditional, indirect)| Predictor {
        conditional,
        indirect,
        stream: recording.missed_once(counted.clone(), conditional, indirect),
        replay: recording.missed_learnt(counted.clone(), k, conditional, indirect),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn windows(positions: usize, most: usize, replay: usize) -> (usize, usize, usize) {
        let Windows { positions, warm_up, replay, .. } =
            Windows::of(&vec![Position::default(); positions], &[], most, replay);
        (positions.len(), warm_up, replay)
    }

    #[test]
    fn windows_hold_whole_runs_and_a_quarter_of_them_trains() {
        assert_eq!(windows(100_000, 4096, 256), (4096, 1024, 256));
        assert_eq!(windows(100_000, 4096, 16), (4096, 1024, 16));
        // Two windows are too few to give one away.
        assert_eq!(windows(100_000, 4096, 2048), (4096, 0, 2048));
        assert_eq!(windows(100_000, 100, 256), (256, 0, 256));
        assert_eq!(windows(1000, 4096, 256), (768, 256, 256));
        assert_eq!(windows(100, 4096, 256), (64, 0, 64));
        assert_eq!(windows(100, 4096, 8), (96, 16, 8));
        // The quick plan, whose replay is a window.
        assert_eq!(windows(100_000, 256, window(256)), (256, 64, 64));
        // A file of few positions.
        assert_eq!(windows(300, 2048, window(300)), (256, 64, 64));
        assert_eq!(windows(1, 1, 1), (1, 0, 1));
        assert_eq!(windows(0, 4096, 256), (0, 0, 0));
    }

    #[test]
    fn windows_keep_the_nodes_of_their_positions() {
        let nodes: Vec<bool> = (0..2048).map(|place| place >= 1024).collect();
        let windows = Windows::of(&vec![Position::default(); 2048], &nodes, 512, 16);
        assert_eq!(windows.quiescence, [[false; 256], [true; 256]].concat());
        let none = Windows::of(&[Position::default(); 9], &[], 9, 1);
        assert!(none.quiescence.is_empty());
    }
}
