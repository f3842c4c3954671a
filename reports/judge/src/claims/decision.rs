//! From the outcomes of a claim's conditions to one decision.

use std::collections::BTreeMap;

use super::condition::{Condition, Kind, Outcome, OutcomeKind};
use super::property::{CHANCE, Cuts, Property};

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
        /// The reason that the file of claims gives.
        why: String,
    },
}

impl Decision {
    /// The decision without its reasons.
    pub const fn kind(&self) -> DecisionKind {
        match self {
            Decision::Supported => DecisionKind::Supported,
            Decision::Contradicted => DecisionKind::Contradicted,
            Decision::Equal { .. } => DecisionKind::Equal,
            Decision::InPart => DecisionKind::InPart,
            Decision::Depends { .. } => DecisionKind::Depends,
            Decision::NotResolved => DecisionKind::NotResolved,
            Decision::NotMeasured { .. } => DecisionKind::NotMeasured,
            Decision::NotTestable { .. } => DecisionKind::NotTestable,
        }
    }

    /// Whether the session has data on the claim.
    pub const fn is_decided(&self) -> bool {
        self.kind().is_decided()
    }
}

raywalk_results::texts! {
    /// A [`Decision`] without its reasons, in the order in which decisions are told, with its name in tables.
    pub enum DecisionKind: name {
        /// Every test holds under every resolved condition: [`Decision::Supported`].
        Supported = "supported",
        /// Some resolved conditions contradict it, and it holds under none: [`Decision::Contradicted`].
        Contradicted = "contradicted",
        /// A difference was claimed, and there is none: [`Decision::Equal`].
        Equal = "equal",
        /// Some tests hold, and others hold under no condition that resolves them: [`Decision::InPart`].
        InPart = "true in part",
        /// The resolved conditions have different outcomes: [`Decision::Depends`].
        Depends = "depends",
        /// Some test has no resolved condition: [`Decision::NotResolved`].
        NotResolved = "not resolved",
        /// Some test has no condition at all: [`Decision::NotMeasured`].
        NotMeasured = "not measured",
        /// No session can decide it: [`Decision::NotTestable`].
        NotTestable = "not testable here",
    }
}

impl DecisionKind {
    /// Whether the session has data on the claim.
    pub const fn is_decided(self) -> bool {
        use DecisionKind::{Contradicted, Depends, Equal, InPart, Supported};
        matches!(self, Supported | Contradicted | Equal | InPart | Depends)
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
    let differ = timed.windows(2).any(|two| two[0].outcome.kind() != two[1].outcome.kind());
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
    let near = [single, pairs].into_iter().find_map(|sets| closest_of(resolved, sets, most));
    near.map_or((Vec::new(), 0), |(set, against)| (vec![set], against))
}

/// The sets of properties that separate the outcomes with the fewest values.
fn fewest(resolved: &[&Condition], sets: &[Vec<Property>]) -> Vec<Vec<Property>> {
    let cuts = Cuts::of(resolved);
    let found: Vec<(Vec<Property>, usize)> = sets
        .iter()
        .filter_map(|set| match grouped_by(resolved, set, &cuts)? {
            found @ Groups { against: 0, .. } if found.is_clear() => {
                Some((set.clone(), found.values))
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
/// them, at most so many. `None` if none explains more than half of what the most frequent outcome leaves.
fn closest_of(
    resolved: &[&Condition],
    sets: Vec<Vec<Property>>,
    most: usize,
) -> Option<(Vec<Property>, usize)> {
    let cuts = Cuts::of(resolved);
    let usual = most_frequent(resolved.iter().map(|one| one.outcome.kind()));
    let left = resolved.len() - usual.map_or(0, |(_, count)| count);
    let groups = sets.into_iter().filter_map(|set| Some((grouped_by(resolved, &set, &cuts)?, set)));
    let is_near = |(found, _): &(Groups, _)| found.against <= most && 2 * found.against < left;
    let mut near: Vec<(Groups, Vec<Property>)> = groups.filter(is_near).collect();
    // A stable sort keeps the order of the properties.
    near.sort_by_key(|(found, _)| found.against);
    let found = near.into_iter().find(|(found, _)| found.is_clear());
    found.map(|(found, set)| (set, found.against))
}

/// The conditions by the values of some properties.
struct Groups {
    /// Number of distinct values of the property.
    values: usize,
    /// Conditions with another outcome than most of their value.
    against: usize,
    /// Number of conditions with each value.
    sizes: Vec<usize>,
    /// Number of conditions with the most frequent outcome.
    with: usize,
    /// Whether a value is a side of a number that is cut where the outcomes change, so that either side may have
    /// either.
    has_cut: bool,
}

impl Groups {
    /// Whether chance would rarely find as few conditions against a set of properties, if all single properties and all
    /// pairs are tried. Conditions are taken as independent, which those of the same designs are not.
    fn is_clear(&self) -> bool {
        let tried = Property::ALL.len() * (Property::ALL.len() + 1) / 2;
        let sides = if self.has_cut { 2 } else { 1 };
        (tried * sides) as f64 * chance_of(&self.sizes, self.with, self.against) <= CHANCE
    }
}

/// `None` if a condition has no value, and where nearly every condition has one of its own, as a workload often is:
/// that explains nothing.
fn grouped_by(resolved: &[&Condition], set: &[Property], cuts: &Cuts) -> Option<Groups> {
    let mut groups: BTreeMap<Vec<String>, Vec<OutcomeKind>> = BTreeMap::new();
    for condition in resolved {
        let key =
            set.iter().map(|property| property.value(condition, cuts)).collect::<Option<_>>()?;
        groups.entry(key).or_default().push(condition.outcome.kind());
    }
    let values = groups.len();
    let all = most_frequent(resolved.iter().map(|one| one.outcome.kind()))?.0;
    let sizes: Vec<usize> = groups.values().map(Vec::len).collect();
    let with = resolved.iter().filter(|one| one.outcome.kind() == all).count();
    let others = |group: &Vec<OutcomeKind>| {
        group.len() - most_frequent(group.iter().copied()).map_or(0, |(_, count)| count)
    };
    let against = groups.values().map(others).sum();
    let has_cut = set.iter().any(|property| property.is_cut());
    let found = Groups { values, against, sizes, with, has_cut };
    (values == 2 || 2 * values <= resolved.len()).then_some(found)
}

/// The fraction of all orders of two outcomes, one of which occurs `with` times, in which at most `against` conditions
/// have another outcome than most of their group. Several outcomes count as two, which makes the fraction larger.
fn chance_of(sizes: &[usize], with: usize, against: usize) -> f64 {
    let all: usize = sizes.iter().sum();
    // By the number of conditions with the outcome and the number that stands against, so far.
    let mut ways = vec![vec![0.0; against + 1]; with + 1];
    ways[0][0] = 1.0;
    for &size in sizes {
        let mut next = vec![vec![0.0; against + 1]; with + 1];
        for (sum, row) in ways.iter().enumerate() {
            for (worse, &way) in row.iter().enumerate().filter(|(_, way)| **way > 0.0) {
                for here in 0..=size.min(with - sum) {
                    let worse = worse + here.min(size - here);
                    if worse <= against {
                        next[sum + here][worse] += way * choices(size, here);
                    }
                }
            }
        }
        ways = next;
    }
    ways[with].iter().sum::<f64>() / choices(all, with)
}

/// The number of ways to choose some of all.
fn choices(all: usize, some: usize) -> f64 {
    (1..=some).fold(1.0, |ways, n| ways * (all - some + n) as f64 / n as f64)
}

/// The most frequent outcome and its number; of equally frequent ones the first.
fn most_frequent(outcomes: impl Iterator<Item = OutcomeKind>) -> Option<(OutcomeKind, usize)> {
    let mut counts: BTreeMap<OutcomeKind, usize> = BTreeMap::new();
    for outcome in outcomes {
        *counts.entry(outcome).or_default() += 1;
    }
    // Of equal ones `max_by_key` takes the last, which is the first before the reversal.
    counts.into_iter().rev().max_by_key(|&(_, count)| count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chance_of_a_separation_is_the_share_of_all_orders() {
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found}");
        // Two conditions, each in a group of its own: any order has one outcome in each group.
        near(chance_of(&[1, 1], 1, 0), 1.0);
        // Four of eight in one of two groups: two of seventy orders.
        near(chance_of(&[4, 4], 4, 0), 2.0 / 70.0);
        // Four groups of two, two of which hold: six of seventy.
        near(chance_of(&[2, 2, 2, 2], 4, 0), 6.0 / 70.0);
        near(chance_of(&[1, 39], 1, 0), 1.0 / 40.0);
        // One exception: seven ways to have it in either group, of seven conditions each, of which six hold.
        near(chance_of(&[7, 7], 6, 1), 14.0 / 3003.0);
        // Half of all may stand against: any order will do.
        near(chance_of(&[2, 2], 2, 2), 1.0);
        near(chance_of(&[3, 5], 8, 0), 1.0);
        assert_eq!(choices(14, 6), 3003.0);
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
