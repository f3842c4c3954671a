//! What can stand against a session, in sentences that say what was found and what to do.

use std::fmt;

use crate::wording::{ended, percent, plural};

/// What can stand against a session. Displayed as a sentence that says what was found;
/// [`Warning::advice`] says what to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Warning {
    /// The build keeps its checks, or was not optimised.
    Unoptimised {
        /// The profile, as built.
        profile: String,
    },
    /// The A/A pair had too few rounds in some panel.
    NoFloor {
        /// How many panels have no floor.
        panels: usize,
    },
    /// The baseline seems to differ from itself.
    Floor {
        /// By this share, in the middle panel.
        share: f64,
        /// And by this share in the worst one.
        worst: f64,
        /// Which is this one.
        panel: String,
    },
    /// Samples lost their processor.
    Switched {
        /// Share of all samples.
        share: f64,
    },
    /// The clock of the core changed within samples.
    ClockSteps {
        /// Share of all samples.
        share: f64,
    },
    /// Hardware counters were shared with another program.
    CountersShared {
        /// Share of all samples.
        share: f64,
    },
    /// Samples are short against the step of the clock.
    Coarse {
        /// The clock's smallest step, in ticks.
        quantum: u64,
        /// The shortest sample, in ticks.
        shortest: u64,
    },
    /// The thread was free to move.
    Unpinned {
        /// Why.
        why: String,
    },
    /// The processor's counter does not promise a constant rate.
    ClockNotConstant,
    /// The processor's counter could not be used at all.
    NoCounterClock {
        /// The clock that was used.
        source: String,
    },
    /// Others were at work when the session began.
    Load {
        /// Processes ready to run, averaged over one minute.
        load: f64,
        /// Processors of this session.
        processors: usize,
    },
    /// The machine is a guest.
    Guest {
        /// Its hypervisor.
        hypervisor: String,
    },
    /// No hardware event could be counted.
    NoEvents {
        /// Why.
        why: String,
        /// What would help.
        cure: String,
    },
    /// The clock rate is not held high.
    Governor {
        /// What chooses it.
        governor: String,
    },
    /// The core may go faster for a while.
    Turbo,
    /// Two processors share a core.
    Smt,
    /// The session has no end.
    Stopped,
    /// It cannot be built again.
    Dirty,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::Unoptimised { profile } => {
                write!(f, "The build is not optimised as a release is: {profile}.")
            }
            Warning::NoFloor { panels } => write!(
                f,
                "In {} the baseline ran too few rounds against itself, so the noise is unknown.",
                plural(*panels, "panel")
            ),
            Warning::Floor { share, worst, panel } => {
                let (share, worst) = (percent(*share), percent(*worst));
                write!(
                    f,
                    "The baseline seems to differ from itself by up to {share} in the middle \
                     panel and {worst} in the worst, {panel}; less is not called a difference."
                )
            }
            Warning::Switched { share } => {
                write!(
                    f,
                    "In {} of the samples another thread took the processor.",
                    percent(*share)
                )
            }
            Warning::ClockSteps { share } => write!(
                f,
                "In {} of the samples the rate of the core changed by more than 1 %.",
                percent(*share)
            ),
            Warning::CountersShared { share } => write!(
                f,
                "In {} of the samples the hardware counters were shared, so they have no events.",
                percent(*share)
            ),
            Warning::Coarse { quantum, shortest } => write!(
                f,
                "The shortest sample took {shortest} ticks, less than a thousand times the \
                 smallest step of the clock, {quantum}."
            ),
            Warning::Unpinned { why } => {
                write!(f, "The thread was not pinned to one processor. {}", ended(why))
            }
            Warning::ClockNotConstant => {
                f.write_str("The processor does not promise that its counter has a constant rate.")
            }
            Warning::NoCounterClock { source } => write!(
                f,
                "The processor's own counter could not be used; the clock was {source}, which is \
                 coarser."
            ),
            Warning::Load { load, processors } => write!(
                f,
                "{load:.1} processes were ready to run on {} when the session began.",
                plural(*processors, "processor")
            ),
            Warning::Guest { hypervisor } => write!(
                f,
                "The machine is a guest of {hypervisor}, whose other guests can take caches, \
                 clock rate and time without a trace."
            ),
            Warning::NoEvents { why, .. } => {
                write!(f, "No hardware event was counted. {}", ended(why))
            }
            Warning::Governor { governor } => {
                write!(f, "The clock rate of the cores is chosen by the governor {governor}.")
            }
            Warning::Turbo => f.write_str(
                "Turbo is on: the rate of a core depends on heat and on its neighbours.",
            ),
            Warning::Smt => f.write_str(
                "Two logical processors share a core, and with it its caches and units.",
            ),
            Warning::Stopped => f.write_str("The session was stopped before its end."),
            Warning::Dirty => f.write_str(
                "The source had uncommitted changes, so the build cannot be made again.",
            ),
        }
    }
}

impl Warning {
    /// What to do about it, in one sentence. The system is never changed by us.
    pub fn advice(&self) -> String {
        let text = match self {
            Warning::Unoptimised { .. } => "Build with cargo --release.",
            Warning::NoFloor { .. } => "Let it run longer: plan full, or more rounds in the plan.",
            Warning::Floor { .. } => {
                "Close other programs and measure again, or let it run longer with plan full."
            }
            Warning::Switched { .. } => {
                "Close other programs, or give the session a processor of its own with taskset."
            }
            Warning::ClockSteps { .. } => {
                "Compare ratios, which are made within rounds; for costs wait until the machine is \
                 cool and idle."
            }
            Warning::CountersShared { .. } => "Stop other profilers, and the NMI watchdog.",
            Warning::Coarse { .. } => "Raise batch-ms in the plan.",
            Warning::Unpinned { .. } => "Start the command with taskset --cpu-list and a number.",
            Warning::ClockNotConstant => "Measure on another machine, or compare ratios only.",
            Warning::NoCounterClock { .. } => {
                "Raise batch-ms in the plan, so that a sample is long against the clock's step."
            }
            Warning::Load { .. } => "Wait until the other work is done, and measure again.",
            Warning::Guest { .. } => {
                "Measure on the machine itself where differences of a few per cent matter."
            }
            Warning::NoEvents { cure, .. } if cure.is_empty() => {
                "raywalk doctor says what is counted here."
            }
            Warning::NoEvents { cure, .. } => return ended(cure),
            Warning::Governor { .. } => {
                "Choose the governor performance for the time of the session, for example with \
                 cpupower."
            }
            Warning::Turbo => "Where that matters, switch it off in the firmware or in sysfs.",
            Warning::Smt => "Keep the other processor of the core idle.",
            Warning::Stopped => "Go on with raywalk run --resume.",
            Warning::Dirty => "Commit before a run that is to be published.",
        };
        text.to_owned()
    }
}
