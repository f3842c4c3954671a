//! The designs and panels that a session must measure to decide claims.

use std::collections::BTreeSet;

use raywalk_results::schema::{Call, Regime};

use super::data::{Claim, Comparison, Where, call, matches};

/// Designs and panels that a session needs to decide tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Ids of designs, or patterns.
    pub designs: BTreeSet<String>,
    /// The panels, each question once.
    pub panels: Vec<Asked>,
    /// Whether designs must be traced and their code audited.
    pub traces: bool,
}

/// The panels that a comparison needs with one of its calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The call that the panels time.
    pub call: Call,
    /// Workloads, regimes and orders; its list of calls is empty.
    pub place: Where,
}

impl Asked {
    /// Whether a panel answers the question.
    pub fn accepts(&self, call: Call, regime: &Regime, workload: &str) -> bool {
        self.call == call && self.place.accepts(regime, workload)
    }
}

impl Where {
    /// Whether a panel with one of the calls lies there.
    pub(super) fn accepts(&self, regime: &Regime, workload: &str) -> bool {
        let is_perturbed = regime.intensity.is_some_and(|one| one.amount > 0);
        (self.regimes.is_empty() || self.regimes.contains(&regime.kind))
            && (self.orders.is_empty() || self.orders.contains(&regime.order))
            && (self.workloads.is_empty() || matches(&self.workloads, workload))
            && self.perturbed.is_none_or(|wanted| wanted == is_perturbed)
    }
}

impl Needs {
    /// Combines the needs of all tests of these claims.
    pub fn of<'a>(claims: impl IntoIterator<Item = &'a Claim>) -> Needs {
        let mut needs = Needs::default();
        for claim in claims {
            for test in &claim.compare {
                needs.designs.extend(test.one.iter().chain(&test.other).cloned());
                for question in asked(test).into_iter().chain(asked_against(test)) {
                    if !needs.panels.contains(&question) {
                        needs.panels.push(question);
                    }
                }
            }
            for test in &claim.count {
                needs.designs.extend(test.one.iter().chain(&test.other).cloned());
                needs.traces |= !test.of.is_size();
            }
            for test in &claim.bound {
                needs.designs.extend(test.designs.iter().cloned());
                needs.traces |= !test.of.is_size();
            }
            needs.designs.extend(claim.verified.iter().cloned());
        }
        needs
    }
}

/// The panels of a comparison, one question for each of its calls; that of `other_call` is the last.
pub fn asked(test: &Comparison) -> Vec<Asked> {
    let calls = test.calls().into_iter().chain(test.other_call.as_deref().and_then(call));
    let question = |call| Asked { call, place: Where { calls: Vec::new(), ..test.place.clone() } };
    calls.map(question).collect()
}

/// The panels with which the ratios of a comparison are compared; empty if they are compared with 1.
pub fn asked_against(test: &Comparison) -> Vec<Asked> {
    let Some(against) = &test.against else { return Vec::new() };
    let own = &test.place;
    let regime = if against.regimes.is_empty() { own } else { against };
    let place = Where {
        calls: Vec::new(),
        regimes: regime.regimes.clone(),
        orders: named_or(&against.orders, &own.orders),
        workloads: named_or(&against.workloads, &own.workloads),
        perturbed: regime.perturbed,
    };
    test.calls().into_iter().map(|call| Asked { call, place: place.clone() }).collect()
}

fn named_or<T: Clone>(named: &[T], own: &[T]) -> Vec<T> {
    if named.is_empty() { own.to_vec() } else { named.to_vec() }
}
