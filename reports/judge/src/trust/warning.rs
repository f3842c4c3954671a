//! The problems a session can have, each as one sentence with its remedy.

use std::collections::BTreeMap;

use raywalk_results::schema::{Absent, ClockSource, Mark, Profile, Reason, Shard};

use crate::boards::Boards;
use crate::format::{bytes, grouped, list, percent, plural};
use crate::spread::Over;

/// A problem of a session. `Display` is one sentence with what was found; [`Warning::advice`] is what
/// to do about it. A `fraction` is one of all samples or of all rounds.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the sentence of each variant documents it")]
pub enum Warning {
    #[error("The build is not an optimised release build: {profile}.")]
    Unoptimised { profile: Profile },
    #[error(
        "The build lacks flags of the workspace ({}), so the designs are not the machine code that \
         Raywalk measures elsewhere.",
        missing.join(", ")
    )]
    Flags { missing: Vec<&'static str> },
    #[error("In {} the A/A control has too few rounds, so the noise is unknown.", plural(*panels, "panel"))]
    NoFloor { panels: usize },
    #[error(
        "The smallest difference that the headline panel resolves is {}.",
        percent(*fraction)
    )]
    Unresolved { fraction: f64 },
    #[error("In {} of the samples another thread took the processor.", percent(*fraction))]
    Switched { fraction: f64 },
    #[error(
        "In {} of the samples a probe found another thread on the core. They are left out.",
        percent(*fraction)
    )]
    Neighbour { fraction: f64 },
    #[error(
        "In {} of the samples the clock rate of the core changed by more than 1 %.",
        percent(*fraction)
    )]
    ClockSteps { fraction: f64 },
    #[error(
        "In {} of the samples the hardware counters were shared, so they have no events.",
        percent(*fraction)
    )]
    CountersShared { fraction: f64 },
    #[error(
        "{} of the rounds were disturbed from outside: {}; the hypervisor took {} ms. They count only for \
         blocks that no undisturbed round measured cleanly.",
        percent(*fraction), list(&counts(marks)), grouped(*stolen)
    )]
    RoundsMarked {
        fraction: f64,
        marks: BTreeMap<Mark, u64>,
        /// Milliseconds that the hypervisor took in all rounds.
        stolen: u64,
    },
    #[error(
        "{} of the rounds were delayed because the machine was slow or another thread shared the core, by {:.1} s in \
         total.",
        percent(*fraction), *ms as f64 / 1000.0
    )]
    RoundsDelayed {
        fraction: f64,
        /// Sum of the delays in milliseconds.
        ms: u64,
    },
    #[error(
        "{} of {} ended while the rounds still got faster.",
        grouped(*cold as u64), plural(*all, "warm-up")
    )]
    NotWarm { cold: usize, all: usize },
    #[error(
        "The ratio of {design} in {panel} may differ between {} by up to {}; a difference below its spread \
         is not resolved.",
        over.label(), percent(*worst)
    )]
    Spread {
        over: Over,
        /// The widest spread, as a fraction.
        worst: f64,
        design: String,
        panel: String,
    },
    #[error(
        "The ratio of {design} in {panel} may differ between {} by up to {}: its {} boards of {} need {}, more than the \
         second-level cache of {}, so its time follows the caches and the memory that other programs and guests share, and \
         it is not resolved here.",
        over.label(), percent(*worst), grouped(boards.count), bytes(boards.each), bytes(boards.bytes()),
        bytes(boards.cache)
    )]
    SpreadOfMemory {
        over: Over,
        /// The widest spread, as a fraction.
        worst: f64,
        design: String,
        panel: String,
        boards: Boards,
    },
    #[error(
        "Code and heap had the same addresses in all {}, so address randomisation is off.",
        plural(*processes, "process")
    )]
    SameAddresses { processes: usize },
    #[error(
        "All processes ran the program in one order of its sections; branchy code has been seen to \
         differ from itself by up to 6 % at other addresses."
    )]
    OneLayout,
    #[error(
        "The samples of a design took {shortest} ticks on average, too few to be exact to 0.1 % with a clock \
         whose smallest step is {quantum}."
    )]
    Coarse { quantum: u64, shortest: u64 },
    #[error("The thread was not pinned to one processor. {reason}")]
    Unpinned { reason: Reason },
    #[error("The processor does not promise that its counter has a constant rate.")]
    ClockNotConstant,
    #[error(
        "The processor's own counter could not be used; the clock was {clock}, which is coarser."
    )]
    NoCounterClock { clock: ClockSource },
    #[error(
        "{load:.1} processes were ready to run on {} when the session began.",
        plural(*processors, "processor")
    )]
    Load {
        /// Processes ready to run, averaged over one minute.
        load: f64,
        processors: usize,
    },
    #[error(
        "The machine is a guest of {hypervisor}; other guests can take caches, clock rate and time \
         unnoticed."
    )]
    Guest { hypervisor: String },
    #[error("No hardware event was counted. {}", absent.reason)]
    NoEvents { absent: Absent },
    #[error("The governor {governor} chooses the clock rate of the cores.")]
    Governor { governor: String },
    #[error("Turbo is on: the clock rate of a core depends on temperature and on the other cores.")]
    Turbo,
    #[error("Two logical processors share a core with its caches and execution units.")]
    Smt,
    #[error("The session was stopped before its end.")]
    Stopped,
    #[error("The session is shard {shard} of its plan, without the rounds of the others.")]
    Shard { shard: Shard },
    #[error("The source tree had uncommitted changes, so the build cannot be reproduced.")]
    Dirty,
}

fn counts(marks: &BTreeMap<Mark, u64>) -> Vec<String> {
    marks.iter().map(|(mark, count)| format!("{mark} {count}")).collect()
}

impl Warning {
    /// Advice to the user, in one sentence.
    pub fn advice(&self) -> String {
        let text = match self {
            Warning::Unoptimised { .. } => "Build with cargo --release.",
            Warning::Flags { .. } => {
                "Unset RUSTFLAGS and build inside the source tree, for example with cargo install \
                 --path harness/cli."
            }
            Warning::NoFloor { .. } => "Use plan full, or more rounds in the plan.",
            Warning::Unresolved { .. } => {
                "Read the panels that resolve more, or measure on an idle machine with more processes, and with more \
                 layouts if there are several."
            }
            Warning::Switched { .. } => {
                "Close other programs, or reserve a processor for the session with taskset."
            }
            Warning::ClockSteps { .. } => "Wait until the machine is cool and idle.",
            Warning::CountersShared { .. } => "Stop other profilers, and the NMI watchdog.",
            Warning::Neighbour { .. } | Warning::RoundsMarked { .. } => {
                "Stop other work on the machine or its host, and measure again."
            }
            Warning::RoundsDelayed { .. } => "Measure when the machine is otherwise idle.",
            Warning::NotWarm { .. } => {
                "Close other programs and measure again: an idle machine is warm after a few rounds."
            }
            Warning::Spread { over: Over::Layouts, .. } => {
                "Use more layouts with raywalk run --layouts, and trust larger differences only."
            }
            Warning::Spread { over: Over::Processes, .. } => {
                "Measure with more processes on an idle machine, and trust larger differences only."
            }
            Warning::SpreadOfMemory { .. } => {
                "Compare it in panels whose boards fit, such as a replay of few positions or a walk of the search."
            }
            Warning::SameAddresses { .. } => {
                "Switch it on, in kernel.randomize_va_space or without setarch -R, so that a result \
                 does not rest on a single placement."
            }
            Warning::OneLayout => {
                "Measure with raywalk run --layouts 12: each layout is one sample, so few make wide intervals."
            }
            Warning::Coarse { .. } => "Raise batch-ms in the plan, or measure more rounds.",
            Warning::Unpinned { .. } => "Start the command with taskset --cpu-list and a number.",
            Warning::ClockNotConstant => "Measure on another machine, or compare ratios only.",
            Warning::NoCounterClock { .. } => {
                "Raise batch-ms in the plan, so that a sample is long compared with the clock's step."
            }
            Warning::Load { .. } => "Wait until the other work is done, and measure again.",
            Warning::Guest { .. } => {
                "Measure on a physical machine if differences of a few per cent matter."
            }
            Warning::NoEvents { absent } => {
                let remedy = absent.reason.remedy(absent.instrument);
                if !remedy.is_empty() {
                    return remedy;
                }
                "Run raywalk doctor for the events that can be counted here."
            }
            Warning::Governor { .. } => {
                "Choose the governor performance during the session, for example with cpupower."
            }
            Warning::Turbo => "If that matters, switch it off in the firmware or in sysfs.",
            Warning::Smt => "Keep the other logical processor of the core idle.",
            Warning::Stopped => "Resume it with raywalk run --resume.",
            Warning::Shard { .. } => "Put all shards together with raywalk merge.",
            Warning::Dirty => "Commit before a run that is to be published.",
        };
        text.to_owned()
    }
}
