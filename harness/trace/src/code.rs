//! Decoded instructions of the running program, each decoded once.
//!
//! Bytes are read from memory and not from the program's file, so that the decoded code is the code that runs.

use std::collections::HashMap;
use std::ops::Index;

use iced_x86::{
    Decoder, DecoderError, DecoderOptions, FlowControl, InstructionInfoFactory, Mnemonic, OpAccess,
    Register, UsedMemory,
};

/// The longest instruction, in bytes.
const LONGEST: u64 = 15;
/// Size of the smallest page. The bytes of an instruction are mapped, those of the page behind it need
/// not be.
const PAGE: u64 = 4096;

/// Successor of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// The next instruction in memory.
    Next,
    /// A branch that depends on flags: the condition is the low four bits of its opcode.
    Conditional {
        /// Address of the instruction if it is taken.
        target: u64,
        /// Condition code, 0 to 15.
        condition: u8,
    },
    /// A jump to a fixed address.
    Jump {
        /// Address of the jump's target.
        target: u64,
    },
    /// A call of a fixed address.
    Call {
        /// Address of the called function.
        target: u64,
    },
    /// A jump to an address from a register or from memory.
    IndirectJump,
    /// A call of an address from a register or from memory.
    IndirectCall,
    /// A return to the address on the stack.
    Return,
    /// Nothing: a trap for code that must not be reached, or an instruction that is not supported.
    End,
}

/// A decoded instruction, with the properties that counts need.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// Address in the running process.
    pub address: u64,
    /// Length in bytes.
    pub length: u8,
    /// Kind of instruction by its successor.
    pub flow: Flow,
    /// Number of memory operands that it reads.
    pub loads: u8,
    /// Number of memory operands that it writes.
    pub stores: u8,
    /// Whether it has an operand in a vector or mask register.
    pub vector: bool,
    /// Whether it is a conditional move or sets a register by a condition.
    pub conditional_move: bool,
    /// Whether it is a prefetch.
    pub prefetch: bool,
    /// Whether it repeats itself. The trap flag stops it after each repetition.
    pub(crate) repeats: bool,
    pub(crate) decoded: iced_x86::Instruction,
    pub(crate) operands: Vec<Operand>,
}

/// A memory operand, and whether the instruction reads or writes it.
#[derive(Clone, Debug)]
pub(crate) struct Operand {
    pub(crate) place: UsedMemory,
    pub(crate) bytes: u32,
    pub(crate) loads: bool,
    pub(crate) stores: bool,
}

impl Instruction {
    /// Address of the instruction behind it.
    pub fn next(&self) -> u64 {
        self.address.wrapping_add(u64::from(self.length))
    }

    /// The instruction as it was decoded, for what its operands mean.
    pub fn decoded(&self) -> &iced_x86::Instruction {
        &self.decoded
    }
}

/// The instructions that traces of one entry have reached. A trace names them by their number.
#[derive(Default)]
pub struct Code {
    instructions: Vec<Instruction>,
    numbers: HashMap<u64, u32>,
}

impl Index<u32> for Code {
    type Output = Instruction;

    fn index(&self, number: u32) -> &Instruction {
        &self.instructions[number as usize]
    }
}

impl Code {
    /// Number of known instructions.
    pub fn len(&self) -> usize {
        self.instructions.len()
    }

    /// Whether no instruction is known.
    pub fn is_empty(&self) -> bool {
        self.instructions.is_empty()
    }

    /// The number of the instruction at an address, if it is known.
    pub fn number(&self, address: u64) -> Option<u32> {
        self.numbers.get(&address).copied()
    }

    /// The number of the instruction at an address, which is decoded if it is new; `None` if its bytes are
    /// no instruction.
    ///
    /// # Safety
    /// An instruction of this process begins at the address, and nothing changes its bytes meanwhile.
    pub(crate) unsafe fn decode(&mut self, address: u64) -> Option<u32> {
        if let Some(number) = self.number(address) {
            return Some(number);
        }
        // SAFETY: promised by the caller.
        let instruction = unsafe { read(address) }?;
        let number = u32::try_from(self.instructions.len()).ok()?;
        self.instructions.push(instruction);
        self.numbers.insert(address, number);
        Some(number)
    }
}

/// Decodes the instruction at an address.
///
/// # Safety
/// As [`Code::decode`].
unsafe fn read(address: u64) -> Option<Instruction> {
    // Up to the end of the page first. If an instruction continues on the next page, that one is mapped.
    let to_end = PAGE - address % PAGE;
    for length in [to_end.min(LONGEST), LONGEST] {
        let length = usize::try_from(length).ok()?;
        // SAFETY: the first length stays within the page of the instruction, and the second is used only if
        // the instruction extends beyond that page.
        let bytes = unsafe { std::slice::from_raw_parts(address as *const u8, length) };
        let mut decoder = Decoder::with_ip(64, bytes, address, DecoderOptions::NONE);
        let decoded = decoder.decode();
        match decoder.last_error() {
            DecoderError::None => return Some(describe(&decoded)),
            DecoderError::NoMoreBytes => {}
            _ => return None,
        }
    }
    None
}

fn describe(decoded: &iced_x86::Instruction) -> Instruction {
    let mut factory = InstructionInfoFactory::new();
    let used = factory.info(decoded).used_memory();
    let operands: Vec<Operand> = used.iter().filter_map(operand).collect();
    let count = |kind: fn(&Operand) -> bool| {
        u8::try_from(operands.iter().filter(|one| kind(one)).count()).unwrap_or(u8::MAX)
    };
    let is_vector = |register: Register| register.is_vector_register() || register.is_k();
    let registers = (0..decoded.op_count()).map(|operand| decoded.op_register(operand));
    Instruction {
        address: decoded.ip(),
        length: u8::try_from(decoded.len()).unwrap_or(u8::MAX),
        flow: flow(decoded),
        loads: count(|one| one.loads),
        stores: count(|one| one.stores),
        vector: registers.chain([decoded.memory_index()]).any(is_vector),
        conditional_move: decoded.condition_code() != iced_x86::ConditionCode::None
            && decoded.flow_control() == FlowControl::Next,
        prefetch: is_prefetch(decoded.mnemonic()),
        repeats: decoded.is_string_instruction()
            && (decoded.has_rep_prefix() || decoded.has_repne_prefix()),
        decoded: *decoded,
        operands,
    }
}

fn operand(place: &UsedMemory) -> Option<Operand> {
    let (loads, stores) = match place.access() {
        // A conditional move reads its operand in either case, and a masked access at most what is given.
        OpAccess::Read | OpAccess::CondRead => (true, false),
        OpAccess::Write | OpAccess::CondWrite => (false, true),
        OpAccess::ReadWrite | OpAccess::ReadCondWrite => (true, true),
        OpAccess::None | OpAccess::NoMemAccess => return None,
    };
    let bytes = u32::try_from(place.memory_size().size()).unwrap_or(u32::MAX);
    Some(Operand { place: *place, bytes, loads, stores })
}

fn is_prefetch(mnemonic: Mnemonic) -> bool {
    use Mnemonic::{Prefetch, Prefetchnta, Prefetcht0, Prefetcht1, Prefetcht2, Prefetchw};
    matches!(mnemonic, Prefetch | Prefetchnta | Prefetcht0 | Prefetcht1 | Prefetcht2 | Prefetchw)
}

fn flow(decoded: &iced_x86::Instruction) -> Flow {
    let target = decoded.near_branch_target();
    match decoded.flow_control() {
        FlowControl::Next => Flow::Next,
        FlowControl::ConditionalBranch if decoded.is_jcc_short_or_near() => {
            // The conditions are numbered like their opcodes, after the value `None`.
            Flow::Conditional {
                target,
                condition: (decoded.condition_code() as u8).wrapping_sub(1) & 15,
            }
        }
        FlowControl::UnconditionalBranch if decoded.is_jmp_short_or_near() => Flow::Jump { target },
        FlowControl::Call if decoded.is_call_near() => Flow::Call { target },
        // Execution continues behind a system call.
        FlowControl::Call => Flow::Next,
        FlowControl::IndirectBranch if decoded.is_jmp_near_indirect() => Flow::IndirectJump,
        FlowControl::IndirectCall if decoded.is_call_near_indirect() => Flow::IndirectCall,
        FlowControl::Return => Flow::Return,
        _ => Flow::End,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decodes bytes that end at the end of an array, so that a read beyond it would be found by a tool
    /// that checks memory.
    fn decoded(bytes: &[u8]) -> Instruction {
        let mut decoder = Decoder::with_ip(64, bytes, 0x1000, DecoderOptions::NONE);
        describe(&decoder.decode())
    }

    #[test]
    fn instructions_are_classified_by_what_they_do_to_memory_and_control() {
        // Bytes as in the manuals of Intel: the reference that is independent of the decoder.
        let load = decoded(&[0x8b, 0x04, 0x8a]); // mov eax, [rdx+rcx*4]
        assert_eq!((load.loads, load.stores, load.operands[0].bytes), (1, 0, 4));
        let both = decoded(&[0xff, 0x00]); // inc dword ptr [rax]
        assert_eq!((both.loads, both.stores), (1, 1));
        let address = decoded(&[0x8d, 0x04, 0x8a]); // lea eax, [rdx+rcx*4]
        assert_eq!((address.loads, address.stores), (0, 0));
        let push = decoded(&[0x53]); // push rbx
        assert_eq!((push.loads, push.stores, push.operands[0].bytes), (0, 1, 8));
        let select = decoded(&[0x0f, 0x44, 0x02]); // cmove eax, [rdx]
        assert!(select.conditional_move && select.flow == Flow::Next && select.loads == 1);
        let set = decoded(&[0x0f, 0x94, 0xc0]); // sete al
        assert!(set.conditional_move && set.loads == 0 && set.stores == 0);
        let prefetch = decoded(&[0x0f, 0x18, 0x08]); // prefetcht0 [rax]
        assert!(prefetch.prefetch && prefetch.loads == 0);
        let copy = decoded(&[0xf3, 0xa4]); // rep movsb
        assert!(copy.repeats);
        let compress = decoded(&[0x62, 0xf2, 0x7d, 0x48, 0x63, 0x07]); // vpcompressb [rdi], zmm0
        assert!(compress.vector && compress.stores == 1 && compress.operands[0].bytes == 64);
    }

    #[test]
    fn conditions_are_those_of_the_opcode() {
        for condition in 0..16 {
            let near = decoded(&[0x70 | condition, 0x10]);
            let far = decoded(&[0x0f, 0x80 | condition, 0x10, 0, 0, 0]);
            assert_eq!(near.flow, Flow::Conditional { target: 0x1012, condition });
            assert_eq!(far.flow, Flow::Conditional { target: 0x1016, condition });
        }
    }

    #[test]
    fn what_cannot_be_followed_ends_the_flow() {
        assert_eq!(decoded(&[0xe3, 0x10]).flow, Flow::End); // jrcxz
        assert_eq!(decoded(&[0xe2, 0x10]).flow, Flow::End); // loop
        assert_eq!(decoded(&[0x0f, 0x0b]).flow, Flow::End); // ud2
        assert_eq!(decoded(&[0xcc]).flow, Flow::End); // int3
        assert_eq!(decoded(&[0x0f, 0x05]).flow, Flow::Next); // syscall
        assert_eq!(decoded(&[0xc3]).flow, Flow::Return);
        assert_eq!(decoded(&[0xff, 0xe0]).flow, Flow::IndirectJump); // jmp rax
        assert_eq!(decoded(&[0xff, 0x15, 0, 0, 0, 0]).flow, Flow::IndirectCall); // call [rip]
        assert_eq!(decoded(&[0xe8, 0, 0, 0, 0]).flow, Flow::Call { target: 0x1005 });
        assert_eq!(decoded(&[0xeb, 0xfe]).flow, Flow::Jump { target: 0x1000 });
    }
}
