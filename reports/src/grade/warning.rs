//! What can stand against a session, in sentences that say what was found and what to do.

use std::collections::BTreeMap;
use std::fmt;

use crate::spread::Over;
use crate::wording::{ended, grouped, list, percent, plural};

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
    /// Whole rounds were disturbed from outside.
    RoundsMarked {
        /// Share of all rounds.
        share: f64,
        /// How many rounds carry each mark.
        marks: BTreeMap<String, u64>,
        /// Milliseconds that a hypervisor took in all rounds.
        stolen: u64,
    },
    /// Rounds were put off because the machine was slower than it can be.
    RoundsPutOff {
        /// Share of all rounds.
        share: f64,
        /// Milliseconds, all together.
        ms: u64,
    },
    /// Panels began while their rounds still got faster.
    NotWarm {
        /// Warm-ups that ended with a trend.
        cold: usize,
        /// All warm-ups.
        all: usize,
    },
    /// Ratios differ between layouts or processes.
    Spread {
        /// Nine of ten spread by no more than this share.
        share: f64,
        /// What the widest spreads over.
        over: Over,
        /// The widest.
        worst: f64,
        /// Of this design.
        design: String,
        /// In this panel.
        panel: String,
    },
    /// Code and heap lay at the same addresses in all processes.
    SameAddresses {
        /// How many there were.
        processes: usize,
    },
    /// Branchy designs were compared at one order of sections only.
    OneLayout,
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
            Warning::RoundsMarked { share, marks, stolen } => {
                let marks: Vec<String> =
                    marks.iter().map(|(mark, count)| format!("{mark} {count}")).collect();
                write!(
                    f,
                    "{} of the rounds were disturbed from outside and are kept: {}; the hypervisor \
                     took {} ms.",
                    percent(*share),
                    list(&marks),
                    grouped(*stolen)
                )
            }
            Warning::RoundsPutOff { share, ms } => write!(
                f,
                "{} of the rounds were put off because the machine was slower than it can be, by \
                 {:.1} s together.",
                percent(*share),
                *ms as f64 / 1000.0
            ),
            Warning::NotWarm { cold, all } => write!(
                f,
                "{} of {} ended while the rounds still got faster.",
                grouped(*cold as u64),
                plural(*all, "warm-up")
            ),
            Warning::Spread { share, over, worst, design, panel } => write!(
                f,
                "One ratio in ten spreads by more than {} over layouts or processes, the widest, of \
                 {design} in {panel}, by {} over {}; an effect below its spread is not resolved.",
                percent(*share),
                percent(*worst),
                over.word()
            ),
            Warning::SameAddresses { processes } => write!(
                f,
                "Code and heap lay at the same addresses in all {}, so address randomisation is \
                 off.",
                format_args!("{processes} processes")
            ),
            Warning::OneLayout => f.write_str(
                "All processes ran the program in one order of its sections; branchy code was seen \
                 to differ from itself by up to 6 % at other addresses.",
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
            Warning::RoundsMarked { .. } => {
                "Stop what else runs on the machine or its host, and measure again."
            }
            Warning::RoundsPutOff { .. } => "Measure when the machine has nothing else to do.",
            Warning::NotWarm { .. } => {
                "Close other programs and measure again: a machine at rest is warm after a few \
                 rounds."
            }
            Warning::Spread { over: Over::Layouts, .. } => {
                "Ask for more layouts with raywalk run --layouts, and believe larger differences \
                 only."
            }
            Warning::Spread { over: Over::Processes, .. } => {
                "Measure again on a quiet machine, with plan full, and believe larger differences \
                 only."
            }
            Warning::SameAddresses { .. } => {
                "Switch it on, in kernel.randomize_va_space or without setarch -R, so that no single \
                 placement stands for a design."
            }
            Warning::OneLayout => "Measure with raywalk run --layouts 4 or more.",
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
