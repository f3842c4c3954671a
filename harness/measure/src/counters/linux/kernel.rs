//! The kernel: what it lists, what it permits, and the meaning of its errors.

use std::io;
use std::path::Path;

use raywalk_results::schema::Reason;

use super::names::Names;

/// Properties of the kernel that distinguish the causes of one error number.
pub(super) struct Kernel {
    pub names: Names,
    /// Value of `kernel.perf_event_paranoid`, if it can be read.
    pub paranoid: Option<i32>,
}

impl Kernel {
    pub(crate) fn read(processor: Option<usize>) -> Kernel {
        Kernel {
            names: Names::read(Path::new("/sys/bus/event_source/devices"), processor),
            paranoid: paranoid(),
        }
    }

    /// Reason an event cannot be opened alone.
    pub(crate) fn why(&self, error: &io::Error) -> Reason {
        use rustix::io::Errno;
        let Some(number) = error.raw_os_error() else { return Reason::KernelError { code: 0 } };
        match Errno::from_raw_os_error(number) {
            Errno::NOENT | Errno::NODEV | Errno::OPNOTSUPP if self.names.has_core() => {
                Reason::UnknownEvent
            }
            Errno::NOENT | Errno::NODEV | Errno::OPNOTSUPP => Reason::NoPmu,
            Errno::ACCESS => Reason::Paranoid { level: self.paranoid.unwrap_or(i32::MAX) },
            Errno::PERM => Reason::Forbidden,
            Errno::NOSYS => Reason::NoSyscall,
            _ => Reason::KernelError { code: number },
        }
    }

    /// Reason an event cannot join a group. The kernel calls a group that is too large invalid.
    pub(crate) fn why_not_joined(&self, error: &io::Error) -> Reason {
        match self.why(error) {
            Reason::KernelError { code: number }
                if number == rustix::io::Errno::INVAL.raw_os_error() =>
            {
                Reason::NoFreeCounter
            }
            why => why,
        }
    }
}

/// `kernel.perf_event_paranoid`, if the kernel has this setting.
pub fn paranoid() -> Option<i32> {
    let text = std::fs::read_to_string("/proc/sys/kernel/perf_event_paranoid").ok()?;
    text.trim().parse().ok()
}
