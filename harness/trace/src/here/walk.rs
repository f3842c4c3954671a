//! The code that an entry can reach, as far as traces have executed it, and the breakpoints in it.
//!
//! Nothing is followed that has not been executed, except both sides of conditional branches and the targets of
//! jumps. A call leads to other functions, and the code behind it may not exist if the function never returns, as
//! with a panic. So each call has a breakpoint of its own until it is executed for the first time; the same goes for
//! the targets of indirect branches.

use std::collections::BTreeMap;

use iced_x86::{OpKind, Register};

use super::context;
use crate::code::{Code, Flow, Instruction};

/// A breakpoint, with what the handler needs to execute the instruction in its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub address: u64,
    /// Address of the next instruction in sequence.
    pub next: u64,
    /// First byte of the instruction.
    pub byte: u8,
    pub kind: SiteKind,
}

/// Kind of the instruction at a breakpoint.
#[derive(Clone, Copy, Debug)]
pub(super) enum SiteKind {
    /// Conditional branch: target and condition code.
    Conditional { target: u64, condition: u8 },
    /// Call of a fixed address that was not executed before.
    Call { target: u64 },
    /// Indirect jump or call.
    Indirect { target: Target, call: bool },
}

/// Source of the target of an indirect branch.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    /// In a register, by its number.
    Register(usize),
    /// In memory at base + index × scale + displacement; numbers of registers.
    Memory { base: Option<usize>, index: Option<usize>, scale: u64, displacement: u64 },
}

/// The code that was found.
#[derive(Default)]
pub(super) struct Walk {
    /// Whether each known instruction of [`Code`] belongs to it.
    found: Vec<bool>,
    sites: BTreeMap<u64, Site>,
}

impl Walk {
    /// The breakpoints, in the order of their addresses.
    pub(crate) fn sites(&self) -> impl Iterator<Item = Site> + '_ {
        self.sites.values().copied()
    }

    /// The number of the instruction at an address, if the walk has been there.
    pub(crate) fn number(&self, code: &Code, address: u64) -> Option<u32> {
        let number = code.number(address)?;
        self.found.get(number as usize).copied().unwrap_or(false).then_some(number)
    }

    /// Follows the code from an address on. Returns whether anything was new.
    ///
    /// # Safety
    /// The processor has executed the instruction there, or is about to, and no breakpoint is in place.
    pub(crate) unsafe fn extend(&mut self, code: &mut Code, from: u64) -> bool {
        let mut open = vec![from];
        let mut any = false;
        while let Some(address) = open.pop() {
            if self.number(code, address).is_some() {
                continue;
            }
            // SAFETY: execution continues in sequence and at the targets of its branches. The walk
            // stops at calls, returns and traps, behind which there may be something else.
            let Some(number) = (unsafe { code.decode(address) }) else { continue };
            any = true;
            self.found.resize(code.len(), false);
            self.found[number as usize] = true;
            let instruction = &code[number];
            let next = instruction.next();
            match instruction.flow {
                Flow::Next => open.push(next),
                Flow::Jump { target } => open.push(target),
                Flow::Conditional { target, condition } => {
                    open.extend([next, target]);
                    // SAFETY: it was decoded from there.
                    unsafe { self.place(instruction, SiteKind::Conditional { target, condition }) };
                }
                Flow::Call { target } => {
                    // SAFETY: as above.
                    unsafe { self.place(instruction, SiteKind::Call { target }) };
                }
                Flow::IndirectJump | Flow::IndirectCall => {
                    let call = instruction.flow == Flow::IndirectCall;
                    if let Some(target) = target(&instruction.decoded) {
                        // SAFETY: as above.
                        unsafe { self.place(instruction, SiteKind::Indirect { target, call }) };
                    }
                }
                Flow::Return | Flow::End => {}
            }
        }
        any
    }

    /// Notes that a call was executed: it needs no breakpoint any more.
    pub(crate) fn executed(&mut self, address: u64) {
        if matches!(self.sites.get(&address), Some(Site { kind: SiteKind::Call { .. }, .. })) {
            self.sites.remove(&address);
        }
    }

    /// # Safety
    /// The instruction is in memory at its address, without a breakpoint.
    unsafe fn place(&mut self, instruction: &Instruction, kind: SiteKind) {
        let address = instruction.address;
        // SAFETY: promised by the caller.
        let byte = unsafe { (address as *const u8).read_volatile() };
        self.sites.insert(address, Site { address, next: instruction.next(), byte, kind });
    }
}

/// The operand of an indirect branch; `None` for a form that compilers do not use.
fn target(decoded: &iced_x86::Instruction) -> Option<Target> {
    let whole = |register: Register| match context::place(register) {
        Some((number, u64::MAX)) => Some(number),
        _ => None,
    };
    match decoded.op0_kind() {
        OpKind::Register => whole(decoded.op0_register()).map(Target::Register),
        OpKind::Memory => {
            let optional = |register: Register| match register {
                // The displacement of an operand relative to the instruction pointer is its address.
                Register::None | Register::RIP => Some(None),
                register => whole(register).map(Some),
            };
            let is_flat = !matches!(decoded.segment_prefix(), Register::FS | Register::GS);
            is_flat.then_some(Target::Memory {
                base: optional(decoded.memory_base())?,
                index: optional(decoded.memory_index())?,
                scale: decoded.memory_index_scale().into(),
                displacement: decoded.memory_displacement64(),
            })
        }
        _ => None,
    }
}
