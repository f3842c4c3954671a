//! Traces designs over positions and adds up what they executed.
//!
//! Some positions are stepped, because only steps show the addresses of memory accesses; the others are
//! followed with breakpoints, which takes a tenth of the time. Each stepped position is followed as well, and
//! both traces must be equal. The positions are spread evenly over the workload: a trace depends on nothing
//! but code and position, so any order is as good as that of the workload.

use std::collections::HashSet;

use raywalk_core::Position;
use raywalk_measure::design::{Design, stage_id};
use raywalk_positions::recording::RecordedTree;
use raywalk_results::schema::{Call, Scope, Stage};
use raywalk_trace::{Counts, Site, Sites, TraceError, Tracer};

use crate::registry::Entry;

mod caches;
mod journalled;
mod layouts;
mod models;
mod names;
mod recorded;
pub(crate) mod visited;

pub(crate) use caches::{CacheUse, LevelUse, QUANTILES};
pub(crate) use journalled::{Executed, Replayed, Subject, model as model_record};
pub(crate) use layouts::{Images, Layout};
pub(crate) use models::{Modelled, PREDICTORS, Predictor, Windows, model, window};
pub(crate) use names::{Names, Place};
pub(crate) use recorded::{Followed, record};

use caches::DataLines;

/// Positions to trace, in the order of their workload.
pub(crate) struct Sample {
    pub(crate) positions: Vec<Position>,
    /// For each position whether it is a quiescence node; empty if the workload is no recorded search.
    pub(crate) quiescence: Vec<bool>,
}

impl Sample {
    /// At most `most` of the positions, evenly spread.
    pub(crate) fn of(positions: &[Position], quiescence: &[bool], most: usize) -> Sample {
        let places = spread(positions.len(), most);
        Sample {
            positions: places.iter().map(|&place| positions[place]).collect(),
            quiescence: places.iter().filter_map(|&place| quiescence.get(place).copied()).collect(),
        }
    }
}

/// `count` of the numbers below `len`, evenly spread, or all of them.
fn spread(len: usize, count: usize) -> Vec<usize> {
    let count = count.min(len);
    (0..count).map(|number| number * len / count).collect()
}

/// Whether each position is a quiescence node, by the trees of its workload. Empty if the trees are not those of so
/// many positions: they do not apply to these.
pub(crate) fn quiescence_of(trees: &[RecordedTree], positions: usize) -> Vec<bool> {
    let nodes: Vec<bool> = trees.iter().flat_map(RecordedTree::nodes).collect();
    if nodes.len() == positions { nodes } else { Vec::new() }
}

/// Counts of a design, summed over positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    pub(crate) positions: u64,
    pub(crate) moves: u64,
    /// Squares that sliders and leapers of the side to move look at.
    pub(crate) squares: u64,
    pub(crate) counts: Counts,
}

impl Totals {
    fn add(&mut self, position: &Position, moves: u64, counts: Counts) {
        self.positions += 1;
        self.moves += moves;
        self.squares += visited::squares(position, false);
        self.counts += counts;
    }
}

/// The counts and branches of a design.
#[derive(Default)]
pub(crate) struct Traced {
    /// Over all positions. Data lines are those of the stepped positions.
    pub(crate) all: Totals,
    /// Over the positions that were traced by stepping.
    pub(crate) stepped: Totals,
    /// Bytes of the distinct instructions that were executed in any position.
    pub(crate) code_bytes: u64,
    /// The executions of every branch, over all positions.
    pub(crate) sites: Sites,
    /// The cache lines that the stepped positions touched.
    pub(crate) caches: CacheUse,
    /// The executions in interior nodes and in quiescence nodes; both empty if nodes are not known.
    pub(crate) by_node: [Sites; 2],
    /// Why breakpoints were not used, if they could not be.
    pub(crate) breakpoints: Option<TraceError>,
    /// The first position in which the two ways to trace differ.
    pub(crate) difference: Option<Position>,
}

impl Traced {
    /// The executions of a branch in interior nodes and in quiescence nodes.
    pub(crate) fn nodes(&self, address: u64) -> [Option<&Site>; 2] {
        [&self.by_node[0], &self.by_node[1]].map(|sites| sites.0.get(&address))
    }
}

/// Address of the compiled entry of a stage.
pub(crate) fn entry_of(entry: &Entry, stage: Stage) -> usize {
    entry.address(stage_id(stage))
}

/// Traces a stage of a design. `steps` positions are stepped, more if breakpoints cannot be used; `tick` is
/// called after each position.
pub(crate) fn trace(
    entry: usize,
    design: &mut dyn Design,
    stage: Stage,
    sample: &Sample,
    steps: usize,
    tick: &dyn Fn(),
) -> Result<Traced, TraceError> {
    let call = Call::Generate { stage, scope: Scope::Whole };
    design.prepare_for(call);
    design.load(&sample.positions);
    let mut tracer = Tracer::new(entry)?;
    let mut traced = Traced::default();
    let (mut executed, mut lines) = (HashSet::new(), DataLines::default());
    let stepped: HashSet<usize> = spread(sample.positions.len(), steps).into_iter().collect();
    for (place, position) in sample.positions.iter().enumerate() {
        let mut moves = 0;
        let mut pass = || moves = design.pass(call.into(), place..place + 1);
        let followed = match traced.breakpoints {
            None => tracer.follow(&mut pass).map_err(|error| traced.breakpoints = Some(error)).ok(),
            Some(_) => None,
        };
        let (trace, is_stepped) = match followed {
            Some(followed) if !stepped.contains(&place) => (followed, false),
            followed => {
                let trace = tracer.step(&mut pass)?;
                if followed.is_some_and(|followed| followed.path != trace.path) {
                    traced.difference.get_or_insert(*position);
                }
                (trace, true)
            }
        };
        let code = tracer.code();
        let counts = Counts::of(code, &trace);
        traced.all.add(position, moves, counts);
        if is_stepped {
            traced.stepped.add(position, moves, counts);
            lines.add(&trace);
        }
        traced.sites.add(code, &trace);
        if let Some(&quiescence) = sample.quiescence.get(place) {
            traced.by_node[usize::from(quiescence)].add(code, &trace);
        }
        executed.extend(trace.path);
        tick();
    }
    let code = tracer.code();
    traced.caches = lines.replay();
    traced.code_bytes = executed.iter().map(|&number| u64::from(code[number].length)).sum();
    Ok(traced)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_spread_evenly() {
        assert_eq!(spread(10, 3), [0, 3, 6]);
        assert_eq!(spread(3, 10), [0, 1, 2]);
        assert!(spread(0, 5).is_empty());
        let positions = vec![Position::default(); 7];
        let sample = Sample::of(&positions, &[true, false, true, false, true, false, true], 3);
        assert_eq!((sample.positions.len(), sample.quiescence), (3, vec![true, true, true]));
        assert!(Sample::of(&positions, &[], 3).quiescence.is_empty());
    }
}
