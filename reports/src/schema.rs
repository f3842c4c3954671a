//! The result schema: what a journal holds, one JSON record per line, and all that a page needs.
//!
//! A journal is the only input of the report. It begins with a [`Session`], then names the designs
//! and panels, then grows by one [`Round`] at a time. Records made by other tools (callgrind,
//! criterion) have the same form and stand beside the rounds. Nothing here knows a generator: a
//! page can be built from a file made elsewhere.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod process;
mod round;
mod selftest;
pub use process::{Process, WarmUp};
pub use round::{Round, Sample};
pub use selftest::{Band, Found, Grade, Knee, KneePoint, Selftest, Trial};

/// Name and version of this schema. A reader refuses any other.
pub const SCHEMA: &str = "raywalk/1";

/// One line of a journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "record", rename_all = "kebab-case")]
#[expect(clippy::large_enum_variant, reason = "a record lives for one line; a box buys nothing")]
pub enum Record {
    /// Always the first line.
    Session(Session),
    /// A design that takes part, or why it does not.
    Design(Design),
    /// The instruments, tried on kernels whose answer is known.
    Selftest(Selftest),
    /// One comparison: a workload, a regime, a stage, and the designs measured in it.
    Panel(Panel),
    /// A process of the session began.
    Process(Process),
    /// What was run of a panel before a round was kept.
    WarmUp(WarmUp),
    /// All samples of one round of one panel.
    Round(Round),
    /// Exact or simulated counts of one design, from an instrumenting tool.
    Count(Count),
    /// A timing made by another harness, shown beside ours and never mixed with it.
    Timing(Timing),
    /// The plan was carried out to its end.
    End(End),
}

/// What kind of truth a number is. Never mixed in one column.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Plane {
    /// Clock or hardware counter, on this machine, in this run.
    Measured,
    /// An exact property of the executed code on the workload.
    Counted,
    /// The model of a named external tool.
    Simulated,
    /// Our own model, with its parameters and its fit.
    Modelled,
}

/// Where and how a session was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Session {
    /// [`SCHEMA`].
    #[schemars(extend("const" = SCHEMA))]
    pub schema: String,
    /// UTC, RFC 3339, to the second.
    pub started: String,
    /// Name of the plan (`quick`, `full`, or the plan file's stem).
    pub plan: String,
    /// The seed that every random order of the session comes from.
    pub seed: u64,
    /// The command line, as typed.
    pub command: String,
    /// The machine.
    pub machine: Machine,
    /// The build.
    pub build: Build,
    /// The clock that timed the rounds.
    pub clock: Clock,
    /// The corpora used, with their digests.
    pub corpora: Vec<Corpus>,
    /// Instruments that this machine does not offer: shown where their numbers would stand.
    pub absent: Vec<Absent>,
    /// The processor that the measuring processes stay on, if they may be kept there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processor: Option<usize>,
    /// The logical processors that share its core, as far as the system tells.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub siblings: Vec<usize>,
    /// Processes ready to run before the session began, averaged over 1, 5 and 15 minutes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<[f64; 3]>,
    /// In how many shares the rounds of each panel are cut, each for a process of its own; 0 if the
    /// journal does not say.
    #[serde(default)]
    pub shares: u64,
    /// Seeds of the section orders that the shares take in turn; empty for the program as it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layouts: Vec<u64>,
    /// The band of indifference: designs that differ by less are called equal (0.01 is one per
    /// cent, which is also what stands for a journal that does not say).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
}

/// The machine, as it describes itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Machine {
    /// Brand string of the CPU.
    pub cpu: String,
    /// Vendor string of the CPU.
    pub vendor: String,
    /// Family, model and stepping, as text.
    pub model: String,
    /// Logical processors this process may use.
    pub processors: usize,
    /// Hypervisor, if one says so.
    pub hypervisor: Option<String>,
    /// Caches of the first processor.
    pub caches: Vec<Cache>,
    /// Operating system and kernel release.
    pub os: String,
    /// CPU features that matter here (`popcnt`, `bmi2`, `avx2`, …).
    pub features: Vec<String>,
    /// What chooses the clock rate of the cores (`performance`, `powersave`), if the system tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub governor: Option<String>,
    /// Whether a core may exceed its nominal rate for a while, if the system tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turbo: Option<bool>,
    /// Whether two logical processors share a core, if the system tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smt: Option<bool>,
}

/// One cache.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cache {
    /// `L1d`, `L1i`, `L2`, `L3`.
    pub name: String,
    /// Size in bytes.
    pub bytes: u64,
    /// Ways, 0 if unknown.
    pub ways: u32,
    /// Line size in bytes.
    pub line: u32,
}

/// The build that was measured.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Build {
    /// Version of raywalk.
    pub version: String,
    /// Commit of the source tree, if it was built in one.
    pub commit: Option<String>,
    /// Whether the tree had uncommitted changes.
    pub dirty: bool,
    /// `rustc --version`.
    pub rustc: String,
    /// Target triple.
    pub target: String,
    /// Target CPU and other code-generation flags.
    pub flags: String,
    /// Optimisation level and profile.
    pub profile: String,
    /// FNV-1a 64 over paths and contents of the sources that went into the binary, sixteen hex
    /// digits; empty if they could not be read. It tells changed trees of one commit apart.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sources: String,
}

/// The clock, measured at the start of the session.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Clock {
    /// What ticks: `tsc`, or `monotonic` where there is none.
    pub source: String,
    /// Ticks per second.
    pub hertz: f64,
    /// Smallest difference ever seen, in ticks.
    pub quantum: u64,
    /// Ticks of an empty timed region.
    pub overhead: u64,
    /// Whether the CPU promises a constant rate.
    pub invariant: bool,
}

/// A corpus and its golden digest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Corpus {
    /// Name.
    pub name: String,
    /// Positions, repeats included.
    pub positions: u64,
    /// FNV-1a 64 over the legal-move counts, sixteen hex digits.
    pub digest: String,
}

/// Something this machine does not offer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Absent {
    /// The instrument or event (`branch-misses`, `valgrind`).
    pub what: String,
    /// Why, in one sentence.
    pub why: String,
    /// What would make it available, in one sentence; empty if nothing would.
    pub cure: String,
}

/// A design: its card, and what the machine found of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Design {
    /// `family` or `family/variant`.
    pub id: String,
    /// Display name.
    pub name: String,
    /// Author.
    pub author: String,
    /// Year, if its source has one.
    pub year: Option<u16>,
    /// Where it can be read.
    pub source: String,
    /// Claimed control flow: `branchy`, `branchless`, `mixed`.
    pub control: String,
    /// `pseudo-legal` or `legal`.
    pub legality: String,
    /// Table bytes as published.
    pub published_bytes: Option<u64>,
    /// Table bytes as counted; absent if the design could not be built here.
    pub table_bytes: Option<u64>,
    /// Bytes of one board, as counted.
    pub board_bytes: Option<u64>,
    /// Required CPU features.
    pub needs: Vec<String>,
    /// What was completed by us.
    pub reconstructed: String,
    /// Whether it was proved right, and takes part.
    pub status: Status,
}

/// The outcome of verification. Only verified designs are timed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum Status {
    /// All checks passed.
    Verified {
        /// How many counts were checked.
        checks: u64,
    },
    /// A check failed.
    Wrong {
        /// Which, with position, expected and found.
        why: String,
    },
    /// It cannot run on this machine.
    Missing {
        /// What it lacks.
        why: String,
    },
}

/// How a workload is fed.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Regime {
    /// The same `k` positions over and over, learnt before they are timed.
    Replay {
        /// Number of distinct positions.
        k: u64,
    },
    /// Each batch goes on where the last one ended; `order` says what its neighbours are
    /// (`tree`, `game`, `shuffled`, `generated`).
    Stream {
        /// The order of the positions.
        order: String,
    },
    /// A stream in which a long run of branches on fresh random bits overwrites the branch
    /// predictor before each call. Calls are [timed one by one](Sample::ticks).
    Cold {
        /// The order of the positions.
        order: String,
        /// Branches before each call, each at a place of its own in the code.
        branches: u64,
    },
    /// A stream in which some lines of a ring of memory are read before each call, so that the
    /// caches must hold the ring beside the tables. Calls are [timed one by one](Sample::ticks).
    Pressure {
        /// The order of the positions.
        order: String,
        /// Bytes of the ring; none for the same measurement without pressure.
        bytes: u64,
        /// Lines of 64 bytes that are read before each call.
        lines: u64,
    },
}

impl Regime {
    /// Whether the machine is disturbed before each call, and a sample is the difference of two
    /// timed runs. Such numbers stand beside each other and not beside the plain ones.
    pub const fn is_disturbed(&self) -> bool {
        matches!(self, Regime::Cold { .. } | Regime::Pressure { .. })
    }
}

/// One comparison of designs on the same work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Panel {
    /// `workload/regime/stage`, unique in the session.
    pub id: String,
    /// Workload name.
    pub workload: String,
    /// How it is fed.
    pub regime: Regime,
    /// `all`, `captures` or `quiets`.
    pub stage: String,
    /// `sliders` if only the moves of bishops, rooks and queens are generated; absent for the whole
    /// generation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// Positions of the workload, repeats included.
    pub positions: u64,
    /// Positions in one sample.
    pub batch: u64,
    /// Into how many [blocks](Sample::blocks) a sample is cut, about.
    #[serde(default)]
    pub blocks: u64,
    /// Designs in registry order.
    pub designs: Vec<String>,
    /// The design that ratios refer to.
    pub baseline: String,
    /// Name under which the baseline runs a second time: the A/A pair.
    pub twin: String,
    /// Rounds planned.
    pub rounds: u64,
    /// So few positions come back that this machine's predictor knows their branches by heart, by
    /// the knee that its self-test found. What a branchy design costs here is what it costs on
    /// positions that it has met before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub memorised: bool,
}

impl Panel {
    /// Whether all moves of all pieces are wanted.
    pub fn is_whole(&self) -> bool {
        self.stage == "all" && self.scope.is_none()
    }

    /// Whether nothing disturbs the calls and all moves of all pieces are wanted.
    pub fn is_plain(&self) -> bool {
        self.is_whole() && !self.regime.is_disturbed()
    }
}

/// Counts of one design over one workload, from an instrumenting tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Count {
    /// Design id.
    pub design: String,
    /// Workload name.
    pub workload: String,
    /// Stage.
    pub stage: String,
    /// Tool and version, with the parameters of its models.
    pub tool: String,
    /// Positions of the run.
    pub positions: u64,
    /// Moves of the run.
    pub moves: u64,
    /// Value and plane of each event, over the whole run.
    pub values: BTreeMap<String, CountValue>,
}

/// One counted or simulated value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CountValue {
    /// Over the whole run.
    pub value: u64,
    /// `counted` for instructions and branches, `simulated` for misses.
    pub plane: Plane,
}

/// A timing by another harness.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Timing {
    /// Design id.
    pub design: String,
    /// Workload name.
    pub workload: String,
    /// Stage.
    pub stage: String,
    /// Tool and version.
    pub tool: String,
    /// Unit of the three values, per move (`ns`, `ticks`).
    pub unit: String,
    /// Lower end of the tool's own interval, per move.
    pub low: f64,
    /// The tool's estimate, per move.
    pub estimate: f64,
    /// Upper end, per move.
    pub high: f64,
}

/// The last line of a complete journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct End {
    /// UTC, RFC 3339, to the second.
    pub finished: String,
    /// Rounds in the journal.
    pub rounds: u64,
}
