//! A kernel played by hooks: every answer it can give, without a counter.

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
/// Intel's codes: the slots, and what became of them, which the kernel works out from the slots.
pub const SLOTS: u64 = 0x0400;
const OF_SLOTS: std::ops::RangeInclusive<u64> = 0x8000..=0x8300;

unsafe extern "C" {
    fn __errno_location() -> *mut c_int;
}

fn fail(error: Errno) -> c_int {
    // SAFETY: the C library's thread-local error number, always valid.
    unsafe { *__errno_location() = error.raw_os_error() };
    -1
}

/// A descriptor and the file behind it: a number alone may have been closed and used again.
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
    // SAFETY: asking for the state of a closed or foreign descriptor changes nothing.
    let fd = unsafe { BorrowedFd::borrow_raw(fd) };
    rustix::fs::fstat(fd).ok().map(|state| state.st_ino)
}

/// All groups that were opened, by their leader's descriptor.
#[derive(Default)]
pub struct Groups(RefCell<BTreeMap<c_int, Group>>);

/// Members, the leader first, and what the kernel keeps of them.
struct Group {
    members: Vec<Member>,
    on: bool,
    enabled: u64,
    running: u64,
}

impl Group {
    fn is_of_the_processor(&self) -> bool {
        self.members.iter().any(|member| member.kind != KIND_SOFTWARE)
    }
}

/// What it answers to events of the processor and its own, how many members it lets into a group,
/// and what share of the time a group of so many events of the processor is on the counters.
pub struct FakeKernel {
    pub hardware: Result<(), Errno>,
    pub software: Result<(), Errno>,
    pub room: usize,
    pub running_percent: Rc<dyn Fn(usize) -> u64>,
    pub groups: Groups,
}

impl FakeKernel {
    pub fn new(hardware: Result<(), Errno>) -> FakeKernel {
        FakeKernel {
            hardware,
            software: Ok(()),
            room: usize::MAX,
            running_percent: Rc::new(|_| 100),
            groups: Groups::default(),
        }
    }

    /// Runs a test on this kernel.
    pub fn play<T>(self, test: impl FnOnce() -> T) -> T {
        // SAFETY: no counter of this thread was made before; those of the test are dropped in it.
        unsafe { set_thread_hooks(Box::new(self)) };
        let result = test();
        // SAFETY: as above.
        unsafe { clear_thread_hooks() };
        result
    }
}

/// Lets a group have counted for 1,000 ns, and writes what a read of it gives: each member ten
/// times its own number.
fn refresh(group: &mut Group, percent: u64) {
    group.members.retain(Member::is_open);
    group.enabled += 1_000;
    group.running += 10 * percent;
    let mut words = vec![group.members.len() as u64, group.enabled, group.running];
    words.extend(group.members.iter().flat_map(|member| [10 * member.fd as u64, member.fd as u64]));
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
    // SAFETY: the leader is open as long as the group that asks.
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
        assert_eq!((thread, processor), (0, -1), "this thread, wherever it is");
        assert_eq!(flags, c_ulong::from(PERF_FLAG_FD_CLOEXEC), "not left to other programs");
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
                assert_eq!(attrs.exclude_kernel(), 1, "a permission must not hide a lack");
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
        // The slots and what belongs to them have counters of their own.
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
        let rival = groups.values().filter(|group| group.is_of_the_processor()).any(other);
        let group = groups.get_mut(&leader).expect("only leaders are switched");
        assert!(!(rival && group.is_of_the_processor()), "two groups share the counters");
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
