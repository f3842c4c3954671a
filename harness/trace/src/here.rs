//! The tracer of x86-64 Linux.
//!
//! Layers, bottom to top:
//! 1. `context` (registers in a signal handler), `region` (the traced call)
//! 2. `signal` (the SIGTRAP handler), `walk` (code that can be reached)
//! 3. `patch` (bytes of code)
//! 4. `breakpoints`, `stepping`
//! 5. this module

use std::ops::Range;
use std::sync::OnceLock;

use crate::code::Code;
use crate::error::TraceError;
use crate::trace::Trace;

mod breakpoints;
mod context;
mod patch;
mod region;
mod signal;
mod stepping;
mod walk;

use breakpoints::Breakpoints;
use signal::TracerLock;
use stepping::Steps;

/// The longest call that fits into the buffers, in instructions or branches. Designs execute about 2,000
/// instructions a call, and some ten times as many in the positions with the most moves. The buffer of
/// registers has 18 MB, of which the system provides only the pages that are used.
const EVENTS: usize = 1 << 17;

/// Traces calls of one compiled function.
///
/// Only one thread of a process traces at a time; others wait. While a call is traced, no other thread may
/// begin or end running code that it executes, unless every trace of that code uses [`Tracer::step`].
pub struct Tracer {
    entry: u64,
    code: Code,
    steps: Steps,
    breakpoints: Breakpoints,
}

impl Tracer {
    /// A tracer for the function at this address.
    ///
    /// # Errors
    /// [`TraceError::NotHere`] if the processor does not step this process.
    pub fn new(entry: usize) -> Result<Tracer, TraceError> {
        check()?;
        Ok(Tracer::unchecked(entry, EVENTS))
    }

    /// A tracer whose buffers hold this many instructions or branches.
    ///
    /// # Errors
    /// As [`Tracer::new`].
    pub fn with_capacity(entry: usize, events: usize) -> Result<Tracer, TraceError> {
        check()?;
        Ok(Tracer::unchecked(entry, events))
    }

    fn unchecked(entry: usize, events: usize) -> Tracer {
        let entry = entry as u64;
        Tracer {
            entry,
            code: Code::default(),
            steps: Steps::new(events),
            breakpoints: Breakpoints::new(events),
        }
    }

    /// The instructions that traces have reached.
    pub fn code(&self) -> &Code {
        &self.code
    }

    /// Runs `call`, which calls the entry once, and records every instruction with its memory accesses by
    /// stepping.
    ///
    /// # Errors
    /// [`TraceError`] if the call is too long, or does not call the entry exactly once.
    ///
    /// # Panics
    /// If `call` panics.
    pub fn step(&mut self, mut call: impl FnMut()) -> Result<Trace, TraceError> {
        let lock = TracerLock::take()?;
        self.steps.record(&lock, self.entry, &mut call)?;
        self.steps.trace(&lock, &mut self.code)
    }

    /// Runs `call`, which calls the entry once, and records every instruction with breakpoints on branches.
    ///
    /// The call is repeated while it reaches code that no earlier trace has reached. It must do the same
    /// each time.
    ///
    /// # Errors
    /// [`TraceError`] if the call is too long, if the system does not let the program change its code, or if
    /// the branches do not fit the code.
    ///
    /// # Panics
    /// If `call` panics.
    pub fn follow(&mut self, mut call: impl FnMut()) -> Result<Trace, TraceError> {
        let lock = TracerLock::take()?;
        self.breakpoints.trace(&lock, self.entry, &mut self.code, &mut call)
    }
}

/// Whether calls can be traced here. The first call steps through a few instructions; emulators and
/// Valgrind ignore the trap flag.
///
/// # Errors
/// [`TraceError::NotHere`] with the reason.
pub fn check() -> Result<(), TraceError> {
    static STEPS: OnceLock<bool> = OnceLock::new();
    /// Returns its argument: at least two instructions.
    #[inline(never)]
    extern "C" fn probe(value: u64) -> u64 {
        std::hint::black_box(value)
    }
    let works = || {
        // Not `new`, which asks this check.
        let mut tracer = Tracer::unchecked(probe as *const () as usize, 64);
        let call = std::hint::black_box(probe as extern "C" fn(u64) -> u64);
        let trace = tracer.step(|| {
            call(1);
        });
        trace.is_ok_and(|trace| trace.path.len() >= 2)
    };
    // A thread that is being traced knows that it works.
    match *STEPS.get_or_init(works) {
        true => Ok(()),
        false => Err(TraceError::NotHere(
            "the trap flag has no effect, as under Valgrind and in emulators",
        )),
    }
}

/// The program and the libraries that are loaded into this process, each at a place of its own that changes with every
/// start.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The addresses of each segment, with the address at which its file is loaded.
    segments: Vec<(Range<u64>, u64)>,
    program: u64,
}

impl Loaded {
    /// The program and the libraries that are loaded now.
    pub fn now() -> Loaded {
        /// Adds the segments of an object.
        unsafe extern "C" fn add(
            info: *mut libc::dl_phdr_info,
            _size: libc::size_t,
            segments: *mut libc::c_void,
        ) -> libc::c_int {
            // SAFETY: the system passes a valid description.
            let info = unsafe { &*info };
            // SAFETY: it points to the variable below, which nothing else uses meanwhile.
            let segments = unsafe { &mut *segments.cast::<Vec<(Range<u64>, u64)>>() };
            if !info.dlpi_phdr.is_null() {
                let count = usize::from(info.dlpi_phnum);
                // SAFETY: the object has so many headers.
                let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, count) };
                for header in headers.iter().filter(|header| header.p_type == libc::PT_LOAD) {
                    let start = info.dlpi_addr.wrapping_add(header.p_vaddr);
                    segments.push((start..start.wrapping_add(header.p_memsz), info.dlpi_addr));
                }
            }
            0 // the next object
        }
        let mut segments: Vec<(Range<u64>, u64)> = Vec::new();
        // SAFETY: the callback fits its declaration and writes only to `segments`, which outlives the call.
        unsafe { libc::dl_iterate_phdr(Some(add), (&raw mut segments).cast()) };
        Loaded { segments, program: image_base() }
    }

    /// An address relative to the file that is loaded there, which is the same in every process; relative to the
    /// program if there is no file.
    pub fn relative(&self, address: u64) -> u64 {
        address.wrapping_sub(self.base(address).unwrap_or(self.program))
    }

    /// Whether the file that is loaded there is the program itself.
    pub fn is_program(&self, address: u64) -> bool {
        self.base(address) == Some(self.program)
    }

    fn base(&self, address: u64) -> Option<u64> {
        let holds = |(segment, _): &&(Range<u64>, u64)| segment.contains(&address);
        self.segments.iter().find(holds).map(|(_, base)| *base)
    }
}

/// Address at which the program is loaded: what to subtract from an address to get that in its file.
pub fn image_base() -> u64 {
    /// Keeps the first object, which is the program itself.
    unsafe extern "C" fn first(
        info: *mut libc::dl_phdr_info,
        _size: libc::size_t,
        base: *mut libc::c_void,
    ) -> libc::c_int {
        // SAFETY: the system passes a valid description, and `base` points to the variable below.
        unsafe { *base.cast::<u64>() = (*info).dlpi_addr };
        1 // no further object
    }
    let mut base = 0_u64;
    // SAFETY: the callback fits its declaration and writes only to `base`, which outlives the call.
    unsafe { libc::dl_iterate_phdr(Some(first), (&raw mut base).cast()) };
    base
}
