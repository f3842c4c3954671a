//! Result of the audit of one entry.

use std::fmt;

use raywalk_results::schema::Control;
use serde::Serialize;

use crate::entry_stage::EntryStage;
use crate::lines::{Portion, Source};

/// An entry to audit, and what is known about it from its source.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Id of the design in the registry, such as `bell/steps`.
    pub design: String,
    /// The entry of the design.
    pub stage: EntryStage,
    /// Address of the entry in this process.
    pub address: usize,
    /// Control flow that the card of the design claims: branchy, branchless or mixed.
    pub control: Control,
    /// Bytes at the beginning of the board that stand for squares; 0 for a board of sets, where a test for a blocker
    /// counts, and in straight-line code every test that guards no loop. `None` if it is not known: then no jump tests
    /// a square, and what the card says of branches is not checked.
    pub cell_bytes: Option<usize>,
    /// Offset of the length in the move list, in bytes; `None` if the list does not store its length.
    pub length_at: Option<usize>,
    /// Whether the entry writes moves to empty squares.
    pub quiets: bool,
}

/// Conditional jumps by what decides them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Jumps {
    /// They end a loop or continue it, and a counter, a set or a place in a table decides.
    pub loop_ends: usize,
    /// All others: they test whether a list is empty, whether a loop over a set is entered, or on a board of squares
    /// which side is to move.
    pub guards: usize,
    /// The contents of a square decide, or on a board of sets a test of the board that guards no loop.
    pub board: usize,
    /// Jumps counted in `board` that end a loop or continue it.
    pub board_loop_ends: usize,
    /// All in the shared rules, such as castling.
    pub rules: usize,
}

impl Jumps {
    /// Number of all conditional jumps.
    pub fn all(self) -> usize {
        self.loop_ends + self.guards + self.board + self.rules
    }
}

/// Static counts of the entry and of the functions that its walk calls, without the shared rules that are
/// functions of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Bytes of the instructions that can be reached.
    pub code_bytes: usize,
    /// Instructions that can be reached.
    pub instructions: usize,
    /// Conditional jumps, by what decides them.
    pub jumps: Jumps,
    /// Jumps through tables, and other jumps to a computed address.
    pub indirect_jumps: usize,
    /// Calls, those of the shared rules included.
    pub calls: usize,
    /// Conditional moves (`cmov`).
    pub cmov: usize,
    /// `setcc`: a condition as a number.
    pub setcc: usize,
    /// `adc` and `sbb`, which add or subtract the carry.
    pub carries: usize,
    /// Memory operands that are read, those of `push`, `pop` and `call` excluded.
    pub loads: usize,
    /// Memory operands that are written.
    pub stores: usize,
    /// Operands in innermost loops that were spilled to the stack.
    pub stack_operands: usize,
    /// Stores of the length of the list in loops.
    pub length_stores: usize,
    /// Instructions with a vector operand.
    pub vector: usize,
    /// Instructions counted in `vector` that compute and do not merely copy.
    pub vector_arithmetic: usize,
}

/// A number and the source line that it belongs to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Repeated {
    /// Number of occurrences; 0 if there is none.
    pub times: usize,
    /// The line; `None` if the number is 0.
    pub source: Option<Source>,
}

/// Copies that the compiler made of code that reads cells and writes moves. A copy has the same
/// source line and the same inlined calls around it; code that the source contains twice is no copy.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Copied {
    /// The most innermost loops that one place of the source was compiled to.
    pub copies: Repeated,
    /// The most copies of one line that writes a move, in straight code or within one loop.
    pub unrolled: Repeated,
    /// Instructions that compute with vectors, and the line that most of them come from.
    pub vector_arithmetic: Repeated,
}

/// The copies in each portion of the code.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Shape {
    /// Of the walk over squares.
    pub walk: Copied,
    /// Of pawns, castling and en passant.
    pub rest: Copied,
}

impl Shape {
    /// The copies in one portion.
    pub fn of(&self, portion: Portion) -> &Copied {
        match portion {
            Portion::Walk => &self.walk,
            Portion::Rest => &self.rest,
        }
    }
}

/// Executed instructions, counted by exact traces.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Executed {
    /// Instructions of the entry, and of all that it calls.
    pub instructions: u64,
    /// The same per visited square.
    pub per_square: f64,
    /// Executed instructions per generated move.
    pub per_move: f64,
    /// The main loop, as its place in `Report::loops`.
    pub main: Option<usize>,
    /// Executed instructions of each loop in `Report::loops`; 0 for those of the shared rules.
    pub of_loops: Vec<u64>,
    /// Executed instructions of each loop with an operand that was spilled to the stack, without those of the shared
    /// rules.
    pub stack_of_loops: Vec<u64>,
    /// All of these per visited square.
    pub stack_per_square: f64,
}

/// One instruction with its source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// Address of the instruction in the file of the program.
    pub address: u64,
    /// The instruction in Intel syntax.
    pub instruction: String,
    /// The source line, if it has one in the sources of designs.
    pub source: Option<Source>,
}

/// An innermost loop, with counts of its instructions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InnerLoop {
    /// Source line of the walk in it, or of its first instruction if it has no walk.
    pub source: Option<Source>,
    /// Number of places where it can be entered.
    pub entries: usize,
    /// Instructions of the shortest iteration that reads a cell and writes a move, as far as the loop does either; of
    /// entries that write no move to an empty square, of the shortest iteration that reads a cell.
    pub shortest_iteration: usize,
    /// Core cycles by which each of these iterations waits for the one before, on a nominal core: four for a load,
    /// three for a multiplication, none for a copy, one for everything else. Of a loop without such an iteration, as if
    /// its blocks were one.
    pub chain: f64,
    /// Loads from cells of the board.
    pub cell_loads: usize,
    /// Stores to the list, without its length.
    pub move_stores: usize,
    /// Operands that were spilled to the stack.
    pub stack_operands: usize,
    /// Addresses of the instructions with these operands, without those of the shared rules.
    #[serde(skip)]
    pub spills: Vec<u64>,
    /// Stores of the length of the list.
    pub length_stores: usize,
    /// Conditional jumps that depend on the contents of a square. On a board of sets: those by which a walk tests for
    /// blockers, in this loop and in those around it.
    #[serde(skip)]
    pub(crate) board_jumps: usize,
    /// Whether it belongs to the shared rules.
    pub rules: bool,
    /// Instructions of the loop in the order of the code.
    pub lines: Vec<Line>,
    /// The source lines of the instruction that `source` belongs to, from the innermost call outwards.
    #[serde(skip)]
    pub calls: Vec<Source>,
}

/// A function that the entry calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Called {
    /// Path of the function, from its symbol.
    pub name: String,
    /// Bytes of its instructions that can be reached.
    pub code_bytes: usize,
    /// Instructions that can be reached.
    pub instructions: usize,
    /// Whether it is called by the shared rules alone or is one of them.
    pub rules: bool,
}

/// Something that a check may object to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// A call that reports a panic.
    Panic(String),
    /// A division in a loop.
    Division,
    /// A call in a loop.
    Call(String),
    /// A jump that what stands on a square decides; whether it ends a loop.
    BoardJump { ends_loop: bool },
    /// Stack operands in an innermost loop.
    Stack(usize),
    /// Stores of the length in an innermost loop.
    Length(usize),
    /// An address that the analysis could not follow.
    Lost,
}

/// An event and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Located {
    pub(crate) event: Event,
    pub(crate) address: u64,
    pub(crate) source: Option<Source>,
}

/// The audit of one entry.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Id of the design in the registry, such as `bell/steps`.
    pub design: String,
    /// The entry of the design.
    pub stage: EntryStage,
    /// Control flow that the card of the design claims: branchy, branchless or mixed.
    pub control: Control,
    /// Address of the entry in the file.
    pub address: u64,
    /// Static counts of the instructions of the entry.
    pub counts: Counts,
    /// Copies that the compiler made of the walk, and of the other code.
    pub shape: Shape,
    /// Executed instructions; `None` where nothing was traced.
    pub executed: Option<Executed>,
    /// Why the entry could not be traced, in words; `None` without such a failure.
    pub not_executed: Option<String>,
    /// The functions that the entry calls, directly or not.
    pub called: Vec<Called>,
    /// The innermost loops, those of called functions included.
    pub loops: Vec<InnerLoop>,
    /// Bytes of cells at the beginning of the board, as in [`Subject::cell_bytes`].
    #[serde(skip)]
    pub(crate) cell_bytes: Option<usize>,
    #[serde(skip)]
    pub(crate) events: Vec<Located>,
}

impl Report {
    /// Instructions in the shortest iteration of the main loop.
    pub fn iteration(&self) -> Option<usize> {
        self.main_loop().map(|one| one.shortest_iteration)
    }

    /// The loop-carried chain of that iteration, in cycles of a nominal core.
    pub fn chain(&self) -> Option<f64> {
        self.main_loop().map(|one| one.chain)
    }

    /// The loop that the walk of most squares runs through.
    pub fn main_loop(&self) -> Option<&InnerLoop> {
        self.loops.get(self.executed.as_ref()?.main?)
    }

    /// The part of the executed instructions that have the stack operands of a loop, by the address of one of them.
    pub(crate) fn stack_fraction(&self, spill: u64) -> Option<f64> {
        let executed = self.executed.as_ref()?;
        let place = self.loops.iter().position(|one| one.spills.contains(&spill))?;
        Some(*executed.stack_of_loops.get(place)? as f64 / executed.instructions as f64)
    }

    /// Whether what stands on the board decides a jump: a square, or on a board of sets the end of a loop that writes
    /// moves. There, tests for castling are in every design.
    pub(crate) fn is_branchy_in_part(&self) -> bool {
        let writes = |one: &InnerLoop| one.move_stores > 0 && !one.rules;
        match self.cell_bytes {
            Some(0) => self.loops.iter().any(writes),
            _ => self.counts.jumps.board > 0,
        }
    }

    /// Whether what stands on a square decides a jump in the loop of the walk. Where nothing was executed, or the main
    /// loop looks at no square, such as that over pairs of pieces, any loop that does is the walk.
    pub(crate) fn branches_in_walk(&self) -> bool {
        let looks = |one: &&InnerLoop| {
            let looks =
                if self.cell_bytes > Some(0) { one.cell_loads > 0 } else { one.move_stores > 0 };
            looks && !one.rules
        };
        match self.main_loop().filter(looks) {
            Some(main) => main.board_jumps > 0,
            None => self.loops.iter().filter(looks).any(|one| one.board_jumps > 0),
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let source = self.source.as_ref().map(ToString::to_string).unwrap_or_default();
        write!(f, "{:8x}  {:42}  {source}", self.address, self.instruction)
    }
}
