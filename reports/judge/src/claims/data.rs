//! Claims as data, and how they are read.

use raywalk_results::pattern::is_match;
use raywalk_results::schema::{Call, Order, RegimeKind, Stage};
use serde::Deserialize;

use super::processor::Processor;

mod checks;

/// A claim of the literature with the tests that decide it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Claim {
    /// Letter of the source and number: `T12`.
    pub id: String,
    /// Statement of the source, in our words.
    pub says: String,
    /// The source: author or site, title.
    pub source: String,
    /// What the statement adds to that of the source, so that something can be tested; absent if it adds nothing.
    pub ours: Option<String>,
    /// The processors that it is about; absent if it is about all. Sessions of other machines do not judge it.
    pub on: Option<Processor>,
    /// Comparisons of the times of two designs.
    #[serde(default)]
    pub compare: Vec<Comparison>,
    /// Comparisons of a counted number of two designs.
    #[serde(default)]
    pub count: Vec<Count>,
    /// Bounds on a counted number, which each design must keep.
    #[serde(default)]
    pub bound: Vec<Bound>,
    /// Numbers of the source that are computed, not measured.
    #[serde(default)]
    pub figure: Vec<Figure>,
    /// Ids of designs, or patterns, that hold the claim by being right: it is about what they find.
    #[serde(default)]
    pub verified: Vec<String>,
    /// Why no test can decide the claim here. Then there are no tests.
    pub untestable: Option<String>,
    /// In what else the designs differ where a comparison is not [audited](Comparison::audited).
    pub wide: Option<String>,
    /// Why no comparison is audited, if none is although the claim can be tested.
    pub no_pair: Option<String>,
}

/// Expected relation of the cost of `one` to that of `other`, times the factor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expected {
    /// `one` costs less.
    #[default]
    Less,
    /// It is lower or equal.
    NoMore,
    /// Both cost the same.
    Equal,
}

/// A comparison of the times of two designs.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Comparison {
    /// Ids of designs, or patterns such as `mailbox/*`. The fastest of them in a panel counts, if the panel has
    /// a design for each of them.
    pub one: Vec<String>,
    /// The designs on the other side. Those of `one` are not among them, unless the calls differ.
    pub other: Vec<String>,
    /// Expected relation of `one` to `other`.
    #[serde(default)]
    pub expect: Expected,
    /// The cost of `other` is multiplied by this factor: 0.8 requires that `one` is a fifth cheaper.
    #[serde(default = "unity")]
    pub factor: f64,
    /// Which panels decide the test; the key in the file is `where`.
    #[serde(default, rename = "where")]
    pub place: Where,
    /// The call of the other side, in the same workload and regime; that of `one` if absent. Costs per
    /// position are compared.
    pub other_call: Option<String>,
    /// Other panels: the ratio of `one` to `other` is compared with that of the same designs there, and not with 1.
    /// What this does not name, workload, order or regime, is as in the panel that decides; the call always is.
    pub against: Option<Where>,
    /// The two designs differ in one parameter, which `raywalk audit` confirms. They are a pair of
    /// `harness/cli/src/audit/pairs.toml` that names the claim, or are linked by such pairs, as three forms of one
    /// parameter are.
    #[serde(default)]
    pub audited: bool,
}

/// Panels that a comparison is about. An empty list of calls stands for `all`, the other empty lists stand for
/// everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Where {
    /// Calls by the last part of a panel's id: `captures`, `all-sliders`, `tree`, `piece-attacks`.
    #[serde(default)]
    pub calls: Vec<String>,
    /// Regimes of the panels; empty for all.
    #[serde(default)]
    pub regimes: Vec<RegimeKind>,
    /// Orders of the positions; empty for all.
    #[serde(default)]
    pub orders: Vec<Order>,
    /// Names of workloads, or patterns such as `density-*`.
    #[serde(default)]
    pub workloads: Vec<String>,
    /// Whether the regime perturbs the calls by an amount above 0; absent for both. A perturbation of 0 is measured in
    /// the same way, so that the two can be compared.
    pub perturbed: Option<bool>,
}

raywalk_results::texts! {
    /// A number that is counted, not timed.
    #[derive(Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Counted: label {
        /// Executed instructions per position.
        Instructions = "instructions",
        /// Executed branches per position, conditional and indirect.
        Branches = "branches",
        /// Reads of memory by instructions.
        Loads = "loads",
        /// Writes to memory by instructions.
        Stores = "stores",
        /// Distinct cache lines that a call touches.
        Lines = "cache lines",
        /// Mispredictions in a stream, by the model that explains the clock best.
        Mispredictions = "modelled mispredictions",
        /// Conditional jumps in the innermost loop that walks most squares.
        WalkBranches = "conditional jumps in the loop of the walk",
        /// Operands on the stack in that loop.
        WalkStackOperands = "operands on the stack in the loop of the walk",
        /// Bytes of the tables as built.
        TableBytes = "table bytes",
        /// Bytes that one board needs.
        BoardBytes = "board bytes",
        /// Bytes of a move in the list.
        MoveBytes = "bytes of a move",
    }
}

/// Unit of work that a counted number is divided by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PerWork {
    /// The moves that were found.
    Move,
    /// Visited squares, on each ray up to and including the first piece.
    Square,
    /// Executed instructions.
    Instruction,
}

/// A comparison of a counted number of two designs, per position or absolute.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Count {
    /// Ids of designs, or patterns. The lowest number counts.
    pub one: Vec<String>,
    /// The designs on the other side.
    pub other: Vec<String>,
    /// The counted number that is compared, such as `instructions`.
    pub of: Counted,
    /// Expected relation of `one` to `other`.
    #[serde(default)]
    pub expect: Expected,
    /// The number of `other` is multiplied by this factor.
    #[serde(default = "unity")]
    pub factor: f64,
    /// The two designs differ in one parameter, as in [`Comparison::audited`].
    #[serde(default)]
    pub audited: bool,
}

/// A bound on a counted number, which each of the designs must keep.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Bound {
    /// Ids of designs, or patterns.
    pub designs: Vec<String>,
    /// The counted number that is bounded, such as `table-bytes`.
    pub of: Counted,
    /// Unit of work that it is divided by; absent for a value per position or an absolute one.
    pub per: Option<PerWork>,
    /// Least number that the claim allows; absent without a lower bound.
    pub least: Option<f64>,
    /// Greatest number that the claim allows; absent without an upper bound.
    pub most: Option<f64>,
}

/// Arithmetic: a number that a source states, and how it is computed.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Figure {
    /// Noun for the computed number.
    pub what: String,
    /// The sum of these products.
    pub terms: Vec<Vec<u64>>,
    /// The least number that the claim allows.
    pub least: u64,
    /// The greatest number that the claim allows.
    pub most: u64,
}

impl Figure {
    /// The sum; `None` if it leaves the range of 64 bits.
    pub fn value(&self) -> Option<u64> {
        let product =
            |term: &Vec<u64>| term.iter().try_fold(1u64, |all, &one| all.checked_mul(one));
        self.terms.iter().try_fold(0u64, |sum, term| sum.checked_add(product(term)?))
    }
}

/// A claim that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClaimError {
    /// The text is no TOML of this form.
    #[error("{file}, line {line}: {why}")]
    Form {
        /// Name of the file, as the caller gave it.
        file: String,
        /// Number of the line, from 1.
        line: usize,
        /// The rest of the sentence.
        why: String,
    },
    /// A claim contradicts itself, or its id occurs twice.
    #[error("{file}: claim `{id}` {why}")]
    Claim {
        /// Name of the file, as the caller gave it.
        file: String,
        /// Id of the claim, the value of its key `id`.
        id: String,
        /// The rest of the sentence.
        why: String,
    },
}

/// Reads the claims of a file, each a table `[[claim]]`.
///
/// # Errors
/// A sentence that names the file and the line or the claim.
pub fn parse(file: &str, text: &str) -> Result<Vec<Claim>, ClaimError> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        claim: Vec<Claim>,
    }
    let File { claim: claims } = toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start.min(text.len()));
        let line = 1 + text.as_bytes()[..start].iter().filter(|&&byte| byte == b'\n').count();
        let why = error.message().lines().collect::<Vec<_>>().join(", ");
        ClaimError::Form { file: file.to_owned(), line, why }
    })?;
    for (place, claim) in claims.iter().enumerate() {
        let again = claims[..place].iter().any(|other| other.id == claim.id);
        let fault = if again { Err("occurs twice".to_owned()) } else { claim.check() };
        fault.map_err(|why| {
            let (file, id) = (file.to_owned(), claim.id.clone());
            ClaimError::Claim { file, id, why }
        })?;
    }
    Ok(claims)
}

impl Comparison {
    /// The calls of the side `one`.
    pub fn calls(&self) -> Vec<Call> {
        let all = Call::generate(Stage::All);
        let named: Vec<Call> = self.place.calls.iter().filter_map(|name| call(name)).collect();
        if named.is_empty() { vec![all] } else { named }
    }
}

impl Counted {
    /// Whether it is about executed code, so that it comes from a trace.
    pub const fn is_executed(self) -> bool {
        !(self.is_of_code() || self.is_size())
    }

    /// Whether it is about machine code, so that it comes from an audit.
    pub(crate) const fn is_of_code(self) -> bool {
        matches!(self, Counted::WalkBranches | Counted::WalkStackOperands)
    }

    /// Whether it is on the card of a design.
    pub(crate) const fn is_size(self) -> bool {
        matches!(self, Counted::TableBytes | Counted::BoardBytes | Counted::MoveBytes)
    }
}

const fn unity() -> f64 {
    1.0
}

/// Whether a name matches one of the patterns.
pub(super) fn matches(patterns: &[String], name: &str) -> bool {
    patterns.iter().any(|pattern| is_match(pattern, name))
}

pub(super) fn call(id: &str) -> Option<Call> {
    id.parse().ok()
}
