//! The result schema: the records of a journal, one JSON object per line.
//!
//! A journal is the only input of a report. It begins with a [`Session`], then lists the designs and
//! panels, then grows by one [`Round`] at a time. Records of other tools (callgrind, criterion) have
//! the same form and stand beside the rounds.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::named;

mod absent;
mod build;
mod cache;
mod call;
mod card;
mod chain;
mod code;
mod event;
mod fit;
mod mark;
mod process;
mod regime;
mod round;
mod selftest;
mod shard;
mod traced;
mod unit;
mod version;
pub use absent::{Absent, Facility, Instrument, Reason};
pub use build::Build;
pub use cache::{Cache, CacheName};
pub use call::{Call, Operation, Scope, Search, Stage};
pub use card::{Control, Design, Dropped, Feature, Legality, Plugin, Status};
pub use chain::{Chain, SlopeInterval};
pub use code::{Code, CodeLine, WalkLoop};
pub use event::{CallgrindEvent, Event};
pub use fit::{Fit, FittedBlocks, FittedDesign, FittedOrder, Model, Pooled, SweepLine, SweepPoint};
pub use mark::Mark;
pub use process::{Process, WarmUp};
pub use regime::{Intensity, IntensityUnit, Learning, Order, Regime, RegimeKind};
pub use round::{Role, Round, Sample};
pub use selftest::{Band, Found, Grade, Knee, KneePoint, Selftest, Trial};
pub use shard::{Shard, ShardError};
pub use traced::{
    BranchSite, ByNode, CacheMisses, CacheUse, Counts, CriticalPath, LayoutMisses, Mispredictions,
    NodeUse, Trace, TracedPosition,
};
pub use unit::{Per, Quantity, Unit};
pub use version::{SchemaVersion, VersionError};

named! {
    /// The kinds of records.
    #[expect(missing_docs, reason = "each is the kind of the record of its name")]
    #[derive(schemars::JsonSchema)]
    pub enum RecordKind {
        Session = "session",
        Design = "design",
        Selftest = "selftest",
        Code = "code",
        Trace = "trace",
        Fit = "fit",
        Chain = "chain",
        Panel = "panel",
        Process = "process",
        WarmUp = "warm-up",
        Round = "round",
        Dropped = "dropped",
        Count = "count",
        Timing = "timing",
        End = "end",
    }
}

/// One line of a journal.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "record", rename_all = "kebab-case")]
#[expect(clippy::large_enum_variant, reason = "a record lives for one line; a box buys nothing")]
pub enum Record {
    /// Always the first line.
    Session(Session),
    /// A design that takes part, or the reason why it does not.
    Design(Design),
    /// The instruments, run on kernels with known answers.
    Selftest(Selftest),
    /// The machine code of a design's entry, as `raywalk audit` finds it.
    Code(Code),
    /// Exact counts of what a design executed, with modelled mispredictions and cache misses.
    Trace(Trace),
    /// A fit of modelled mispredictions to measured cycles, with its error.
    Fit(Fit),
    /// The dependency chain of a walk, with the time that it explains.
    Chain(Chain),
    /// One comparison: a workload, a regime, a call, and the designs measured in it.
    Panel(Panel),
    /// A process of the session started.
    Process(Process),
    /// The rounds of a panel that ran before the first kept one.
    WarmUp(WarmUp),
    /// All samples of one round of one panel.
    Round(Round),
    /// A plug-in that crashed, hung or gave a wrong answer while it was measured.
    Dropped(Dropped),
    /// Exact or simulated counts of one design, from an instrumenting tool.
    Count(Count),
    /// A timing by another harness, shown beside ours and never mixed with it.
    Timing(Timing),
    /// The plan was completed.
    End(End),
}

impl Record {
    /// The record of a line of a journal.
    ///
    /// A derived implementation would copy all values of a record before it knows the kind, and have twice the code.
    ///
    /// # Errors
    /// Of the parser, if the text is not one record.
    pub fn parse(text: &[u8]) -> Result<Record, serde_json::Error> {
        #[derive(Deserialize)]
        #[serde(expecting = "a record")]
        struct Head {
            record: String,
        }
        #[derive(Deserialize)]
        struct KnownHead {
            record: RecordKind,
        }
        // Most lines are rounds as this crate writes them. Every other line, and every fault, is read twice.
        let is_round = text.strip_prefix(b"{\"record\":\"").is_some_and(|rest| {
            let kind = RecordKind::Round.name().as_bytes();
            rest.strip_prefix(kind).is_some_and(|rest| rest.starts_with(b"\""))
        });
        if is_round && let Ok(round) = serde_json::from_slice(text) {
            return Ok(Record::Round(round));
        }
        let Head { record } = serde_json::from_slice(text).map_err(|error| {
            // Skipping does not detect a number that was cut, so the whole value is parsed for its error.
            serde_json::from_slice::<serde_json::Value>(text).err().unwrap_or(error)
        })?;
        let known = record
            .parse()
            .or_else(|_| serde_json::from_slice(text).map(|KnownHead { record }| record))?;
        Ok(match known {
            RecordKind::Session => Record::Session(serde_json::from_slice(text)?),
            RecordKind::Design => Record::Design(serde_json::from_slice(text)?),
            RecordKind::Selftest => Record::Selftest(serde_json::from_slice(text)?),
            RecordKind::Code => Record::Code(serde_json::from_slice(text)?),
            RecordKind::Trace => Record::Trace(serde_json::from_slice(text)?),
            RecordKind::Fit => Record::Fit(serde_json::from_slice(text)?),
            RecordKind::Chain => Record::Chain(serde_json::from_slice(text)?),
            RecordKind::Panel => Record::Panel(serde_json::from_slice(text)?),
            RecordKind::Process => Record::Process(serde_json::from_slice(text)?),
            RecordKind::WarmUp => Record::WarmUp(serde_json::from_slice(text)?),
            RecordKind::Round => Record::Round(serde_json::from_slice(text)?),
            RecordKind::Dropped => Record::Dropped(serde_json::from_slice(text)?),
            RecordKind::Count => Record::Count(serde_json::from_slice(text)?),
            RecordKind::Timing => Record::Timing(serde_json::from_slice(text)?),
            RecordKind::End => Record::End(serde_json::from_slice(text)?),
        })
    }

    pub(crate) fn kind(&self) -> RecordKind {
        match self {
            Record::Session(_) => RecordKind::Session,
            Record::Design(_) => RecordKind::Design,
            Record::Selftest(_) => RecordKind::Selftest,
            Record::Code(_) => RecordKind::Code,
            Record::Trace(_) => RecordKind::Trace,
            Record::Fit(_) => RecordKind::Fit,
            Record::Chain(_) => RecordKind::Chain,
            Record::Panel(_) => RecordKind::Panel,
            Record::Process(_) => RecordKind::Process,
            Record::WarmUp(_) => RecordKind::WarmUp,
            Record::Round(_) => RecordKind::Round,
            Record::Dropped(_) => RecordKind::Dropped,
            Record::Count(_) => RecordKind::Count,
            Record::Timing(_) => RecordKind::Timing,
            Record::End(_) => RecordKind::End,
        }
    }
}

named! {
    /// The origin of a number. Numbers of different provenance never share a column.
    #[derive(schemars::JsonSchema)]
    pub enum Provenance {
        /// By a clock or hardware counter, on this machine, in this run.
        Measured = "measured",
        /// An exact property of the executed code on the workload.
        Counted = "counted",
        /// By the model of a named external tool.
        Simulated = "simulated",
        /// By our own model, with its parameters and its fit.
        Modelled = "modelled",
    }
}

/// The conditions of a session: machine, build, clock and plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Session {
    /// Version of the schema that the journal is written in.
    pub schema: SchemaVersion,
    /// UTC, RFC 3339, to the second.
    pub started: String,
    /// Name of the plan (`quick`, `full`, or the plan file's stem).
    pub plan: String,
    /// Seed of every random order of the session.
    pub seed: u64,
    /// The command line, as typed, but for the folders of absolute paths.
    pub command: String,
    /// The machine that measured, as it describes itself.
    pub machine: Machine,
    /// The build of the program that measured.
    pub build: Build,
    /// The clock that timed the rounds.
    pub clock: Clock,
    /// The corpora used, with their digests.
    pub corpora: Vec<Corpus>,
    /// Instruments that this machine does not offer. Reports show them in place of their numbers.
    pub absent: Vec<Absent>,
    /// The processor that the measuring processes are pinned to, if pinning is allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processor: Option<usize>,
    /// The logical processors that share its core, if the system reports them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub siblings: Vec<usize>,
    /// Processes ready to run before the session began, averaged over 1, 5 and 15 minutes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<[f64; 3]>,
    /// Number of shares that the rounds of each panel are cut into, one for each process. A shard makes some of
    /// them.
    pub shares: u64,
    /// Seeds of the section orders that the shares take in turn; empty for the program as linked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layouts: Vec<u64>,
    /// The part of the plan that the session makes; absent if it makes all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// Number of shards that were merged into this journal; absent if one session made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merged: Option<u64>,
    /// Equality margin: designs that differ by less are called equal (0.01 is one per cent).
    pub margin: f64,
    /// Id of the headline panel.
    pub headline: String,
    /// The plan as the text of a plan file, changes by flags included, so that the session can be
    /// resumed without naming it again.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub plan_file: String,
}

/// The machine, as it describes itself. What it does not report is empty or absent.
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
    /// Hypervisor, if it identifies itself.
    pub hypervisor: Option<String>,
    /// Caches of the first processor.
    pub caches: Vec<Cache>,
    /// Operating system and kernel release.
    pub os: String,
    /// CPU features that matter here (`popcnt`, `bmi2`, `avx2`, …).
    pub features: Vec<String>,
    /// Policy that chooses the clock rate of the cores (`performance`, `powersave`), if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub governor: Option<String>,
    /// Whether a core may exceed its nominal rate for a while, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turbo: Option<bool>,
    /// Whether two logical processors share a core, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smt: Option<bool>,
}

named! {
    /// A counter that serves as clock.
    #[derive(schemars::JsonSchema)]
    pub enum ClockSource {
        /// The time-stamp counter of x86.
        Tsc = "tsc",
        /// The virtual counter of aarch64.
        Cntvct = "cntvct",
        /// The monotonic clock of the system, where no counter can be read.
        Monotonic = "monotonic",
        /// Virtual time of a test. No journal of a user has it, so the published schema leaves it out.
        #[schemars(skip)]
        Fake = "fake",
    }
}

/// The clock, measured at the start of the session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Clock {
    /// The counter that is read.
    pub source: ClockSource,
    /// Rate of the clock in ticks per second.
    pub hertz: f64,
    /// Smallest difference above zero between two readings, in ticks.
    pub quantum: u64,
    /// Ticks of an empty timed region.
    pub overhead: u64,
    /// Whether the CPU promises a constant rate.
    pub invariant: bool,
}

/// A corpus and its golden digest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Corpus {
    /// Name of the corpus, or of a user's file.
    pub name: String,
    /// Positions, repeats included.
    pub positions: u64,
    /// FNV-1a 64, sixteen hex digits: of a file over its positions, each as a FEN and a line feed; of a corpus over its
    /// numbers of legal moves modulo 256.
    pub digest: String,
    /// The workloads of the session that have positions of it; empty if the journal is older than version 3.7.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub workloads: Vec<String>,
}

impl Session {
    /// The corpora that a workload has positions of; empty if the journal does not say it.
    pub fn corpora_of(&self, workload: &str) -> Vec<&Corpus> {
        match &self.corpora[..] {
            [all] => vec![all],
            corpora => {
                let has = |corpus: &&Corpus| corpus.workloads.iter().any(|name| name == workload);
                corpora.iter().filter(has).collect()
            }
        }
    }
}

/// One comparison of designs on the same work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Panel {
    /// `workload/regime/call`, unique in the session.
    pub id: String,
    /// Name of the workload.
    pub workload: String,
    /// The regime: how the positions reach the designs, and the disturbance before each call.
    pub regime: Regime,
    /// The call that is timed for each position.
    pub call: Call,
    /// Positions of the workload, repeats included.
    pub positions: u64,
    /// Upper bound on the positions in one sample. Batches of a stream have different lengths.
    pub batch: u64,
    /// Upper bound on the [blocks](Sample::blocks) in a sample of a stream, and the approximate number in
    /// a sample of a replay.
    pub blocks: u64,
    /// Designs in registry order.
    pub designs: Vec<String>,
    /// The design that ratios refer to.
    pub baseline: String,
    /// The name under which the baseline runs a second time: the A/A control.
    pub aa_control: String,
    /// Rounds planned, those of other shards among them.
    pub rounds: u64,
    /// Untimed learning passes before each sample; absent if the boards of the positions do not stay loaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learning: Option<Learning>,
    /// The panel is a point of the memorisation curve, at K = [`Regime::period`].
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub memorisation_curve: bool,
}

impl Panel {
    /// The part that a [sample's design](Sample::design) has in the rounds of this panel.
    pub fn role(&self, design: &str) -> Role {
        if design == self.aa_control {
            Role::AaControl
        } else if design == self.baseline {
            Role::Baseline
        } else {
            Role::Design
        }
    }

    /// Whether nothing disturbs the calls and all that a node asks for is generated: all moves of all
    /// pieces, or the stage of each node.
    pub fn is_plain(&self) -> bool {
        self.call.is_complete() && !self.regime.is_disturbed()
    }
}

/// Counts of one design over one workload, from callgrind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Count {
    /// Id of the design.
    pub design: String,
    /// Name of the workload.
    pub workload: String,
    /// The stage whose moves were generated.
    pub stage: Stage,
    /// Name of the tool, with the parameters of its models.
    pub tool: String,
    /// Positions of the run, repeats included.
    pub positions: u64,
    /// Moves of the run.
    pub moves: u64,
    /// Value of each event over the whole run.
    pub values: BTreeMap<CallgrindEvent, u64>,
}

/// A timing by another harness.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Timing {
    /// Id of the design.
    pub design: String,
    /// Name of the workload.
    pub workload: String,
    /// The stage whose moves were generated.
    pub stage: Stage,
    /// Name of the tool, such as `criterion`.
    pub tool: String,
    /// Unit of the three values.
    pub unit: Unit,
    /// Lower end of the tool's own interval.
    pub low: f64,
    /// Point estimate of the tool.
    pub estimate: f64,
    /// Upper end of the tool's own interval.
    pub high: f64,
}

impl Timing {
    /// Checks that the values can be times of a call.
    ///
    /// # Errors
    /// A sentence that names the design.
    pub fn check(&self) -> Result<(), String> {
        let values = [self.low, self.estimate, self.high];
        if values.iter().all(|value| (0.0..=1e9).contains(value)) {
            return Ok(());
        }
        let design = &self.design;
        Err(format!(
            "low, estimate and high of the timing of {design:?} must be numbers from 0 to 1e9"
        ))
    }
}

/// The last line of a complete journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct End {
    /// UTC, RFC 3339, to the second.
    pub finished: String,
    /// Rounds in the journal.
    pub rounds: u64,
}
