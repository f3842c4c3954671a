//! The kernel played by hooks: every answer it can give, without a counter.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::{c_int, c_uint, c_ulong};
use std::os::fd::{AsRawFd, IntoRawFd};
use std::rc::Rc;

use perf_event::hooks::sys::bindings::perf_event_attr;
use perf_event::hooks::{Hooks, clear_thread_hooks, set_thread_hooks};
use rustix::fs::{MemfdFlags, SeekFrom, memfd_create, seek};
use rustix::io::Errno;

use super::*;

const KIND_HARDWARE: u32 = 0;
const KIND_SOFTWARE: u32 = 1;
const DUMMY: u64 = 9;

unsafe extern "C" {
    fn __errno_location() -> *mut c_int;
}

fn fail(error: Errno) -> c_int {
    // SAFETY: the C library's thread-local error number, always valid.
    unsafe { *__errno_location() = error.raw_os_error() };
    -1
}

/// A descriptor and the file behind it: a number alone may have been closed and used again.
type Member = (c_int, u64);

/// The file behind a descriptor, if it is open.
fn file_of(fd: c_int) -> Option<u64> {
    // SAFETY: asking for the state of a closed or foreign descriptor changes nothing.
    let fd = unsafe { BorrowedFd::borrow_raw(fd) };
    rustix::fs::fstat(fd).ok().map(|state| state.st_ino)
}

/// A kernel: what it answers to events of the processor, how many it lets into one group, and what
/// share of the time a group of so many members is on the counters.
struct FakeKernel {
    hardware: Result<(), Errno>,
    software: Result<(), Errno>,
    room: usize,
    running_percent: Rc<dyn Fn(usize) -> u64>,
    groups: RefCell<BTreeMap<c_int, Vec<Member>>>,
}

impl FakeKernel {
    fn new(hardware: Result<(), Errno>) -> FakeKernel {
        FakeKernel {
            hardware,
            software: Ok(()),
            room: usize::MAX,
            running_percent: Rc::new(|_| 100),
            groups: RefCell::default(),
        }
    }

    /// Runs a test on this kernel.
    fn play<T>(self, test: impl FnOnce() -> T) -> T {
        // SAFETY: no counter of this thread was made before; those of the test are dropped in it.
        unsafe { set_thread_hooks(Box::new(self)) };
        let result = test();
        // SAFETY: as above.
        unsafe { clear_thread_hooks() };
        result
    }

    /// Writes what a read of the group gives: each member counts ten times its own number.
    fn refresh(&self, leader: c_int) {
        let mut groups = self.groups.borrow_mut();
        let members = groups.get_mut(&leader).expect("a leader");
        members.retain(|&(fd, file)| file_of(fd) == Some(file));
        let percent = (self.running_percent)(members.len() - 1);
        let mut words = vec![members.len() as u64, 1_000, 10 * percent];
        words.extend(members.iter().flat_map(|&(fd, _)| [10 * fd as u64, fd as u64]));
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        // SAFETY: the leader is open as long as the group that asks.
        let fd = unsafe { BorrowedFd::borrow_raw(leader) };
        rustix::fs::ftruncate(fd, 0).expect("a memory file shrinks");
        rustix::io::pwrite(fd, &bytes, 0).expect("a memory file grows");
        seek(fd, SeekFrom::Start(0)).expect("a memory file has a start");
    }
}

impl Hooks for FakeKernel {
    unsafe fn perf_event_open(
        &mut self,
        attrs: *mut perf_event_attr,
        _: i32,
        _: c_int,
        group: c_int,
        _: c_ulong,
    ) -> c_int {
        // SAFETY: the crate passes a pointer to its own attributes.
        let attrs = unsafe { &*attrs };
        let answer = match (attrs.type_, attrs.config) {
            (KIND_SOFTWARE, DUMMY) => Ok(()),
            (KIND_SOFTWARE, _) => {
                assert_eq!(attrs.exclude_kernel(), 0, "switches happen in the kernel");
                self.software
            }
            (kind, _) => {
                assert_eq!(attrs.exclude_kernel(), 1, "a permission must not hide a lack");
                assert!(kind == KIND_HARDWARE || kind == 3);
                self.hardware
            }
        };
        if let Err(error) = answer {
            return fail(error);
        }
        let mut groups = self.groups.borrow_mut();
        if group != -1 && groups[&group].len() > self.room {
            return fail(Errno::INVAL);
        }
        let fd = memfd_create("counter", MemfdFlags::empty()).expect("a memory file").into_raw_fd();
        let member = (fd, file_of(fd).expect("just opened"));
        if group == -1 {
            groups.insert(fd, vec![member]);
        } else {
            groups.get_mut(&group).expect("a leader").push(member);
        }
        fd
    }

    unsafe fn ID(&mut self, fd: c_int, id: *mut u64) -> c_int {
        // SAFETY: the crate passes a pointer to its own word.
        unsafe { *id = fd as u64 };
        0
    }

    unsafe fn RESET(&mut self, _: c_int, _: c_uint) -> c_int {
        0
    }

    unsafe fn ENABLE(&mut self, _: c_int, _: c_uint) -> c_int {
        0
    }

    unsafe fn DISABLE(&mut self, leader: c_int, _: c_uint) -> c_int {
        self.refresh(leader);
        0
    }
}

const BARE: Kernel = Kernel { core_counters: false, paranoid: Some(2) };
const WITH_PMU: Kernel = Kernel { core_counters: true, paranoid: Some(4) };

fn reasons(counters: &PerfCounters) -> BTreeMap<Event, Why> {
    counters.unavailable().iter().map(|u| (u.event, u.why.clone())).collect()
}

#[test]
fn without_a_pmu_the_scheduler_is_still_counted() {
    FakeKernel::new(Err(Errno::NOENT)).play(|| {
        let mut counters = PerfCounters::open_on(&BARE);
        assert_eq!(counters.events(), Event::SOFTWARE);
        assert_eq!(reasons(&counters), Event::HARDWARE.map(|event| (event, Why::NoPmu)).into());
        counters.start();
        let reading = counters.stop();
        assert!(!reading.partial, "no hardware group, so none can be partial");
        assert_eq!(reading.values.into_keys().collect::<Vec<_>>(), Event::SOFTWARE);
    });
}

#[test]
fn each_error_of_the_kernel_has_its_own_reason() {
    let cases = [
        (Errno::NOENT, &BARE, Why::NoPmu),
        (Errno::NOENT, &WITH_PMU, Why::Unknown),
        (Errno::OPNOTSUPP, &WITH_PMU, Why::Unknown),
        (Errno::ACCESS, &WITH_PMU, Why::Paranoid(4)),
        (Errno::PERM, &BARE, Why::Forbidden),
        (Errno::NOSYS, &BARE, Why::NoSyscall),
        (Errno::NOMEM, &BARE, Why::Other(Errno::NOMEM.raw_os_error())),
    ];
    for (error, kernel, why) in cases {
        FakeKernel::new(Err(error)).play(|| {
            let counters = PerfCounters::open_on(kernel);
            let expected = Event::HARDWARE.map(|event| (event, why.clone())).into();
            assert_eq!(reasons(&counters), expected, "{error}");
        });
    }
}

#[test]
fn a_full_group_is_read_member_by_member() {
    FakeKernel::new(Ok(())).play(|| {
        let mut counters = PerfCounters::open_on(&WITH_PMU);
        assert!(counters.unavailable().is_empty());
        for _ in 0..2 {
            counters.start();
            let reading = counters.stop();
            assert_eq!(reading.values.len(), 10);
            let members = counters.hardware.iter().chain(&counters.software);
            for (event, counter) in members.flat_map(|members| &members.counters) {
                assert_eq!(reading.values[event], 10 * counter.id(), "{event}");
                assert_eq!(counter.id(), counter.as_raw_fd() as u64);
            }
        }
    });
}

#[test]
fn events_that_do_not_fit_are_named_and_the_rest_is_counted() {
    let kernel = FakeKernel { room: 4, ..FakeKernel::new(Ok(())) };
    kernel.play(|| {
        let mut counters = PerfCounters::open_on(&WITH_PMU);
        let left_out: Vec<_> = reasons(&counters).into_keys().collect();
        assert_eq!(left_out, [Event::L1dReadMisses, Event::LlReadMisses, Event::DtlbReadMisses]);
        assert!(reasons(&counters).into_values().all(|why| why == Why::DoesNotFit));
        counters.start();
        assert_eq!(counters.stop().values.len(), 4 + 3);
    });
}

#[test]
fn a_group_that_never_runs_gives_up_its_least_wanted_events() {
    // Six members or more never get onto the counters: the watchdog holds one.
    let running_percent = Rc::new(|members| if members > 5 { 0 } else { 100 });
    FakeKernel { running_percent, ..FakeKernel::new(Ok(())) }.play(|| {
        let counters = PerfCounters::open_on(&WITH_PMU);
        let left_out: Vec<_> = counters.unavailable().iter().map(|u| u.event).collect();
        assert_eq!(left_out, [Event::LlReadMisses, Event::DtlbReadMisses]);
    });
}

#[test]
fn a_multiplexed_reading_is_no_reading() {
    let percent = Rc::new(std::cell::Cell::new(100));
    let shared = Rc::clone(&percent);
    let running_percent: Rc<dyn Fn(usize) -> u64> = Rc::new(move |_| shared.get());
    FakeKernel { running_percent, ..FakeKernel::new(Ok(())) }.play(|| {
        let mut counters = PerfCounters::open_on(&WITH_PMU);
        for share in [40, 0] {
            percent.set(share);
            counters.start();
            let reading = counters.stop();
            assert!(reading.partial && reading.values.is_empty(), "{share} %");
        }
        percent.set(100);
        counters.start();
        assert!(!counters.stop().partial);
    });
}

#[test]
fn forbidden_switches_come_from_the_threads_own_statistics() {
    FakeKernel { software: Err(Errno::ACCESS), ..FakeKernel::new(Err(Errno::ACCESS)) }.play(|| {
        let mut counters = PerfCounters::open_on(&BARE);
        assert_eq!(counters.events(), [Event::ContextSwitches]);
        counters.start();
        assert!(counters.stop().values.contains_key(&Event::ContextSwitches));
    });
}

#[test]
fn both_kinds_of_switches_count() {
    let status = "Name:\tx\nvoluntary_ctxt_switches:\t41\nnonvoluntary_ctxt_switches:\t7\n";
    assert_eq!(switches_in(status), Some(48));
    assert_eq!(switches_in("voluntary_ctxt_switches:\t41\n"), None);
}
