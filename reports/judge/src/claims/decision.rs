//! From the outcomes of a claim's conditions to one decision.

use std::collections::BTreeMap;

use super::condition::{Condition, Kind, Outcome};
use super::property::{Cuts, Property};

/// Decision of a session on a claim.
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
    /// The resolved conditions have different outcomes.
    Depends {
        /// Properties that separate the outcomes, one alone or two together. If several do, those with the fewest
        /// values; empty if nothing separates them.
        on: Vec<Vec<Property>>,
        /// Number of conditions with another outcome than most that share their value; zero if the outcomes are
        /// separated without an exception.
        against: usize,
    },
    /// Some test has no resolved condition, and nothing speaks against the claim.
    NotResolved,
    /// Some test has no condition at all, and nothing speaks against the claim.
    NotMeasured {
        /// Missing data of the session, without repeats.
        lacks: Vec<String>,
    },
    /// No session can decide it.
    NotTestable {
        /// The reason, in words.
        why: String,
    },
}

impl Decision {
    /// Name of the decision in tables.
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

    /// Whether the session has data on the claim.
    pub const fn is_decided(&self) -> bool {
        use Decision::{Contradicted, Depends, Equal, Supported};
        matches!(self, Supported | Contradicted | Equal { .. } | Depends { .. })
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
        None => {
            let (on, against) = separating(&decisive(conditions));
            Decision::Depends { on, against }
        }
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

/// At most this fraction of the conditions may stand against a property that separates their outcomes.
const EXCEPTIONS: f64 = 0.1;

/// The properties whose values have one outcome each, or else the pairs of such properties, or else the property or
/// pair with the fewest exceptions, if they are few. The number of exceptions is the second value.
pub(super) fn separating(resolved: &[&Condition]) -> (Vec<Vec<Property>>, usize) {
    let single = singles();
    let all = Property::ALL.iter().enumerate();
    let later = |(at, &one): (usize, &Property)| {
        Property::ALL[at + 1..].iter().map(move |&two| vec![one, two])
    };
    let pairs: Vec<Vec<Property>> = all.flat_map(later).collect();
    let exact = [&single, &pairs].map(|sets| fewest(resolved, sets)).into_iter();
    if let Some(on) = exact.into_iter().find(|found| !found.is_empty()) {
        return (on, 0);
    }
    let most = (EXCEPTIONS * resolved.len() as f64) as usize;
    let near = [single, pairs]
        .into_iter()
        .find_map(|sets| closest_of(resolved, sets).filter(|&(_, against)| against <= most));
    near.map_or((Vec::new(), 0), |(set, against)| (vec![set], against))
}

/// The sets of properties that separate the outcomes with the fewest values.
fn fewest(resolved: &[&Condition], sets: &[Vec<Property>]) -> Vec<Vec<Property>> {
    let cuts = Cuts::of(resolved);
    let found: Vec<(Vec<Property>, usize)> = sets
        .iter()
        .filter_map(|set| match grouped_by(resolved, set, &cuts)? {
            Groups { values, against: 0 } => Some((set.clone(), values)),
            _ => None,
        })
        .collect();
    let fewest = found.iter().map(|&(_, count)| count).min();
    let found = found.into_iter().filter(|&(_, count)| Some(count) == fewest);
    let found: Vec<Vec<Property>> = found.map(|(set, _)| set).collect();
    // The same set with one property replaced.
    let said_better = |set: &[Property]| {
        (0..set.len()).any(|place| {
            let Some(better) = set[place].rather() else { return false };
            let mut other: Vec<Property> = set.to_vec();
            other[place] = better;
            other.sort_unstable();
            other.dedup();
            found.contains(&other)
        })
    };
    found.iter().filter(|set| !said_better(set)).cloned().collect()
}

/// Each property by itself.
fn singles() -> Vec<Vec<Property>> {
    Property::ALL.iter().map(|&one| vec![one]).collect()
}

/// The properties whose values come closest to separating the outcomes, and the number of conditions that stand against
/// them. `None` if none explains more than half of what the most frequent outcome leaves.
fn closest_of(resolved: &[&Condition], sets: Vec<Vec<Property>>) -> Option<(Vec<Property>, usize)> {
    let cuts = Cuts::of(resolved);
    let left = resolved.len() - most_frequent(resolved.iter().map(|one| one.outcome.name()));
    let against = sets.into_iter().filter_map(|set| {
        let against = grouped_by(resolved, &set, &cuts)?.against;
        Some((set, against))
    });
    against.filter(|(_, against)| 2 * against < left).min_by_key(|&(_, against)| against)
}

/// The conditions by the values of some properties.
struct Groups {
    /// Number of distinct values of the property.
    values: usize,
    /// Conditions with another outcome than most of their value.
    against: usize,
}

/// `None` if a condition has no value, and where nearly every condition has one of its own, as a workload often is:
/// that explains nothing.
fn grouped_by(resolved: &[&Condition], set: &[Property], cuts: &Cuts) -> Option<Groups> {
    let mut groups: BTreeMap<Vec<String>, Vec<&'static str>> = BTreeMap::new();
    for condition in resolved {
        let key =
            set.iter().map(|property| property.value(condition, cuts)).collect::<Option<_>>()?;
        groups.entry(key).or_default().push(condition.outcome.name());
    }
    let values = groups.len();
    let others = |group: &Vec<&'static str>| group.len() - most_frequent(group.iter().copied());
    let against = groups.values().map(others).sum();
    (values == 2 || 2 * values <= resolved.len()).then_some(Groups { values, against })
}

/// Number of occurrences of the most frequent outcome.
fn most_frequent(outcomes: impl Iterator<Item = &'static str>) -> usize {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for outcome in outcomes {
        *counts.entry(outcome).or_default() += 1;
    }
    counts.into_values().max().unwrap_or(0)
}
