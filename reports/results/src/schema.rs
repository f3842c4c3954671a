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
mod machine;
mod mark;
mod process;
mod regime;
mod round;
mod selftest;
mod session;
mod shard;
mod traced;
mod unit;
mod version;
pub use absent::{Absent, Facility, Instrument, Reason};
pub use build::{Build, OptLevel, Profile};
pub use cache::{Cache, CacheName};
pub use call::{Call, Operation, Scope, Search, Stage};
pub use card::{Control, Design, Dropped, Feature, Legality, Plugin, Status};
pub use chain::{Chain, SlopeInterval};
pub use code::{Code, CodeLine, WalkLoop};
pub use event::{CallgrindEvent, Event};
pub use fit::{Fit, FittedBlocks, FittedDesign, FittedOrder, Model, Pooled, SweepLine, SweepPoint};
pub use machine::{Clock, ClockSource, CpuModel, Machine};
pub use mark::Mark;
pub use process::{Process, WarmUp};
pub use regime::{Intensity, IntensityUnit, Learning, Order, Regime, RegimeKind};
pub use round::{Role, Round, Sample};
pub use selftest::{ExpectedRange, Found, Grade, Knee, KneePoint, Selftest, Trial};
pub use session::{Corpus, Session};
pub use shard::{Shard, ShardError};
pub use traced::{
    BranchSite, ByNode, CacheMisses, CacheUse, Counts, CriticalPath, LayoutMisses, Mispredictions,
    NodeUse, Trace, TracedPosition,
};
pub use unit::{Per, Quantity, Unit};
pub use version::{SchemaVersion, VersionError};

named! {
    /// The kind of a record: the value of `record` in its line.
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
    /// Always the first line: machine, build, clock and plan of the session.
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
    /// The plan was completed: the last line of a complete journal.
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

/// One comparison of designs on the same work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Panel {
    /// `workload/regime/call`, unique in the session.
    pub id: String,
    /// Name of the workload, such as `ab4`.
    pub workload: String,
    /// The regime: how the positions reach the designs, and the perturbation before each call.
    pub regime: Regime,
    /// The call that is timed for each position.
    pub call: Call,
    /// Positions of the workload, repeats included.
    pub positions: u64,
    /// Roots of the workload: its trees, or the parts that it is cut into; 0 in a journal that is older than version
    /// 3.11.
    #[serde(default)]
    pub roots: u64,
    /// Upper bound on the positions in one sample. Batches of a stream have different lengths.
    pub batch: u64,
    /// Upper bound on the [blocks](Sample::blocks) in a sample of a stream, and the approximate number in
    /// a sample of a replay.
    pub blocks: u64,
    /// Ids of the designs, in registry order.
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

    /// Whether nothing perturbs the calls and all that a node asks for is generated: all moves of all
    /// pieces, or the stage of each node.
    pub fn is_plain(&self) -> bool {
        self.call.is_complete() && !self.regime.is_perturbed()
    }
}

/// Counts of one design over one workload, from callgrind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Count {
    /// Id of the design, such as `bell/steps`.
    pub design: String,
    /// Name of the workload, such as `ab4`.
    pub workload: String,
    /// The stage whose moves were generated.
    pub stage: Stage,
    /// Name of the tool, with the parameters of its models.
    pub tool: String,
    /// Positions of the run, repeats included.
    pub positions: u64,
    /// Moves that were generated in the run, at all of its positions.
    pub moves: u64,
    /// Value of each event over the whole run.
    pub values: BTreeMap<CallgrindEvent, u64>,
}

/// A timing by another harness.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Timing {
    /// Id of the design, such as `bell/steps`.
    pub design: String,
    /// Name of the workload, such as `ab4`.
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
    /// Number of rounds in the journal, of all panels together.
    pub rounds: u64,
}
