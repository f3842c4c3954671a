//! Installs the SIGTRAP handler for one tracer at a time and restores the previous one.
//!
//! A signal handler must not allocate, take a lock, or call a function that a traced call may be executing. Its data
//! are prepared beforehand and reached through an atomic pointer.

use std::cell::{Cell, UnsafeCell};
use std::ffi::c_int;
use std::io;
use std::mem::MaybeUninit;
use std::sync::{Mutex, MutexGuard, PoisonError};

use libc::{SA_SIGINFO, SIGTRAP, c_void, sigaction, siginfo_t};

use super::context::{self, RIP};
use crate::error::TraceError;

/// A signal handler as `sigaction` expects it with `SA_SIGINFO`.
pub(super) type Handler = extern "C" fn(c_int, *mut siginfo_t, *mut c_void);

/// The opcode of a breakpoint.
pub(super) const INT3: u8 = 0xcc;

/// `si_code` of a signal from a breakpoint: SI_KERNEL, or TRAP_BRKPT on systems that only resemble Linux.
const BREAKPOINT: [c_int; 2] = [0x80, 1];

static ONE_TRACER: Mutex<()> = Mutex::new(());

thread_local! {
    /// Whether this thread holds the lock, which would block forever if it took it again.
    static TRACING: Cell<bool> = const { Cell::new(false) };
}

/// The action that was replaced, for signals that are none of ours.
struct Previous(UnsafeCell<MaybeUninit<sigaction>>);

// SAFETY: it is written by the thread that holds the lock before its handler is installed, and read by that
// handler.
unsafe impl Sync for Previous {}

static PREVIOUS: Previous = Previous(UnsafeCell::new(MaybeUninit::uninit()));

/// The right to trace, which one thread has at a time. It covers decoding as well: code must not be read while
/// another thread has breakpoints in it.
pub(super) struct TracerLock(
    #[expect(dead_code, reason = "held, not read")] MutexGuard<'static, ()>,
);

impl TracerLock {
    /// Waits until no other thread traces.
    ///
    /// # Errors
    /// [`TraceError::Nested`] on a thread that traces already.
    pub(crate) fn take() -> Result<TracerLock, TraceError> {
        if TRACING.get() {
            return Err(TraceError::Nested);
        }
        // A panic of a traced call leaves nothing behind that the next tracer would see.
        let lock = ONE_TRACER.lock().unwrap_or_else(PoisonError::into_inner);
        TRACING.set(true);
        Ok(TracerLock(lock))
    }
}

impl Drop for TracerLock {
    fn drop(&mut self) {
        TRACING.set(false);
    }
}

/// An installed handler. Dropped, it restores the action that it replaced.
pub(super) struct Handling<'a> {
    previous: sigaction,
    _lock: &'a TracerLock,
}

impl Handling<'_> {
    /// Installs a handler.
    ///
    /// # Errors
    /// [`TraceError::Signal`] if the system refuses.
    pub(crate) fn install(lock: &TracerLock, handler: Handler) -> Result<Handling<'_>, TraceError> {
        // SAFETY: an action of zeros is valid: no flags, an empty mask, the default handler.
        let mut action: sigaction = unsafe { std::mem::zeroed() };
        action.sa_sigaction = handler as *const () as usize;
        action.sa_flags = SA_SIGINFO;
        // SAFETY: as above.
        let mut previous: sigaction = unsafe { std::mem::zeroed() };
        // In two calls: the handler may run as soon as it is installed, and needs the previous action.
        // SAFETY: both are valid. First only the current action is read.
        if unsafe { sigaction(SIGTRAP, std::ptr::null(), &raw mut previous) } != 0 {
            return Err(TraceError::Signal(io::Error::last_os_error()));
        }
        // SAFETY: this thread holds the lock, and no handler of ours is installed.
        unsafe { (*PREVIOUS.0.get()).write(previous) };
        // SAFETY: the handler has the signature that SA_SIGINFO asks for and stays valid.
        if unsafe { sigaction(SIGTRAP, &raw const action, std::ptr::null_mut()) } != 0 {
            return Err(TraceError::Signal(io::Error::last_os_error()));
        }
        Ok(Handling { previous, _lock: lock })
    }
}

impl Drop for Handling<'_> {
    fn drop(&mut self) {
        // SAFETY: it is the action that the system reported before. It was accepted once, so this cannot
        // fail.
        unsafe { sigaction(SIGTRAP, &raw const self.previous, std::ptr::null_mut()) };
    }
}

/// Whether a signal with this `si_code` comes from a breakpoint. Only then the instruction pointer is one byte behind
/// it: a signal that a process sends arrives anywhere.
pub(super) fn is_breakpoint(code: c_int) -> bool {
    BREAKPOINT.contains(&code)
}

/// Deals with a signal that is none of the tracer's. One that was sent goes to the action that was there before, with
/// the registers as they are. At a breakpoint that action is restored, and the breakpoint is executed again. If there
/// is no breakpoint any more, another thread has just removed it, and the instruction in its place is executed.
///
/// # Safety
/// The arguments are those of the handler that calls it, which then returns without a change of the registers.
pub(super) unsafe fn pass_on(info: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: the kernel passes the description of the signal to the handler.
    if !is_breakpoint(unsafe { (*info).si_code }) {
        // SAFETY: promised by the caller.
        unsafe { forward(info, context) };
        return;
    }
    // SAFETY: promised by the caller.
    let stored = unsafe { context::registers(context) };
    let at = context::read(stored, RIP).wrapping_sub(1);
    // SAFETY: the processor has just executed the byte there.
    let byte = unsafe { (at as *const u8).read_volatile() };
    if byte == INT3 {
        // SAFETY: a handler of ours runs, so the previous action is stored.
        unsafe { sigaction(SIGTRAP, PREVIOUS.0.get().cast(), std::ptr::null_mut()) };
    }
    context::write(stored, RIP, at);
}

/// Hands a signal to the action before that of the tracer: ignores it, calls the handler, or takes the default action.
/// The mask of the previous action and its flags other than `SA_SIGINFO` do not apply.
///
/// # Safety
/// As [`pass_on`].
unsafe fn forward(info: *mut siginfo_t, context: *mut c_void) {
    // A copy, because a signal of the process may be handled here while another thread begins to trace.
    // SAFETY: a handler of ours runs, so the previous action is stored.
    let previous = unsafe { PREVIOUS.0.get().cast::<sigaction>().read() };
    match previous.sa_sigaction {
        libc::SIG_IGN => {}
        libc::SIG_DFL => {
            // The process ends as soon as the handler returns, which unblocks the signal.
            // SAFETY: the action is valid, and both functions are allowed in a handler.
            unsafe {
                sigaction(SIGTRAP, &raw const previous, std::ptr::null_mut());
                libc::raise(SIGTRAP);
            }
        }
        handler if previous.sa_flags & SA_SIGINFO != 0 => {
            // SAFETY: the action was installed with this flag, so its handler has this signature.
            let handler =
                unsafe { std::mem::transmute::<*const (), Handler>(handler as *const ()) };
            handler(SIGTRAP, info, context);
        }
        handler => {
            // SAFETY: the action was installed without the flag, so its handler has one argument.
            let handler = unsafe {
                std::mem::transmute::<*const (), extern "C" fn(c_int)>(handler as *const ())
            };
            handler(SIGTRAP);
        }
    }
}
