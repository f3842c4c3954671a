//! The processors that this process may use, and pinning to one of them.
//!
//! A thread that moves to another processor loses its caches and predictors. The measuring thread is
//! pinned to the last processor that it may use, because the first ones serve more interrupts.

use std::path::Path;

use raywalk_results::schema::{Absent, Facility, Reason};

/// Number of logical processors that this process may use.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The last processor that the calling thread may use: the one that it is pinned to, or would be.
///
/// # Errors
/// The record of missing pinning, with its reason.
pub fn last_allowed() -> Result<usize, Absent> {
    #[cfg(target_os = "linux")]
    {
        use rustix::thread::CpuSet;
        let allowed = rustix::thread::sched_getaffinity(None).map_err(refused)?;
        let last = (0..CpuSet::MAX_CPU).rev().find(|&processor| allowed.is_set(processor));
        last.ok_or_else(|| absent(Reason::Refused { error: "no processor is allowed".to_owned() }))
    }
    #[cfg(not(target_os = "linux"))]
    Err(absent(Reason::LinuxOnly))
}

/// Keeps the calling thread on one processor until it is dropped.
#[derive(Debug)]
pub struct Pinned {
    /// Number of the processor in the system, from 0.
    pub processor: usize,
    /// The processors of the thread before it was pinned.
    #[cfg(target_os = "linux")]
    before: rustix::thread::CpuSet,
}

impl Pinned {
    /// Pins the calling thread to the [last processor](last_allowed) that it may use.
    ///
    /// # Errors
    /// The record of missing pinning, with its reason.
    pub fn to_one_processor() -> Result<Pinned, Absent> {
        Pinned::to(last_allowed()?)
    }

    /// Pins the calling thread to this processor; fails as [`Pinned::to_one_processor`] does.
    #[cfg_attr(not(target_os = "linux"), expect(unused_variables, reason = "it only fails"))]
    pub fn to(processor: usize) -> Result<Pinned, Absent> {
        #[cfg(target_os = "linux")]
        {
            use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
            let before = sched_getaffinity(None).map_err(refused)?;
            let mut only = CpuSet::new();
            only.set(processor);
            sched_setaffinity(None, &only).map_err(refused)?;
            Ok(Pinned { processor, before })
        }
        #[cfg(not(target_os = "linux"))]
        Err(absent(Reason::LinuxOnly))
    }

    /// Leaves the processor to other processes: until this value is dropped, the calling thread uses
    /// only the other processors, if there are any.
    pub fn step_aside(&self) {
        #[cfg(target_os = "linux")]
        {
            let mut others = self.before;
            others.unset(self.processor);
            if others.count() > 0 {
                // If refused, the thread stays and shares the processor.
                let _ = rustix::thread::sched_setaffinity(None, &others);
            }
        }
    }

    /// The logical processors that share the core with this one, if the system reports them. Threads on
    /// them compete for every cycle.
    pub fn siblings(&self) -> Vec<usize> {
        siblings(Path::new("/sys/devices/system/cpu"), self.processor)
    }
}

#[cfg(target_os = "linux")]
impl Drop for Pinned {
    fn drop(&mut self) {
        // An error is harmless: the thread stays where it is.
        let _ = rustix::thread::sched_setaffinity(None, &self.before);
    }
}

/// The other logical processors of a processor's core, from `/sys/devices/system/cpu` or a folder like
/// it; empty if there are none or the system does not report them. In a virtual machine the hypervisor
/// invents the topology.
///
/// # Source
/// The Linux kernel's documentation, *CPU topology information exported to user space via sysfs*.
fn siblings(folder: &Path, processor: usize) -> Vec<usize> {
    let file = folder.join(format!("cpu{processor}/topology/thread_siblings_list"));
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let mut siblings = parse_list(text.trim()).unwrap_or_default();
    siblings.retain(|&sibling| sibling != processor);
    siblings
}

/// Parses a list of numbers in the format of the kernel: `0,4-6`. `None` if the text has another format
/// or a number is impossibly large.
fn parse_list(text: &str) -> Option<Vec<usize>> {
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
    absent(Reason::Refused { error: error.to_string() })
}

fn absent(reason: Reason) -> Absent {
    Absent::facility(Facility::Pinning, reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn siblings_are_the_other_processors_of_the_core() {
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
    fn lists_are_parsed_in_the_format_of_the_kernel() {
        assert_eq!(parse_list("0,4-6,9"), Some(vec![0, 4, 5, 6, 9]));
        for wrong in ["", "4-", "6-4", "0-99999999999", "-1", "a"] {
            assert_eq!(parse_list(wrong), None, "{wrong}");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_pinned_thread_has_one_processor_and_gets_the_others_back() {
        use rustix::thread::sched_getaffinity;
        let allowed = || sched_getaffinity(None).expect("an affinity");
        let before = allowed();
        let last = last_allowed().expect("a processor");
        // Where pinning is forbidden, nothing changes.
        if let Ok(pinned) = Pinned::to_one_processor() {
            assert_eq!(allowed().count(), 1);
            assert_eq!([pinned.processor, last_allowed().expect("it")], [last; 2]);
            assert!(allowed().is_set(pinned.processor));
        }
        assert_eq!(allowed(), before);
    }
}
