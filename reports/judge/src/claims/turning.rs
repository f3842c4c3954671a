//! What a decision turns on, in words: the values of properties with each outcome, or where nothing separates the
//! outcomes, the comparisons one by one.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use raywalk_results::schema::{Call, Stage};

use crate::format::{list, plural};

use super::Judgement;
use super::condition::{Condition, Kind, Outcome, OutcomeKind};
use super::decision::{Resolved, by_test, decisive, separating};
use super::property::{Cuts, Property};

impl Judgement<'_> {
    /// `depends: holds in 20, contradicts in 5 of 25 resolved conditions`.
    pub(super) fn counts(&self) -> String {
        let decisive = decisive(&self.conditions);
        let is_timed = decisive.iter().all(|one| one.kind == Kind::Measured);
        let noun = if is_timed { "resolved timed condition" } else { "resolved condition" };
        let count = |(outcome, here): (OutcomeKind, Vec<_>)| {
            format!("{} in {}", outcome.verb(), here.len())
        };
        let counts: Vec<String> = outcomes(&decisive).map(count).collect();
        format!("depends: {} of {}", counts.join(", "), plural(decisive.len(), noun))
    }

    /// The outcome of more decisive conditions than have any other, as a verb.
    pub(crate) fn most(&self) -> Option<&'static str> {
        let decisive = decisive(&self.conditions);
        let mut counts: Vec<_> =
            outcomes(&decisive).map(|(outcome, here)| (here.len(), outcome.verb())).collect();
        counts.sort_by_key(|&(count, _)| Reverse(count));
        match counts[..] {
            [(most, outcome), (next, _), ..] => (most > next).then_some(outcome),
            _ => None,
        }
    }

    /// `holds: stream, cold; contradicts: replay`. A value stands at the outcome of most conditions that have it; the
    /// others, if there are any, are the last text: `otherwise in 2 of 40 conditions: …`. Of two properties the one
    /// with fewer values comes first, with a text for each of them: `a against b: holds with stream; contradicts with
    /// replay`, `c against d: holds throughout`.
    pub(super) fn turns_on(
        &self,
        decisive: &[&Condition],
        set: &[Property],
        against: usize,
    ) -> Vec<String> {
        let cuts = Cuts::of(decisive);
        // The result of a test tells its outcome, so it names tests only where all conditions of one agree.
        let value = |one: &Condition, property: Property| match property {
            Property::Test if against == 0 => Some(self.test(one)),
            _ => property.value(one, &cuts),
        };
        let values = |property: Property| {
            let all: BTreeSet<_> = decisive.iter().filter_map(|one| value(one, property)).collect();
            all.len()
        };
        let mut set = set.to_vec();
        set.sort_by_key(|&property| values(property));
        let (last, first) = match set[..] {
            [first, last] => (last, Some(first)),
            _ => (set[0], None),
        };
        let mut groups: BTreeMap<Option<String>, BTreeMap<String, Vec<&Condition>>> =
            BTreeMap::new();
        for &one in decisive {
            let group = first.map(|property| value(one, property).unwrap_or_default());
            let Some(value) = value(one, last) else { continue };
            groups.entry(group).or_default().entry(value).or_default().push(one);
        }
        let mut others: Vec<&Condition> = Vec::new();
        let texts = groups.iter().map(|(group, values)| {
            let mut of_outcome: BTreeMap<OutcomeKind, Vec<&str>> = BTreeMap::new();
            let known = others.len();
            for (value, conditions) in values {
                let count = |outcome: &OutcomeKind| {
                    conditions.iter().filter(|it| it.outcome.kind() == *outcome).count()
                };
                // Of outcomes that are equally frequent the first one of the list.
                let most = OutcomeKind::ALL.into_iter().rev().max_by_key(count);
                let Some(most) = most else { continue };
                of_outcome.entry(most).or_default().push(value);
                others.extend(conditions.iter().filter(|it| it.outcome.kind() != most));
            }
            let names =
                || of_outcome.iter().map(|(outcome, values)| (outcome.name(), values.join(", ")));
            match (group, of_outcome.len()) {
                (None, _) => names()
                    .map(|(name, all)| format!("{name}: {all}"))
                    .collect::<Vec<_>>()
                    .join("; "),
                (Some(group), 1) if others.len() == known => {
                    names().map(|(name, _)| format!("{group}: {name} throughout")).collect()
                }
                (Some(group), _) => {
                    let parts = names().map(|(name, all)| format!("{name} with {all}"));
                    format!("{group}: {}", parts.collect::<Vec<_>>().join("; "))
                }
            }
        });
        let mut texts: Vec<String> = texts.collect();
        if !others.is_empty() {
            let all = plural(decisive.len(), "condition");
            let sides = self.sides(&others);
            texts.push(format!("otherwise in {} of {all}: {sides}", others.len()));
        }
        texts
    }

    /// `holds in 3 of 3 resolved conditions: a takes less time than b (all moves)`, for each test that has any.
    pub(super) fn tests_one_by_one(&self) -> Vec<String> {
        let all = self.claim.tests();
        let text = |(number, found): (usize, Resolved)| {
            let supports = all.get(number).map_or("", |test| &test.supports).replace('`', "");
            let conditions = plural(found.all, "resolved condition");
            format!("holds in {} of {conditions}: {supports}", found.holds)
        };
        by_test(&self.conditions).into_iter().map(text).collect()
    }

    /// What each comparison turns on, where no property separates the outcomes of all of them: `a against b: holds in
    /// 12 conditions`, `c against d, by the regime: holds: stream; contradicts: replay`, `e against f: holds in 20
    /// conditions; contradicts in replay cycle-16`.
    pub(super) fn unseparated(&self) -> Vec<String> {
        let decisive = decisive(&self.conditions);
        let of_comparison = |(name, conditions): (String, Vec<&Condition>)| {
            let (on, against) = separating(&conditions);
            match on.first().filter(|_| outcomes(&conditions).count() > 1) {
                Some(set) => {
                    let mostly = if against > 0 { "mostly " } else { "" };
                    let values = self.turns_on(&conditions, set, against).join("; ");
                    format!("{name}, {mostly}by {}: {values}", properties(set))
                }
                None => {
                    let outcomes = outcomes(&conditions)
                        .map(|(outcome, here)| format!("{} {}", outcome.verb(), places(&here)));
                    format!("{name}: {}", outcomes.collect::<Vec<_>>().join("; "))
                }
            }
        };
        let why = "no property of the conditions separates all outcomes more clearly than chance"
            .to_owned();
        let comparisons = self.comparisons(&decisive).into_iter().map(of_comparison);
        [why].into_iter().chain(comparisons).collect()
    }

    /// `holds: a against b in stream x; contradicts: a against b in 12 conditions`.
    fn sides(&self, conditions: &[&Condition]) -> String {
        let side = |(outcome, here): (OutcomeKind, Vec<&Condition>)| {
            let of = |(name, conditions): &(String, Vec<&Condition>)| {
                format!("{name} {}", places(conditions))
            };
            let all: Vec<String> = self.comparisons(&here).iter().map(of).collect();
            format!("{}: {}", outcome.name(), list(&all))
        };
        outcomes(conditions).map(side).collect::<Vec<_>>().join("; ")
    }

    /// The conditions of each two designs, those with the most first. Conditions without designs are named by their
    /// test.
    fn comparisons<'c>(&self, conditions: &[&'c Condition]) -> Vec<(String, Vec<&'c Condition>)> {
        let mut found: Vec<(String, Vec<&Condition>)> = Vec::new();
        for &condition in conditions {
            let name = Property::Designs.value(condition, &Cuts::default());
            let name = name.unwrap_or_else(|| self.test(condition));
            match found.iter_mut().find(|(known, _)| *known == name) {
                Some((_, conditions)) => conditions.push(condition),
                None => found.push((name, vec![condition])),
            }
        }
        // A stable sort keeps the order of the tests.
        found.sort_by_key(|(_, conditions)| Reverse(conditions.len()));
        found
    }

    /// The test of a condition, as it came out.
    fn test(&self, condition: &Condition) -> String {
        let tests = self.claim.tests();
        let Some(test) = tests.get(condition.test) else { return String::new() };
        let text = match condition.outcome {
            Outcome::Contradicts => &test.contradicts,
            Outcome::Holds | Outcome::Equal { .. } | Outcome::NotResolved => &test.supports,
        };
        text.replace('`', "")
    }
}

/// The outcomes that occur, in the order in which they are told, with their conditions.
fn outcomes<'c>(
    conditions: &[&'c Condition],
) -> impl Iterator<Item = (OutcomeKind, Vec<&'c Condition>)> {
    OutcomeKind::ALL.into_iter().filter_map(|outcome| {
        let here: Vec<&Condition> =
            conditions.iter().copied().filter(|one| one.outcome.kind() == outcome).collect();
        (!here.is_empty()).then_some((outcome, here))
    })
}

/// More panels than this are counted instead.
const MOST_PANELS: usize = 8;

/// `in stream x and replay y`, or `in 12 conditions`. Conditions without a panel are counted, too.
fn places(conditions: &[&Condition]) -> String {
    let panel = |one: &&Condition| {
        let place = &one.place;
        let regime = place.regime.map(|regime| regime.to_string());
        let call = place.call.filter(|&call| call != Call::generate(Stage::All));
        let call = call.map(|call| call.label());
        let words: Vec<String> =
            [regime, place.workload.clone(), call].into_iter().flatten().collect();
        words.join(" ")
    };
    let panels: BTreeSet<String> =
        conditions.iter().map(panel).filter(|it| !it.is_empty()).collect();
    match panels.len() {
        1..=MOST_PANELS => format!("in {}", list(&panels.into_iter().collect::<Vec<_>>())),
        _ => format!("in {}", plural(conditions.len(), "condition")),
    }
}

/// `the regime and the call together`.
pub(super) fn properties(set: &[Property]) -> String {
    let labels: Vec<&str> = set.iter().map(|one| one.label()).collect();
    match labels[..] {
        [one] => one.to_owned(),
        _ => format!("{} together", list(&labels)),
    }
}

#[cfg(test)]
mod tests;
