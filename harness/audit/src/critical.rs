//! The critical path of calls: the longest chain of dependent instructions through them.
//!
//! An exact trace gives the instructions that a call executes, in their order. Each of them starts when the registers
//! and flags that it waits for are ready, as in an [`Iteration`](crate::Iteration). Branches are predicted, so nothing
//! waits for them, and values that pass through memory are not followed.
//!
//! Without a further limit all calls would overlap, and many short chains would take no longer than one. A core holds
//! a limited number of instructions at once, its *window* of n: an instruction enters when the one n places before
//! it, and all older ones, are done. The width of the core is not limited, so the path contains the time of
//! dependences alone.

use iced_x86::{Instruction, InstructionInfoFactory};

use crate::chain::{Effect, Operation, Resource};

/// Inputs, outputs and latencies of the instructions of some code, numbered in the order in which they are added.
pub struct Dependences {
    instructions: Vec<Waits>,
    factory: InstructionInfoFactory,
}

/// The longest chain of dependent instructions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CriticalPath {
    /// Length of the path in cycles.
    pub cycles: f64,
    /// The part of it that consists of instructions whose latency is not known.
    pub assumed: f64,
}

/// A core of unlimited width that holds a limited number of instructions at once.
pub struct Core {
    /// The paths to the values in the registers.
    ready: [CriticalPath; RESOURCES],
    /// Time at which each instruction of the window leaves it, the oldest at `next`.
    left: Vec<CriticalPath>,
    next: usize,
    longest: CriticalPath,
}

/// Inputs and outputs of one instruction, as places in the list of all registers.
struct Waits {
    data: Vec<usize>,
    address: Vec<usize>,
    outputs: Vec<usize>,
    /// Cycles of the load of its memory operand, if it has one.
    load: Option<f64>,
    /// Cycles of what it does with the data.
    operation: f64,
    /// Whether the cycles of the operation are assumed, because its latency is not known.
    is_assumed: bool,
}

/// The flags follow the registers, each of which is a byte.
const CARRY: usize = u8::MAX as usize + 1;
const RESOURCES: usize = CARRY + 2;

fn place(resource: Resource) -> usize {
    match resource {
        Resource::Register(register) => register as usize,
        Resource::Carry => CARRY,
        Resource::Flags => CARRY + 1,
    }
}

impl Waits {
    fn of(effect: &Effect, latency: &dyn Fn(Operation) -> f64) -> Waits {
        let places = |resources: &[Resource]| resources.iter().copied().map(place).collect();
        Waits {
            data: places(&effect.data),
            address: places(&effect.address),
            outputs: places(&effect.outputs),
            load: effect.load.map(latency),
            operation: effect.operation.map_or(0.0, latency),
            is_assumed: effect.operation == Some(Operation::Unknown),
        }
    }

    /// The path to its results, from those to what it waits for. It starts no sooner than it has `entered` the window.
    fn path(&self, ready: &[CriticalPath; RESOURCES], entered: CriticalPath) -> CriticalPath {
        let last = |places: &[usize]| {
            places.iter().map(|&place| ready[place]).fold(entered, CriticalPath::longer)
        };
        let mut path = last(&self.data);
        if let Some(load) = self.load {
            path = last(&self.address).with(load, false).longer(path);
        }
        path.with(self.operation, self.is_assumed)
    }
}

impl CriticalPath {
    fn longer(self, other: CriticalPath) -> CriticalPath {
        if other.cycles > self.cycles { other } else { self }
    }

    fn with(self, cycles: f64, is_assumed: bool) -> CriticalPath {
        let assumed = if is_assumed { cycles } else { 0.0 };
        CriticalPath { cycles: self.cycles + cycles, assumed: self.assumed + assumed }
    }
}

impl Default for Dependences {
    fn default() -> Self {
        Dependences { instructions: Vec::new(), factory: InstructionInfoFactory::new() }
    }
}

impl Dependences {
    /// Number of instructions added so far.
    pub fn len(&self) -> usize {
        self.instructions.len()
    }

    /// Whether no instruction has been added so far.
    pub fn is_empty(&self) -> bool {
        self.instructions.is_empty()
    }

    /// Adds an instruction. `latency` gives the cycles of an operation, at least zero.
    pub fn add(&mut self, instruction: &Instruction, latency: &dyn Fn(Operation) -> f64) {
        let effect = Effect::of(instruction, &mut self.factory);
        self.instructions.push(Waits::of(&effect, latency));
    }
}

impl Core {
    /// A core that holds `window` instructions.
    ///
    /// # Panics
    /// If that is none.
    pub fn new(window: usize) -> Self {
        assert!(window > 0, "a core holds instructions");
        let start = CriticalPath::default();
        Core { ready: [start; RESOURCES], left: vec![start; window], next: 0, longest: start }
    }

    /// Executes a call behind the calls before, given by the numbers of its instructions. What it finds in registers
    /// is ready: nothing waits for a result of another call.
    ///
    /// # Panics
    /// If an instruction was not added to `of`.
    pub fn call(&mut self, of: &Dependences, executed: &[u32]) {
        self.ready.fill(CriticalPath::default());
        for &number in executed {
            let instruction = &of.instructions[number as usize];
            let path = instruction.path(&self.ready, self.left[self.next]);
            for &output in &instruction.outputs {
                self.ready[output] = path;
            }
            self.longest = self.longest.longer(path);
            // Not its own path: instructions leave the window in order, so none leaves before an older one is done.
            self.left[self.next] = self.longest;
            self.next = (self.next + 1) % self.left.len();
        }
    }

    /// The critical path of all calls.
    pub fn critical_path(&self) -> CriticalPath {
        self.longest
    }
}
