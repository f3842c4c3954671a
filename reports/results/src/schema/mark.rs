//! Disturbances of a sample or a round.

use crate::named;

named! {
    /// A disturbance. Marked samples and rounds stay in the journal.
    #[derive(schemars::JsonSchema)]
    pub enum Mark {
        /// The thread was taken off its processor within the sample.
        ContextSwitch = "context-switch",
        /// A page had to be mapped within the sample.
        PageFault = "page-fault",
        /// The thread moved to another processor within the sample.
        Migration = "migration",
        /// The core's clock rate changed within the sample.
        ClockStep = "clock-step",
        /// The hardware counters did not count all of the sample, because something else used them.
        CountersShared = "counters-shared",
        /// The empty calls of a perturbed sample took longer than the calls.
        NoDifference = "no-difference",
        /// The core ran slower than it has been seen to run, before or after the round.
        SlowClock = "slow-clock",
        /// Another thread on the same core took execution slots, before or after the round or the sample.
        BusyNeighbour = "busy-neighbour",
        /// The hypervisor gave the processor to others during the round.
        Steal = "steal",
    }
}
