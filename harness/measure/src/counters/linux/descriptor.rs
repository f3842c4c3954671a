//! The file descriptor of one event.
//!
//! The `perf-event` crate (0.4.9) provides events and their attributes. Its counters and groups are not
//! used, for three reasons. Its group read panics after a member has failed to open, and both its reads
//! panic where the kernel reports more time running than enabled. Its groups are led by an event that
//! counts nothing, but top-down events need slots as leader. Its descriptors stay open in every program
//! that is started. System calls go through the functions of the crate, so that tests can intercept them.

use std::ffi::c_ulong;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

use perf_event::Builder;
use perf_event::hooks::sys::{self, bindings};

/// An event of the calling thread, closed when dropped.
pub(super) struct Descriptor {
    file: OwnedFd,
    /// Id that the kernel reports with the value of the event.
    pub id: u64,
}

impl Descriptor {
    /// Opens an event that starts and stops by itself, and leads the events that join it.
    pub(crate) fn lead(builder: Builder<'_>) -> io::Result<Descriptor> {
        Descriptor::open(builder, None)
    }

    /// Opens an event that starts and stops with its leader.
    pub(crate) fn join(builder: Builder<'_>, leader: &Descriptor) -> io::Result<Descriptor> {
        Descriptor::open(builder, Some(leader))
    }

    fn open(builder: Builder<'_>, leader: Option<&Descriptor>) -> io::Result<Descriptor> {
        let mut attributes = *builder.attrs();
        // Only a leader begins disabled. Members are always enabled, so they start and stop with it.
        attributes.set_disabled(leader.is_none().into());
        attributes.read_format = u64::from(
            bindings::PERF_FORMAT_TOTAL_TIME_ENABLED
                | bindings::PERF_FORMAT_TOTAL_TIME_RUNNING
                | bindings::PERF_FORMAT_ID
                | bindings::PERF_FORMAT_GROUP,
        );
        let group = leader.map_or(-1, |leader| leader.file.as_raw_fd());
        let flags = c_ulong::from(bindings::PERF_FLAG_FD_CLOEXEC);
        // 0 and −1 stand for the calling thread, on whatever processor it runs.
        // SAFETY: the attributes are complete, hold their own size, and outlive the call.
        let file = unsafe { sys::perf_event_open(&raw mut attributes, 0, -1, group, flags) };
        if file < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the kernel has just opened the descriptor, and nothing else owns it.
        let file = unsafe { OwnedFd::from_raw_fd(file) };
        let mut id = 0;
        // SAFETY: the descriptor is open, and the kernel writes one word, which outlives the call.
        checked(unsafe { sys::ioctls::ID(file.as_raw_fd(), &raw mut id) })?;
        Ok(Descriptor { file, id })
    }

    /// Resets the counts of the group that this event leads and starts it. The times in a [`GroupRead`]
    /// continue, because nothing resets them.
    pub(crate) fn start_group(&self) -> io::Result<()> {
        let file = self.file.as_raw_fd();
        // SAFETY: the descriptor is open, and the call takes no address.
        checked(unsafe { sys::ioctls::RESET(file, bindings::PERF_IOC_FLAG_GROUP) })?;
        // The members are never disabled themselves, so all of them start with their leader.
        // SAFETY: as above.
        checked(unsafe { sys::ioctls::ENABLE(file, 0) })
    }

    /// Stops the group that [`start_group`](Descriptor::start_group) started.
    pub(crate) fn stop_group(&self) -> io::Result<()> {
        // SAFETY: the descriptor is open, and the call takes no address.
        checked(unsafe { sys::ioctls::DISABLE(self.file.as_raw_fd(), 0) })
    }

    /// Reads the group that this event leads. `members` includes the leader. `None` if the kernel returns
    /// another number of members.
    pub(crate) fn read_group(&self, members: usize) -> Option<GroupRead> {
        // The number of members and two times, then a value and an id for each member.
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

/// One read of a group. Times are in nanoseconds since the group was opened.
pub(super) struct GroupRead {
    /// Time for which the group was enabled.
    pub enabled: u64,
    /// Time for which it was on the counters.
    pub running: u64,
    /// Value and id of each member, the leader first.
    pub values: Vec<[u64; 2]>,
}

fn checked(returned: i32) -> io::Result<()> {
    if returned < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
