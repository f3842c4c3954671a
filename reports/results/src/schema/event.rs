//! Events that are counted beside the clock, by the processor or by the kernel.

use crate::named;
use crate::names::labelled;

named! {
    /// An event of the processor or of the kernel.
    #[derive(schemars::JsonSchema)]
    pub enum Event {
        /// Core cycles in user mode.
        Cycles = "cycles",
        /// Retired instructions in user mode.
        Instructions = "instructions",
        /// Retired branches of all kinds.
        Branches = "branches",
        /// Retired branches that were mispredicted.
        BranchMisses = "branch-misses",
        /// Loads that missed the first-level data cache.
        L1dReadMisses = "l1d-read-misses",
        /// Loads that missed the last-level cache.
        LlReadMisses = "ll-read-misses",
        /// Requests that missed the second-level cache, where the kernel has a name for the event:
        /// AMD since Zen, and ARM.
        L2Misses = "l2-misses",
        /// Loads that missed the data TLB.
        DtlbReadMisses = "dtlb-read-misses",
        /// Issue slots: the width of the core for each cycle. The four events below share them out
        /// (A. Yasin, "A top-down method for performance analysis and counters architecture",
        /// ISPASS 2014); Intel since Ice Lake counts all five at once.
        Slots = "slots",
        /// Slots of micro-operations that retired.
        SlotsRetiring = "slots-retiring",
        /// Slots lost to discarded work and to recovering from it.
        SlotsBadSpeculation = "slots-bad-speculation",
        /// Slots that stayed empty because the front end delivered nothing.
        SlotsFrontendBound = "slots-frontend-bound",
        /// Slots that stayed empty because the back end could accept nothing.
        SlotsBackendBound = "slots-backend-bound",
        /// The thread was taken off its processor.
        ContextSwitches = "context-switches",
        /// Pages that had to be mapped.
        PageFaults = "page-faults",
        /// The thread moved to another processor.
        CpuMigrations = "cpu-migrations",
    }
}

impl Event {
    /// Hardware events, most important first: where only some fit together, the first are in the
    /// first group.
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
    /// Counted in every group where they fit, because the other events are divided by them.
    pub const COMMON: [Event; 2] = [Event::Cycles, Event::Instructions];
    /// The top-down events. They are counted together or not at all.
    pub const TOP_DOWN: [Event; 5] = [
        Event::Slots,
        Event::SlotsRetiring,
        Event::SlotsBadSpeculation,
        Event::SlotsFrontendBound,
        Event::SlotsBackendBound,
    ];
    /// Events of the operating system. They indicate disturbances and say nothing about a design.
    pub const SOFTWARE: [Event; 3] =
        [Event::ContextSwitches, Event::PageFaults, Event::CpuMigrations];

    /// Whether the kernel counts the event, not the processor.
    pub const fn is_software(self) -> bool {
        matches!(self, Event::ContextSwitches | Event::PageFaults | Event::CpuMigrations)
    }
}

labelled! {
    /// An event of callgrind, by callgrind's own name. Misses are those of callgrind's models of a
    /// branch predictor and of first-level and last-level caches.
    pub enum CallgrindEvent {
        Instructions = "Ir", "instructions";
        ConditionalBranches = "Bc", "conditional branches";
        ConditionalMisses = "Bcm", "conditional branches missed";
        IndirectBranches = "Bi", "indirect branches";
        IndirectMisses = "Bim", "indirect branches missed";
        Reads = "Dr", "data reads";
        Writes = "Dw", "data writes";
        L1InstructionMisses = "I1mr", "L1 instruction misses";
        L1ReadMisses = "D1mr", "L1 read misses";
        L1WriteMisses = "D1mw", "L1 write misses";
        LlInstructionMisses = "ILmr", "last-level instruction misses";
        LlReadMisses = "DLmr", "last-level read misses";
        LlWriteMisses = "DLmw", "last-level write misses";
    }
}

impl CallgrindEvent {
    /// `Counted` for executed instructions, branches, reads and writes; `Simulated` for misses.
    pub const fn provenance(self) -> super::Provenance {
        match self {
            CallgrindEvent::Instructions
            | CallgrindEvent::ConditionalBranches
            | CallgrindEvent::IndirectBranches
            | CallgrindEvent::Reads
            | CallgrindEvent::Writes => super::Provenance::Counted,
            _ => super::Provenance::Simulated,
        }
    }
}
