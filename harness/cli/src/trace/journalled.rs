//! The trace of a design as a record of a journal: short enough for every session.

use raywalk_audit::{Core, Dependences};
use raywalk_core::{Position, parallel};
use raywalk_measure::design::Design;
use raywalk_measure::latency::Latencies;
use raywalk_models::branch::{ConditionalModel, IndirectModel, Missed, Recording};
use raywalk_models::cache::LEVELS;
use raywalk_results::schema::{
    self, BranchSite, ByNode, CacheMisses, Call, LayoutMisses, Mispredictions, Model, NodeUse,
    Scope, Stage, TracedPosition,
};
use raywalk_trace::{Counts, Loaded, Site, Sites, TraceError, Tracer};

use crate::latencies::latency;

use super::caches::DataLines;
use super::layouts::Layout;
use super::models::Windows;
use super::names::Names;
use super::recorded::record;
use super::{spread, visited};

/// Instructions that the core of a critical path holds at once. It is assumed, not measured: cores of the last ten
/// years hold 200 to 600, but fewer that wait for their operands.
const WINDOW: usize = 256;

/// The models of a session: that which explains the clock best, and the best known one.
const PREDICTORS: [(ConditionalModel, IndirectModel); 2] = [
    (ConditionalModel::Tage, IndirectModel::Ittage),
    (ConditionalModel::Callgrind, IndirectModel::LastTarget),
];
/// Positions that are stepped for their accesses to memory.
const STEPPED: usize = 3;
/// Branches that are kept: those that are missed most often.
const BRANCHES: usize = 12;
/// Positions that are kept at each end.
const EXTREMES: usize = 10;

/// A stage of a workload.
pub(crate) struct Subject<'a> {
    pub(crate) workload: &'a str,
    pub(crate) stage: Stage,
    pub(crate) windows: &'a Windows,
    /// Those of this machine, for critical paths.
    pub(crate) latencies: Option<&'a Latencies>,
}

/// Sums over the counted positions.
#[derive(Default)]
struct Sums {
    counts: Counts,
    moves: u64,
    squares: u64,
    sites: Sites,
    /// The executions in interior nodes and in quiescence nodes; both empty if nodes are not known.
    by_node: [Sites; 2],
    /// Place, instructions and moves of each position with moves.
    positions: Vec<(usize, u64, u64)>,
}

/// A design that was traced and not yet modelled.
pub(crate) struct Executed {
    sums: Sums,
    recording: Recording,
    caches: schema::CacheUse,
    /// Longest chain of dependent instructions through all counted positions; `None` if latencies are unknown.
    critical_path: Option<raywalk_audit::CriticalPath>,
    /// Whether all of its code is in the program. Addresses in a library mean other code in the program of a layout.
    in_program: bool,
}

/// The misses of the models.
pub(crate) struct Replayed {
    /// In both orders, for each of the predictors.
    missed: Vec<[Missed; 2]>,
    /// Misses of the first predictor in each layout whose program contains the code of the design; none of a plug-in.
    pub(crate) layouts: Vec<LayoutMisses>,
}

impl Executed {
    /// Traces a design. `entry` is the address of the compiled entry of the stage.
    pub(crate) fn of(
        entry: usize,
        design: &mut dyn Design,
        subject: &Subject<'_>,
    ) -> Result<Executed, TraceError> {
        let &Subject { stage, windows, latencies, .. } = subject;
        let counted = windows.counted();
        let (mut sums, mut dependences) = (Sums::default(), Dependences::default());
        let mut core = Core::new(WINDOW);
        let recording = record(entry, design, stage, &windows.positions, |followed| {
            if counted.contains(&followed.place) {
                let counts = Counts::of(followed.code, followed.trace);
                // Positions are ordered by instructions per move.
                if followed.moves > 0 {
                    let place = followed.place;
                    sums.positions.push((place, counts.instructions, followed.moves));
                }
                sums.counts += counts;
                sums.moves += followed.moves;
                sums.squares += visited::squares(&windows.positions[followed.place], false);
                sums.sites.add(followed.code, followed.trace);
                if let Some(&quiescence) = windows.quiescence.get(followed.place) {
                    sums.by_node[usize::from(quiescence)].add(followed.code, followed.trace);
                }
                if let Some(latencies) = latencies {
                    // Each position may execute code that no earlier one did.
                    let known = dependences.len();
                    for number in known..followed.code.len() {
                        let instruction = followed.code[number as u32].decoded();
                        dependences.add(instruction, &|of| latency(latencies, of));
                    }
                    core.call(&dependences, &followed.trace.path);
                }
            }
        })?;
        let caches = caches(entry, design, stage, &windows.positions[counted])?;
        let critical_path = latencies.map(|_| core.critical_path());
        let loaded = Loaded::now();
        let mut addresses = sums.sites.0.keys().copied().chain([entry as u64]);
        let in_program = addresses.all(|address| loaded.is_program(address));
        Ok(Executed { sums, recording, caches, critical_path, in_program })
    }

    /// Replays the branches through the models, which takes as long as the trace. It needs nothing else, so another
    /// thread can do it.
    pub(crate) fn replayed(&self, windows: &Windows, layouts: &[Layout<'_>]) -> Replayed {
        let counted = windows.counted();
        let one = |(conditional, indirect)| {
            [
                self.recording.missed_once(counted.clone(), conditional, indirect),
                self.recording.missed_learnt(
                    counted.clone(),
                    windows.replay,
                    conditional,
                    indirect,
                ),
            ]
        };
        let in_layout =
            |layout: &Layout<'_>| layout.misses(&self.recording, windows, PREDICTORS[0]);
        let layouts = if self.in_program { layouts } else { &[] };
        Replayed {
            missed: PREDICTORS.map(one).into(),
            layouts: parallel::map(layouts, in_layout).into_iter().flatten().collect(),
        }
    }

    /// The record of a journal.
    pub(crate) fn record(
        &self,
        id: &str,
        subject: &Subject<'_>,
        Replayed { missed, layouts }: &Replayed,
        names: &Names<'_>,
    ) -> schema::Trace {
        let &Subject { workload, stage, windows, .. } = subject;
        let positions = windows.counted().len();
        let [cheapest, dearest] = extremes(&self.sums.positions, &windows.positions);
        schema::Trace {
            design: id.to_owned(),
            workload: workload.to_owned(),
            stage,
            positions: positions as u64,
            training: windows.warm_up as u64,
            counts: of_counts(&self.sums, positions),
            critical_path: self.critical_path.map(|path| {
                let [cycles, assumed] =
                    [path.cycles, path.assumed].map(|sum| sum / positions.max(1) as f64);
                schema::CriticalPath { window: WINDOW as u64, cycles, assumed }
            }),
            caches: self.caches.clone(),
            replay: windows.replay as u64,
            predictors: PREDICTORS.iter().zip(missed).map(mispredictions).collect(),
            branches: branches(&self.sums, &missed[0], windows, names),
            cheapest,
            dearest,
            layouts: layouts.clone(),
        }
    }
}

/// The positions with the fewest and with the most instructions per move.
fn extremes(found: &[(usize, u64, u64)], positions: &[Position]) -> [Vec<TracedPosition>; 2] {
    let mut found = found.to_vec();
    // By i ÷ m in whole numbers; equal ones in the order of the workload.
    found.sort_by_key(|&(place, ..)| place);
    found.sort_by(|&(_, i, m), &(_, other_i, other_m)| (i * other_m).cmp(&(other_i * m)));
    let of = |&(place, instructions, moves): &(usize, u64, u64)| TracedPosition {
        fen: positions[place].to_string(),
        instructions,
        moves,
    };
    let cheapest = found.iter().take(EXTREMES).map(of).collect();
    [cheapest, found.iter().rev().take(EXTREMES).map(of).collect()]
}

fn of_counts(sums: &Sums, positions: usize) -> schema::Counts {
    let per = |count: u64| count as f64 / positions.max(1) as f64;
    let Counts { instructions, conditional, taken, indirect_jumps, loads, stores, .. } =
        sums.counts;
    schema::Counts {
        instructions: per(instructions),
        conditional: per(conditional),
        taken: per(taken),
        indirect: per(indirect_jumps),
        loads: per(loads),
        stores: per(stores),
        moves: per(sums.moves),
        squares: per(sums.squares),
    }
}

/// Steps through some of the positions and replays their accesses to memory through caches.
fn caches(
    entry: usize,
    design: &mut dyn Design,
    stage: Stage,
    positions: &[Position],
) -> Result<schema::CacheUse, TraceError> {
    let call = Call::Generate { stage, scope: Scope::Whole };
    let chosen: Vec<Position> =
        spread(positions.len(), STEPPED).into_iter().map(|place| positions[place]).collect();
    design.load(&chosen);
    let mut tracer = Tracer::new(entry)?;
    let (mut lines, mut touched) = (DataLines::default(), 0);
    for place in 0..chosen.len() {
        let trace = tracer.step(|| _ = design.pass(call.into(), place..place + 1))?;
        touched += Counts::of(tracer.code(), &trace).data_lines;
        lines.add(&trace);
    }
    let used = lines.replay();
    let per = |count: u64| count as f64 / chosen.len().max(1) as f64;
    let levels = LEVELS.iter().zip(used.levels).map(|(level, misses)| CacheMisses {
        bytes: level.bytes,
        ways: level.ways as u64,
        once: per(misses.once),
        again: per(misses.again),
    });
    Ok(schema::CacheUse {
        positions: chosen.len() as u64,
        lines_per_position: per(touched),
        lines: used.lines,
        levels: levels.collect(),
    })
}

fn mispredictions(
    (&(conditional, indirect), missed): (&(ConditionalModel, IndirectModel), &[Missed; 2]),
) -> Mispredictions {
    Mispredictions {
        model: model(conditional),
        indirect: indirect.build().description().name,
        stream: missed[0].rate_of_all(),
        replay: missed[1].rate_of_all(),
    }
}

/// A model as a record describes it.
pub(crate) fn model(conditional: ConditionalModel) -> Model {
    let description = conditional.build().description();
    let parameters: Vec<String> =
        description.parameters.iter().map(|it| format!("{} {}", it.name, it.value)).collect();
    Model { name: description.name, parameters: parameters.join(", "), bits: description.bits }
}

/// The branches that are missed most often in the stream.
fn branches(
    Sums { sites, by_node, .. }: &Sums,
    [stream, replay]: &[Missed; 2],
    windows: &Windows,
    names: &Names<'_>,
) -> Vec<BranchSite> {
    let positions = windows.counted().len();
    let nodes = count(windows.quiescence.get(windows.counted()).unwrap_or_default());
    // Names are looked up for those that are kept: each takes a search in the debug information.
    let mut found: Vec<(f64, u64, &Site)> = sites
        .0
        .iter()
        .map(|(&address, site)| (stream.rate_at(names.relative(address)), address, site))
        .collect();
    found.sort_by(|(one, _, a), (other, _, b)| {
        other.total_cmp(one).then(b.executed().cmp(&a.executed()))
    });
    let site = |&(stream, address, site): &(f64, u64, &Site)| {
        let place = names.place(address);
        BranchSite {
            line: place.line.unwrap_or_default(),
            caller: place.caller,
            text: names.text(address),
            nodes: uses(by_node, nodes, address),
            executed: site.executed() as f64 / positions.max(1) as f64,
            taken: site.taken as f64 / site.executed().max(1) as f64,
            entropy: site.entropy(),
            stream,
            replay: replay.rate_at(names.relative(address)),
        }
    };
    found.iter().take(BRANCHES).map(site).collect()
}

/// Numbers of interior nodes and of quiescence nodes.
fn count(nodes: &[bool]) -> [usize; 2] {
    let quiescence = nodes.iter().filter(|&&one| one).count();
    [nodes.len() - quiescence, quiescence]
}

/// The executions of a branch by the type of node, of which there are so many; `None` if there are no nodes.
fn uses(by_node: &[Sites; 2], nodes: [usize; 2], address: u64) -> Option<ByNode> {
    let use_in = |sites: &Sites, count: usize| {
        let site = sites.0.get(&address);
        site.map_or_else(NodeUse::default, |site| NodeUse {
            executed: site.executed() as f64 / count.max(1) as f64,
            taken: site.taken as f64 / site.executed().max(1) as f64,
        })
    };
    let [interior, quiescence] = [0, 1].map(|kind| use_in(&by_node[kind], nodes[kind]));
    (nodes != [0, 0]).then_some(ByNode { interior, quiescence })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_branch_is_counted_by_the_type_of_node() {
        use raywalk_trace::BranchKind::Conditional;
        let site = |taken: u64, not: u64| Site {
            kind: Conditional,
            next: [(1, taken), (2, not)].into(),
            taken,
        };
        let by_node = [Sites([(7, site(6, 2))].into()), Sites([(7, site(1, 0))].into())];
        // Two interior nodes with eight executions, and one quiescence node with one.
        let found = uses(&by_node, count(&[false, true, false]), 7).expect("nodes");
        assert_eq!(found.interior, NodeUse { executed: 4.0, taken: 0.75 });
        assert_eq!(found.quiescence, NodeUse { executed: 1.0, taken: 1.0 });
        let absent = uses(&by_node, count(&[false]), 8).expect("nodes");
        assert_eq!(absent, ByNode::default());
        assert_eq!(uses(&by_node, count(&[]), 7), None, "no recorded search");
    }

    #[test]
    fn extremes_are_ordered_by_instructions_per_move() {
        let positions = vec![Position::default(); 4];
        // 10, 30, 20 and 10 instructions a move.
        let found = [(0, 100, 10), (3, 10, 1), (1, 60, 2), (2, 200, 10)];
        let [cheapest, dearest] = extremes(&found, &positions);
        let moves = |of: &[TracedPosition]| of.iter().map(|it| it.moves).collect::<Vec<_>>();
        assert_eq!(moves(&cheapest), [10, 1, 10, 2]);
        assert_eq!(moves(&dearest), [2, 10, 1, 10]);
        assert_eq!(cheapest[0].fen, Position::default().to_string());
    }
}
