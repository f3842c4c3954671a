//! A fake kernel behind the hooks of `perf-event`, which needs no hardware counters.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::{c_int, c_uint, c_ulong};
use std::os::fd::{BorrowedFd, IntoRawFd};
use std::rc::Rc;

use perf_event::hooks::sys::bindings::{
    PERF_FLAG_FD_CLOEXEC, PERF_IOC_FLAG_GROUP, perf_event_attr,
};
use perf_event::hooks::{Hooks, clear_thread_hooks, set_thread_hooks};
use rustix::fs::{MemfdFlags, SeekFrom, memfd_create, seek};
use rustix::io::Errno;

const KIND_SOFTWARE: u32 = 1;
const DUMMY: u64 = 9;
const KIND_RAW: u32 = 4;
/// Intel's code of the slots event.
const SLOTS: u64 = 0x0400;
/// Intel's codes of the other top-down events, which the kernel derives from slots.
const OF_SLOTS: std::ops::RangeInclusive<u64> = 0x8000..=0x8300;

unsafe extern "C" {
    fn __errno_location() -> *mut c_int;
}

fn fail(error: Errno) -> c_int {
    // SAFETY: the address of the thread's error number in the C library is always valid.
    unsafe { *__errno_location() = error.raw_os_error() };
    -1
}

/// A descriptor and the file behind it: the number alone may have been closed and reused.
#[derive(Clone, Copy)]
struct Member {
    fd: c_int,
    file: u64,
    kind: u32,
    config: u64,
}

impl Member {
    fn is_open(&self) -> bool {
        file_of(self.fd) == Some(self.file)
    }
}

/// The file behind a descriptor, if it is open.
fn file_of(fd: c_int) -> Option<u64> {
    // SAFETY: reading the state of a closed or foreign descriptor changes nothing.
    let fd = unsafe { BorrowedFd::borrow_raw(fd) };
    rustix::fs::fstat(fd).ok().map(|state| state.st_ino)
}

/// All groups that were opened, by the descriptor of their leader.
#[derive(Default)]
pub(crate) struct Groups(RefCell<BTreeMap<c_int, Group>>);

/// Members, the leader first, and the state that the kernel keeps for them.
struct Group {
    members: Vec<Member>,
    on: bool,
    enabled: u64,
    running: u64,
}

impl Group {
    fn is_hardware(&self) -> bool {
        self.members.iter().any(|member| member.kind != KIND_SOFTWARE)
    }
}

/// The fake kernel and its answers.
pub(crate) struct FakeKernel {
    /// Result of opening a hardware event.
    pub hardware: Result<(), Errno>,
    /// Result of opening a kernel event.
    pub software: Result<(), Errno>,
    /// Upper bound on the members of a group besides its leader.
    pub room: usize,
    /// Percentage of the time that a group of this many hardware events is on the counters.
    pub running_percent: Rc<dyn Fn(usize) -> u64>,
    pub groups: Groups,
}

impl FakeKernel {
    pub(crate) fn new(hardware: Result<(), Errno>) -> FakeKernel {
        FakeKernel {
            hardware,
            software: Ok(()),
            room: usize::MAX,
            running_percent: Rc::new(|_| 100),
            groups: Groups::default(),
        }
    }

    /// Runs a test on this kernel.
    pub(crate) fn play<T>(self, test: impl FnOnce() -> T) -> T {
        // SAFETY: this thread has opened no counter before, and the test drops the counters it opens.
        unsafe { set_thread_hooks(Box::new(self)) };
        let result = test();
        // SAFETY: as above.
        unsafe { clear_thread_hooks() };
        result
    }
}

/// Advances the times of a group by 1,000 ns and writes the result of its next read: the value of each
/// member is ten times its id.
fn refresh(group: &mut Group, percent: u64) {
    group.members.retain(Member::is_open);
    group.enabled += 1_000;
    group.running += 10 * percent;
    let mut words = vec![group.members.len() as u64, group.enabled, group.running];
    words.extend(group.members.iter().flat_map(|member| [10 * member.fd as u64, member.fd as u64]));
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
    // SAFETY: the leader is open as long as its group is used.
    let fd = unsafe { BorrowedFd::borrow_raw(group.members[0].fd) };
    rustix::fs::ftruncate(fd, 0).expect("a memory file shrinks");
    rustix::io::pwrite(fd, &bytes, 0).expect("a memory file grows");
    seek(fd, SeekFrom::Start(0)).expect("a memory file has a start");
}

impl Hooks for FakeKernel {
    unsafe fn perf_event_open(
        &mut self,
        attrs: *mut perf_event_attr,
        thread: i32,
        processor: c_int,
        leader: c_int,
        flags: c_ulong,
    ) -> c_int {
        assert_eq!((thread, processor), (0, -1), "the calling thread, on any processor");
        assert_eq!(
            flags,
            c_ulong::from(PERF_FLAG_FD_CLOEXEC),
            "closed in programs that are started"
        );
        // SAFETY: the caller passes a pointer to its own attributes.
        let attrs = unsafe { &*attrs };
        assert_eq!(attrs.disabled() == 1, leader == -1, "members follow their leader");
        let (kind, config) = (attrs.type_, attrs.config);
        let answer = match (kind, config) {
            (KIND_SOFTWARE, DUMMY) => Ok(()),
            (KIND_SOFTWARE, _) => {
                assert_eq!(attrs.exclude_kernel(), 0, "switches happen in the kernel");
                self.software
            }
            _ => {
                assert_eq!(
                    attrs.exclude_kernel(),
                    1,
                    "a missing permission must not hide a missing counter"
                );
                self.hardware
            }
        };
        if let Err(error) = answer {
            return fail(error);
        }
        let mut groups = self.groups.0.borrow_mut();
        let group = groups.get_mut(&leader);
        let led_by_slots = group.as_ref().is_some_and(|group| {
            (group.members[0].kind, group.members[0].config) == (KIND_RAW, SLOTS)
        });
        if (kind, OF_SLOTS.contains(&config)) == (KIND_RAW, true) && !led_by_slots {
            return fail(Errno::INVAL);
        }
        // Top-down events have counters of their own.
        if let Some(group) = &group
            && !led_by_slots
            && group.members.iter().skip(1).filter(|member| member.is_open()).count() >= self.room
        {
            return fail(Errno::INVAL);
        }
        let fd = memfd_create("counter", MemfdFlags::empty()).expect("a memory file").into_raw_fd();
        let member = Member { fd, file: file_of(fd).expect("just opened"), kind, config };
        match group {
            Some(group) => group.members.push(member),
            None => {
                assert_eq!(leader, -1, "no such leader");
                let members = vec![member];
                groups.insert(fd, Group { members, on: false, enabled: 0, running: 0 });
            }
        }
        fd
    }

    unsafe fn ID(&mut self, fd: c_int, id: *mut u64) -> c_int {
        // SAFETY: the caller passes a pointer to its own word.
        unsafe { *id = fd as u64 };
        0
    }

    unsafe fn RESET(&mut self, leader: c_int, of: c_uint) -> c_int {
        assert!(self.groups.0.borrow().contains_key(&leader), "groups are reset as a whole");
        assert_eq!(of, PERF_IOC_FLAG_GROUP);
        0
    }

    unsafe fn ENABLE(&mut self, leader: c_int, _: c_uint) -> c_int {
        let mut groups = self.groups.0.borrow_mut();
        let other =
            |group: &Group| group.members[0].fd != leader && group.members[0].is_open() && group.on;
        let other_runs = groups.values().filter(|group| group.is_hardware()).any(other);
        let group = groups.get_mut(&leader).expect("only leaders are switched");
        assert!(!(other_runs && group.is_hardware()), "two groups share the counters");
        group.on = true;
        0
    }

    unsafe fn DISABLE(&mut self, leader: c_int, _: c_uint) -> c_int {
        let mut groups = self.groups.0.borrow_mut();
        let group = groups.get_mut(&leader).expect("only leaders are switched");
        group.members.retain(Member::is_open);
        group.on = false;
        let events = group.members.iter().filter(|member| member.kind != KIND_SOFTWARE).count();
        let percent = if events == 0 { 100 } else { (self.running_percent)(events) };
        refresh(group, percent);
        0
    }
}
