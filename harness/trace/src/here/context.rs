//! The registers of an interrupted thread, as a signal handler gets them.

use std::arch::asm;

use iced_x86::Register;
use libc::{c_void, ucontext_t};

/// Number of general registers, and the place of the instruction pointer behind them.
pub(super) const RIP: usize = 16;

/// The sixteen general registers in the order of their encoding, then the instruction pointer.
pub(super) type Registers = [u64; RIP + 1];

/// Index of each of [`Registers`] in the context that the kernel passes to a handler.
pub(super) const PLACES: [libc::c_int; RIP + 1] = [
    libc::REG_RAX,
    libc::REG_RCX,
    libc::REG_RDX,
    libc::REG_RBX,
    libc::REG_RSP,
    libc::REG_RBP,
    libc::REG_RSI,
    libc::REG_RDI,
    libc::REG_R8,
    libc::REG_R9,
    libc::REG_R10,
    libc::REG_R11,
    libc::REG_R12,
    libc::REG_R13,
    libc::REG_R14,
    libc::REG_R15,
    libc::REG_RIP,
];

/// Place of the stack pointer in [`Registers`].
pub(super) const RSP: usize = 4;

/// The place of a general register in [`Registers`], and the part of it that the name stands for.
pub(super) fn place(register: Register) -> Option<(usize, u64)> {
    let full = register.full_register();
    // Addresses have parts of 64 or 32 bits only.
    let mask = match register.size() {
        8 => u64::MAX,
        4 => u64::from(u32::MAX),
        _ => return None,
    };
    // The decoder numbers these registers in the order of their encoding.
    let number = (full as usize).checked_sub(Register::RAX as usize)?;
    (number < RIP).then_some((number, mask))
}

/// The stored registers of the interrupted thread.
///
/// # Safety
/// `context` is the third argument of a signal handler, which has not returned.
pub(super) unsafe fn registers<'a>(context: *mut c_void) -> &'a mut [i64; 23] {
    // SAFETY: the kernel passes a valid context to a handler with SA_SIGINFO.
    unsafe { &mut (*context.cast::<ucontext_t>()).uc_mcontext.gregs }
}

/// One of the stored registers, by its number in [`Registers`].
#[inline(always)]
pub(super) fn read(stored: &[i64; 23], number: usize) -> u64 {
    stored[PLACES[number] as usize] as u64
}

/// Changes a stored register, which the thread has when the handler returns.
#[inline(always)]
pub(super) fn write(stored: &mut [i64; 23], number: usize, value: u64) {
    stored[PLACES[number] as usize] = value as i64;
}

/// A number that differs between running threads. Unlike a thread-local variable or a system call it is
/// allowed in a signal handler and costs one load.
#[inline(always)]
pub(super) fn thread() -> u64 {
    let pointer: u64;
    // SAFETY: the ABI of x86-64 Linux puts a pointer to the thread's block at the start of that block.
    unsafe {
        asm!("mov {}, fs:[0]", out(reg) pointer, options(nostack, readonly, preserves_flags));
    }
    pointer
}
