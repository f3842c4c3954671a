//! One function as instructions.
//!
//! A function is decoded from the start to the end of its symbol. LLVM puts no data between instructions,
//! so every boundary of this sweep is a boundary of the code, which the recovery of jump tables relies on.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic, OpAccess, OpKind};

/// The code of one function.
pub(crate) struct Code {
    pub(crate) range: Range<u64>,
    pub(crate) instructions: Vec<Instruction>,
    /// Place of each instruction in the list, by its address.
    index: HashMap<u64, usize>,
}

/// Successor of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    /// To the next instruction.
    Next,
    /// To an instruction of the same function.
    Jump(usize),
    /// To an instruction of the same function or to the next.
    Condition(usize),
    /// Out of the function, or to an address that was computed.
    Leave,
    /// To another function and back.
    Call,
    /// Back to the caller.
    Return,
    /// Nowhere: a trap.
    Stop,
}

impl Code {
    /// Decodes the bytes of a function that begins at `range.start`.
    pub(crate) fn decode(bytes: &[u8], range: Range<u64>) -> Code {
        let length = usize::try_from(range.end - range.start).unwrap_or(usize::MAX);
        let bytes = &bytes[..length.min(bytes.len())];
        let decoder = Decoder::with_ip(64, bytes, range.start, DecoderOptions::NONE);
        let instructions: Vec<_> = decoder.into_iter().collect();
        let index = instructions.iter().enumerate().map(|(n, one)| (one.ip(), n)).collect();
        Code { range, instructions, index }
    }

    /// The place in the list of the instruction at an address.
    pub(crate) fn at(&self, address: u64) -> Option<usize> {
        self.index.get(&address).copied()
    }

    pub(crate) fn flow(&self, n: usize) -> Flow {
        let instruction = &self.instructions[n];
        let target = || self.at(instruction.near_branch_target());
        match instruction.flow_control() {
            FlowControl::Next | FlowControl::XbeginXabortXend => Flow::Next,
            FlowControl::UnconditionalBranch => target().map_or(Flow::Leave, Flow::Jump),
            FlowControl::IndirectBranch => Flow::Leave,
            // A condition out of the function is a conditional tail call. Only its other way is followed
            // in this function.
            FlowControl::ConditionalBranch => target().map_or(Flow::Next, Flow::Condition),
            FlowControl::Call | FlowControl::IndirectCall => Flow::Call,
            FlowControl::Return => Flow::Return,
            FlowControl::Interrupt | FlowControl::Exception => Flow::Stop,
        }
    }

    /// First instructions of blocks: at the start, at the target of a jump, behind a jump, and at `others`.
    pub(crate) fn leaders(&self, others: &BTreeSet<usize>) -> BTreeSet<usize> {
        let mut leaders = others.clone();
        leaders.insert(0);
        for n in 0..self.instructions.len() {
            let flow = self.flow(n);
            if let Flow::Jump(target) | Flow::Condition(target) = flow {
                leaders.insert(target);
            }
            if !matches!(flow, Flow::Next | Flow::Call) {
                leaders.insert(n + 1);
            }
        }
        leaders.retain(|&n| n < self.instructions.len());
        leaders
    }
}

/// Whether one of the operands is a memory operand with base, index and displacement.
pub(crate) fn has_memory_operand(instruction: &Instruction) -> bool {
    instruction.op_kinds().any(|kind| kind == OpKind::Memory)
}

/// Whether an operand is read, or may be.
pub(crate) fn is_read(access: OpAccess) -> bool {
    use OpAccess::{CondRead, Read, ReadCondWrite, ReadWrite};
    matches!(access, Read | CondRead | ReadWrite | ReadCondWrite)
}

/// Whether an operand is written, or may be.
pub(crate) fn is_write(access: OpAccess) -> bool {
    use OpAccess::{CondWrite, ReadCondWrite, ReadWrite, Write};
    matches!(access, Write | CondWrite | ReadWrite | ReadCondWrite)
}

/// Whether the instruction works on vector or mask registers.
pub(crate) fn is_vector(instruction: &Instruction) -> bool {
    (0..instruction.op_count()).any(|n| {
        let register = instruction.op_register(n);
        instruction.op_kind(n) == OpKind::Register
            && (register.is_vector_register() || register.is_k())
    })
}

/// Whether an instruction has a vector operand and does not merely copy.
pub(crate) fn computes_by_vectors(instruction: &Instruction) -> bool {
    is_vector(instruction) && !is_copy(instruction.mnemonic())
}

/// Vector instructions that copy, clear or set all elements.
fn is_copy(mnemonic: Mnemonic) -> bool {
    use Mnemonic as M;
    matches!(
        mnemonic,
        M::Vmovdqa
            | M::Vmovdqu
            | M::Vmovaps
            | M::Vmovups
            | M::Vmovd
            | M::Vmovq
            | M::Vmovapd
            | M::Vmovupd
            | M::Vpxor
            | M::Vxorps
            | M::Vpcmpeqd
            | M::Vzeroupper
            | M::Vpbroadcastq
            | M::Vbroadcastss
            | M::Vpbroadcastd
            | M::Vpbroadcastw
            | M::Vpbroadcastb
            | M::Vmovss
            | M::Vmovsd
            | M::Movaps
            | M::Movups
            | M::Movdqa
            | M::Movdqu
            | M::Xorps
            | M::Pxor
    )
}
