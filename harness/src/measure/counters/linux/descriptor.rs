//! One event of the kernel's interface, as the file descriptor it is.
//!
//! The `perf-event` crate (0.4.9) knows the events and makes their attributes. Its counters and
//! groups are not used, for three reasons. Its group read panics after a member has failed to open,
//! and both its reads panic where the kernel reports more time running than enabled. Its groups are
//! led by an event that counts nothing, where slots must lead theirs. And its descriptors would
//! stay open in every program that is started. The calls go through the crate's own functions, so
//! that a test can answer them.

use std::ffi::c_ulong;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

use perf_event::Builder;
use perf_event::hooks::sys::{self, bindings};

/// An event of the calling thread, closed when dropped.
pub(super) struct Descriptor {
    file: OwnedFd,
    /// The number the kernel gave it, which stands beside its value.
    pub id: u64,
}

impl Descriptor {
    /// Opens an event that starts and stops by itself; if others join it, it leads them.
    pub fn lead(builder: Builder<'_>) -> io::Result<Descriptor> {
        Descriptor::open(builder, None)
    }

    /// Opens an event that starts and stops with its leader.
    pub fn join(builder: Builder<'_>, leader: &Descriptor) -> io::Result<Descriptor> {
        Descriptor::open(builder, Some(leader))
    }

    fn open(builder: Builder<'_>, leader: Option<&Descriptor>) -> io::Result<Descriptor> {
        let mut attributes = *builder.attrs();
        attributes.set_disabled(leader.is_none().into());
        attributes.read_format = u64::from(
            bindings::PERF_FORMAT_TOTAL_TIME_ENABLED
                | bindings::PERF_FORMAT_TOTAL_TIME_RUNNING
                | bindings::PERF_FORMAT_ID
                | bindings::PERF_FORMAT_GROUP,
        );
        let group = leader.map_or(-1, |leader| leader.file.as_raw_fd());
        let flags = c_ulong::from(bindings::PERF_FLAG_FD_CLOEXEC);
        // SAFETY: the attributes are whole, hold their own size, and outlive the call.
        let file = unsafe { sys::perf_event_open(&raw mut attributes, 0, -1, group, flags) };
        if file < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the kernel has just opened it, and nobody else knows of it.
        let file = unsafe { OwnedFd::from_raw_fd(file) };
        let mut id = 0;
        // SAFETY: the descriptor is open, and the kernel writes one word, which outlives the call.
        answer(unsafe { sys::ioctls::ID(file.as_raw_fd(), &raw mut id) })?;
        Ok(Descriptor { file, id })
    }

    /// Sets the counts of the group that this one leads to zero, and lets it count. The times that
    /// a [`GroupRead`] tells go on: nothing resets them.
    pub fn start_group(&self) -> io::Result<()> {
        let file = self.file.as_raw_fd();
        // SAFETY: the descriptor is open, and the call takes no address.
        answer(unsafe { sys::ioctls::RESET(file, bindings::PERF_IOC_FLAG_GROUP) })?;
        // The members are never switched off themselves, so all of them start with their leader.
        // SAFETY: as above.
        answer(unsafe { sys::ioctls::ENABLE(file, 0) })
    }

    /// Ends what [`start_group`](Descriptor::start_group) began.
    pub fn stop_group(&self) -> io::Result<()> {
        // SAFETY: the descriptor is open, and the call takes no address.
        answer(unsafe { sys::ioctls::DISABLE(self.file.as_raw_fd(), 0) })
    }

    /// Reads the group that this one leads, of so many members with itself; `None` if the kernel
    /// gives anything else than that.
    pub fn read_group(&self, members: usize) -> Option<GroupRead> {
        let mut bytes = vec![0; (3 + 2 * members) * size_of::<u64>()];
        if rustix::io::read(&self.file, &mut bytes).ok()? != bytes.len() {
            return None;
        }
        let words: Vec<u64> =
            bytes.as_chunks().0.iter().map(|word| u64::from_ne_bytes(*word)).collect();
        let [number, enabled, running, values @ ..] = &words[..] else { return None };
        (*number == members as u64).then(|| GroupRead {
            enabled: *enabled,
            running: *running,
            values: values.as_chunks().0.to_vec(),
        })
    }
}

/// What a read of a group gives.
pub(super) struct GroupRead {
    /// Nanoseconds for which the group was to count, since it was opened.
    pub enabled: u64,
    /// Nanoseconds for which it did.
    pub running: u64,
    /// Value and number of each member, the leader first.
    pub values: Vec<[u64; 2]>,
}

fn answer(returned: i32) -> io::Result<()> {
    if returned < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
