//! The traced call: stack, trap flag, panics.

use std::any::Any;
use std::arch::asm;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// The trap flag: the processor raises a signal after each instruction.
const TRAP: u64 = 1 << 8;

/// What the call is given through one pointer.
struct Job<'a> {
    call: &'a mut dyn FnMut(),
    panic: Option<Box<dyn Any + Send>>,
}

/// Runs a call with its stack at the end of a page, and with the trap flag if `stepped`. A panic of the call
/// is returned, so that the caller can first undo what it prepared.
pub(super) fn run(call: &mut dyn FnMut(), stepped: bool) -> Result<(), Panic> {
    let mut job = Job { call, panic: None };
    let flag = if stepped { TRAP } else { 0 };
    // SAFETY: the stack pointer is kept in r12, which a callee preserves, and restored before the block
    // ends. Moving it down to the start of a page leaves the frames above untouched, and the push of a
    // call from there aligns the stack as the ABI demands. No panic leaves `run_job`, so nothing unwinds
    // through this frame, and the trap flag is off when the block ends. The job outlives the call.
    unsafe {
        asm!(
            "mov r12, rsp",
            "and rsp, -4096",
            "pushfq",
            "or qword ptr [rsp], {flag}",
            "popfq",
            "call {run}",
            "pushfq",
            "and qword ptr [rsp], -257",
            "popfq",
            "mov rsp, r12",
            flag = in(reg) flag,
            run = sym run_job,
            in("rdi") &raw mut job,
            out("r12") _,
            clobber_abi("C"),
        );
    }
    match job.panic {
        None => Ok(()),
        Some(panic) => Err(Panic(panic)),
    }
}

/// Lets an interrupted thread go on without the trap flag.
pub(super) fn stop_stepping(stored: &mut [i64; 23]) {
    stored[libc::REG_EFL as usize] &= !(TRAP as i64);
}

/// A panic of the call.
pub(super) struct Panic(Box<dyn Any + Send>);

impl Panic {
    /// Lets the panic continue.
    pub fn resume(self) -> ! {
        resume_unwind(self.0)
    }
}

extern "C" fn run_job(job: *mut Job<'_>) {
    // SAFETY: `run` passes a pointer to its own job and does not touch it meanwhile.
    let job = unsafe { &mut *job };
    job.panic = catch_unwind(AssertUnwindSafe(|| (job.call)())).err();
}
