//! What a session must measure to decide claims.

use std::collections::BTreeSet;

use raywalk_results::schema::{Call, RegimeKind};

use super::data::{Claim, call};

/// What tests ask of a session. A test without regimes or workloads is content with any, so it adds none here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Ids of designs, or patterns.
    pub designs: BTreeSet<String>,
    /// Calls to time.
    pub calls: BTreeSet<Call>,
    /// Regimes that some test names.
    pub regimes: BTreeSet<RegimeKind>,
    /// Workloads that some test names, or patterns.
    pub workloads: BTreeSet<String>,
    /// Whether designs must be traced.
    pub traces: bool,
}

impl Needs {
    /// What these claims need together.
    pub fn of<'a>(claims: impl IntoIterator<Item = &'a Claim>) -> Needs {
        let mut needs = Needs::default();
        for claim in claims {
            for test in &claim.compare {
                needs.designs.extend(test.one.iter().chain(&test.other).cloned());
                needs.calls.extend(test.calls());
                needs.calls.extend(test.other_call.as_deref().and_then(call));
                needs.regimes.extend(&test.place.regimes);
                needs.workloads.extend(test.place.workloads.iter().cloned());
            }
            for test in &claim.count {
                needs.designs.extend(test.one.iter().chain(&test.other).cloned());
                needs.traces |= test.of.is_executed();
            }
            for test in &claim.bound {
                needs.designs.extend(test.designs.iter().cloned());
                needs.traces |= test.of.is_executed();
            }
            needs.designs.extend(claim.verified.iter().cloned());
        }
        needs
    }
}
