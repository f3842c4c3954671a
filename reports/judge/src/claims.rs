//! The literature's claims, and the verdict of a session on each.
//!
//! A claim is written down before it is measured, in `claims/*.toml`; the headers of these files tell what was changed
//! later. It has the statement of its source in our words, and the tests that decide it. Each file holds the claims of
//! one group of sources. There are five kinds of tests:
//!
//! * a *comparison* of times: one design against another, in every panel that matches, or of the ratio of both in one
//!   panel with that in another;
//! * a *count* of what two designs executed, consist of or occupy, from traces, audits and cards;
//! * a *bound* on such a number of one design;
//! * a *figure*: arithmetic that needs no session;
//! * *verified*: the claim is about what designs find, and verification shows it.
//!
//! [`Needs`] lists what a session must measure for them, and [`judge`] applies the tests to a session. A test has one
//! outcome per *condition*: a panel, a trace, a design or a figure. No sentence is written by hand: those that
//! describe the results that support or contradict a claim are made from its tests ([`Claim::tests`]), and the
//! [`Decision`] follows from the outcomes.
//!
//! # From outcomes to a decision
//!
//! A claim is a conjunction: all its tests must hold. It is supported if every resolved condition holds and every test
//! has one, equal if all are equal, contradicted if some contradict it and none holds. Where no condition of a
//! comparison resolves a difference, the sides are equal within a narrow band (at most 5 %) if most conditions exclude
//! a larger difference. If a test holds under none of its resolved conditions and others hold, the claim is *true in
//! part*. If outcomes differ and each test holds somewhere, the claim *depends*, and the properties that separate the
//! outcomes are named if chance would rarely find as clear a separation in any that are tried. The chance takes
//! conditions as independent. Those of the same designs are not, so a property of designs may be named too easily. All
//! timed conditions of a claim share 95 %, so that many panels do not decide by chance. Two calls have no round in
//! common, so their comparison is the exception: it uses the intervals of both panels, each at its widest.

use std::collections::BTreeSet;

use raywalk_results::schema::{Design, Order, RegimeKind};
use raywalk_results::statistics::Verdict;

use crate::Judged;
use counted::Facts;
use traits::Traits;

mod condition;
mod counted;
mod data;
mod decision;
mod describe;
#[cfg(test)]
mod fixture;
mod needs;
mod processor;
mod property;
mod sentences;
mod timed;
mod traits;
mod turning;

pub use condition::{Condition, Kind, Outcome, OutcomeKind, Place};
pub use data::{
    Bound, Claim, ClaimError, Comparison, Count, Counted, Expected, Figure, PerWork, Where, parse,
};
pub use decision::{Decision, DecisionKind};
pub use describe::Test;
pub use needs::{Asked, Needs, asked, asked_against};
pub use processor::Processor;
pub use property::Property;
pub use sentences::tally;

/// The files of the claims: name and text.
pub const FILES: [(&str, &str); 6] = [
    ("t.toml", include_str!("../claims/t.toml")),
    ("p.toml", include_str!("../claims/p.toml")),
    ("g.toml", include_str!("../claims/g.toml")),
    ("b.toml", include_str!("../claims/b.toml")),
    ("w.toml", include_str!("../claims/w.toml")),
    ("m.toml", include_str!("../claims/m.toml")),
];

/// All claims, in the order of the files.
pub fn all() -> Vec<Claim> {
    let claims = |(file, text)| parse(file, text).expect("a file that a test reads");
    FILES.into_iter().flat_map(claims).collect()
}

/// A claim judged by a session.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement<'a> {
    /// The claim that is judged.
    pub claim: &'a Claim,
    /// The outcome under each condition that the session has, in the order of the tests.
    pub conditions: Vec<Condition>,
    /// The decision that follows from all outcomes.
    pub decision: Decision,
}

/// Judges each claim by a session.
pub fn judge<'a>(judged: &Judged<'_>, claims: &'a [Claim]) -> Vec<Judgement<'a>> {
    let session = timed::Session::of(judged);
    let facts = Facts::of(judged.results);
    let judge = |claim: &'a Claim| {
        let machine = &judged.results.session.machine;
        if let Some(on) = claim.on.filter(|on| !on.is_in(machine)) {
            let lacks = vec![format!("the claim is about {}", on.label())];
            let decision = Decision::NotMeasured { lacks };
            return Judgement { claim, conditions: Vec::new(), decision };
        }
        let times = timed::conditions(&session, &claim.compare);
        let lacks = |test: usize, comparison| {
            let has = times.iter().any(|condition| condition.test == test);
            (!has).then(|| timed::missing(facts.designs, comparison))
        };
        let lacks = claim.compare.iter().enumerate().map(|(test, one)| lacks(test, one)).collect();
        let mut judgement = judge_one(facts, claim, times, lacks);
        for Condition { place, .. } in &mut judgement.conditions {
            // Arithmetic has no positions.
            let corpora = place.workload.iter();
            let corpora = corpora.flat_map(|name| judged.results.session.corpora_of(name));
            place.corpora = corpora.map(|it| format!("{} {}", it.name, it.digest)).collect();
        }
        judgement
    };
    claims.iter().map(judge).collect()
}

/// Judges each claim by what needs no session: arithmetic, and the sizes of designs. Sizes that differ by less
/// than `margin` are equal.
pub fn judge_static<'a>(
    designs: &[Design],
    margin: f64,
    claims: &'a [Claim],
) -> Vec<Judgement<'a>> {
    let facts = Facts { designs, traces: &[], codes: &[], margin, caches: [None; 2] };
    let untimed = |claim: &Claim| vec![Some("a session".to_owned()); claim.compare.len()];
    claims.iter().map(|claim| judge_one(facts, claim, Vec::new(), untimed(claim))).collect()
}

/// Judges a claim by its conditions that are timed, and by facts. `lacks` has for each comparison of times what
/// the session lacks for it, if it lacks something.
fn judge_one<'a>(
    facts: Facts<'_>,
    claim: &'a Claim,
    mut conditions: Vec<Condition>,
    mut lacks: Vec<Option<String>>,
) -> Judgement<'a> {
    for count in &claim.count {
        let found = counted::compare(facts, count, lacks.len());
        lacks.push(found.is_empty().then(|| counted::missing(facts, count)));
        conditions.extend(found);
    }
    for bound in &claim.bound {
        let found = counted::bound(facts, bound, lacks.len());
        lacks.push(found.is_empty().then(|| counted::missing_bound(facts, bound)));
        conditions.extend(found);
    }
    for figure in &claim.figure {
        conditions.push(counted::figure(figure, lacks.len()));
        lacks.push(None);
    }
    if !claim.verified.is_empty() {
        conditions.extend(counted::verified(facts, &claim.verified, lacks.len()));
        lacks.push(timed::absent(facts.designs, &claim.verified));
    }
    for (test, comparison) in claim.compare.iter().enumerate() {
        settle(&mut conditions, test, comparison.expect, comparison.factor);
    }
    for condition in &mut conditions {
        let ids = [condition.one.as_deref(), condition.other.as_deref()];
        condition.traits = Traits::of(facts.designs, facts.caches, ids);
    }
    let decision = match &claim.untestable {
        Some(why) => Decision::NotTestable { why: why.clone() },
        None => decision::decide(&conditions, &lacks),
    };
    Judgement { claim, conditions, decision }
}

/// Decides a test in which no condition resolves a difference: if most conditions exclude a difference beyond a
/// narrow band, these show that the sides are equal within that band.
fn settle(conditions: &mut [Condition], test: usize, expected: Expected, factor: f64) {
    let of_test: Vec<&mut Condition> =
        conditions.iter_mut().filter(|one| one.test == test).collect();
    let is_open = of_test.iter().all(|one| one.outcome == Outcome::NotResolved);
    let narrow = of_test.iter().filter(|one| one.band.is_some()).count();
    if is_open && 2 * narrow > of_test.len() {
        of_test.into_iter().for_each(|one| one.settle(expected, factor));
    }
}

/// Range of the conditions with one outcome: shows how robust a decision is.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Robustness {
    /// Number of conditions with this outcome.
    pub conditions: usize,
    /// Kinds of the regimes of these conditions, as far as they have one.
    pub regimes: BTreeSet<RegimeKind>,
    /// Orders of the positions in these conditions.
    pub orders: BTreeSet<Order>,
    /// Names of the workloads of these conditions.
    pub workloads: BTreeSet<String>,
    /// Name and digest of each corpus of these workloads.
    pub corpora: BTreeSet<String>,
    /// The widest band in which the sides were called equal, as a fraction; absent if they were nowhere.
    pub within: Option<f64>,
    /// Fewest layouts that any timed condition was measured in; absent without a timed condition.
    pub layouts: Option<usize>,
    /// Fewest processes that any timed condition was measured in; absent without a timed condition.
    pub processes: Option<usize>,
    /// Whether some timed conditions were measured in more layouts or processes than others.
    pub differ: bool,
}

impl Judgement<'_> {
    /// Range of the conditions with this outcome.
    fn robustness(&self, outcome: OutcomeKind) -> Robustness {
        let mut row = Robustness::default();
        for condition in self.conditions.iter().filter(|one| one.outcome.kind() == outcome) {
            let Place { workload, corpora, regime, order, .. } = &condition.place;
            row.conditions += 1;
            row.regimes.extend(regime);
            row.orders.extend(order);
            row.workloads.extend(workload.clone());
            row.corpora.extend(corpora.clone());
            if let Some(Verdict::Equal { within }) = condition.verdict {
                row.within = Some(row.within.map_or(within, |widest| widest.max(within)));
            }
            if condition.kind == Kind::Measured {
                let least =
                    |known: Option<usize>, now: usize| Some(known.map_or(now, |n| n.min(now)));
                let differs = |known: Option<usize>, now| known.is_some_and(|n| n != now);
                row.differ |= differs(row.layouts, condition.layouts)
                    || differs(row.processes, condition.processes);
                row.layouts = least(row.layouts, condition.layouts);
                row.processes = least(row.processes, condition.processes);
            }
        }
        row
    }
}

#[cfg(test)]
mod tests;
