//! The outcome of a test under one condition.

use std::collections::BTreeSet;

use raywalk_results::schema::{Call, Order, RegimeKind};
use raywalk_results::statistics::Verdict;

use super::data::{Counted, Expected};
use super::traits::Traits;

raywalk_results::named! {
    /// Source of an outcome: a clock, exact counts or a model.
    pub enum Kind {
        /// By timing designs in a session.
        Measured = "measured",
        /// By counting what was executed, or bytes.
        Counted = "counted",
        /// By a model of a predictor.
        Modelled = "modelled",
        /// By verification of the designs, before anything is timed.
        Verified = "verified",
        /// By computing a number that the source states.
        Arithmetic = "arithmetic",
    }
}

impl Kind {
    /// `Modelled` for mispredictions, `Counted` for other numbers that are not timed.
    pub(super) fn of(number: Counted) -> Kind {
        if number == Counted::Mispredictions { Kind::Modelled } else { Kind::Counted }
    }
}

/// The panel or workload that a test was applied to. Fields that do not concern its kind are absent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Place {
    /// Id of the panel: `workload/regime/call`.
    pub panel: Option<String>,
    /// Id of the panel with whose ratio that of the panel is compared; absent if it is compared with 1.
    pub against: Option<String>,
    /// Name of the workload, such as `ab4`.
    pub workload: Option<String>,
    /// Name and digest of each corpus of the workload; empty if the session does not name them.
    pub corpora: BTreeSet<String>,
    /// Kind of the panel's regime, such as `stream` or `cold`.
    pub regime: Option<RegimeKind>,
    /// Order of the positions, such as `tree` or `shuffled`.
    pub order: Option<Order>,
    /// The call that the panel times.
    pub call: Option<Call>,
    /// Whether `one` and `other` have memorised the positions; absent if the session does not show it.
    pub memorised: Option<[bool; 2]>,
    /// Moves that `one` finds per position.
    pub moves: Option<f64>,
    /// Number of positions after which the same ones return; infinite if they never do before a predictor is
    /// overwritten.
    pub returns: Option<f64>,
}

/// Outcome of a test under one condition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// The result agrees with the claim.
    Holds,
    /// The opposite is the case.
    Contradicts,
    /// A difference was claimed, and there is none. A difference that is as large as the claimed factor is not
    /// equality, and not resolved.
    Equal {
        /// Half-width of the band, as a fraction.
        within: f64,
    },
    /// The data do not decide.
    NotResolved,
}

impl Outcome {
    /// The outcome of a verdict on `one` against `other` times the factor.
    pub(super) fn of(expected: Expected, factor: f64, verdict: Option<Verdict>) -> Outcome {
        match (verdict, expected) {
            (None | Some(Verdict::NotResolved), _) => Outcome::NotResolved,
            (Some(Verdict::Faster(_)), Expected::Less | Expected::NoMore) => Outcome::Holds,
            (Some(Verdict::Faster(_)), Expected::Equal) => Outcome::Contradicts,
            (Some(Verdict::Slower(_)), _) => Outcome::Contradicts,
            (Some(Verdict::Equal { within }), Expected::Less) => match factor == 1.0 {
                true => Outcome::Equal { within },
                // Neither more than the claimed difference nor less.
                false => Outcome::NotResolved,
            },
            (Some(Verdict::Equal { .. }), _) => Outcome::Holds,
        }
    }

    /// The outcome without its band.
    pub const fn kind(self) -> OutcomeKind {
        match self {
            Outcome::Holds => OutcomeKind::Holds,
            Outcome::Contradicts => OutcomeKind::Contradicts,
            Outcome::Equal { .. } => OutcomeKind::Equal,
            Outcome::NotResolved => OutcomeKind::NotResolved,
        }
    }
}

raywalk_results::texts! {
    /// An [`Outcome`] without its band, in the order in which outcomes are told, with its name in tables.
    pub enum OutcomeKind: name {
        /// The result agrees with the claim: [`Outcome::Holds`].
        Holds = "holds",
        /// The opposite of the claim is the case: [`Outcome::Contradicts`].
        Contradicts = "contradicts",
        /// A difference was claimed, and there is none: [`Outcome::Equal`].
        Equal = "equal",
        /// The data do not decide: [`Outcome::NotResolved`].
        NotResolved = "not resolved",
    }
}

impl OutcomeKind {
    /// The outcome as a verb.
    pub(crate) const fn verb(self) -> &'static str {
        match self {
            OutcomeKind::Equal => "is equal",
            other => other.name(),
        }
    }
}

/// A test under one condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// Number of the test, from 0, in the order of [`Claim::tests`](super::Claim::tests).
    pub test: usize,
    /// How the outcome was found, such as by timing or by counting.
    pub kind: Kind,
    /// Id of the design that stood for `one`, or of the bounded one; absent for a figure.
    pub one: Option<String>,
    /// Id of the design that stood for `other`; absent for a bound and for a figure.
    pub other: Option<String>,
    /// Workload, regime and call of the test.
    pub place: Place,
    /// The verdict on `one` against `other`, with the claimed factor. In a comparison of counts, *faster*
    /// stands for a lower number.
    pub verdict: Option<Verdict>,
    /// The narrowest band around the claimed ratio that a difference of times must lie in; absent if it is too
    /// wide to call the sides equal.
    pub(super) band: Option<f64>,
    /// The number of a bound or figure.
    pub value: Option<f64>,
    /// Class, board and legality of its designs, and which caches their tables exceed.
    pub(super) traits: Traits,
    /// Outcome of the test under this condition.
    pub outcome: Outcome,
    /// Number of layouts that a timed condition was measured in; the layout of a program without seed counts.
    pub layouts: usize,
    /// Number of processes that a timed condition was measured in.
    pub processes: usize,
}

impl Condition {
    /// Calls the sides equal within the band, if it has one: for a test that no condition resolves.
    pub(super) fn settle(&mut self, expected: Expected, factor: f64) {
        if let Some(within) = self.band {
            let verdict = Some(Verdict::Equal { within });
            let outcome = Outcome::of(expected, factor, verdict);
            if outcome != Outcome::NotResolved {
                (self.verdict, self.outcome) = (verdict, outcome);
            }
        }
    }

    /// A condition without a verdict.
    pub(super) fn new(test: usize, kind: Kind, outcome: Outcome) -> Condition {
        Condition {
            test,
            kind,
            one: None,
            other: None,
            place: Place::default(),
            verdict: None,
            band: None,
            value: None,
            traits: Traits::default(),
            outcome,
            layouts: 0,
            processes: 0,
        }
    }
}
