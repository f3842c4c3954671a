//! Counts how often the compiler copied the walk and, separately, the rest: loops that come from one source line, and
//! lines that were unrolled.

use std::collections::{BTreeMap, BTreeSet};

use crate::chain::{Iteration, Operation};
use crate::decode::computes_by_vectors;
use crate::entry::{Operands, Part, Spot, Use};
use crate::jumps::{asks_for_blockers, ends_at_a_piece, is_board_jump};
use crate::lines::{Origin, Portion, Source};
use crate::loops::Loop;
use crate::report::{Copied, InnerLoop, Line, Repeated, Shape};

/// Whether an instruction belongs to the core of the walk: it reads a cell or writes a move.
fn is_core(spot: Spot<'_>, operands: Operands) -> bool {
    matches!(spot.used_for(operands), Some(Use::Cell | Use::Move))
}

/// Moves that a function about promotions may write in one line and one block: those of a pawn move.
const PROMOTIONS: usize = 4;

/// Occurrences of one place of the source in the code.
#[derive(Default)]
struct Occurrences {
    line: Option<Source>,
    /// Whether a function about promotions writes it.
    promotes: bool,
    /// Instructions in each block, which is given by the part and its number.
    blocks: BTreeMap<(u64, usize), usize>,
    /// Innermost loops, as the part and the first block.
    loops: BTreeSet<(u64, usize)>,
}

impl Occurrences {
    /// Number of occurrences in straight code, or in each of its loops.
    fn unrolled(&self) -> usize {
        let once = |count: usize| self.promotes && count <= PROMOTIONS;
        let times = |&count: &usize| if once(count) { 1 } else { count };
        let all: usize = self.blocks.values().map(times).sum();
        all / self.loops.len().max(1)
    }
}

/// The shape of the walk and of the rest.
pub(crate) fn shape(parts: &[Part], operands: Operands) -> Shape {
    let of = |portion| copied(parts, operands, portion);
    Shape { walk: of(Portion::Walk), rest: of(Portion::Rest) }
}

/// The copies in one portion.
///
/// A function that the source calls from two lines is meant to be there twice. Copies that the compiler
/// made have the same chain of inlined calls, line by line, up to the entry.
fn copied(parts: &[Part], operands: Operands, portion: Portion) -> Copied {
    let spots = || {
        let all = parts.iter().filter(|part| !part.rare).flat_map(Part::spots);
        all.filter(|spot| spot.origin().portion() == portion)
    };
    let mut places: BTreeMap<(&[Source], Use), Occurrences> = BTreeMap::new();
    for spot in spots() {
        let origin = spot.origin();
        let Some(used) = spot.used_for(operands).filter(|_| is_core(spot, operands)) else {
            continue;
        };
        if origin.rare || origin.frames.is_empty() {
            continue;
        }
        let part = spot.part.function.code.range.start;
        let occurrences = places.entry((&origin.frames, used)).or_default();
        occurrences.line.clone_from(&origin.place);
        occurrences.promotes = origin.promotes;
        *occurrences.blocks.entry((part, spot.block)).or_default() += 1;
        if let Some(around) = spot.around().filter(|around| around.innermost) {
            occurrences.loops.insert((part, around.blocks[0]));
        }
    }
    let most = |uses: &[Use], times: fn(&Occurrences) -> usize| {
        // The first of equals, so that the answer does not change with the order.
        let all = places.iter().rev().filter(|((_, used), _)| uses.contains(used));
        all.map(|(_, one)| (times(one), one))
            .filter(|(times, _)| *times > 0)
            .max_by_key(|(times, _)| *times)
            .map(|(times, one)| Repeated { times, source: one.line.clone() })
            .unwrap_or_default()
    };
    let computing = spots().filter(|spot| computes_by_vectors(spot.instruction()));
    let mut vectors: BTreeMap<Option<&Source>, usize> = BTreeMap::new();
    for spot in computing {
        *vectors.entry(spot.origin().place.as_ref()).or_default() += 1;
    }
    // The place with the most of them, because the first one changes with the order of the code.
    let source = vectors.iter().max_by_key(|(_, times)| **times).and_then(|(place, _)| *place);
    Copied {
        copies: most(&[Use::Cell, Use::Move], |one| one.loops.len()),
        // A cell may be read twice for one square, but a move is written once.
        unrolled: most(&[Use::Move], Occurrences::unrolled),
        vector_arithmetic: Repeated { times: vectors.values().sum(), source: source.cloned() },
    }
}

/// The innermost loops in the order of the code.
pub(crate) fn inner_loops(
    parts: &[Part],
    operands: Operands,
    text: &mut dyn FnMut(Spot<'_>) -> String,
) -> Vec<InnerLoop> {
    let mut found = Vec::new();
    for part in parts {
        for one in part.loops.iter().filter(|one| one.innermost) {
            found.push(inner_loop(part, one, operands, text));
        }
    }
    found
}

/// The origin of the instruction that stands for a loop.
pub(crate) fn walk<'a>(part: &'a Part, one: &Loop, operands: Operands) -> Option<&'a Origin> {
    // The read comes first: a move may be written in another order than the source has.
    let of = |wanted| part.spots_in(one).filter(move |s| s.used_for(operands) == Some(wanted));
    let spots = of(Use::Cell).chain(of(Use::Move)).chain(part.spots_in(one));
    spots.map(|spot| spot.origin()).find(|origin| origin.place.is_some())
}

fn inner_loop(
    part: &Part,
    one: &Loop,
    operands: Operands,
    text: &mut dyn FnMut(Spot<'_>) -> String,
) -> InnerLoop {
    let count =
        |wanted| part.spots_in(one).filter(|s| s.used_for(operands) == Some(wanted)).count();
    let all = part.spots_in(one).count();
    let rare = part.spots_in(one).filter(|spot| spot.is_rare()).count();
    let of = |wanted| part.spots_in(one).filter(move |s| s.used_for(operands) == Some(wanted));
    let walk = walk(part, one, operands);
    let shortest = shortest_iteration(part, one, operands);
    InnerLoop {
        source: walk.and_then(|origin| origin.place.clone()),
        calls: walk.map(|origin| origin.frames.clone()).unwrap_or_default(),
        entries: one.entries.len(),
        shortest_iteration: length(part, &shortest),
        chain: chain(part, &shortest),
        cell_loads: count(Use::Cell),
        move_stores: count(Use::Move),
        stack_operands: count(Use::Spill),
        spills: of(Use::Spill)
            .filter(|spot| !spot.is_rare())
            .map(|spot| spot.instruction().ip())
            .collect(),
        length_stores: count(Use::Length),
        board_jumps: board_jumps(part, one, operands),
        rules: 2 * rare > all,
        lines: part
            .spots_in(one)
            .map(|spot| Line {
                address: spot.instruction().ip(),
                instruction: text(spot),
                source: spot.origin().source.clone(),
            })
            .collect(),
    }
}

/// The conditional jumps of a loop that what stands on a square decides.
fn board_jumps(part: &Part, one: &Loop, operands: Operands) -> usize {
    let jumps = part.spots().filter(|spot| spot.instruction().is_jcc_short_or_near());
    if operands.cell_bytes > Some(0) {
        let own = jumps.filter(|spot| one.contains(spot.block) && !spot.is_rare());
        return own.filter(|&spot| is_board_jump(spot, operands)).count();
    }
    // On a board of sets the test for a blocker stands in the loop over pieces, before the loop over targets. Designs
    // that step along rays test in a loop beside it, whose end counts.
    let holds = |around: &Loop| one.blocks.iter().all(|&block| around.contains(block));
    let asks = |spot: &Spot<'_>| {
        let Some(around) = spot.around() else { return false };
        if holds(around) {
            return asks_for_blockers(*spot);
        }
        let is_beside = |outer: &Loop| holds(outer) && outer.contains(around.blocks[0]);
        part.loops.iter().any(is_beside)
            && writes_no_move(part, around, operands)
            && ends_at_a_piece(*spot)
    };
    jumps.filter(asks).count()
}

/// Whether a loop is an innermost one that writes no move.
fn writes_no_move(part: &Part, one: &Loop, operands: Operands) -> bool {
    one.innermost && part.spots_in(one).all(|spot| spot.used_for(operands) != Some(Use::Move))
}

/// The blocks of the shortest iteration of a loop that reads a cell and writes a move, as far as the loop does either;
/// all of its blocks if there is none. In loops over squares this is the iteration for an empty one: if the entry
/// writes no moves to empty squares, an iteration need not write one.
fn shortest_iteration(part: &Part, one: &Loop, operands: Operands) -> Vec<usize> {
    let blocks = |wanted| {
        let all = part.spots_in(one).filter(|spot| spot.used_for(operands) == Some(wanted));
        let mut blocks: Vec<usize> = all.map(|spot| spot.block).collect();
        blocks.dedup();
        blocks
    };
    let (reads, writes) = (blocks(Use::Cell), blocks(Use::Move));
    let (starts, through) = match (reads.is_empty(), writes.is_empty()) {
        (true, true) => (&one.entries, None),
        (true, false) => (&writes, None),
        (false, true) => (&reads, None),
        (false, false) => (&reads, operands.quiets.then_some(&writes[..])),
    };
    let iterations = starts.iter().filter_map(|&block| iteration(part, one, block, through));
    iterations.min_by_key(|iteration| length(part, iteration)).unwrap_or_else(|| one.blocks.clone())
}

/// The loop-carried chain of an iteration through these blocks, in cycles of a nominal core.
fn chain(part: &Part, blocks: &[usize]) -> f64 {
    let spots = blocks.iter().flat_map(|&block| part.spots_of(block));
    let iteration = Iteration(spots.map(|spot| *spot.instruction()).collect());
    iteration.chain(&Operation::nominal).map_or(0.0, |chain| chain.cycles)
}

/// Number of instructions in these blocks that can be reached.
fn length(part: &Part, blocks: &[usize]) -> usize {
    blocks.iter().map(|&block| part.spots_of(block).count()).sum()
}

/// The shortest way through a loop from a block back to it, through one of the blocks `through` if given
/// (Dijkstra over blocks and whether the way has met one of them).
fn iteration(
    part: &Part,
    one: &Loop,
    start: usize,
    through: Option<&[usize]>,
) -> Option<Vec<usize>> {
    let meets = |block: usize| through.is_none_or(|blocks| blocks.contains(&block));
    let mut best: BTreeMap<(usize, bool), usize> = BTreeMap::new();
    let mut waiting = vec![(vec![start], meets(start))];
    let length = |way: &[usize]| length(part, way);
    while let Some(nearest) = (0..waiting.len()).min_by_key(|&n| length(&waiting[n].0)) {
        let (way, met) = waiting.swap_remove(nearest);
        let inside = part.successors[way[way.len() - 1]].iter().filter(|&&next| one.contains(next));
        for &next in inside {
            if next == start {
                if met {
                    return Some(way);
                }
                continue;
            }
            let met = met || meets(next);
            let longer: Vec<usize> = way.iter().copied().chain([next]).collect();
            if best.get(&(next, met)).is_none_or(|&known| length(&longer) < known) {
                best.insert((next, met), length(&longer));
                waiting.push((longer, met));
            }
        }
    }
    None
}
