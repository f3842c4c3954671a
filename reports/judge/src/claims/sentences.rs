//! A judgement in words. All sentences are made from the decision and its conditions.

use std::collections::BTreeSet;

use crate::format::{percent, plural};

use super::condition::{Condition, Kind, Outcome, OutcomeKind};
use super::decision::{Decision, DecisionKind, decisive};
use super::turning::properties;
use super::{Judgement, Robustness};

/// More names than this are counted in a text and [listed](Robustness::lists) beside it.
const MOST_NAMES: usize = 8;

impl Judgement<'_> {
    /// The decision in a few words: `equal within 1.0 %`, `depends on the regime`.
    pub fn verdict(&self) -> String {
        match &self.decision {
            Decision::Equal { within } => format!("equal within {}", percent(*within)),
            Decision::Depends { on, .. } if on.is_empty() => self.counts(),
            Decision::Depends { on, against } => {
                let sets: Vec<String> = on.iter().map(|set| properties(set)).collect();
                let mostly = if *against > 0 { "mostly " } else { "" };
                format!("depends {mostly}on {}", sets.join(" or on "))
            }
            Decision::Supported | Decision::Contradicted if self.is_mostly_open() => {
                format!("{} where resolved", self.decision.kind().name())
            }
            other => other.kind().name().to_owned(),
        }
    }

    /// Whether fewer than half of the conditions resolve a difference.
    fn is_mostly_open(&self) -> bool {
        let is_open = |one: &&Condition| one.outcome == Outcome::NotResolved;
        2 * self.conditions.iter().filter(is_open).count() > self.conditions.len()
    }

    /// Reasons for the verdict, without full stops: the conditions that it turns on, the missing data, or why no test
    /// can decide.
    pub fn reasons(&self) -> Vec<String> {
        match &self.decision {
            Decision::Depends { on, against } => match on.first() {
                Some(set) => self.turns_on(&decisive(&self.conditions), set, *against),
                None => self.unseparated(),
            },
            Decision::InPart => self.tests_one_by_one(),
            Decision::NotMeasured { lacks } => vec![lacks.join("; ")],
            Decision::NotTestable { why } => vec![why.clone()],
            Decision::NotResolved => {
                let open = self.conditions.iter().filter(|one| one.outcome == Outcome::NotResolved);
                let open = plural(open.count(), "condition");
                vec![format!("{open} without a resolved difference")]
            }
            Decision::Supported | Decision::Contradicted | Decision::Equal { .. } => Vec::new(),
        }
    }

    /// Each outcome that occurs, and over what it occurred.
    pub fn rows(&self) -> Vec<(OutcomeKind, Robustness)> {
        let row = |outcome| (outcome, self.robustness(outcome));
        let rows = OutcomeKind::ALL.into_iter().map(row);
        rows.filter(|(_, row)| row.conditions > 0).collect()
    }

    /// The conditions that the verdict turns on, and the range of conditions of each outcome; without full stops.
    pub fn conditions(&self) -> Vec<String> {
        let rows = self.rows().into_iter();
        let rows = rows.map(|(outcome, row)| format!("{} in {}", outcome.name(), row.text()));
        self.reasons().into_iter().chain(rows).collect()
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

/// Number of claims with each decision, in one sentence.
pub fn tally(judgements: &[Judgement<'_>]) -> String {
    let is_extended =
        |one: &&Judgement<'_>| one.decision == Decision::Contradicted && one.claim.ours.is_some();
    let extended = judgements.iter().filter(is_extended).count();
    let parts = DecisionKind::ALL.into_iter().filter_map(|kind| {
        let here = || judgements.iter().filter(|one| one.decision.kind() == kind);
        let more = match (kind, extended) {
            (DecisionKind::Contradicted, 1..) => {
                format!(", of which {extended} say more than their source")
            }
            (DecisionKind::Equal, _) => ", where a difference was claimed".to_owned(),
            (DecisionKind::InPart, _) => ", with a test that holds under no condition".to_owned(),
            _ => String::new(),
        };
        let open = match kind {
            DecisionKind::Supported | DecisionKind::Contradicted => {
                here().filter(|one| one.is_mostly_open()).count()
            }
            _ => 0,
        };
        let open = match open {
            0 => String::new(),
            _ => format!(" ({open} of them resolved in less than half of their conditions)"),
        };
        let words = match kind {
            DecisionKind::Depends => "true under some conditions and not under others",
            other => other.name(),
        };
        let count = here().count();
        (count > 0).then(|| format!("{count} {words}{more}{open}"))
    });
    let parts: Vec<String> = parts.collect();
    format!("Of {}: {}.", plural(judgements.len(), "claim"), parts.join("; "))
}

#[cfg(test)]
mod tests {
    use raywalk_results::schema::RegimeKind;

    use super::super::fixture::{claim, condition, judgement};
    use super::*;

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
        assert_eq!(found[0].reasons(), [""; 0]);
    }

    #[test]
    fn a_verdict_says_if_most_conditions_are_open() {
        let claim = claim();
        let verdict = |open: usize, outcome: Outcome| {
            let one = |outcome| condition(RegimeKind::Stream, "a", outcome);
            let mut conditions = vec![one(outcome), one(outcome)];
            conditions.extend((0..open).map(|_| one(Outcome::NotResolved)));
            judgement(&claim, conditions).verdict()
        };
        assert_eq!(verdict(2, Outcome::Holds), "supported");
        assert_eq!(verdict(3, Outcome::Holds), "supported where resolved");
        assert_eq!(verdict(3, Outcome::Contradicts), "contradicted where resolved");
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
