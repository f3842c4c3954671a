//! One entry with everything that it calls: functions, blocks, loops, and the kind of each instruction.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

use iced_x86::Instruction;

use crate::binary::{Binary, demangled};
use crate::flow::{Analysis, Callee, Function, Note};
use crate::lines::{Origin, Origins};
use crate::loops::{Loop, loops};
use crate::value::{Offset, Place, Region};

/// A function of an entry.
pub(crate) struct Part {
    pub(crate) name: String,
    pub(crate) function: Function,
    pub(crate) blocks: Vec<Range<usize>>,
    pub(crate) successors: Vec<Vec<usize>>,
    pub(crate) loops: Vec<Loop>,
    /// The deepest loop around each block.
    around: Vec<Option<usize>>,
    /// Whether it is called from a loop.
    pub(crate) in_loop: bool,
    /// Whether only the shared rules call it.
    pub(crate) rare: bool,
    origins: Vec<Rc<Origin>>,
}

/// An instruction with its part and block.
#[derive(Clone, Copy)]
pub(crate) struct Spot<'a> {
    pub(crate) part: &'a Part,
    /// Number of the instruction in the part.
    pub(crate) n: usize,
    pub(crate) block: usize,
}

impl<'a> Spot<'a> {
    pub(crate) fn instruction(self) -> &'a Instruction {
        &self.part.function.code.instructions[self.n]
    }

    pub(crate) fn note(self) -> &'a Note {
        &self.part.function.notes[self.n]
    }

    pub(crate) fn origin(self) -> &'a Origin {
        &self.part.origins[self.n]
    }

    /// Whether it belongs to the shared rules.
    pub(crate) fn is_rare(self) -> bool {
        self.part.rare || self.origin().rare
    }

    /// The deepest loop around it in its function.
    pub(crate) fn around(self) -> Option<&'a Loop> {
        self.part.around[self.block].map(|n| &self.part.loops[n])
    }

    /// Whether it runs once per iteration of a loop of the entry.
    pub(crate) fn is_in_loop(self) -> bool {
        self.part.in_loop || self.around().is_some()
    }

    /// Whether one way of this conditional jump leaves the deepest loop around it.
    pub(crate) fn ends_loop(self) -> bool {
        let Some(around) = self.around() else { return false };
        let following = self.part.function.following(self.n);
        let outside = |&n: &usize| !around.contains(self.part.block_of(n));
        following.len() < 2 || following.iter().any(outside)
    }
}

/// The use of a memory operand in the walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Use {
    /// Reads a cell of the board.
    Cell,
    /// Writes a move to the list.
    Move,
    /// Writes the length of the list.
    Length,
    /// Reads or writes a variable that was spilled to the stack. Arrays on the stack, which are indexed,
    /// are meant by the source and do not count.
    Spill,
}

/// Sizes of board and list, which determine the use of an operand, and what the entry writes.
#[derive(Clone, Copy)]
pub(crate) struct Operands {
    /// Bytes of cells at the beginning of the board: 0 for a board of sets, `None` if they are not known.
    pub(crate) cell_bytes: Option<usize>,
    pub(crate) length_at: Option<usize>,
    /// Whether the entry writes moves to empty squares.
    pub(crate) quiets: bool,
}

impl Spot<'_> {
    pub(crate) fn used_for(self, operands: Operands) -> Option<Use> {
        let access = self.note().access?;
        let Place::In(region, offset) = access.address.place else { return None };
        let at = usize::try_from(offset.base());
        match (region, offset) {
            (Region::Board, _) => {
                // Below the beginning of the board lies no other field, so it is a cell before an index.
                let is_cell = access.reads && at.unwrap_or(0) < operands.cell_bytes.unwrap_or(0);
                is_cell.then_some(Use::Cell)
            }
            (Region::List, Offset::Exactly(_))
                if access.writes && at.is_ok_and(|at| operands.length_at == Some(at)) =>
            {
                Some(Use::Length)
            }
            (Region::List, _) if access.writes => Some(Use::Move),
            (Region::Stack, Offset::Exactly(_)) => Some(Use::Spill),
            _ => None,
        }
    }
}

impl Part {
    fn new(name: String, function: Function, origins: &dyn Origins) -> Part {
        let blocks = function.blocks();
        let block_of = |n: usize| blocks.partition_point(|block| block.start <= n) - 1;
        let mut successors = vec![Vec::new(); blocks.len()];
        for (block, range) in blocks.iter().enumerate() {
            let last = range.end - 1;
            // A panic in the middle of a block leaves its last instruction unreached.
            let is_reached = |n: &usize| function.notes[*n].reached;
            if is_reached(&last) {
                let following = function.following(last).into_iter().filter(is_reached);
                successors[block] = following.map(block_of).collect();
            }
        }
        let loops = loops(&successors);
        // Inner loops come after the loops around them.
        let mut around = vec![None; blocks.len()];
        for (n, one) in loops.iter().enumerate() {
            one.blocks.iter().for_each(|&block| around[block] = Some(n));
        }
        let origin = |instruction: &Instruction| origins.of(instruction.ip());
        let origins = function.code.instructions.iter().map(origin).collect();
        let (in_loop, rare) = (false, true);
        Part { name, function, blocks, successors, loops, around, in_loop, rare, origins }
    }

    /// The block that contains an instruction.
    pub(crate) fn block_of(&self, n: usize) -> usize {
        // The first block begins at 0, so there is always one.
        self.blocks.partition_point(|block| block.start <= n) - 1
    }

    /// The loops inside `around` that an iteration of it may still reach from one of its blocks, in ascending order;
    /// without a loop around the block, all that can still be reached.
    pub(crate) fn loops_reached(&self, around: Option<&Loop>, block: usize) -> Vec<usize> {
        let goes_on = |&block: &usize| {
            around.is_none_or(|it| it.contains(block) && !it.entries.contains(&block))
        };
        let mut seen = BTreeSet::new();
        let mut waiting: Vec<usize> = [block].into_iter().filter(goes_on).collect();
        while let Some(block) = waiting.pop() {
            if seen.insert(block) {
                waiting.extend(self.successors[block].iter().copied().filter(goes_on));
            }
        }
        let inside =
            |one: &Loop| around.is_none_or(|it| one.depth > it.depth && it.contains(one.blocks[0]));
        let reached = |one: &Loop| one.blocks.iter().any(|block| seen.contains(block));
        let all = self.loops.iter().enumerate();
        all.filter(|(_, one)| inside(one) && reached(one)).map(|(n, _)| n).collect()
    }

    /// The instructions that can be reached.
    pub(crate) fn spots(&self) -> impl Iterator<Item = Spot<'_>> {
        (0..self.blocks.len()).flat_map(|block| self.spots_of(block))
    }

    /// The instructions of a block that can be reached.
    pub(crate) fn spots_of(&self, block: usize) -> impl Iterator<Item = Spot<'_>> {
        let reached = |n: &usize| self.function.notes[*n].reached;
        self.blocks[block].clone().filter(reached).map(move |n| Spot { part: self, n, block })
    }

    /// The instructions of a loop.
    pub(crate) fn spots_in(&self, one: &Loop) -> impl Iterator<Item = Spot<'_>> {
        one.blocks.iter().flat_map(|&block| self.spots_of(block))
    }
}

/// Follows an entry. The first part is the entry itself; `None` if there is no function at the address.
pub(crate) fn parts(
    binary: &dyn Binary,
    origins: &dyn Origins,
    entry: u64,
    cell_bytes: usize,
) -> Option<Vec<Part>> {
    let analysis = Analysis::of(binary, entry, cell_bytes)?;
    let name = |address| binary.name(address).map(demangled).unwrap_or_default();
    let mut parts: BTreeMap<u64, Part> = analysis
        .functions
        .into_iter()
        .map(|(address, function)| (address, Part::new(name(address), function, origins)))
        .collect();
    parts.get_mut(&entry)?.rare = false;
    // Whether a function is in a loop or belongs to the rules follows from its callers.
    loop {
        let calls: Vec<_> = parts
            .values()
            .flat_map(|part| part.spots())
            .filter_map(|spot| match spot.note().callee {
                Some(Callee::Function(address)) => {
                    Some((address, spot.is_in_loop(), spot.is_rare()))
                }
                _ => None,
            })
            .collect();
        let mut changed = false;
        for (address, in_loop, rare) in calls {
            if let Some(part) = parts.get_mut(&address) {
                let own_rules = part.origins.iter().any(|origin| !origin.frames.is_empty())
                    && part.origins.iter().all(|o| o.rare || o.frames.is_empty());
                let new = (part.in_loop || in_loop, part.rare && (rare || own_rules));
                changed |= new != (part.in_loop, part.rare);
                (part.in_loop, part.rare) = new;
            }
        }
        if !changed {
            break;
        }
    }
    let first = parts.remove(&entry)?;
    Some([first].into_iter().chain(parts.into_values()).collect())
}
