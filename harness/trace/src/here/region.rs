//! The traced call: stack, trap flag, panics.

use std::any::Any;
use std::arch::global_asm;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// The trap flag: the processor raises a signal after each instruction.
const TRAP: u64 = 1 << 8;

/// Arguments that the call receives through one pointer.
struct Guarded<'a> {
    call: &'a mut dyn FnMut(),
    panic: Option<Box<dyn Any + Send>>,
}

// The function is written in assembly because it moves the stack pointer: the directives tell where its caller
// continues, so that a backtrace of a panicking call does not lose its way here.
global_asm!(
    "raywalk_trace_run:", // (guarded call in rdi, flag in rsi)
    ".cfi_startproc",
    "push rbp",
    ".cfi_def_cfa_offset 16",
    ".cfi_offset rbp, -16",
    "mov rbp, rsp",
    ".cfi_def_cfa_register rbp",
    "and rsp, -4096",
    "pushfq",
    "or qword ptr [rsp], rsi",
    "popfq",
    "call {run_guarded}",
    "pushfq",
    // −257 keeps every flag but the trap flag.
    "and qword ptr [rsp], -257",
    "popfq",
    "mov rsp, rbp",
    "pop rbp",
    ".cfi_def_cfa rsp, 8",
    "ret",
    ".cfi_endproc",
    run_guarded = sym run_guarded,
);

unsafe extern "C" {
    /// Moves the stack to the end of a page, sets these flags, and runs the call.
    fn raywalk_trace_run(guarded: *mut c_void, flags: u64);
}

/// Runs a call with its stack at the end of a page, and with the trap flag if `stepped`. A panic of the call
/// is returned, so that the caller can first undo what it prepared.
pub(super) fn run(call: &mut dyn FnMut(), stepped: bool) -> Result<(), Panic> {
    let mut guarded = Guarded { call, panic: None };
    let flag = if stepped { TRAP } else { 0 };
    // SAFETY: the guarded call is one and outlives the call. The function follows the C ABI: it keeps the stack pointer
    // in rbp, which callees preserve, and moving it down to the start of a page leaves the frames above untouched. No
    // panic leaves `run_guarded`, and the trap flag is off when the function returns.
    unsafe { raywalk_trace_run((&raw mut guarded).cast(), flag) };
    match guarded.panic {
        None => Ok(()),
        Some(panic) => Err(Panic(panic)),
    }
}

/// Lets an interrupted thread continue without the trap flag.
pub(super) fn stop_stepping(stored: &mut [i64; 23]) {
    stored[libc::REG_EFL as usize] &= !(TRAP as i64);
}

/// A panic of the call.
pub(super) struct Panic(Box<dyn Any + Send>);

impl Panic {
    /// Lets the panic continue.
    pub(crate) fn resume(self) -> ! {
        resume_unwind(self.0)
    }
}

extern "C" fn run_guarded(guarded: *mut c_void) {
    // SAFETY: `run` passes a pointer to its own guarded call and does not touch it meanwhile.
    let guarded = unsafe { &mut *guarded.cast::<Guarded<'_>>() };
    guarded.panic = catch_unwind(AssertUnwindSafe(|| (guarded.call)())).err();
}
