//! Instruments that a machine does not offer, with the reason and the remedy.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Event;
use crate::named;

named! {
    /// An instrument or a facility other than an event counter.
    #[derive(schemars::JsonSchema)]
    pub enum Facility {
        /// Core cycles from ticks, by a dependent chain of known latency.
        CoreClock = "core-clock",
        /// Keeping a thread on one processor.
        Pinning = "pinning",
        /// Keeping memory from being paged out.
        LockedMemory = "locked-memory",
        /// Exact counts of instructions and branches.
        Valgrind = "valgrind",
        /// Exact counts of what designs execute, by their own breakpoints.
        Trace = "trace",
        /// Static throughput bounds of loops.
        LlvmMca = "llvm-mca",
    }
}

/// A hardware counter event or another instrument; both are written as one name, such as `l2-misses`.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(untagged, expecting = "expected the name of an instrument")]
pub enum Instrument {
    /// An event of the processor or of the kernel, read through a counter.
    Event(Event),
    /// An instrument without a counter, such as `valgrind` or `pinning`.
    Facility(Facility),
}

impl Instrument {
    /// The name in journals and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Instrument::Event(event) => event.name(),
            Instrument::Facility(facility) => facility.name(),
        }
    }
}

/// Something that this machine does not offer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Absent {
    /// Name of the missing instrument, such as `l2-misses` or `valgrind`.
    pub instrument: Instrument,
    /// The reason. Reports print it as a sentence, followed by a remedy if there is one.
    pub reason: Reason,
}

impl Absent {
    /// An event that cannot be counted here.
    pub const fn event(event: Event, reason: Reason) -> Absent {
        Absent { instrument: Instrument::Event(event), reason }
    }

    /// A facility that cannot be used here.
    pub const fn facility(facility: Facility, reason: Reason) -> Absent {
        Absent { instrument: Instrument::Facility(facility), reason }
    }
}

/// Why an instrument is not available. `Display` is one sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, thiserror::Error)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Reason {
    /// `ENOENT`, `ENODEV` or `EOPNOTSUPP`, and no core counter is registered.
    #[error("This machine has no hardware counters; most virtual machines have none.")]
    NoPmu,
    /// `ENOENT`, `ENODEV` or `EOPNOTSUPP` on a machine that has a core counter.
    #[error("The hardware counters of this processor do not support this event.")]
    UnknownEvent,
    /// An event of particular processors that the kernel does not list for this one.
    #[error("The kernel has no name for this event on this processor.")]
    UnnamedEvent,
    /// `perf_event_open` failed with `EACCES`.
    #[error("The kernel denies counters to unprivileged users (perf_event_paranoid is {level}).")]
    Paranoid {
        /// Value of `kernel.perf_event_paranoid` on this machine.
        level: i32,
    },
    /// `perf_event_open` failed with `EPERM`.
    #[error("A security policy, such as a container's seccomp filter, forbids counters.")]
    Forbidden,
    /// `perf_event_open` failed with `ENOSYS`.
    #[error("This kernel was built without performance events.")]
    NoSyscall,
    /// `EINVAL` within a group, or a group that never gets onto the counters, however small.
    #[error("No counter is free for the event.")]
    NoFreeCounter,
    /// Any other error of the kernel.
    #[error("The kernel refused the counter with error {code}.")]
    KernelError {
        /// The `errno` of the failed call.
        code: i32,
    },
    /// The facility exists on Linux only.
    #[error("This is available on Linux only.")]
    LinuxOnly,
    /// The code is written for x86-64 only.
    #[error("This is written for x86-64 only.")]
    X86Only,
    /// A system call of this facility failed.
    #[error("The kernel refused: {error}.")]
    Refused {
        /// Text of the error, without a full stop.
        error: String,
    },
    /// `RLIMIT_MEMLOCK` is too small.
    #[error(
        "This process may lock {kib} KiB (RLIMIT_MEMLOCK) and needs hundreds of MiB, so it locks \
         nothing."
    )]
    LockLimit {
        /// Limit of locked memory in KiB.
        kib: u64,
    },
    /// A capability of a user namespace that does not lift the limit.
    #[error(
        "The privilege to lock memory does not hold outside this container, and the limit of locked \
         memory is finite, so later allocations would fail."
    )]
    LockContainer,
    /// A program that is not installed.
    #[error("The program is not on the search path.")]
    NotInstalled {
        /// Name of the package that contains the program.
        package: String,
    },
}

impl Reason {
    /// One sentence that says how to make `instrument` available; empty if nothing does.
    pub fn remedy(&self, instrument: Instrument) -> String {
        match self {
            Reason::NoPmu => {
                "Run on the physical machine, or have the hypervisor pass its counters through."
            }
            // An event of the kernel itself, denied at 2, takes one step more.
            Reason::Paranoid { level: ..=2 } => {
                "Set kernel.perf_event_paranoid to 1 or lower, or grant CAP_PERFMON."
            }
            Reason::Paranoid { .. } => {
                "Set kernel.perf_event_paranoid to 2 or lower, or grant CAP_PERFMON."
            }
            Reason::Forbidden => "Allow perf_event_open in the container's security profile.",
            Reason::NoSyscall => "Boot a kernel built with CONFIG_PERF_EVENTS.",
            Reason::NoFreeCounter => "Free a counter, for example by disabling the NMI watchdog.",
            Reason::LinuxOnly => "Run on Linux.",
            Reason::Refused { .. } if instrument == Instrument::Facility(Facility::Pinning) => {
                "Start the command with taskset, or allow sched_setaffinity."
            }
            Reason::LockLimit { .. } | Reason::LockContainer | Reason::Refused { .. } => {
                "Run `ulimit -l unlimited` in the shell that starts it, or give the program the \
                 capability CAP_IPC_LOCK."
            }
            Reason::NotInstalled { package } => return format!("Install the package {package}."),
            Reason::UnknownEvent
            | Reason::UnnamedEvent
            | Reason::KernelError { .. }
            | Reason::X86Only => "",
        }
        .to_owned()
    }
}

impl fmt::Display for Absent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (reason, remedy) = (&self.reason, self.reason.remedy(self.instrument));
        write!(f, "{}: {reason}", self.instrument.name())?;
        if remedy.is_empty() { Ok(()) } else { write!(f, " {remedy}") }
    }
}
