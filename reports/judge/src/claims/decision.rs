//! From the outcomes of a claim's conditions to one decision.

use std::collections::BTreeMap;

use super::condition::{Condition, Kind, Outcome};
use super::property::{Cuts, Property};

/// Decision of a session on a claim.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// Every test holds under every resolved condition.
    Supported,
    /// Some resolved conditions contradict it, and it holds under none.
    Contradicted,
    /// A difference was claimed, and there is none under any resolved condition.
    Equal {
        /// The widest band, as a fraction.
        within: f64,
    },
    /// Some tests hold, and others hold under no condition that resolves them, so there is no condition under which the
    /// whole claim is true.
    InPart,
    /// The resolved conditions have different outcomes, and each test holds under some of them.
    Depends {
        /// Properties that separate the outcomes more clearly than chance would, one alone or two together. If several
        /// do, those with the fewest values; empty if none does.
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
            Decision::InPart => "true in part",
            Decision::Depends { .. } => "depends",
            Decision::NotResolved => "not resolved",
            Decision::NotMeasured { .. } => "not measured",
            Decision::NotTestable { .. } => "not testable here",
        }
    }

    /// Whether the session has data on the claim.
    pub const fn is_decided(&self) -> bool {
        use Decision::{Contradicted, Depends, Equal, InPart, Supported};
        matches!(self, Supported | Contradicted | Equal { .. } | InPart | Depends { .. })
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
    let widest = resolved.iter().try_fold(0.0, |widest: f64, one| match one.outcome {
        Outcome::Equal { within } => Some(widest.max(within)),
        _ => None,
    });
    if let Some(within) = widest {
        return Decision::Equal { within };
    }
    if resolved.iter().all(|one| one.outcome != Outcome::Holds) {
        return Decision::Contradicted;
    }
    // A claim is a conjunction, so conditions of another test cannot make up for this one.
    if by_test(conditions).values().any(|count| count.holds == 0) {
        return Decision::InPart;
    }
    let (on, against) = separating(&decisive(conditions));
    Decision::Depends { on, against }
}

/// The resolved conditions of a test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Resolved {
    /// Those under which it holds.
    pub holds: usize,
    pub all: usize,
}

/// The resolved conditions of each test that has any, by its number.
pub(super) fn by_test(conditions: &[Condition]) -> BTreeMap<usize, Resolved> {
    let mut tests: BTreeMap<usize, Resolved> = BTreeMap::new();
    for one in conditions.iter().filter(|one| one.outcome != Outcome::NotResolved) {
        let test = tests.entry(one.test).or_default();
        test.all += 1;
        test.holds += usize::from(one.outcome == Outcome::Holds);
    }
    tests
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

/// Properties are named only if chance would find one of all that are tried in at most so many claims.
const CHANCE: f64 = 0.05;

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
            Groups { values, against: 0, chance } if is_clear(chance, sets) => {
                Some((set.clone(), values))
            }
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
    let most = most_frequent(resolved.iter().map(|one| one.outcome.name()));
    let left = resolved.len() - most.map_or(0, |(_, count)| count);
    let against = sets.iter().filter_map(|set| {
        let Groups { against, chance, .. } = grouped_by(resolved, set, &cuts)?;
        is_clear(chance, &sets).then(|| (set.clone(), against))
    });
    against.filter(|(_, against)| 2 * against < left).min_by_key(|&(_, against)| against)
}

/// Whether a set of properties separates outcomes as chance rarely would, if all of these sets are tried.
fn is_clear(chance: f64, sets: &[Vec<Property>]) -> bool {
    chance * sets.len() as f64 <= CHANCE
}

/// The conditions by the values of some properties.
struct Groups {
    /// Number of distinct values of the property.
    values: usize,
    /// Conditions with another outcome than most of their value.
    against: usize,
    /// The fraction of all orders of the outcomes, without those that stand against, in which each value has one outcome.
    chance: f64,
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
    let kept: Vec<(&str, usize)> =
        groups.values().filter_map(|group| most_frequent(group.iter().copied())).collect();
    let against = resolved.len() - kept.iter().map(|(_, count)| count).sum::<usize>();
    (values == 2 || 2 * values <= resolved.len()).then(|| {
        let chance = chance_of(&kept);
        Groups { values, against, chance }
    })
}

/// The fraction of all orders of the outcomes in which each group has one outcome. A group has an outcome and a size.
/// Outcomes other than that of the first group count as one, which makes the fraction larger.
fn chance_of(groups: &[(&str, usize)]) -> f64 {
    let all: usize = groups.iter().map(|(_, size)| size).sum();
    let Some(&(first, _)) = groups.first() else { return 1.0 };
    let chosen: usize =
        groups.iter().filter(|(outcome, _)| *outcome == first).map(|(_, size)| size).sum();
    // The number of sets of groups with so many conditions together.
    let mut sets = vec![0.0; all + 1];
    sets[0] = 1.0;
    for &(_, size) in groups {
        for sum in (size..=all).rev() {
            sets[sum] += sets[sum - size];
        }
    }
    let orders = (1..=chosen).fold(1.0, |orders, n| orders * (all - chosen + n) as f64 / n as f64);
    sets[chosen] / orders
}

/// The most frequent outcome and its number; of equally frequent ones the first by name.
fn most_frequent<'o>(outcomes: impl Iterator<Item = &'o str>) -> Option<(&'o str, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for outcome in outcomes {
        *counts.entry(outcome).or_default() += 1;
    }
    counts.into_iter().rev().max_by_key(|&(_, count)| count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chance_of_a_separation_is_the_share_of_all_orders() {
        // Two of two conditions, each in a group of its own: any order has one outcome in each group.
        assert_eq!(chance_of(&[("holds", 1), ("contradicts", 1)]), 1.0);
        // Four of eight in one of two groups: two of seventy orders.
        let fraction = chance_of(&[("holds", 4), ("contradicts", 4)]);
        assert!((fraction - 2.0 / 70.0).abs() < 1e-12, "{fraction}");
        // Four groups of two, two of which hold: six of seventy.
        let groups = [("holds", 2), ("holds", 2), ("contradicts", 2), ("contradicts", 2)];
        assert!((chance_of(&groups) - 6.0 / 70.0).abs() < 1e-12);
        // One of forty in a group of its own.
        assert!((chance_of(&[("holds", 1), ("contradicts", 39)]) - 1.0 / 40.0).abs() < 1e-12);
        // All alike: nothing is separated.
        assert_eq!(chance_of(&[("holds", 3), ("holds", 5)]), 1.0);
        assert_eq!(chance_of(&[]), 1.0);
    }

    #[test]
    fn a_claim_with_a_test_that_holds_nowhere_is_true_in_part_only() {
        let condition = |test, outcome| Condition::new(test, Kind::Counted, outcome);
        let (holds, contradicts) = (Outcome::Holds, Outcome::Contradicts);
        let equal = Outcome::Equal { within: 0.01 };
        let decided = |conditions: &[(usize, Outcome)]| {
            let made: Vec<Condition> =
                conditions.iter().map(|&(test, outcome)| condition(test, outcome)).collect();
            decide(&made, &[None, None])
        };
        assert_eq!(decided(&[(0, holds), (1, contradicts)]), Decision::InPart);
        assert_eq!(decided(&[(0, holds), (1, equal)]), Decision::InPart);
        assert_eq!(decided(&[(0, holds), (0, contradicts), (1, contradicts)]), Decision::InPart);
        // Each test holds somewhere.
        let mixed = decided(&[(0, holds), (1, holds), (1, contradicts)]);
        assert!(matches!(mixed, Decision::Depends { .. }), "{mixed:?}");
        // What holds nowhere is contradicted, also if no difference was found somewhere.
        assert_eq!(decided(&[(0, equal), (1, contradicts)]), Decision::Contradicted);
        assert_eq!(decided(&[(0, contradicts), (1, contradicts)]), Decision::Contradicted);
    }
}
