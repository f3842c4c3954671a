//! Locks the memory of this process, so that the system does not page it out.
//!
//! A page that was paged out comes back by a page fault in the middle of a timed region, which also
//! brings code of the system into caches and predictors. Locked pages stay resident.
//!
//! All current and future mappings are locked, so a mapping is filled when it is created and not at its first access.
//! Reserved memory therefore becomes resident at once. Where the limit of locked memory is finite, *later*
//! allocations fail as soon as they exceed it. A process that builds corpora of hundreds of megabytes would then
//! abort in the middle of a session, so memory is locked only if the limit allows all of it.

use raywalk_results::schema::{Absent, Facility, Reason};

/// Bytes of memory that programs can still get without swapping, if the system reports them.
pub fn available() -> Option<u64> {
    available_in(&std::fs::read_to_string("/proc/meminfo").ok()?)
}

/// The available bytes in the text of `/proc/meminfo`.
fn available_in(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// Keeps the memory of this process resident until it is dropped.
#[derive(Debug)]
pub struct Locked(());

impl Locked {
    /// Locks all current and future memory of this process.
    ///
    /// # Errors
    /// The record of missing locked memory, with its reason. Nothing is locked then.
    pub fn all() -> Result<Locked, Absent> {
        #[cfg(target_os = "linux")]
        {
            use rustix::mm::{MlockAllFlags, mlockall};
            use rustix::process::{Resource, getrlimit};
            use rustix::thread::{CapabilitySet, capabilities};
            let limit = getrlimit(Resource::Memlock).current;
            let privileged = capabilities(None)
                .is_ok_and(|sets| sets.effective.contains(CapabilitySet::IPC_LOCK));
            may_lock(limit, privileged)?;
            mlockall(MlockAllFlags::CURRENT | MlockAllFlags::FUTURE)
                .map_err(|error| absent(Reason::Refused { error: error.to_string() }))?;
            // From here on, every return path that drops it also unlocks.
            let locked = Locked(());
            match limit {
                Some(limit) if !can_exceed(limit) => Err(absent(Reason::LockContainer)),
                _ => Ok(locked),
            }
        }
        #[cfg(not(target_os = "linux"))]
        Err(absent(Reason::LinuxOnly))
    }
}

#[cfg(target_os = "linux")]
impl Drop for Locked {
    fn drop(&mut self) {
        // Unlocking needs no privilege, and an error is harmless.
        let _ = rustix::mm::munlockall();
    }
}

/// Checks whether this process may lock as much memory as it will ever need. `None` means no limit.
#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only Linux has the limit"))]
fn may_lock(limit: Option<u64>, privileged: bool) -> Result<(), Absent> {
    match limit {
        None => Ok(()),
        Some(_) if privileged => Ok(()),
        Some(bytes) => Err(absent(Reason::LockLimit { kib: bytes >> 10 })),
    }
}

/// Whether a mapping beyond the limit can be created while memory is locked. A capability of a user
/// namespace looks like the real one but does not lift the limit, so this tries one: with pages that
/// cannot be accessed and therefore take no memory.
#[cfg(target_os = "linux")]
fn can_exceed(limit: u64) -> bool {
    use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};
    let Ok(beyond) = usize::try_from(limit.saturating_add(1 << 16)) else { return false };
    let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
    // SAFETY: the kernel chooses the address, so the new mapping replaces none and has no other user.
    match unsafe { mmap_anonymous(std::ptr::null_mut(), beyond, ProtFlags::empty(), flags) } {
        Ok(place) => {
            // SAFETY: the mapping was created above with this length, and nothing points into it. If
            // unmapping fails, addresses are lost and no memory.
            let _ = unsafe { munmap(place, beyond) };
            true
        }
        Err(_) => false,
    }
}

fn absent(reason: Reason) -> Absent {
    Absent::facility(Facility::LockedMemory, reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_available_memory_is_read_from_the_kernel_s_table() {
        let text = "MemTotal:       24689204 kB\nMemFree: 1 kB\nMemAvailable:   22000000 kB\n";
        assert_eq!(available_in(text), Some(22_000_000 << 10));
        assert_eq!(available_in("MemTotal: 5 kB\n"), None);
        assert!(!cfg!(target_os = "linux") || available().is_some_and(|bytes| bytes > 0));
    }

    #[test]
    fn a_finite_limit_locks_nothing_without_the_privilege() {
        assert_eq!(may_lock(None, false), Ok(()));
        assert_eq!(may_lock(Some(8 << 20), true), Ok(()));
        let absent = may_lock(Some(8 << 20), false).expect_err("8 MiB are too little");
        assert_eq!(absent.reason, Reason::LockLimit { kib: 8192 });
        assert!(absent.to_string().contains("ulimit -l unlimited"), "{absent}");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_kernel_counts_locked_memory_and_dropping_unlocks_it() {
        let locked_kib = || {
            let text = std::fs::read_to_string("/proc/self/status").ok()?;
            let line = text.lines().find_map(|line| line.strip_prefix("VmLck:"))?;
            line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()
        };
        let before = locked_kib();
        match Locked::all() {
            Ok(locked) => {
                // More than the usual limit of 8 MiB.
                let large = vec![1u8; 32 << 20];
                assert!(locked_kib().is_none_or(|kib| kib >= 32 << 10));
                assert_eq!(large[large.len() - 1], 1);
                drop(locked);
            }
            Err(absent) => assert!(absent.to_string().ends_with('.'), "{absent}"),
        }
        assert_eq!(locked_kib(), before);
    }
}
