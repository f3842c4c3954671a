//! Stepping: the processor raises a signal after each instruction, and the handler copies the registers.
//!
//! Everything else happens afterwards: instructions are decoded, and the addresses of memory accesses are
//! computed from the registers before each of them. Steps outside the entry are not recorded.

use std::ffi::c_int;
use std::sync::atomic::{AtomicPtr, Ordering};

use iced_x86::Register;
use libc::{c_void, siginfo_t};

use super::context::{self, PLACES, RIP, RSP, Registers};
use super::region;
use super::signal::{self, Handling, TracerLock};
use crate::code::{Code, Instruction, Operand};
use crate::error::TraceError;
use crate::trace::{Access, Trace};

/// `si_code` of a signal from the trap flag; others are breakpoints, or were sent.
const TRAP_TRACE: c_int = 2;

/// Steps outside the entry after which stepping ends. A harness executes a few dozen before and after the
/// entry; a panic or a slow caller must not be stepped to its end.
const OUTSIDE: usize = 10_000;

/// The steps of the call that is being traced.
static ACTIVE: AtomicPtr<Recorder> = AtomicPtr::new(std::ptr::null_mut());

/// Data that the signal handler reads and writes.
struct Recorder {
    /// The thread that traces, see [`context::thread`].
    thread: u64,
    entry: u64,
    /// Whether the call is between the entry and its return.
    inside: bool,
    /// Number of calls of the entry.
    calls: u64,
    /// Number of steps before and after them.
    outside: usize,
    /// Return address of the entry, and the stack pointer after the return. The address alone could be reached from
    /// inside, by a recursion.
    end: u64,
    stack: u64,
    buffer: Box<[Registers]>,
    /// Number of steps inside, of which the buffer may hold fewer.
    steps: usize,
}

/// The steps of one call.
pub(super) struct Steps(Box<Recorder>);

impl Steps {
    /// A buffer for this many steps.
    pub(crate) fn new(capacity: usize) -> Steps {
        Steps(Box::new(Recorder {
            thread: 0,
            entry: 0,
            inside: false,
            calls: 0,
            outside: 0,
            end: 0,
            stack: 0,
            // Zeroed, so that the system provides each page when it is first written.
            buffer: vec![[0; RIP + 1]; capacity].into_boxed_slice(),
            steps: 0,
        }))
    }

    /// Steps through a call.
    ///
    /// # Errors
    /// [`TraceError`] if the system refuses the handler.
    pub(crate) fn record(
        &mut self,
        lock: &TracerLock,
        entry: u64,
        call: &mut dyn FnMut(),
    ) -> Result<(), TraceError> {
        let handling = Handling::install(lock, on_step)?;
        let recorder = &mut *self.0;
        recorder.thread = context::thread();
        recorder.entry = entry;
        (recorder.inside, recorder.calls) = (false, 0);
        (recorder.outside, recorder.steps) = (0, 0);
        // Released, so that the handler sees what was set above.
        ACTIVE.store(recorder, Ordering::Release);
        let result = region::run(call, true);
        ACTIVE.store(std::ptr::null_mut(), Ordering::Release);
        drop(handling);
        if let Err(panic) = result {
            panic.resume();
        }
        Ok(())
    }

    /// The trace of the recorded call.
    ///
    /// # Errors
    /// [`TraceError`] if the steps are not those of exactly one call.
    pub(crate) fn trace(&self, _lock: &TracerLock, code: &mut Code) -> Result<Trace, TraceError> {
        let Recorder { calls, steps, buffer, .. } = &*self.0;
        if *calls != 1 {
            return Err(TraceError::Calls(*calls));
        }
        let recorded = buffer.get(..*steps).ok_or(TraceError::TooLong(buffer.len()))?;
        let mut path = Vec::with_capacity(recorded.len());
        let mut accesses = Vec::new();
        let mut last = None;
        for registers in recorded {
            let address = registers[RIP];
            // SAFETY: the processor has executed the instruction there, and while this thread holds the lock no
            // breakpoint is left.
            let number = unsafe { code.decode(address) }.ok_or(TraceError::Unsupported(address))?;
            let instruction = &code[number];
            // The flag stops a string instruction after each repetition.
            let again = last == Some(number) && instruction.repeats;
            if !again {
                path.push(number);
            }
            last = Some(number);
            record_accesses(instruction, registers, &mut accesses);
        }
        Ok(Trace { path, accesses: Some(accesses) })
    }
}

/// Appends the accesses of an instruction that began with these registers.
fn record_accesses(instruction: &Instruction, registers: &Registers, out: &mut Vec<Access>) {
    for &Operand { ref place, bytes, loads, stores } in &instruction.operands {
        let address = place.virtual_address(0, |register, _, _| value(register, registers));
        let access = |store| Access { address, bytes, store };
        out.extend(loads.then(|| access(false)));
        out.extend(stores.then(|| access(true)));
    }
}

/// The value of a register; `None` for those that the handler does not copy.
fn value(register: Register, registers: &Registers) -> Option<u64> {
    match register {
        // Their bases are zero in 64-bit mode.
        Register::CS | Register::DS | Register::ES | Register::SS => Some(0),
        // The block of the thread, whose address the system also stores there.
        Register::FS => Some(context::thread()),
        _ => context::place(register).map(|(place, mask)| registers[place] & mask),
    }
}

/// Copies the registers if the thread is inside the entry.
extern "C" fn on_step(_: c_int, info: *mut siginfo_t, context: *mut c_void) {
    let recorder = ACTIVE.load(Ordering::Acquire);
    // SAFETY: the kernel passes the description of the signal to this handler.
    if unsafe { (*info).si_code } != TRAP_TRACE {
        // SAFETY: the arguments are ours, and this handler returns.
        unsafe { signal::pass_on(info, context) };
        return;
    }
    // SAFETY: the kernel passes the context to this handler.
    let stored = unsafe { context::registers(context) };
    if recorder.is_null() {
        return;
    }
    // SAFETY: `record` published it and waits, on the only thread that gets past the next line.
    let recorder = unsafe { &mut *recorder };
    if recorder.thread != context::thread() {
        return;
    }
    let (at, stack) = (context::read(stored, RIP), context::read(stored, RSP));
    if !recorder.inside {
        if at != recorder.entry {
            recorder.outside += 1;
            if recorder.outside > OUTSIDE {
                region::stop_stepping(stored);
            }
            return;
        }
        recorder.inside = true;
        recorder.calls += 1;
        // A return takes the address to return to off the stack.
        recorder.stack = stack.wrapping_add(8);
        // SAFETY: at its first instruction the stack of a function begins with the address to return to.
        recorder.end = unsafe { (stack as *const u64).read_unaligned() };
    } else if at == recorder.end && stack == recorder.stack {
        recorder.inside = false;
        return;
    }
    match recorder.buffer.get_mut(recorder.steps) {
        // One by one, in another order than the kernel's: nothing that could become a call of `memcpy`,
        // which the traced code may be in.
        Some(slot) => {
            for (value, place) in slot.iter_mut().zip(PLACES) {
                *value = stored[place as usize] as u64;
            }
        }
        None => region::stop_stepping(stored),
    }
    recorder.steps += 1;
}
