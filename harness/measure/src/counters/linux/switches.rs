//! Context switches from the statistics of the thread, which need no permission.

use std::fs::File;
use std::os::unix::fs::FileExt;

/// The statistics file of the calling thread.
pub(super) struct Switches {
    status: File,
    before: Option<u64>,
}

impl Switches {
    pub(crate) fn open() -> Option<Switches> {
        let status = File::open("/proc/thread-self/status").ok()?;
        let switches = Switches { status, before: None };
        switches.total().map(|_| switches)
    }

    pub(crate) fn start(&mut self) {
        self.before = self.total();
    }

    /// Context switches since [`Switches::start`]; `None` if the statistics could not be read.
    pub(crate) fn count(&self) -> Option<u64> {
        Some(self.total()?.saturating_sub(self.before?))
    }

    fn total(&self) -> Option<u64> {
        // On the stack and read at once: this runs next to timed regions, and the file is much shorter.
        let mut text = [0; 8192];
        let length = self.status.read_at(&mut text, 0).ok()?;
        switches_in(std::str::from_utf8(&text[..length]).ok()?)
    }
}

/// Voluntary and involuntary switches in the text of a `status` file.
fn switches_in(status: &str) -> Option<u64> {
    let field = |name| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim_start_matches(':').trim().parse::<u64>().ok()
    };
    Some(field("voluntary_ctxt_switches")? + field("nonvoluntary_ctxt_switches")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_of_switches_count() {
        let status = "Name:\tx\nvoluntary_ctxt_switches:\t41\nnonvoluntary_ctxt_switches:\t7\n";
        assert_eq!(switches_in(status), Some(48));
        assert_eq!(switches_in("voluntary_ctxt_switches:\t41\n"), None);
    }
}
