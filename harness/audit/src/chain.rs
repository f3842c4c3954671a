//! The loop-carried dependency chain of one iteration: the instructions through which each iteration waits for the
//! previous one, and their latencies.
//!
//! An *iteration* is the straight sequence of instructions that one pass through a loop executes. Instructions wait for
//! registers and flags; branches are predicted, so nothing waits for them. A register that an iteration writes carries
//! a value to the next one. The longest path through the iteration is computed for each pair of such registers. The
//! chain is the circuit of these paths with the most core cycles per iteration: no core, however wide, runs the loop
//! faster than that.
//!
//! Values that pass through memory are not followed, so a walk that keeps a variable on the stack has a longer chain
//! than is computed here. Loads wait for their address and hit the first-level cache.

use std::collections::BTreeMap;

use iced_x86::{
    Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register, RflagsBits,
};
use serde::Serialize;

use crate::decode::{has_memory_operand, is_read, is_write};

/// Kind of an instruction, as far as its latency depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operation {
    /// Reads memory at a register.
    Load,
    /// Reads memory at a register and a constant.
    LoadDisplaced,
    /// Reads memory at the sum of two registers.
    LoadIndexed,
    /// Reads memory at an address with a register times two, four or eight.
    LoadScaled,
    /// Adds, compares, shifts by a constant, and so on.
    Simple,
    /// Copies a register to another one.
    Copy,
    /// Widens a value, such as `movzx` and `movsx`.
    Extend,
    /// Selects one of two values by flags, such as `cmov`.
    Select,
    /// Computes an address with a scaled register.
    AddressScaled,
    /// Computes an address of two registers and a constant.
    AddressOfThree,
    /// Shifts by a register and writes flags.
    ShiftBy,
    /// Shifts by a register and writes no flags.
    ShiftWithoutFlags,
    /// Multiplies integers, such as `imul`.
    Multiply,
    /// Finds the first or last bit.
    Scan,
    /// Counts the set bits: `popcnt`.
    Count,
    /// Clears or isolates the lowest bit.
    ClearLowest,
    /// Gathers or scatters bits by a mask: `pext` and `pdep`.
    Extract,
    /// An instruction whose latency is not known.
    Unknown,
}

impl Operation {
    /// Core cycles on a nominal core, for comparing code with code. On a real one a load takes four or five cycles, by
    /// the form of its address.
    pub(crate) fn nominal(self) -> f64 {
        match self {
            Operation::Load
            | Operation::LoadDisplaced
            | Operation::LoadIndexed
            | Operation::LoadScaled => 4.0,
            Operation::Multiply => 3.0,
            // Renamed away.
            Operation::Copy => 0.0,
            _ => 1.0,
        }
    }
}

/// A part of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Step {
    /// Place of the instruction in the iteration.
    pub instruction: usize,
    /// Operation that the chain waits for. An instruction with a memory operand may take two steps.
    #[serde(skip)]
    pub operation: Operation,
    /// Latency of the instruction, in cycles.
    pub cycles: f64,
}

/// The longest loop-carried chain of an iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// Latency in cycles per iteration.
    pub cycles: f64,
    /// Iterations after which the chain comes back to its first register; one unless registers change places.
    pub iterations: usize,
    /// Steps of the chain in these iterations, in order.
    pub steps: Vec<Step>,
}

/// The instructions of one iteration of a loop.
#[derive(Clone, Debug)]
pub struct Iteration(pub(crate) Vec<Instruction>);

impl Iteration {
    /// Number of instructions of the iteration.
    pub fn instructions(&self) -> usize {
        self.0.len()
    }

    /// The longest loop-carried chain; `None` if no iteration waits for the one before. `latency` gives the cycles of
    /// an operation, at least zero.
    pub fn chain(&self, latency: &dyn Fn(Operation) -> f64) -> Option<Chain> {
        let mut factory = InstructionInfoFactory::new();
        let effects: Vec<Effect> = self.0.iter().map(|one| Effect::of(one, &mut factory)).collect();
        let mut written: Vec<Resource> =
            effects.iter().flat_map(|effect| effect.outputs.iter().copied()).collect();
        written.sort_unstable();
        written.dedup();
        let paths: Vec<Vec<Option<Path>>> = written
            .iter()
            .map(|&from| {
                let mut reached = through(&effects, from, latency);
                written.iter().map(|to| reached.remove(to)).collect()
            })
            .collect();
        longest_cycle(&paths)
    }

    /// Places of the instructions whose latency is not known.
    pub fn unknown(&self) -> Vec<usize> {
        let is_unknown = |one: &Instruction| operation(one) == Some(Operation::Unknown);
        (0..self.0.len()).filter(|&n| is_unknown(&self.0[n])).collect()
    }
}

/// A place that carries a value from one instruction to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Resource {
    /// A register with all of its parts.
    Register(Register),
    /// The carry flag, which `inc` and `dec` keep.
    Carry,
    /// All flags but the carry.
    Flags,
}

/// A way through an iteration.
#[derive(Clone, Debug, Default)]
struct Path {
    cycles: f64,
    steps: Vec<Step>,
}

impl Path {
    fn with(&self, instruction: usize, operation: Operation, cycles: f64) -> Path {
        let mut steps = self.steps.clone();
        steps.push(Step { instruction, operation, cycles });
        Path { cycles: self.cycles + cycles, steps }
    }
}

/// Inputs and outputs of an instruction.
pub(crate) struct Effect {
    /// Waited for by the operation itself.
    pub(crate) data: Vec<Resource>,
    /// Waited for by the load of its memory operand.
    pub(crate) address: Vec<Resource>,
    pub(crate) outputs: Vec<Resource>,
    pub(crate) load: Option<Operation>,
    /// Operation on the data; `None` for a plain load.
    pub(crate) operation: Option<Operation>,
}

impl Effect {
    pub(crate) fn of(instruction: &Instruction, factory: &mut InstructionInfoFactory) -> Effect {
        let info = factory.info(instruction);
        let mut effect = Effect {
            data: Vec::new(),
            address: Vec::new(),
            outputs: Vec::new(),
            load: None,
            operation: operation(instruction),
        };
        let reads_memory = info.used_memory().iter().any(|memory| is_read(memory.access()));
        // `lea` computes with the parts of an address as data.
        let parts = [instruction.memory_base(), instruction.memory_index()].map(resource);
        let is_part = |one: Resource| has_memory_operand(instruction) && parts.contains(&Some(one));
        let is_lea = instruction.mnemonic() == Mnemonic::Lea;
        if reads_memory {
            effect.load = Some(form(instruction));
            effect.address.extend(parts.into_iter().flatten());
        }
        for used in info.used_registers() {
            let Some(resource) = resource(used.register()) else { continue };
            let (access, is_address) = (used.access(), is_part(resource) && !is_lea);
            if is_read(access) && (!is_address || is_operand(instruction, info, resource)) {
                effect.data.push(resource);
            }
            if is_write(access) {
                effect.outputs.push(resource);
                // A write of 8 or 16 bits keeps the others, and a write that may not happen keeps all.
                let is_partial = used.register().is_gpr8() || used.register().is_gpr16();
                let is_conditional =
                    matches!(access, OpAccess::CondWrite | OpAccess::ReadCondWrite);
                if is_partial || is_conditional {
                    effect.data.push(resource);
                }
            }
        }
        let flags = [(RflagsBits::CF, Resource::Carry), (!RflagsBits::CF, Resource::Flags)];
        for (bits, resource) in flags {
            if instruction.rflags_read() & bits & STATUS != 0 {
                effect.data.push(resource);
            }
            if instruction.rflags_modified() & bits & STATUS != 0 {
                effect.outputs.push(resource);
            }
        }
        effect
    }

    /// The longest path to the results, with the paths to what it waits for.
    fn path(
        &self,
        n: usize,
        known: &BTreeMap<Resource, Path>,
        latency: &dyn Fn(Operation) -> f64,
    ) -> Option<Path> {
        let longest = |resources: &[Resource]| {
            let paths = resources.iter().filter_map(|resource| known.get(resource));
            paths.max_by(|one, other| one.cycles.total_cmp(&other.cycles)).cloned()
        };
        let loaded = longest(&self.address)
            .zip(self.load)
            .map(|(path, load)| path.with(n, load, latency(load)));
        let waited = [loaded, longest(&self.data)].into_iter().flatten();
        let path = waited.max_by(|one, other| one.cycles.total_cmp(&other.cycles))?;
        Some(match self.operation {
            Some(operation) => path.with(n, operation, latency(operation)),
            None => path,
        })
    }
}

/// The flags that instructions compute.
const STATUS: u32 = RflagsBits::OF
    | RflagsBits::SF
    | RflagsBits::ZF
    | RflagsBits::AF
    | RflagsBits::CF
    | RflagsBits::PF;

fn resource(register: Register) -> Option<Resource> {
    let full = register.full_register();
    let is_followed = full.is_gpr() && full != Register::RSP;
    // The stack pointer is left out: `push`, `pop` and `call` move it without an instruction of the core.
    (is_followed || full.is_vector_register() || full.is_k()).then_some(Resource::Register(full))
}

/// Whether an operand that is read is this register itself.
fn is_operand(
    instruction: &Instruction,
    info: &iced_x86::InstructionInfo,
    wanted: Resource,
) -> bool {
    (0..instruction.op_count()).any(|n| {
        instruction.op_kind(n) == OpKind::Register
            && resource(instruction.op_register(n)) == Some(wanted)
            && is_read(info.op_access(n))
    })
}

/// The form of the address of a load.
fn form(instruction: &Instruction) -> Operation {
    let has = |register: Register| !matches!(register, Register::None | Register::RIP);
    let (base, index) = (has(instruction.memory_base()), has(instruction.memory_index()));
    match (base, index) {
        (_, true) if instruction.memory_index_scale() > 1 => Operation::LoadScaled,
        (true, true) => Operation::LoadIndexed,
        _ if instruction.memory_displacement64() != 0 => Operation::LoadDisplaced,
        _ => Operation::Load,
    }
}

/// Operation of an instruction besides reading memory; `None` for a plain load.
fn operation(instruction: &Instruction) -> Option<Operation> {
    use Mnemonic as M;
    use Operation as O;
    let from_memory = has_memory_operand(instruction);
    Some(match instruction.mnemonic() {
        M::Mov if from_memory => return None,
        M::Movzx | M::Movsx | M::Movsxd if from_memory => return None,
        M::Pop | M::Push | M::Call | M::Ret | M::Nop => return None,
        M::Mov => O::Copy,
        M::Movzx | M::Movsx | M::Movsxd => O::Extend,
        M::Lea => address(instruction),
        M::Add | M::Sub | M::And | M::Or | M::Xor | M::Not | M::Neg | M::Inc | M::Dec => O::Simple,
        M::Cmp | M::Test | M::Adc | M::Sbb | M::Andn | M::Cdqe | M::Cwde => O::Simple,
        M::Bt | M::Bts | M::Btr | M::Btc | M::Rorx => O::Simple,
        M::Shl | M::Shr | M::Sar | M::Rol | M::Ror => match instruction.op1_kind() {
            OpKind::Register => O::ShiftBy,
            _ => O::Simple,
        },
        M::Shlx | M::Shrx | M::Sarx => O::ShiftWithoutFlags,
        M::Imul | M::Mul | M::Mulx => O::Multiply,
        M::Tzcnt | M::Lzcnt | M::Bsf | M::Bsr => O::Scan,
        M::Popcnt => O::Count,
        M::Blsr | M::Blsi | M::Blsmsk => O::ClearLowest,
        M::Pext | M::Pdep => O::Extract,
        M::Jmp => return None,
        _ if instruction.is_jcc_short_or_near() => O::Simple,
        // Conditional moves select, and `setcc` is as simple as an addition.
        _ if instruction.condition_code() == iced_x86::ConditionCode::None => O::Unknown,
        _ if instruction.op_count() == 1 => O::Simple,
        _ => O::Select,
    })
}

/// Form of the address that `lea` computes.
fn address(instruction: &Instruction) -> Operation {
    let has = |register: Register| register != Register::None;
    let (base, index) = (has(instruction.memory_base()), has(instruction.memory_index()));
    let constant = instruction.memory_displacement64() != 0;
    match (base, index) {
        (_, true) if instruction.memory_index_scale() > 1 => Operation::AddressScaled,
        (true, true) if constant => Operation::AddressOfThree,
        _ => Operation::Simple,
    }
}

/// The longest paths from the value of `from` before an iteration to the values behind it.
fn through(
    effects: &[Effect],
    from: Resource,
    latency: &dyn Fn(Operation) -> f64,
) -> BTreeMap<Resource, Path> {
    let mut known = BTreeMap::from([(from, Path::default())]);
    for (n, effect) in effects.iter().enumerate() {
        let path = effect.path(n, &known, latency);
        for &output in &effect.outputs {
            match &path {
                Some(path) => known.insert(output, path.clone()),
                None => known.remove(&output),
            };
        }
    }
    known
}

/// The cycle with the most cycles per iteration. `paths[a][b]` leads from register `a` to register `b` in one of them.
///
/// A cycle without a shorter one inside visits each register once, so the longest ways of up to as many iterations
/// as there are registers include it.
fn longest_cycle(paths: &[Vec<Option<Path>>]) -> Option<Chain> {
    let count = paths.len();
    let mut best: Option<Chain> = None;
    for start in 0..count {
        // For each number of iterations, the longest way from `start` to each register: cycles, and the register
        // before.
        let mut ways: Vec<Vec<Option<(f64, usize)>>> = Vec::new();
        for iteration in 0..count {
            let before = |register: usize| match iteration {
                0 => (register == start).then_some(0.0),
                _ => ways[iteration - 1][register].map(|(cycles, _)| cycles),
            };
            let longest = |to: usize| {
                (0..count)
                    .filter_map(|from| {
                        Some((before(from)? + paths[from][to].as_ref()?.cycles, from))
                    })
                    .max_by(|one, other| one.0.total_cmp(&other.0))
            };
            let row = (0..count).map(longest).collect();
            ways.push(row);
            let Some((cycles, _)) = ways[iteration][start] else { continue };
            let iterations = iteration + 1;
            let each = cycles / iterations as f64;
            // A cycle that is run through twice is no better than once.
            if best.as_ref().is_none_or(|best| each > best.cycles + 1e-9) {
                let mut registers = vec![start];
                for row in ways.iter().rev() {
                    let at = registers[registers.len() - 1];
                    registers.push(row[at].expect("a way with this number of iterations").1);
                }
                registers.reverse();
                let steps = registers.windows(2).flat_map(|pair| {
                    paths[pair[0]][pair[1]].as_ref().expect("a path of the way").steps.clone()
                });
                best = Some(Chain { cycles: each, iterations, steps: steps.collect() });
            }
        }
    }
    best.filter(|best| best.cycles > 0.0)
}
