//! Exact instruction traces of compiled code, recorded inside the process that runs it.
//!
//! A [`Tracer`] records one call of one compiled function, the *entry*: every instruction from the entry
//! to its return, with the direction of every branch and, if wanted, the address of every memory access.
//! The code is the code that is timed, at the address at which it is timed; nothing is compiled again,
//! interpreted or emulated, so AVX-512 code is traced as well. It needs no tool and no privilege.
//!
//! There are two ways, which give the same instructions:
//!
//! * [`Tracer::step`] sets the trap flag, so that the processor raises a signal after every instruction. It
//!   is the reference, because it changes no code, and it records the addresses of memory accesses. A step
//!   takes about 10 µs on a virtual machine and a few µs on bare metal.
//! * [`Tracer::follow`] places breakpoints on branches only, and fills in the instructions between them. It records
//!   no addresses, and takes about 2 µs per branch, so a call takes about a tenth of the time.
//!
//! What is counted from a trace ([`Counts`], [`Sites`]) is exact: it repeats to the last digit for the same
//! binary and the same input. The stack of a traced call always begins at the same place of a page, because
//! the number of cache lines that it touches depends on that.
//!
//! The crate works on addresses and depends on no design. It is the only one that steps or patches code. Both
//! ways need x86-64 Linux; elsewhere no tracer can be made, and [`TraceError::NotHere`] names the reason.
//!
//! A trace leaves a process with the same code, protection and signal action as before. But the pages of followed
//! code remain private copies, which may change their place in caches: trace in a process that times nothing
//! afterwards.
//!
//! Layers, bottom to top:
//! 1. `code`, `error`, `lines`
//! 2. `trace`
//! 3. `counts`, `sites`
//! 4. `here` or `elsewhere`

#![cfg_attr(
    not(all(target_os = "linux", target_arch = "x86_64")),
    allow(dead_code, reason = "nothing is decoded where nothing is traced")
)]

#[allow(unsafe_code, reason = "reads the machine code of the running program")]
mod code;
mod counts;
mod error;
mod lines;
mod sites;
mod trace;

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
mod elsewhere;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[allow(unsafe_code, reason = "signals, and the machine code of the running program")]
mod here;

pub use code::{Code, Flow, Instruction};
pub use counts::Counts;
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
pub use elsewhere::{Loaded, Tracer, check, image_base};
pub use error::TraceError;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub use here::{Loaded, Tracer, check, image_base};
pub use lines::{Line, Lines, program_file};
pub use sites::{Site, Sites};
pub use trace::{Access, Branch, BranchKind, Trace};
