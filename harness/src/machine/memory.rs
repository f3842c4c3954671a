//! Keeping the memory of this process in memory.
//!
//! A page that the system has taken away comes back by a fault in the middle of a timed region, and
//! with it the system's own code in caches and predictors. Locked pages stay.
//!
//! Everything mapped now and later is locked, so a mapping is filled when it is made and not at its
//! first touch. The price: memory that is reserved is paid for at once. And a trap: where the limit
//! of locked memory is finite, *later* allocations fail as soon as they pass it, which for a
//! process that makes corpora of hundreds of megabytes is an abort in the middle of a session. So
//! nothing at all is locked unless everything may be.

use raywalk_reports::schema::Absent;

/// The memory of this process stays in memory until this is dropped.
#[derive(Debug)]
pub struct Locked(());

impl Locked {
    /// Locks all memory that this process has and will have.
    ///
    /// # Errors
    /// Why it may not be locked, as a journal keeps it. Nothing is locked then.
    #[cfg(target_os = "linux")]
    pub fn all() -> Result<Locked, Absent> {
        use rustix::mm::{MlockAllFlags, mlockall};
        use rustix::process::{Resource, getrlimit};
        use rustix::thread::{CapabilitySet, capabilities};
        let limit = getrlimit(Resource::Memlock).current;
        let privileged =
            capabilities(None).is_ok_and(|sets| sets.effective.contains(CapabilitySet::IPC_LOCK));
        may_lock(limit, privileged)?;
        mlockall(MlockAllFlags::CURRENT | MlockAllFlags::FUTURE)
            .map_err(|error| absent(&format!("The kernel refused to lock memory: {error}.")))?;
        // From here on dropping it unlocks.
        let locked = Locked(());
        match limit {
            Some(limit) if !passes(limit) => Err(absent(
                "The privilege to lock memory does not hold outside this container, and the limit \
                 of locked memory is finite, so later allocations would fail.",
            )),
            _ => Ok(locked),
        }
    }

    /// Locks all memory that this process has and will have.
    ///
    /// # Errors
    /// Why it may not be locked, as a journal keeps it. Nothing is locked then.
    #[cfg(not(target_os = "linux"))]
    pub fn all() -> Result<Locked, Absent> {
        Err(Absent { cure: String::new(), ..absent("Memory is locked on Linux only.") })
    }
}

#[cfg(target_os = "linux")]
impl Drop for Locked {
    fn drop(&mut self) {
        // It needs no privilege, and nothing depends on it.
        let _ = rustix::mm::munlockall();
    }
}

/// Whether so much may be locked as this process will ever need. No limit is `None`.
#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "there is nothing to ask"))]
fn may_lock(limit: Option<u64>, privileged: bool) -> Result<(), Absent> {
    match limit {
        None => Ok(()),
        Some(_) if privileged => Ok(()),
        Some(bytes) => Err(absent(&format!(
            "This process may lock {} KiB (RLIMIT_MEMLOCK) and needs hundreds of MiB, so it locks \
             nothing.",
            bytes >> 10
        ))),
    }
}

/// Whether a mapping beyond the limit can be made while memory is locked. A capability of a user
/// namespace looks like the real one and does not lift the limit, so the kernel itself is asked,
/// with pages that nobody can touch and that therefore take no memory.
#[cfg(target_os = "linux")]
fn passes(limit: u64) -> bool {
    use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};
    let Ok(beyond) = usize::try_from(limit.saturating_add(1 << 16)) else { return false };
    let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
    // SAFETY: a new mapping wherever the kernel likes replaces none and has no other user.
    match unsafe { mmap_anonymous(std::ptr::null_mut(), beyond, ProtFlags::empty(), flags) } {
        Ok(place) => {
            // SAFETY: it was made above with this length, and nothing points into it. That it
            // could not be given back would cost addresses, not memory.
            let _ = unsafe { munmap(place, beyond) };
            true
        }
        Err(_) => false,
    }
}

fn absent(why: &str) -> Absent {
    Absent {
        what: "locked memory".to_owned(),
        why: why.to_owned(),
        cure: "Run `ulimit -l unlimited` in the shell that starts it, or give the program the \
               capability CAP_IPC_LOCK."
            .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finite_limit_locks_nothing_without_the_privilege() {
        assert_eq!(may_lock(None, false), Ok(()));
        assert_eq!(may_lock(Some(8 << 20), true), Ok(()));
        let absent = may_lock(Some(8 << 20), false).expect_err("8 MiB are too little");
        assert!(absent.why.contains("8192 KiB"), "{absent:?}");
        assert!(absent.cure.contains("ulimit -l unlimited"), "{absent:?}");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn locked_memory_is_what_the_kernel_counts_and_is_given_back() {
        let locked_kib = || {
            let text = std::fs::read_to_string("/proc/self/status").ok()?;
            let line = text.lines().find_map(|line| line.strip_prefix("VmLck:"))?;
            line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()
        };
        let before = locked_kib();
        match Locked::all() {
            Ok(locked) => {
                // Beyond the 8 MiB that are a usual limit.
                let large = vec![1u8; 32 << 20];
                assert!(locked_kib().is_none_or(|kib| kib >= 32 << 10));
                assert_eq!(large[large.len() - 1], 1);
                drop(locked);
            }
            Err(absent) => assert!(absent.why.ends_with('.') && absent.cure.ends_with('.')),
        }
        assert_eq!(locked_kib(), before);
    }
}
