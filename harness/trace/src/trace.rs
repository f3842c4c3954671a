//! The trace of one call, and the branches in it.

use crate::code::{Code, Flow};

/// One access to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Address of the first byte; `None` if it depends on a vector register (gather and scatter).
    pub address: Option<u64>,
    /// Number of bytes; for a masked access the most that it may touch.
    pub bytes: u32,
    /// Whether the access is a write.
    pub store: bool,
}

/// Every instruction of one call, in the order of execution, from the entry to its return.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// Numbers of the instructions in [`Code`]. A repeated string instruction occurs once.
    pub path: Vec<u32>,
    /// The accesses to memory in the order of execution; `None` if they were not recorded.
    pub accesses: Option<Vec<Access>>,
}

/// Kind of a branch, by what determines the next address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BranchKind {
    /// Jump that depends on flags.
    Conditional,
    /// Jump to a fixed address.
    Jump,
    /// Jump to an address from a register or from memory.
    IndirectJump,
    /// Call of a fixed address.
    Call,
    /// Call of an address from a register or from memory.
    IndirectCall,
    /// Return to the address on the stack.
    Return,
}

/// One executed branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Address of the branch in the running process.
    pub address: u64,
    /// Address of the instruction that was executed next; 0 for the return of the entry, which leads out of
    /// the traced code.
    pub next: u64,
    /// Kind of the instruction.
    pub kind: BranchKind,
    /// Whether it left the sequence of instructions; always true unless it is conditional.
    pub taken: bool,
}

impl Trace {
    /// The executed branches of all kinds, in order. `code` is that of the tracer that recorded the trace.
    pub fn branches<'a>(&'a self, code: &'a Code) -> impl Iterator<Item = Branch> + 'a {
        let next = self.path.iter().skip(1).map(|&number| code[number].address).chain([0]);
        self.path.iter().zip(next).filter_map(|(&number, next)| {
            let instruction = &code[number];
            let kind = match instruction.flow {
                Flow::Next | Flow::End => return None,
                Flow::Conditional { .. } => BranchKind::Conditional,
                Flow::Jump { .. } => BranchKind::Jump,
                Flow::IndirectJump => BranchKind::IndirectJump,
                Flow::Call { .. } => BranchKind::Call,
                Flow::IndirectCall => BranchKind::IndirectCall,
                Flow::Return => BranchKind::Return,
            };
            let taken = kind != BranchKind::Conditional || next != instruction.next();
            Some(Branch { address: instruction.address, next, kind, taken })
        })
    }
}
