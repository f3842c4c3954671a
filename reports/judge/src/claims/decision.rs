//! From the outcomes of a claim's conditions to one decision.

use std::collections::BTreeMap;

use super::condition::{Condition, Kind, Outcome};

/// What a session says about a claim.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// Every test holds under every resolved condition.
    Supported,
    /// Every resolved condition contradicts it.
    Contradicted,
    /// A difference was claimed, and there is none under any resolved condition.
    Equal {
        /// The widest band, as a fraction.
        within: f64,
    },
    /// Outcomes differ.
    Depends {
        /// What separates the outcomes: one property, or two together. If several do, those with the fewest
        /// values; empty if nothing separates them.
        on: Vec<Vec<Property>>,
    },
    /// Some test has no resolved condition, and nothing speaks against the claim.
    NotResolved,
    /// Some test has no condition at all, and nothing speaks against the claim.
    NotMeasured {
        /// What the session lacks, without repeats.
        lacks: Vec<String>,
    },
    /// No session can decide it.
    NotTestable {
        /// The reason, in words.
        why: String,
    },
}

impl Decision {
    /// Its name in tables.
    pub const fn name(&self) -> &'static str {
        match self {
            Decision::Supported => "supported",
            Decision::Contradicted => "contradicted",
            Decision::Equal { .. } => "equal",
            Decision::Depends { .. } => "depends",
            Decision::NotResolved => "not resolved",
            Decision::NotMeasured { .. } => "not measured",
            Decision::NotTestable { .. } => "not testable here",
        }
    }

    /// Whether the data tell something about the claim.
    pub const fn is_decided(&self) -> bool {
        use Decision::{Contradicted, Depends, Equal, Supported};
        matches!(self, Supported | Contradicted | Equal { .. } | Depends { .. })
    }
}

raywalk_results::texts! {
    /// A property of conditions on which outcomes may turn.
    pub enum Property: label {
        /// Which of the two designs have the positions by heart.
        Memorised = "which design knows the positions by heart",
        /// The regime.
        Regime = "the regime",
        /// The order of the positions.
        Order = "the order of the positions",
        /// The call.
        Call = "the call",
        /// The designs, which differ between tests and where the fastest of several counts.
        Designs = "the designs",
        /// The workload.
        Workload = "the workload",
        /// The test, where the others do not tell.
        Test = "the test",
    }
}

impl Property {
    /// The value of a condition as text; `None` if it has none.
    fn of(self, condition: &Condition) -> Option<String> {
        let place = &condition.place;
        match self {
            Property::Memorised => place.memorised.map(|known| format!("{known:?}")),
            Property::Regime => place.regime.map(|regime| regime.to_string()),
            Property::Order => place.order.map(|order| order.to_string()),
            Property::Call => place.call.map(|call| call.id()),
            Property::Designs => {
                let one = condition.one.as_ref()?;
                Some(format!("{one} {}", condition.other.as_deref().unwrap_or_default()))
            }
            Property::Workload => place.workload.clone(),
            Property::Test => Some(condition.test.to_string()),
        }
    }
}

/// The decision. `missing` has an entry for each test: what the session lacks for it, if it lacks something.
pub(super) fn decide(conditions: &[Condition], missing: &[Option<String>]) -> Decision {
    let resolved: Vec<&Condition> =
        conditions.iter().filter(|one| one.outcome != Outcome::NotResolved).collect();
    let all = |is: fn(&Outcome) -> bool| resolved.iter().all(|one| is(&one.outcome));
    if resolved.is_empty() || all(|outcome| *outcome == Outcome::Holds) {
        return supported(&resolved, missing);
    }
    if all(|outcome| *outcome == Outcome::Contradicts) {
        return Decision::Contradicted;
    }
    let widest = resolved.iter().try_fold(0.0, |widest: f64, one| match one.outcome {
        Outcome::Equal { within } => Some(widest.max(within)),
        _ => None,
    });
    match widest {
        Some(within) => Decision::Equal { within },
        None => Decision::Depends { on: separating(&decisive(conditions)) },
    }
}

/// The decision if no resolved condition speaks against the claim.
fn supported(resolved: &[&Condition], missing: &[Option<String>]) -> Decision {
    let mut lacks: Vec<String> = Vec::new();
    for what in missing.iter().flatten() {
        if !lacks.contains(what) {
            lacks.push(what.clone());
        }
    }
    let is_open = |test: usize| resolved.iter().all(|one| one.test != test);
    if !lacks.is_empty() {
        Decision::NotMeasured { lacks }
    } else if (0..missing.len()).any(is_open) {
        Decision::NotResolved
    } else {
        Decision::Supported
    }
}

/// The resolved conditions whose outcomes decide. Times are looked at alone if their outcomes differ, because
/// counts have no regime.
pub(super) fn decisive(conditions: &[Condition]) -> Vec<&Condition> {
    let resolved: Vec<&Condition> =
        conditions.iter().filter(|one| one.outcome != Outcome::NotResolved).collect();
    let timed: Vec<&Condition> =
        resolved.iter().copied().filter(|one| one.kind == Kind::Measured).collect();
    let differ = timed.windows(2).any(|two| two[0].outcome.name() != two[1].outcome.name());
    if differ { timed } else { resolved }
}

/// The properties of which each value has one outcome only, or else the pairs of them.
fn separating(resolved: &[&Condition]) -> Vec<Vec<Property>> {
    let single = Property::ALL.iter().map(|&one| vec![one]).collect();
    let found = fewest(resolved, single);
    if !found.is_empty() {
        return found;
    }
    let all = Property::ALL.iter().enumerate();
    let later = |(at, &one): (usize, &Property)| {
        Property::ALL[at + 1..].iter().map(move |&two| vec![one, two])
    };
    fewest(resolved, all.flat_map(later).collect())
}

/// Of the sets of properties that separate the outcomes, those with the fewest values. Where nearly every
/// condition has a value of its own, as a workload often is, a set explains nothing and is left out.
fn fewest(resolved: &[&Condition], sets: Vec<Vec<Property>>) -> Vec<Vec<Property>> {
    let general = |&count: &usize| count == 2 || 2 * count <= resolved.len();
    let found: Vec<(Vec<Property>, usize)> = sets
        .into_iter()
        .filter_map(|set| values(resolved, &set).filter(general).map(|count| (set, count)))
        .collect();
    let fewest = found.iter().map(|&(_, count)| count).min();
    found.into_iter().filter(|&(_, count)| Some(count) == fewest).map(|(set, _)| set).collect()
}

/// The number of values of these properties together, if each value has one outcome only.
fn values(resolved: &[&Condition], set: &[Property]) -> Option<usize> {
    let mut groups: BTreeMap<Vec<String>, &'static str> = BTreeMap::new();
    for condition in resolved {
        let outcome = condition.outcome.name();
        let key = set.iter().map(|property| property.of(condition)).collect::<Option<_>>()?;
        if *groups.entry(key).or_insert(outcome) != outcome {
            return None;
        }
    }
    Some(groups.len())
}
