//! Follows the code of an entry: blocks, jump tables, calls, and the state at each of them.
//!
//! Control flow and values of a function are computed together, because each needs the other: a jump table is found
//! by the address that the code adds to its elements, often far from the jump, and the range check that would show
//! its length is gone. A table therefore ends where an element leads to no instruction of the function, or where
//! another table of the function begins. If that element leads into another part of the function, which the compiler
//! moved elsewhere, the table is longer, and code is lost.
//!
//! A called function is analysed with the state of its caller, so that its arguments and the stack have
//! the same meaning in both.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use iced_x86::{Instruction, OpKind, Register};

use crate::binary::{Binary, demangled, is_panic};
use crate::decode::{Code, Flow, has_memory_operand};
use crate::provenance::{Access, Steps, address};
use crate::state::State;
use crate::value::{Offset, Place, Region, Taint, Value};

/// Elements of the longest jump table that is followed.
const LONGEST_TABLE: usize = 256;
/// Calls inside calls that are followed.
const DEEPEST: usize = 16;

/// Target of a call or a tail call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Callee {
    /// To a function of this program.
    Function(u64),
    /// To a function that reports a panic.
    Panic(String),
    /// To a function of a shared library.
    Import(String),
    /// To an unknown address.
    Unknown,
}

/// Results of the analysis for one instruction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Note {
    /// Whether it can be reached.
    pub(crate) reached: bool,
    /// Data that the flags of a conditional jump depend on.
    pub(crate) decided_by: Taint,
    pub(crate) access: Option<Access>,
    pub(crate) callee: Option<Callee>,
    /// Whether it is a call that comes back.
    pub(crate) returns: bool,
    /// Targets of a jump through a table.
    pub(crate) table: Vec<usize>,
    /// Whether it leads to code that was not followed.
    pub(crate) lost: bool,
}

/// A function with what was found out about it.
pub(crate) struct Function {
    pub(crate) code: Code,
    pub(crate) notes: Vec<Note>,
}

impl Function {
    /// The blocks as ranges of instructions, in the order of the code.
    pub(crate) fn blocks(&self) -> Vec<std::ops::Range<usize>> {
        let targets = self.notes.iter().flat_map(|note| note.table.iter().copied()).collect();
        let starts: Vec<usize> = self.code.leaders(&targets).into_iter().collect();
        let ends = starts[1..].iter().copied().chain([self.code.instructions.len()]);
        starts.iter().zip(ends).map(|(&start, end)| start..end).collect()
    }

    /// The instructions that may follow instruction `n` in this function.
    pub(crate) fn following(&self, n: usize) -> Vec<usize> {
        let next = || Some(n + 1).filter(|&n| n < self.notes.len());
        match self.code.flow(n) {
            Flow::Next => next().into_iter().collect(),
            Flow::Call if self.notes[n].returns => next().into_iter().collect(),
            Flow::Call => Vec::new(),
            Flow::Jump(target) => vec![target],
            Flow::Condition(target) => next().into_iter().chain([target]).collect(),
            Flow::Leave => self.notes[n].table.clone(),
            Flow::Return | Flow::Stop => Vec::new(),
        }
    }
}

/// All functions that were followed.
pub(crate) struct Analysis<'a> {
    binary: &'a dyn Binary,
    steps: Steps<'a>,
    pub(crate) functions: BTreeMap<u64, Function>,
    /// Earlier calls by address: state before and after.
    known: HashMap<u64, Vec<(State, Option<State>)>>,
    /// Calls that are being followed.
    open: Vec<u64>,
}

impl Analysis<'_> {
    /// Follows the function at `entry` and everything that it calls. `cells` is the number of bytes at the
    /// beginning of the board that stand for squares.
    ///
    /// Returns `None` if there is no function at this address.
    pub(crate) fn of(binary: &dyn Binary, entry: u64, cells: usize) -> Option<Analysis<'_>> {
        let mut analysis = Analysis {
            binary,
            steps: Steps::new(binary),
            functions: BTreeMap::new(),
            known: HashMap::new(),
            open: Vec::new(),
        };
        analysis.decode(entry)?;
        analysis.call(entry, State::entry(cells));
        Some(analysis)
    }

    fn decode(&mut self, entry: u64) -> Option<()> {
        if self.functions.contains_key(&entry) {
            return Some(());
        }
        let range = entry..self.binary.function(entry)?.end;
        let code = Code::decode(self.binary.bytes(entry)?, range);
        let notes = vec![Note::default(); code.instructions.len()];
        self.functions.insert(entry, Function { code, notes });
        Some(())
    }

    /// Follows a function of the program. Returns the state behind it, or `None` if it does not return.
    fn call(&mut self, entry: u64, state: State) -> Option<State> {
        if self.open.contains(&entry) || self.is_cut(entry) {
            let mut state = state;
            state.forget_scratch();
            // Its return takes the address to return to off the stack.
            state.move_stack(8);
            return Some(state);
        }
        let known = self.known.get(&entry).into_iter().flatten();
        if let Some((_, after)) = known.into_iter().find(|(before, _)| *before == state) {
            return after.clone();
        }
        self.open.push(entry);
        // Targets of a table that no other jump leads to split a block, so all blocks are walked again.
        let after = loop {
            let targets = self.table_targets(entry);
            let after = self.follow(entry, &state, &targets);
            if self.table_targets(entry) == targets {
                break after;
            }
        };
        self.open.pop();
        self.known.entry(entry).or_default().push((state, after.clone()));
        after
    }

    /// Whether a function is not followed, although it is not being followed already: its code is not found, or too
    /// many calls are open.
    fn is_cut(&mut self, entry: u64) -> bool {
        let is_recursion = self.open.contains(&entry);
        !is_recursion && (self.open.len() == DEEPEST || self.decode(entry).is_none())
    }

    fn table_targets(&self, entry: u64) -> BTreeSet<usize> {
        self.functions[&entry].notes.iter().flat_map(|note| note.table.iter().copied()).collect()
    }

    /// Walks the blocks of a function until no state changes.
    fn follow(&mut self, entry: u64, state: &State, targets: &BTreeSet<usize>) -> Option<State> {
        let leaders = self.functions[&entry].code.leaders(targets);
        let mut before: BTreeMap<usize, State> = BTreeMap::from([(0, state.clone())]);
        let mut waiting = BTreeSet::from([0]);
        let mut behind: Option<State> = None;
        while let Some(block) = waiting.pop_first() {
            let mut state = before[&block].clone();
            let mut n = block;
            let next = loop {
                let Some(next) = self.instruction(entry, n, &mut state, &mut behind) else {
                    break Vec::new();
                };
                match next.as_slice() {
                    [one] if *one == n + 1 && !leaders.contains(one) => n = *one,
                    _ => break next,
                }
            };
            for next in next {
                let changed = match before.get_mut(&next) {
                    Some(known) => known.join(&state),
                    None => before.insert(next, state.clone()).is_none(),
                };
                // Targets of a table that was found just now need new blocks first.
                if changed && leaders.contains(&next) {
                    waiting.insert(next);
                }
            }
        }
        behind
    }

    /// Applies one instruction. Returns the instructions behind it in this function; states that leave the
    /// function are joined to `behind`.
    fn instruction(
        &mut self,
        entry: u64,
        n: usize,
        state: &mut State,
        behind: &mut Option<State>,
    ) -> Option<Vec<usize>> {
        let function = &self.functions[&entry];
        let instruction = function.code.instructions[n];
        let flow = function.code.flow(n);
        let mut note = Note { reached: true, ..Note::default() };
        match flow {
            Flow::Call => {
                let callee = self.callee(state, &instruction);
                state.move_stack(-8);
                let after = self.enter(&mut note, callee, state.clone());
                note.returns = after.is_some();
                self.record(entry, n, note, state);
                *state = after?;
            }
            Flow::Leave => {
                if let Place::Target(table) = jump_address(state, &instruction).place {
                    (note.table, note.lost) = self.table(entry, table);
                }
                // A table without a target in this function leads to an address that is not known.
                if note.table.is_empty() {
                    let callee = self.callee(state, &instruction);
                    let after = self.enter(&mut note, callee, state.clone());
                    leave(behind, after);
                }
                self.record(entry, n, note, state);
            }
            Flow::Return => {
                state.move_stack(8);
                self.record(entry, n, note, state);
                leave(behind, Some(state.clone()));
            }
            Flow::Next | Flow::Jump(_) | Flow::Condition(_) | Flow::Stop => {
                if instruction.is_jcc_short_or_near() {
                    note.decided_by = state.flags_read(&instruction);
                    if flow == Flow::Next {
                        let callee = self.callee(state, &instruction);
                        let after = self.enter(&mut note, callee, state.clone());
                        leave(behind, after);
                    }
                }
                note.access = self.steps.apply(state, &instruction);
                self.record(entry, n, note, state);
            }
        }
        Some(self.functions[&entry].following(n))
    }

    /// Adds what was found out now to what was known.
    fn record(&mut self, entry: u64, n: usize, new: Note, state: &State) {
        let function = self.functions.get_mut(&entry).expect("a decoded function");
        let note = &mut function.notes[n];
        note.reached |= new.reached;
        note.returns |= new.returns;
        note.lost |= new.lost;
        note.decided_by |= new.decided_by;
        note.access = match (note.access, new.access) {
            (Some(old), Some(new)) => {
                Some(Access { address: old.address.join(new.address, state.cells()), ..new })
            }
            (old, new) => new.or(old),
        };
        note.callee = new.callee.or(note.callee.take());
        if !new.table.is_empty() {
            note.table = new.table;
        }
    }

    /// The state behind a call or a tail call, which the note describes.
    fn enter(&mut self, note: &mut Note, callee: Callee, state: State) -> Option<State> {
        note.lost = matches!(callee, Callee::Function(address) if self.is_cut(address));
        let after = self.through(&callee, state);
        note.callee = Some(callee);
        after
    }

    /// The state behind a callee.
    fn through(&mut self, callee: &Callee, mut state: State) -> Option<State> {
        match callee {
            Callee::Function(address) => self.call(*address, state),
            Callee::Panic(_) => None,
            Callee::Import(_) | Callee::Unknown => {
                state.forget_scratch();
                state.move_stack(8);
                Some(state)
            }
        }
    }

    /// Target of a call or of a jump out of the function.
    fn callee(&self, state: &State, instruction: &Instruction) -> Callee {
        let direct = matches!(instruction.op0_kind(), OpKind::NearBranch64 | OpKind::NearBranch32);
        if direct {
            return self.target(instruction.near_branch_target());
        }
        if has_memory_operand(instruction)
            && let Place::In(Region::Program, Offset::Exactly(slot)) =
                address(state, instruction).place
        {
            return self.callee_in_slot(slot.cast_unsigned());
        }
        match jump_address(state, instruction).place {
            Place::In(Region::Program, Offset::Exactly(target)) => {
                self.target(target.cast_unsigned())
            }
            _ => Callee::Unknown,
        }
    }

    fn callee_in_slot(&self, slot: u64) -> Callee {
        match (self.binary.slot(slot), self.binary.import(slot)) {
            (Some(target), _) => self.target(target),
            (None, Some(name)) => Callee::Import(name.to_owned()),
            (None, None) => Callee::Unknown,
        }
    }

    fn target(&self, address: u64) -> Callee {
        match self.binary.name(address) {
            Some(name) if is_panic(name) => Callee::Panic(demangled(name)),
            Some(_) => Callee::Function(address),
            None => self.stub(address),
        }
    }

    /// The target of a stub of the procedure linkage table, which has no symbol: it jumps through a slot.
    fn stub(&self, address: u64) -> Callee {
        let jump = self.binary.bytes(address).and_then(|bytes| {
            Code::decode(bytes, address..address + 16).instructions.into_iter().next()
        });
        match jump {
            Some(jump) if jump.is_jmp_near_indirect() && jump.is_ip_rel_memory_operand() => {
                self.callee_in_slot(jump.ip_rel_memory_address())
            }
            _ => Callee::Unknown,
        }
    }

    /// The targets in the jump table at an address, and whether more follow in another part of the function.
    fn table(&self, entry: u64, table: u64) -> (Vec<usize>, bool) {
        let code = &self.functions[&entry].code;
        // The file states no length of a table. It ends at the latest at the next address that the function uses.
        let bases = code.instructions.iter().filter(|one| one.is_ip_rel_memory_operand());
        let next = bases.map(Instruction::ip_rel_memory_address).filter(|&a| a > table).min();
        let room = next.map_or(LONGEST_TABLE, |next| {
            usize::try_from((next - table) / 4).unwrap_or(LONGEST_TABLE)
        });
        let bytes = self.binary.bytes(table).unwrap_or_default();
        let elements = bytes.chunks_exact(4).take(room.min(LONGEST_TABLE)).map(|element| {
            let element = i32::from_le_bytes(element.try_into().expect("four bytes"));
            table.wrapping_add_signed(element.into())
        });
        let mut targets = Vec::new();
        for address in elements {
            match code.at(address) {
                Some(target) => targets.push(target),
                None => return (targets, self.is_split_off(entry, address)),
            }
        }
        (targets, false)
    }

    /// Whether an address lies in another part of the same function: GCC and LLVM move what is seldom executed of
    /// `name` to `name.cold`, or with a number behind it.
    fn is_split_off(&self, entry: u64, address: u64) -> bool {
        let names = [entry, address].map(|address| self.binary.name(address));
        let wholes = names.map(|name| name.and_then(|name| name.split(".cold").next()));
        names[0] != names[1] && wholes[0] == wholes[1]
    }
}

/// The address that an indirect jump or call goes to.
fn jump_address(state: &State, instruction: &Instruction) -> Value {
    match instruction.op0_kind() {
        OpKind::Register if instruction.op0_register() != Register::None => {
            state.get(instruction.op0_register())
        }
        _ => Value::UNKNOWN,
    }
}

fn leave(behind: &mut Option<State>, state: Option<State>) {
    match (behind, state) {
        (Some(behind), Some(state)) => {
            behind.join(&state);
        }
        (behind @ None, state) => *behind = state,
        (Some(_), None) => {}
    }
}
