//! Processors that this process may use, and staying on one of them.
//!
//! A thread that moves leaves its caches and predictors behind. It is pinned to the last processor
//! that it may use, because the first ones serve more interrupts.

use std::path::Path;

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
    /// Pins the calling thread to the last processor that it may use.
    ///
    /// # Errors
    /// Why it may not be pinned, as a journal keeps it.
    #[cfg(target_os = "linux")]
    pub fn to_one_processor() -> Result<Pinned, Absent> {
        use rustix::thread::CpuSet;
        let allowed = rustix::thread::sched_getaffinity(None).map_err(refused)?;
        let last = (0..CpuSet::MAX_CPU).rev().find(|&processor| allowed.is_set(processor));
        Pinned::to(last.ok_or_else(|| absent("The kernel names no allowed processor."))?)
    }

    /// Pins the calling thread to this processor.
    ///
    /// # Errors
    /// Why it may not be pinned, as a journal keeps it.
    #[cfg(target_os = "linux")]
    pub fn to(processor: usize) -> Result<Pinned, Absent> {
        use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
        let before = sched_getaffinity(None).map_err(refused)?;
        let mut only = CpuSet::new();
        only.set(processor);
        sched_setaffinity(None, &only).map_err(refused)?;
        Ok(Pinned { processor, before })
    }

    /// Leaves the processor to other processes: until this is dropped the calling thread uses the
    /// others only, if there are any.
    pub fn step_aside(&self) {
        #[cfg(target_os = "linux")]
        {
            let mut others = self.before;
            others.unset(self.processor);
            if others.count() > 0 {
                // Refused, it stays where it is, and the two share the processor.
                let _ = rustix::thread::sched_setaffinity(None, &others);
            }
        }
    }

    /// Pins the calling thread.
    ///
    /// # Errors
    /// Why it may not be pinned, as a journal keeps it.
    #[cfg(not(target_os = "linux"))]
    pub fn to_one_processor() -> Result<Pinned, Absent> {
        Err(absent("Threads are pinned on Linux only."))
    }

    /// Pins the calling thread to this processor.
    ///
    /// # Errors
    /// Why it may not be pinned, as a journal keeps it.
    #[cfg(not(target_os = "linux"))]
    pub fn to(_: usize) -> Result<Pinned, Absent> {
        Pinned::to_one_processor()
    }
}

impl Pinned {
    /// The logical processors that share the core with this one, as far as the system tells. What
    /// runs on them takes its share of every cycle.
    pub fn siblings(&self) -> Vec<usize> {
        siblings(Path::new("/sys/devices/system/cpu"), self.processor)
    }
}

#[cfg(target_os = "linux")]
impl Drop for Pinned {
    fn drop(&mut self) {
        // Nothing depends on it: the thread would merely stay where it is.
        let _ = rustix::thread::sched_setaffinity(None, &self.before);
    }
}

/// The other logical processors of a processor's core, by `/sys/devices/system/cpu` or a folder
/// like it; none if it has its core for itself or the system does not tell. A guest is told what its
/// hypervisor makes up.
///
/// # Source
/// The Linux kernel's documentation, *CPU topology information exported to user space via sysfs*.
pub fn siblings(folder: &Path, processor: usize) -> Vec<usize> {
    let file = folder.join(format!("cpu{processor}/topology/thread_siblings_list"));
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let mut siblings = listed(text.trim()).unwrap_or_default();
    siblings.retain(|&sibling| sibling != processor);
    siblings
}

/// Numbers as the kernel lists them: `0,4-6`. `None` if it is no such list, or one that no machine
/// could have.
fn listed(text: &str) -> Option<Vec<usize>> {
    const MOST: usize = 1 << 16;
    let mut numbers = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let number = |text: &str| text.trim().parse::<usize>().ok();
        let (first, last) = (number(first)?, number(last)?);
        if last < first || last > MOST {
            return None;
        }
        numbers.extend(first..=last);
    }
    Some(numbers)
}

#[cfg(target_os = "linux")]
fn refused(error: rustix::io::Errno) -> Absent {
    absent(&format!("The kernel refused to pin the thread: {error}."))
}

fn absent(why: &str) -> Absent {
    Absent {
        what: "pinning".to_owned(),
        why: why.to_owned(),
        cure: "Start the command with taskset, or allow sched_setaffinity.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn siblings_are_the_others_of_the_core() {
        let root = tempfile::tempdir().expect("a folder");
        for (processor, list) in [(3, "3,67\n"), (0, "0-1\n"), (5, "5\n"), (6, "six\n"), (7, "")] {
            let folder = root.path().join(format!("cpu{processor}/topology"));
            std::fs::create_dir_all(&folder).expect("a folder");
            std::fs::write(folder.join("thread_siblings_list"), list).expect("a file");
        }
        assert_eq!(siblings(root.path(), 3), [67]);
        assert_eq!(siblings(root.path(), 0), [1]);
        for processor in [5, 6, 7, 8] {
            assert!(siblings(root.path(), processor).is_empty(), "{processor}");
        }
    }

    #[test]
    fn lists_are_read_as_the_kernel_writes_them() {
        assert_eq!(listed("0,4-6,9"), Some(vec![0, 4, 5, 6, 9]));
        for wrong in ["", "4-", "6-4", "0-99999999999", "-1", "a"] {
            assert_eq!(listed(wrong), None, "{wrong}");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_pinned_thread_has_one_processor_and_gets_the_others_back() {
        use rustix::thread::sched_getaffinity;
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
