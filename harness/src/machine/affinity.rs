//! Processors that this process may use, and staying on one of them.
//!
//! A thread that moves leaves its caches and predictors behind. It is pinned to the last processor
//! that it may use, because the first ones serve more interrupts.

use raywalk_reports::schema::Absent;

/// Logical processors that this process may use.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The calling thread stays on one processor until this is dropped.
#[derive(Debug)]
pub struct Pinned {
    /// Number of the processor.
    pub processor: usize,
    #[cfg(target_os = "linux")]
    before: rustix::thread::CpuSet,
}

impl Pinned {
    /// Pins the calling thread.
    ///
    /// # Errors
    /// Why it may not be pinned, as a journal keeps it.
    #[cfg(target_os = "linux")]
    pub fn to_one_processor() -> Result<Pinned, Absent> {
        use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
        let refused = |error: rustix::io::Errno| {
            absent(&format!("The kernel refused to pin the thread: {error}."))
        };
        let before = sched_getaffinity(None).map_err(refused)?;
        let last = (0..CpuSet::MAX_CPU).rev().find(|&processor| before.is_set(processor));
        let processor = last.ok_or_else(|| absent("The kernel names no allowed processor."))?;
        let mut only = CpuSet::new();
        only.set(processor);
        sched_setaffinity(None, &only).map_err(refused)?;
        Ok(Pinned { processor, before })
    }

    /// Pins the calling thread.
    ///
    /// # Errors
    /// Why it may not be pinned, as a journal keeps it.
    #[cfg(not(target_os = "linux"))]
    pub fn to_one_processor() -> Result<Pinned, Absent> {
        Err(absent("Threads are pinned on Linux only."))
    }
}

#[cfg(target_os = "linux")]
impl Drop for Pinned {
    fn drop(&mut self) {
        // Nothing depends on it: the thread would merely stay where it is.
        let _ = rustix::thread::sched_setaffinity(None, &self.before);
    }
}

fn absent(why: &str) -> Absent {
    Absent {
        what: "pinning".to_owned(),
        why: why.to_owned(),
        cure: "Start the command with taskset, or allow sched_setaffinity.".to_owned(),
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use rustix::thread::sched_getaffinity;

    #[test]
    fn a_pinned_thread_has_one_processor_and_gets_the_others_back() {
        let allowed = || sched_getaffinity(None).expect("an affinity");
        let before = allowed();
        // Where pinning is forbidden there is nothing to give back.
        if let Ok(pinned) = Pinned::to_one_processor() {
            assert_eq!(allowed().count(), 1);
            assert!(allowed().is_set(pinned.processor));
        }
        assert_eq!(allowed(), before);
    }
}
