//! A judgement in words. All sentences are made from the decision and its conditions.

use std::collections::{BTreeMap, BTreeSet};

use raywalk_results::schema::{Call, Stage};

use crate::format::{list, percent, plural};

use super::condition::{Condition, Kind, Outcome};
use super::decision::{Decision, closest, decisive};
use super::property::{Cuts, Property};
use super::{Judgement, Robustness};

/// More names than this are counted in a text and [listed](Robustness::lists) beside it.
const MOST_NAMES: usize = 8;

impl Outcome {
    /// All outcomes by their name, in the order in which they are told.
    const NAMES: [&'static str; 4] = [
        Outcome::Holds.name(),
        Outcome::Contradicts.name(),
        Outcome::Equal { within: 0.0 }.name(),
        Outcome::NotResolved.name(),
    ];
}

impl Judgement<'_> {
    /// The decision in a few words: `equal within 1.0 %`, `depends on the regime`.
    pub fn verdict(&self) -> String {
        match &self.decision {
            Decision::Equal { within } => format!("equal within {}", percent(*within)),
            Decision::Depends { on, .. } if on.is_empty() => "depends".to_owned(),
            Decision::Depends { on, against } => {
                let sets: Vec<String> = on.iter().map(|set| properties(set)).collect();
                let mostly = if *against > 0 { "mostly " } else { "" };
                format!("depends {mostly}on {}", sets.join(" or on "))
            }
            other => other.name().to_owned(),
        }
    }

    /// Reason for the verdict, without a full stop: the conditions that it turns on, the missing data, or why no
    /// test can decide.
    pub fn reason(&self) -> Option<String> {
        match &self.decision {
            Decision::Depends { on, against } => Some(match on.first() {
                Some(set) => self.turns_on(set, *against),
                None => self.unseparated(),
            }),
            Decision::NotMeasured { lacks } => Some(lacks.join("; ")),
            Decision::NotTestable { why } => Some(why.clone()),
            Decision::NotResolved => {
                let open = self.conditions.iter().filter(|one| one.outcome == Outcome::NotResolved);
                Some(format!("{} without a resolved difference", plural(open.count(), "condition")))
            }
            Decision::Supported | Decision::Contradicted | Decision::Equal { .. } => None,
        }
    }

    /// `holds: stream, cold; contradicts: replay`. A value stands at the outcome of most conditions that have it; the
    /// others, if there are any, follow one by one: `; otherwise in 2 of 40 conditions: …`.
    fn turns_on(&self, set: &[Property], against: usize) -> String {
        let decisive = decisive(&self.conditions);
        let cuts = Cuts::of(&decisive);
        let mut values: BTreeMap<String, Vec<&Condition>> = BTreeMap::new();
        for &one in &decisive {
            // The result of a test tells its outcome, so it names tests only where all conditions of one agree.
            let value = |property: &Property| match property {
                Property::Test if against == 0 => Some(self.test(one)),
                _ => property.value(one, &cuts),
            };
            let Some(value) = set.iter().map(value).collect::<Option<Vec<String>>>() else {
                continue;
            };
            values.entry(value.join(" with ")).or_default().push(one);
        }
        let mut of_outcome: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let mut others: Vec<&Condition> = Vec::new();
        for (value, conditions) in &values {
            let count =
                |name: &str| conditions.iter().filter(|it| it.outcome.name() == name).count();
            // Of outcomes that are equally frequent the first one of the list.
            let most = Outcome::NAMES.into_iter().rev().max_by_key(|name| count(name));
            let Some(most) = most else { continue };
            of_outcome.entry(most).or_default().push(value);
            others.extend(conditions.iter().filter(|it| it.outcome.name() != most));
        }
        let of = |name| Some(format!("{name}: {}", of_outcome.get(name)?.join(", ")));
        let mut parts: Vec<String> = Outcome::NAMES.into_iter().filter_map(of).collect();
        if !others.is_empty() {
            let all = plural(decisive.len(), "condition");
            parts.push(format!("otherwise in {} of {all}: {}", others.len(), self.sides(&others)));
        }
        parts.join("; ")
    }

    /// Lists the comparisons by outcome, where no property separates them.
    fn unseparated(&self) -> String {
        let decisive = decisive(&self.conditions);
        let mut text =
            "outcomes differ, and no property of the conditions separates them".to_owned();
        if let Some((property, against)) = closest(&decisive) {
            let (label, all) = (property.label(), decisive.len());
            text.push_str(&format!(
                "; closest is {label}, with {against} of {all} conditions against it"
            ));
        }
        format!("{text}; {}", self.sides(&decisive))
    }

    /// `supported in a against b (stream x); contradicted in a against b (12 conditions)`.
    fn sides(&self, conditions: &[&Condition]) -> String {
        let side = |(name, words): (&str, &str)| {
            let here: Vec<&Condition> =
                conditions.iter().copied().filter(|one| one.outcome.name() == name).collect();
            let shown = comparisons(&here, |one| self.test(one));
            (!here.is_empty()).then(|| format!("{words} {shown}"))
        };
        SIDES.into_iter().filter_map(side).collect::<Vec<_>>().join("; ")
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

    /// For each outcome that occurs its name and over what it occurred.
    pub fn rows(&self) -> Vec<(&'static str, Robustness)> {
        let row = |name| (name, self.robustness(name));
        let rows = Outcome::NAMES.into_iter().map(row);
        rows.filter(|(_, row)| row.conditions > 0).collect()
    }

    /// The conditions that the verdict turns on, and the range of conditions of each outcome; without full stops.
    pub fn conditions(&self) -> Vec<String> {
        let rows = self.rows().into_iter().map(|(name, row)| format!("{name} in {}", row.text()));
        self.reason().into_iter().chain(rows).collect()
    }

    /// Sources of the outcomes, without repeats: `measured, counted`.
    pub fn provenance(&self) -> String {
        let kinds: BTreeSet<Kind> = self.conditions.iter().map(|one| one.kind).collect();
        kinds.into_iter().map(Kind::name).collect::<Vec<_>>().join(", ")
    }
}

impl Robustness {
    /// The subjects of the conditions: for each list its noun, singular and plural, and its names.
    fn names(&self) -> [([&'static str; 2], Vec<String>); 4] {
        [
            (["regime", "regimes"], self.regimes.iter().map(ToString::to_string).collect()),
            (["order", "orders"], self.orders.iter().map(ToString::to_string).collect()),
            (["workload", "workloads"], self.workloads.iter().cloned().collect()),
            (["corpus", "corpora"], self.corpora.iter().cloned().collect()),
        ]
    }

    /// The names that the text counts: `9 workloads`, and all of them.
    pub fn lists(&self) -> Vec<(String, String)> {
        let long = self.names().into_iter().filter(|(_, names)| names.len() > MOST_NAMES);
        long.map(|([_, nouns], names)| (format!("{} {nouns}", names.len()), names.join(", ")))
            .collect()
    }

    /// `9 conditions: regimes replay, stream; workloads ab4, game; 4 layouts, 12 processes`. If the conditions differ
    /// in layouts or processes, the last part is `at least 4 layouts, 12 processes`.
    pub fn text(&self) -> String {
        let mut parts = Vec::new();
        for ([noun, nouns], names) in self.names() {
            match names.len() {
                0 => {}
                1..=MOST_NAMES => parts.push(format!("{noun} {}", names.join(", "))),
                many => parts.push(format!("{many} {nouns}")),
            }
        }
        if let Some((layouts, processes)) = self.layouts.zip(self.processes) {
            let least = if self.differ { "at least " } else { "" };
            let (layouts, processes) = (plural(layouts, "layout"), plural(processes, "process"));
            parts.push(format!("{least}{layouts}, {processes}"));
        }
        if let Some(within) = self.within {
            parts.push(format!("where equal, within {}", percent(within)));
        }
        let conditions = plural(self.conditions, "condition");
        match parts.is_empty() {
            true => conditions,
            false => format!("{conditions}: {}", parts.join("; ")),
        }
    }
}

/// The outcomes that decide, and how their comparisons are introduced.
const SIDES: [(&str, &str); 3] = [
    (Outcome::Holds.name(), "supported in"),
    (Outcome::Contradicts.name(), "contradicted in"),
    (Outcome::Equal { within: 0.0 }.name(), "equal in"),
];

/// Comparisons that are listed for an outcome, those with the most conditions.
const MOST_COMPARISONS: usize = 4;
/// More panels than this are counted instead.
const MOST_PANELS: usize = 8;

/// `a against b (stream x, replay y), c against d (12 conditions)`. Conditions without designs are named by their `test`.
fn comparisons(conditions: &[&Condition], test: impl Fn(&Condition) -> String) -> String {
    let mut found: Vec<(String, Vec<&Condition>)> = Vec::new();
    for &condition in conditions {
        let name = Property::Designs.value(condition, &Cuts::default());
        let name = name.unwrap_or_else(|| test(condition));
        match found.iter_mut().find(|(known, _)| *known == name) {
            Some((_, conditions)) => conditions.push(condition),
            None => found.push((name, vec![condition])),
        }
    }
    // A stable sort keeps the order of the tests.
    found.sort_by_key(|(_, conditions)| std::cmp::Reverse(conditions.len()));
    let places = |conditions: &[&Condition]| {
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
            1..=MOST_PANELS => format!(" ({})", panels.into_iter().collect::<Vec<_>>().join(", ")),
            _ => format!(" ({})", plural(conditions.len(), "condition")),
        }
    };
    let shown = found.iter().take(MOST_COMPARISONS);
    let mut shown: Vec<String> =
        shown.map(|(name, conditions)| format!("{name}{}", places(conditions))).collect();
    if let Some(more @ 1..) = found.len().checked_sub(MOST_COMPARISONS) {
        shown.push(plural(more, "further comparison"));
    }
    list(&shown.iter().map(String::as_str).collect::<Vec<_>>())
}

/// `the regime and the call together`.
fn properties(set: &[Property]) -> String {
    let labels: Vec<&str> = set.iter().map(|one| one.label()).collect();
    match labels[..] {
        [one] => one.to_owned(),
        _ => format!("{} together", list(&labels)),
    }
}

/// Number of claims with each decision, in one sentence.
pub fn tally(judgements: &[Judgement<'_>]) -> String {
    let count = |name: &str| judgements.iter().filter(|one| one.decision.name() == name).count();
    let parts = [
        ("supported", "supported"),
        ("contradicted", "contradicted"),
        ("equal", "equal, where a difference was claimed"),
        ("depends", "true under some conditions and not under others"),
        ("not resolved", "not resolved"),
        ("not measured", "not measured"),
        ("not testable here", "not testable here"),
    ];
    let parts = parts.into_iter().filter_map(|(name, words)| {
        let count = count(name);
        (count > 0).then(|| format!("{count} {words}"))
    });
    let parts: Vec<String> = parts.collect();
    format!("Of {}: {}.", plural(judgements.len(), "claim"), parts.join("; "))
}

#[cfg(test)]
mod tests {
    use raywalk_results::schema::{Order, RegimeKind};

    use super::super::condition::Place;
    use super::super::decision::decide;
    use super::super::{Claim, parse};
    use super::*;

    fn claim() -> Claim {
        let text = "[[claim]]\nid = \"X1\"\nsays = \"so\"\nsource = \"a test\"\n\
                    compare = [{ one = [\"a\"], other = [\"b\"] }]\n";
        parse("x.toml", text).expect("a claim").remove(0)
    }

    fn condition(regime: RegimeKind, workload: &str, outcome: Outcome) -> Condition {
        let place = Place {
            regime: Some(regime),
            order: Some(Order::Tree),
            workload: Some(workload.to_owned()),
            ..Place::default()
        };
        let made = Condition::new(0, Kind::Measured, outcome);
        Condition { place, layouts: 4, processes: 8, ..made }
    }

    fn judgement(claim: &Claim, conditions: Vec<Condition>) -> Judgement<'_> {
        let decision = decide(&conditions, &[None]);
        Judgement { claim, conditions, decision }
    }

    #[test]
    fn what_a_claim_turns_on_is_told_with_the_values_of_each_outcome() {
        use Outcome::{Contradicts, Holds, NotResolved};
        use RegimeKind::{Cold, Replay, Stream};
        let claim = claim();
        let found = [
            (Replay, "a", Contradicts),
            (Replay, "b", Contradicts),
            (Stream, "a", Holds),
            (Stream, "b", Holds),
            (Cold, "b", NotResolved),
        ];
        let conditions = found.map(|(regime, name, outcome)| condition(regime, name, outcome));
        let judgement = judgement(&claim, conditions.to_vec());
        assert_eq!(judgement.verdict(), "depends on the regime");
        assert_eq!(judgement.reason().as_deref(), Some("holds: stream; contradicts: replay"));
        let rows: Vec<String> =
            judgement.rows().iter().map(|(name, row)| format!("{name}: {}", row.text())).collect();
        let expected = [
            "holds: 2 conditions: regime stream; order tree; workload a, b; 4 layouts, 8 processes",
            "contradicts: 2 conditions: regime replay; order tree; workload a, b; 4 layouts, 8 processes",
            "not resolved: 1 condition: regime cold; order tree; workload b; 4 layouts, 8 processes",
        ];
        assert_eq!(rows, expected);
        assert_eq!(judgement.provenance(), "measured");
    }

    #[test]
    fn a_row_of_conditions_with_different_placements_tells_the_least() {
        let claim = claim();
        let text = |layouts: usize, processes: usize| {
            let one = condition(RegimeKind::Stream, "a", Outcome::Holds);
            let other = Condition { layouts, processes, ..one.clone() };
            judgement(&claim, vec![one, other]).rows()[0].1.text()
        };
        assert!(text(4, 8).ends_with("; 4 layouts, 8 processes"), "{}", text(4, 8));
        assert!(text(2, 8).ends_with("; at least 2 layouts, 8 processes"), "{}", text(2, 8));
        assert!(text(4, 20).ends_with("; at least 4 layouts, 8 processes"), "{}", text(4, 20));
    }

    #[test]
    fn the_exceptions_to_what_a_claim_mostly_turns_on_are_told_one_by_one() {
        use Outcome::{Contradicts, Holds};
        use RegimeKind::{Replay, Stream};
        let claim = claim();
        let conditions = |count: usize| {
            let of = |n: usize| match n % 2 {
                0 => condition(Stream, &format!("w{n}"), Holds),
                _ => condition(Replay, &format!("w{n}"), Contradicts),
            };
            let mut conditions: Vec<Condition> = (0..count).map(of).collect();
            conditions[0].outcome = Contradicts;
            conditions
        };
        let found = judgement(&claim, conditions(10));
        assert_eq!(found.verdict(), "depends mostly on the regime");
        assert_eq!(
            found.reason().as_deref(),
            Some(
                "holds: stream; contradicts: replay; otherwise in 1 of 10 conditions: contradicted in a takes more \
                 time than b (all moves) (stream w0)"
            )
        );
        // One exception of nine is more than one in ten.
        assert_eq!(judgement(&claim, conditions(9)).verdict(), "depends");
    }

    #[test]
    fn where_nothing_separates_the_outcomes_the_comparisons_of_each_side_are_listed() {
        use Outcome::{Contradicts, Holds};
        use RegimeKind::{Replay, Stream};
        let claim = claim();
        let between = |one: &str, found: Condition| Condition {
            one: Some(one.to_owned()),
            other: Some("x".to_owned()),
            ..found
        };
        let mut conditions: Vec<Condition> =
            (0..6).map(|n| between("a", condition(Stream, &format!("w{n}"), Holds))).collect();
        conditions.push(between("a", condition(Stream, "w0", Contradicts)));
        conditions.push(between("b", condition(Replay, "w1", Contradicts)));
        conditions.push(between("b", condition(Replay, "w2", Contradicts)));
        let judgement = judgement(&claim, conditions);
        assert_eq!(judgement.verdict(), "depends");
        assert_eq!(
            judgement.reason().as_deref(),
            Some(
                "outcomes differ, and no property of the conditions separates them; closest is the regime, with 1 of \
                 9 conditions against it; supported in a against x (stream w0, stream w1, stream w2, stream w3, stream \
                 w4, stream w5); contradicted in b against x (replay w1, replay w2) and a against x (stream w0)"
            )
        );
    }

    #[test]
    fn a_tally_names_the_decisions_that_occur() {
        let claim = claim();
        let holds = || vec![condition(RegimeKind::Stream, "a", Outcome::Holds)];
        let equal = vec![condition(RegimeKind::Cold, "a", Outcome::Equal { within: 0.02 })];
        let found =
            [judgement(&claim, holds()), judgement(&claim, equal), judgement(&claim, holds())];
        assert_eq!(
            tally(&found),
            "Of 3 claims: 2 supported; 1 equal, where a difference was claimed."
        );
        assert_eq!(found[1].verdict(), "equal within 2.0 %");
        assert_eq!(found[0].reason(), None);
    }

    #[test]
    fn many_workloads_are_counted_and_listed_beside_the_text() {
        let claim = claim();
        let names = (0..9).map(|n| format!("w{n}"));
        let conditions = names.map(|name| condition(RegimeKind::Stream, &name, Outcome::Holds));
        let judgement = judgement(&claim, conditions.collect());
        let [(_, row)] = &judgement.rows()[..] else { panic!("one outcome") };
        assert!(row.text().contains("; 9 workloads;"), "{}", row.text());
        let names = (0..9).map(|n| format!("w{n}")).collect::<Vec<_>>().join(", ");
        assert_eq!(row.lists(), [("9 workloads".to_owned(), names)]);
    }
}
