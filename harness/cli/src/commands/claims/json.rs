//! Claims and verdicts as JSON. docs/json.md documents every key.

use raywalk_judge::claims::{
    Claim, Condition, Decision, Judgement, Outcome, Property, Robustness, Test,
};
use serde::Serialize;

use crate::shapes::{self, Session};

/// A claim with its tests.
#[derive(Serialize)]
pub(super) struct Listed<'a> {
    claim: &'a str,
    says: &'a str,
    source: &'a str,
    ours: Option<&'a str>,
    on: Option<&'static str>,
    tests: Vec<Test>,
    wide: Option<&'a str>,
    no_pair: Option<&'a str>,
    /// Verdict without a session, from what is known before any measurement.
    verdict: Verdict,
}

/// The verdicts of a session on claims.
#[derive(Serialize)]
pub(super) struct Judged<'a> {
    #[serde(flatten)]
    session: Session<'a>,
    claims: Vec<Found<'a>>,
}

#[derive(Serialize)]
struct Found<'a> {
    claim: &'a str,
    says: &'a str,
    source: &'a str,
    ours: Option<&'a str>,
    #[serde(flatten)]
    verdict: Verdict,
    robustness: Vec<Row>,
    conditions: Vec<Case<'a>>,
}

/// The keys of a decision.
#[derive(Serialize)]
struct Verdict {
    decision: &'static str,
    within: Option<f64>,
    depends_on: Vec<Vec<&'static str>>,
    exceptions: Option<usize>,
    lacks: Vec<String>,
    why: Option<String>,
}

#[derive(Serialize)]
struct Row {
    outcome: &'static str,
    #[serde(flatten)]
    held: Robustness,
}

#[derive(Serialize)]
struct Case<'a> {
    test: usize,
    kind: &'static str,
    one: Option<&'a str>,
    other: Option<&'a str>,
    panel: Option<&'a str>,
    against: Option<&'a str>,
    workload: Option<&'a str>,
    regime: Option<String>,
    order: Option<String>,
    call: Option<String>,
    memorised: Option<[bool; 2]>,
    outcome: &'static str,
    within: Option<f64>,
    verdict: Option<shapes::Judgement>,
    value: Option<f64>,
    layouts: usize,
    processes: usize,
}

pub(super) fn list<'a>(judgements: &'a [Judgement<'_>]) -> Vec<Listed<'a>> {
    judgements.iter().map(listed).collect()
}

fn listed<'a>(judgement: &'a Judgement<'_>) -> Listed<'a> {
    let Claim { id, says, source, ours, on, wide, no_pair, .. } = judgement.claim;
    Listed {
        claim: id,
        says,
        source,
        ours: ours.as_deref(),
        on: on.map(|on| on.label()),
        tests: judgement.claim.tests(),
        wide: wide.as_deref(),
        no_pair: no_pair.as_deref(),
        verdict: Verdict::of(&judgement.decision),
    }
}

impl<'a> Judged<'a> {
    pub(super) fn of(
        session: &raywalk_judge::Judged<'a>,
        judgements: &'a [Judgement<'_>],
    ) -> Judged<'a> {
        let claims = judgements.iter().map(found).collect();
        Judged { session: Session::of(session), claims }
    }
}

fn found<'a>(judgement: &'a Judgement<'_>) -> Found<'a> {
    let Claim { id, says, source, ours, .. } = judgement.claim;
    Found {
        claim: id,
        says,
        source,
        ours: ours.as_deref(),
        verdict: Verdict::of(&judgement.decision),
        robustness: judgement
            .rows()
            .into_iter()
            .map(|(outcome, held)| Row { outcome: outcome.name(), held })
            .collect(),
        conditions: judgement.conditions.iter().map(case).collect(),
    }
}

impl Verdict {
    fn of(decision: &Decision) -> Verdict {
        let mut verdict = Verdict {
            decision: decision.kind().name(),
            within: None,
            depends_on: Vec::new(),
            exceptions: None,
            lacks: Vec::new(),
            why: None,
        };
        match decision {
            Decision::Equal { within } => verdict.within = Some(*within),
            Decision::Depends { on, against } => {
                verdict.exceptions = Some(*against);
                let labels = |set: &Vec<Property>| set.iter().map(|one| one.label()).collect();
                verdict.depends_on = on.iter().map(labels).collect();
            }
            Decision::NotMeasured { lacks } => verdict.lacks.clone_from(lacks),
            Decision::NotTestable { why } => verdict.why = Some(why.clone()),
            Decision::Supported
            | Decision::Contradicted
            | Decision::InPart
            | Decision::NotResolved => {}
        }
        verdict
    }
}

fn case(condition: &Condition) -> Case<'_> {
    let place = &condition.place;
    Case {
        test: condition.test + 1,
        kind: condition.kind.name(),
        one: condition.one.as_deref(),
        other: condition.other.as_deref(),
        panel: place.panel.as_deref(),
        against: place.against.as_deref(),
        workload: place.workload.as_deref(),
        regime: place.regime.map(|regime| regime.to_string()),
        order: place.order.map(|order| order.to_string()),
        call: place.call.map(|call| call.id()),
        memorised: place.memorised,
        outcome: condition.outcome.kind().name(),
        within: match condition.outcome {
            Outcome::Equal { within } => Some(within),
            _ => None,
        },
        verdict: condition.verdict.map(|verdict| Some(verdict).into()),
        value: condition.value,
        layouts: condition.layouts,
        processes: condition.processes,
    }
}
