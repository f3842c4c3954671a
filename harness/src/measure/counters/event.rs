//! What can be counted, by the processor or by the kernel.

use std::fmt;

/// What can be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Event {
    /// Core cycles in user mode.
    Cycles,
    /// Instructions retired.
    Instructions,
    /// Branches retired.
    Branches,
    /// Branches mispredicted.
    BranchMisses,
    /// Loads that missed the first-level data cache.
    L1dReadMisses,
    /// Loads that missed the last-level cache.
    LlReadMisses,
    /// Requests of the core that missed the second-level cache, where the kernel has a name for
    /// that: AMD since Zen, and ARM.
    L2Misses,
    /// Loads that missed the data TLB.
    DtlbReadMisses,
    /// Places for a micro-operation that the core had: its width for each cycle. The four events
    /// below share them out (A. Yasin, "A top-down method for performance analysis and counters
    /// architecture", ISPASS 2014); Intel since Ice Lake counts all five at once.
    Slots,
    /// Slots of micro-operations that retired.
    SlotsRetiring,
    /// Slots lost to work that was thrown away, and to recovering from it.
    SlotsBadSpeculation,
    /// Slots that stayed empty because none was delivered.
    SlotsFrontendBound,
    /// Slots that stayed empty because the core could take none.
    SlotsBackendBound,
    /// The thread was taken off its processor.
    ContextSwitches,
    /// Pages that had to be mapped.
    PageFaults,
    /// The thread went on elsewhere.
    CpuMigrations,
}

impl Event {
    /// Events of the hardware, most wanted first: where only some fit together, the first are in
    /// the first group.
    pub const HARDWARE: [Event; 13] = [
        Event::Cycles,
        Event::Instructions,
        Event::BranchMisses,
        Event::Branches,
        Event::L1dReadMisses,
        Event::DtlbReadMisses,
        Event::LlReadMisses,
        Event::L2Misses,
        Event::Slots,
        Event::SlotsRetiring,
        Event::SlotsBadSpeculation,
        Event::SlotsFrontendBound,
        Event::SlotsBackendBound,
    ];
    /// In every group where they fit: what the other events are divided by.
    pub const COMMON: [Event; 2] = [Event::Cycles, Event::Instructions];
    /// The slots and what became of them; they are counted together or not at all.
    pub const TOP_DOWN: [Event; 5] = [
        Event::Slots,
        Event::SlotsRetiring,
        Event::SlotsBadSpeculation,
        Event::SlotsFrontendBound,
        Event::SlotsBackendBound,
    ];
    /// Events of the kernel.
    pub const SOFTWARE: [Event; 3] =
        [Event::ContextSwitches, Event::PageFaults, Event::CpuMigrations];

    /// The name in journals.
    pub const fn name(self) -> &'static str {
        match self {
            Event::Cycles => "cycles",
            Event::Instructions => "instructions",
            Event::Branches => "branches",
            Event::BranchMisses => "branch-misses",
            Event::L1dReadMisses => "l1d-read-misses",
            Event::LlReadMisses => "ll-read-misses",
            Event::L2Misses => "l2-misses",
            Event::DtlbReadMisses => "dtlb-read-misses",
            Event::Slots => "slots",
            Event::SlotsRetiring => "slots-retiring",
            Event::SlotsBadSpeculation => "slots-bad-speculation",
            Event::SlotsFrontendBound => "slots-frontend-bound",
            Event::SlotsBackendBound => "slots-backend-bound",
            Event::ContextSwitches => "context-switches",
            Event::PageFaults => "page-faults",
            Event::CpuMigrations => "cpu-migrations",
        }
    }

    /// Whether the kernel counts it, not the processor.
    pub const fn is_software(self) -> bool {
        matches!(self, Event::ContextSwitches | Event::PageFaults | Event::CpuMigrations)
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_has_its_own_name() {
        let mut names: Vec<_> =
            Event::HARDWARE.iter().chain(&Event::SOFTWARE).map(|event| event.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Event::HARDWARE.len() + Event::SOFTWARE.len());
    }

    #[test]
    fn what_is_common_and_what_is_top_down_are_events_of_the_hardware() {
        let mut parts = [&Event::COMMON[..], &Event::TOP_DOWN].concat();
        parts.sort_unstable();
        parts.dedup();
        assert_eq!(parts.len(), Event::COMMON.len() + Event::TOP_DOWN.len());
        assert!(parts.iter().all(|event| Event::HARDWARE.contains(event) && !event.is_software()));
        assert_eq!(Event::TOP_DOWN[0], Event::Slots, "the leader");
    }
}
