//! Counters by `perf_event_open`.
//!
//! Each event is opened alone first; only those that open join a group, so that one missing event
//! costs no other. Two things of the `perf-event` crate (0.4.9) are avoided: its group read panics
//! after a member has failed to open, and on a kernel that reports more time running than enabled.
//! The group is therefore read through its file descriptor here. Multiplexed readings are dropped,
//! never scaled: half a count of a region of two phases says nothing about the other half.
//!
//! Events of the processor are counted in user mode only, and asked for that way, because a
//! permission error would otherwise hide that there is no counter. A switch of context happens in
//! the kernel: without kernel mode that event is always zero. Where the kernel forbids it, the
//! count comes from the scheduler's own statistics of the thread.

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::os::unix::fs::FileExt;
use std::path::Path;

use perf_event::events::{self, Cache, CacheOp, CacheResult, Hardware, Software, WhichCache};
use perf_event::{Builder, Group};

use super::{Counters, Event, Reading, Unavailable, Why};

/// One group of the processor's events and one of the kernel's.
pub struct PerfCounters {
    hardware: Option<Members>,
    software: Option<Members>,
    switches: Option<Switches>,
    unavailable: Vec<Unavailable>,
}

impl PerfCounters {
    /// Opens what there is; never fails as a whole.
    pub fn open() -> PerfCounters {
        PerfCounters::open_on(&Kernel::read())
    }

    fn open_on(kernel: &Kernel) -> PerfCounters {
        let mut unavailable = Vec::new();
        let hardware = Members::open(&Event::HARDWARE, kernel, &mut unavailable);
        let software = Members::open(&Event::SOFTWARE, kernel, &mut unavailable);
        let mut counters = PerfCounters { hardware, software, switches: None, unavailable };
        if counters.unavailable.iter().any(|u| u.event == Event::ContextSwitches)
            && let Some(switches) = Switches::open()
        {
            counters.unavailable.retain(|u| u.event != Event::ContextSwitches);
            counters.switches = Some(switches);
        }
        counters
    }
}

impl Counters for PerfCounters {
    fn start(&mut self) {
        if let Some(switches) = &mut self.switches {
            switches.start();
        }
        for members in [&mut self.software, &mut self.hardware].into_iter().flatten() {
            // A group that cannot start reads as not running, hence as no data.
            let _ = members.group.reset().and_then(|()| members.group.enable());
        }
    }

    fn stop(&mut self) -> Reading {
        for members in [&mut self.hardware, &mut self.software].into_iter().flatten() {
            let _ = members.group.disable();
        }
        let mut reading = Reading::default();
        if let Some(hardware) = &mut self.hardware {
            match hardware.read() {
                Some(values) => reading.values.extend(values),
                None => reading.partial = true,
            }
        }
        reading.values.extend(self.software.as_mut().and_then(Members::read).unwrap_or_default());
        if let Some(count) = self.switches.as_ref().and_then(Switches::count) {
            reading.values.insert(Event::ContextSwitches, count);
        }
        reading
    }

    fn events(&self) -> Vec<Event> {
        let groups = [&self.hardware, &self.software].into_iter().flatten();
        let grouped = groups.flat_map(|members| members.counters.iter().map(|&(event, _)| event));
        grouped.chain(self.switches.as_ref().map(|_| Event::ContextSwitches)).collect()
    }

    fn unavailable(&self) -> &[Unavailable] {
        &self.unavailable
    }
}

/// What the kernel says of itself: needed to tell one error's causes apart.
struct Kernel {
    core_counters: bool,
    paranoid: Option<i32>,
}

impl Kernel {
    fn read() -> Kernel {
        Kernel { core_counters: core_counters(), paranoid: paranoid() }
    }

    fn why(&self, error: &io::Error) -> Why {
        use rustix::io::Errno;
        let Some(number) = error.raw_os_error() else { return Why::Other(0) };
        match Errno::from_raw_os_error(number) {
            Errno::NOENT | Errno::NODEV | Errno::OPNOTSUPP if self.core_counters => Why::Unknown,
            Errno::NOENT | Errno::NODEV | Errno::OPNOTSUPP => Why::NoPmu,
            Errno::ACCESS => Why::Paranoid(self.paranoid.unwrap_or(i32::MAX)),
            Errno::PERM => Why::Forbidden,
            Errno::NOSYS => Why::NoSyscall,
            _ => Why::Other(number),
        }
    }
}

/// `kernel.perf_event_paranoid`, if the kernel has it.
pub fn paranoid() -> Option<i32> {
    let text = std::fs::read_to_string("/proc/sys/kernel/perf_event_paranoid").ok()?;
    text.trim().parse().ok()
}

/// Whether a counter of the cores is registered: `cpu`, `cpu_core`, `cpu_atom`, `armv8_…`.
fn core_counters() -> bool {
    let Ok(devices) = Path::new("/sys/bus/event_source/devices").read_dir() else { return false };
    devices.flatten().any(|device| {
        let name = device.file_name();
        let name = name.to_string_lossy();
        name == "cpu" || name.starts_with("cpu_") || name.starts_with("armv")
    })
}

/// A group and its members, each with the number the kernel gave it.
struct Members {
    group: Group,
    counters: Vec<(Event, perf_event::Counter)>,
}

impl Members {
    /// The events that open alone, fit together, and count in a trial.
    fn open(
        events: &[Event],
        kernel: &Kernel,
        unavailable: &mut Vec<Unavailable>,
    ) -> Option<Members> {
        let mut alone = Vec::new();
        for &event in events {
            match builder(event).build() {
                Ok(_) => alone.push(event),
                Err(error) => unavailable.push(Unavailable { event, why: kernel.why(&error) }),
            }
        }
        if alone.is_empty() {
            return None;
        }
        let group = match Group::new() {
            Ok(group) => group,
            Err(error) => {
                let why = kernel.why(&error);
                unavailable
                    .extend(alone.iter().map(|&event| Unavailable { event, why: why.clone() }));
                return None;
            }
        };
        let mut members = Members { group, counters: Vec::new() };
        for event in alone {
            match builder(event).group(&mut members.group).build() {
                Ok(counter) => members.counters.push((event, counter)),
                Err(_) => unavailable.push(Unavailable { event, why: Why::DoesNotFit }),
            }
        }
        // A group may open and still never run, say because the watchdog holds a counter. Give up
        // the least wanted events until it does.
        while !members.counters.is_empty() {
            let started = members.group.reset().and_then(|()| members.group.enable());
            std::hint::black_box((0..10_000u64).fold(0, |a, b| a ^ std::hint::black_box(b)));
            let stopped = members.group.disable();
            if started.and(stopped).is_ok() && members.read().is_some() {
                return Some(members);
            }
            if let Some((event, _)) = members.counters.pop() {
                unavailable.push(Unavailable { event, why: Why::DoesNotFit });
            }
        }
        None
    }

    /// All values, or nothing if the group was not on the counters all the time it was enabled.
    fn read(&mut self) -> Option<Vec<(Event, u64)>> {
        // Layout: number of members, time enabled, time running, then a value and an id for each;
        // the first is the leader, which counts nothing.
        let mut words = [0u64; 3 + 2 * (1 + Event::HARDWARE.len())];
        let mut bytes = [0u8; size_of::<[u64; 3 + 2 * (1 + Event::HARDWARE.len())]>()];
        // SAFETY: the descriptor is open as long as the group, which outlives this borrow.
        let fd = unsafe { BorrowedFd::borrow_raw(self.group.as_raw_fd()) };
        let length = rustix::io::read(fd, &mut bytes).ok()?;
        for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
            *word = u64::from_ne_bytes(*bytes);
        }
        let words = words.get(..length / size_of::<u64>())?;
        let [number, enabled, running, values @ ..] = words else { return None };
        if *running == 0 || running != enabled {
            return None;
        }
        let values = values.as_chunks::<2>().0.get(..usize::try_from(*number).ok()?)?;
        let value_of = |(event, counter): &(Event, perf_event::Counter)| {
            let &[value, _] = values.iter().find(|[_, id]| *id == counter.id())?;
            Some((*event, value))
        };
        self.counters.iter().map(value_of).collect()
    }
}

fn builder<'a>(event: Event) -> Builder<'a> {
    let cache = |which| Cache { which, operation: CacheOp::READ, result: CacheResult::MISS };
    let kind: events::Event = match event {
        Event::Cycles => Hardware::CPU_CYCLES.into(),
        Event::Instructions => Hardware::INSTRUCTIONS.into(),
        Event::Branches => Hardware::BRANCH_INSTRUCTIONS.into(),
        Event::BranchMisses => Hardware::BRANCH_MISSES.into(),
        Event::L1dReadMisses => cache(WhichCache::L1D).into(),
        Event::LlReadMisses => cache(WhichCache::LL).into(),
        Event::DtlbReadMisses => cache(WhichCache::DTLB).into(),
        Event::ContextSwitches => Software::CONTEXT_SWITCHES.into(),
        Event::PageFaults => Software::PAGE_FAULTS.into(),
        Event::CpuMigrations => Software::CPU_MIGRATIONS.into(),
    };
    let mut builder = Builder::new().kind(kind);
    if event.is_software() {
        builder.include_kernel();
    }
    builder
}

/// Context switches from the thread's own statistics, which need no permission.
struct Switches {
    status: File,
    before: Option<u64>,
}

impl Switches {
    fn open() -> Option<Switches> {
        let status = File::open("/proc/thread-self/status").ok()?;
        let switches = Switches { status, before: None };
        switches.total().map(|_| switches)
    }

    fn start(&mut self) {
        self.before = self.total();
    }

    fn count(&self) -> Option<u64> {
        Some(self.total()?.saturating_sub(self.before?))
    }

    fn total(&self) -> Option<u64> {
        let mut text = [0; 8192];
        let length = self.status.read_at(&mut text, 0).ok()?;
        switches_in(std::str::from_utf8(&text[..length]).ok()?)
    }
}

/// Sum of the voluntary and the forced switches in the text of a `status` file.
fn switches_in(status: &str) -> Option<u64> {
    let field = |name| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim_start_matches(':').trim().parse::<u64>().ok()
    };
    Some(field("voluntary_ctxt_switches")? + field("nonvoluntary_ctxt_switches")?)
}

#[cfg(test)]
mod tests;
