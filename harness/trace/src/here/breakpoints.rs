//! Breakpoints on branches: the handler executes each branch itself and notes where it went.
//!
//! Between two branches the code runs at full speed, and the executed instructions follow from the code. So a list
//! of the outcomes is a complete trace, as long as every branch has a breakpoint. A call that reaches new code is
//! repeated, until no branch of it is missed.

use std::ffi::c_int;
use std::sync::atomic::{AtomicPtr, Ordering};

use libc::{REG_EFL, c_void, siginfo_t};

use super::context::{self, RIP, RSP};
use super::patch::Armed;
use super::region;
use super::signal::{self, Handling, TracerLock};
use super::walk::{Site, SiteKind, Target, Walk};
use crate::code::{Code, Flow};
use crate::error::TraceError;
use crate::trace::Trace;

/// An executed branch: its address, and that of the next instruction.
type Event = (u64, u64);

static ACTIVE: AtomicPtr<Recorder> = AtomicPtr::new(std::ptr::null_mut());

/// Data that the signal handler reads and writes.
struct Recorder {
    /// The thread that traces. Other threads that reach a breakpoint are helped, but not recorded.
    thread: u64,
    /// Sorted by address.
    sites: Vec<Site>,
    events: Box<[Event]>,
    /// Number of events, of which the buffer may hold fewer.
    count: usize,
}

/// Traces calls of one entry.
pub(super) struct Breakpoints {
    walk: Walk,
    recorder: Box<Recorder>,
    /// Address and byte of each site.
    bytes: Vec<(u64, u8)>,
}

impl Breakpoints {
    /// Buffers for this many branches.
    pub(crate) fn new(capacity: usize) -> Breakpoints {
        let events = vec![(0, 0); capacity].into_boxed_slice();
        let recorder = Box::new(Recorder { thread: 0, sites: Vec::new(), events, count: 0 });
        Breakpoints { walk: Walk::default(), recorder, bytes: Vec::new() }
    }

    /// The trace of a call, which is repeated until all of its code is known.
    ///
    /// # Errors
    /// [`TraceError`] if the system refuses, or if events and code contradict each other.
    pub(crate) fn trace(
        &mut self,
        lock: &TracerLock,
        entry: u64,
        code: &mut Code,
        call: &mut dyn FnMut(),
    ) -> Result<Trace, TraceError> {
        if self.walk.number(code, entry).is_none() {
            // SAFETY: the call is about to execute the entry, and nothing is patched outside `record`.
            unsafe { self.walk.extend(code, entry) };
            self.prepare();
        }
        loop {
            self.record(lock, call)?;
            if !self.learn(code)? {
                return self.expand(entry, code);
            }
            self.prepare();
        }
    }

    /// Prepares everything that arming and the handler need.
    fn prepare(&mut self) {
        self.recorder.sites = self.walk.sites().collect();
        self.bytes = self.walk.sites().map(|site| (site.address, site.byte)).collect();
    }

    fn record(&mut self, lock: &TracerLock, call: &mut dyn FnMut()) -> Result<(), TraceError> {
        let handling = Handling::install(lock, on_breakpoint)?;
        let recorder = &mut *self.recorder;
        recorder.thread = context::thread();
        recorder.count = 0;
        // Released, so that a handler on any thread sees what was prepared.
        ACTIVE.store(recorder, Ordering::Release);
        // SAFETY: the walk found these instructions in code of this process, and the handler is installed.
        let result = unsafe { Armed::new(&self.bytes) }.map(|armed| {
            let result = region::run(call, false);
            // The handler is still installed: another thread may reach a breakpoint until the code is restored.
            drop(armed);
            result
        });
        ACTIVE.store(std::ptr::null_mut(), Ordering::Release);
        drop(handling);
        if let Err(panic) = result? {
            panic.resume();
        }
        Ok(())
    }

    fn events(&self) -> Result<&[Event], TraceError> {
        let Recorder { events, count, .. } = &*self.recorder;
        events.get(..*count).ok_or(TraceError::TooLong(events.len()))
    }

    /// Follows the code that the events reached for the first time. Returns whether there was any.
    fn learn(&mut self, code: &mut Code) -> Result<bool, TraceError> {
        let mut reached = Vec::new();
        let mut calls = Vec::new();
        for &(at, next) in self.events()? {
            let number = self.walk.number(code, at).ok_or(TraceError::Inconsistent(at))?;
            let instruction = &code[number];
            match instruction.flow {
                // Both ways were followed when the branch was found.
                Flow::Conditional { .. } => {}
                Flow::Call { .. } => {
                    calls.push(at);
                    reached.extend([next, instruction.next()]);
                }
                Flow::IndirectCall => reached.extend([next, instruction.next()]),
                _ => reached.push(next),
            }
        }
        reached.retain(|&address| self.walk.number(code, address).is_none());
        let any = !(calls.is_empty() && reached.is_empty());
        calls.into_iter().for_each(|address| self.walk.executed(address));
        for address in reached {
            // SAFETY: the processor went there, or returns there from a call that it has made. Nothing is
            // patched outside `record`.
            unsafe { self.walk.extend(code, address) };
            if self.walk.number(code, address).is_none() {
                return Err(TraceError::Unsupported(address));
            }
        }
        Ok(any)
    }

    /// Fills in the instructions between the branches. The events must fit the code to the last one.
    fn expand(&self, entry: u64, code: &Code) -> Result<Trace, TraceError> {
        let mut events = self.events()?.iter();
        let mut path = Vec::new();
        let mut returns = Vec::new();
        let mut at = entry;
        loop {
            let number = self.walk.number(code, at).ok_or(TraceError::Inconsistent(at))?;
            path.push(number);
            let instruction = &code[number];
            let next = instruction.next();
            let mut event = || match events.next() {
                Some(&(address, next)) if address == at => Ok(next),
                _ => Err(TraceError::Inconsistent(at)),
            };
            at = match instruction.flow {
                Flow::Next => next,
                Flow::Jump { target } => target,
                Flow::Conditional { .. } | Flow::IndirectJump => event()?,
                // No event: a call loses its breakpoint once it was executed, and a call that is new is repeated
                // before this.
                Flow::Call { target } => {
                    returns.push(next);
                    target
                }
                Flow::IndirectCall => {
                    returns.push(next);
                    event()?
                }
                Flow::Return => match returns.pop() {
                    Some(address) => address,
                    None => break,
                },
                Flow::End => return Err(TraceError::Unsupported(at)),
            };
        }
        match events.next() {
            None => Ok(Trace { path, accesses: None }),
            Some(&(address, _)) => Err(TraceError::Inconsistent(address)),
        }
    }
}

/// Executes the branch at a breakpoint and notes it.
extern "C" fn on_breakpoint(_: c_int, info: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: the kernel passes the description of the signal to this handler.
    let is_breakpoint = signal::is_breakpoint(unsafe { (*info).si_code });
    // SAFETY: the kernel passes the context to this handler.
    let stored = unsafe { context::registers(context) };
    // The processor stops behind the one byte of the breakpoint.
    let at = context::read(stored, RIP).wrapping_sub(1);
    let recorder = ACTIVE.load(Ordering::Acquire);
    // SAFETY: while it is published, `record` waits and changes nothing. Other threads only read the sites.
    let sites = (!recorder.is_null()).then(|| unsafe { &(*recorder).sites });
    let site = sites.filter(|_| is_breakpoint).and_then(|sites| {
        let place = sites.binary_search_by_key(&at, |site| site.address).ok()?;
        sites.get(place).copied()
    });
    let Some(site) = site else {
        // SAFETY: the arguments are ours, and this handler returns.
        unsafe { signal::pass_on(info, context) };
        return;
    };
    let next = match site.kind {
        SiteKind::Conditional { target, condition } => {
            let flags = stored[REG_EFL as usize] as u64;
            if holds(condition, flags) { target } else { site.next }
        }
        SiteKind::Call { target } => {
            // SAFETY: the instruction in this place is a call.
            unsafe { push(stored, site.next) };
            target
        }
        SiteKind::Indirect { target, call } => {
            // SAFETY: the instruction in this place would read the same.
            let target = unsafe { target_of(stored, target) };
            if call {
                // SAFETY: the instruction in this place is a call.
                unsafe { push(stored, site.next) };
            }
            target
        }
    };
    context::write(stored, RIP, next);
    // SAFETY: as above; only the thread that traces gets past the next line.
    if unsafe { (*recorder).thread } != context::thread() {
        return;
    }
    // SAFETY: as above.
    let (events, count) = unsafe { (&mut (*recorder).events, &mut (*recorder).count) };
    if let Some(slot) = events.get_mut(*count) {
        *slot = (at, next);
    }
    *count += 1;
}

/// Whether a condition holds, by its code in the opcode. Odd codes negate the even ones before them.
fn holds(condition: u8, flags: u64) -> bool {
    let flag = |bit: u32| flags >> bit & 1 != 0;
    let (carry, parity, zero, sign, overflow) = (flag(0), flag(2), flag(6), flag(7), flag(11));
    let holds = match condition >> 1 {
        0 => overflow,
        1 => carry,
        2 => zero,
        3 => carry || zero,
        4 => sign,
        5 => parity,
        6 => sign != overflow,
        _ => zero || sign != overflow,
    };
    holds != (condition & 1 != 0)
}

/// Pushes the address that a call returns to.
///
/// # Safety
/// The interrupted thread is about to execute a call.
unsafe fn push(stored: &mut [i64; 23], value: u64) {
    let stack = context::read(stored, RSP).wrapping_sub(8);
    // SAFETY: the call would write the same.
    unsafe { (stack as *mut u64).write_unaligned(value) };
    context::write(stored, RSP, stack);
}

/// Reads the target of an indirect branch.
///
/// # Safety
/// The interrupted thread is about to execute this branch.
unsafe fn target_of(stored: &[i64; 23], target: Target) -> u64 {
    let register = |number: Option<usize>| number.map_or(0, |number| context::read(stored, number));
    match target {
        Target::Register(number) => context::read(stored, number),
        Target::Memory { base, index, scale, displacement } => {
            let address = register(base)
                .wrapping_add(register(index).wrapping_mul(scale))
                .wrapping_add(displacement);
            // SAFETY: promised by the caller.
            unsafe { (address as *const u64).read_unaligned() }
        }
    }
}
