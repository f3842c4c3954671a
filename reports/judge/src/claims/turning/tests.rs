//! Properties that separate the outcomes of a claim.

use raywalk_results::schema::RegimeKind;

use super::super::fixture::{claim, condition, judgement};
use super::*;

/// The same of a design against `x`.
fn between(one: &str, found: Condition) -> Condition {
    Condition { one: Some(one.to_owned()), other: Some("x".to_owned()), ..found }
}

#[test]
fn what_a_claim_turns_on_is_told_with_the_values_of_each_outcome() {
    use Outcome::{Contradicts, Holds, NotResolved};
    use RegimeKind::{Cold, Replay, Stream};
    let claim = claim();
    let workloads = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let of = |regime, outcome| workloads.map(|name| condition(regime, name, outcome));
    let mut conditions = [of(Replay, Contradicts), of(Stream, Holds)].concat();
    conditions.push(condition(Cold, "b", NotResolved));
    let judgement = judgement(&claim, conditions);
    assert_eq!(judgement.verdict(), "depends on the regime");
    assert_eq!(judgement.reasons(), ["holds: stream; contradicts: replay"]);
    let rows: Vec<String> = judgement
        .rows()
        .iter()
        .map(|(outcome, row)| format!("{}: {}", outcome.name(), row.text()))
        .collect();
    let expected = [
        "holds: 8 conditions: regime stream; order tree; workload a, b, c, d, e, f, g, h; 4 layouts, 8 processes",
        "contradicts: 8 conditions: regime replay; order tree; workload a, b, c, d, e, f, g, h; 4 layouts, 8 processes",
        "not resolved: 1 condition: regime cold; order tree; workload b; 4 layouts, 8 processes",
    ];
    assert_eq!(rows, expected);
    assert_eq!(judgement.provenance(), "measured");
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
    let found = judgement(&claim, conditions(30));
    assert_eq!(found.verdict(), "depends mostly on the regime");
    assert_eq!(
        found.reasons(),
        [
            "holds: stream; contradicts: replay",
            "otherwise in 1 of 30 conditions: contradicts: a takes more time than b (all moves) in stream w0"
        ]
    );
    // One exception of nine is more than one in ten.
    let near = judgement(&claim, conditions(9));
    assert_eq!(
        near.verdict(),
        "depends: holds in 4, contradicts in 5 of 9 resolved timed conditions"
    );
}

#[test]
fn where_nothing_separates_the_outcomes_the_comparisons_of_each_side_are_listed() {
    use Outcome::{Contradicts, Holds};
    use RegimeKind::{Replay, Stream};
    let claim = claim();
    let mut conditions: Vec<Condition> =
        (0..6).map(|n| between("a", condition(Stream, &format!("w{n}"), Holds))).collect();
    conditions.push(between("a", condition(Stream, "w0", Contradicts)));
    conditions.push(between("b", condition(Replay, "w1", Contradicts)));
    conditions.push(between("b", condition(Replay, "w2", Contradicts)));
    let judgement = judgement(&claim, conditions);
    assert_eq!(
        judgement.verdict(),
        "depends: holds in 6, contradicts in 3 of 9 resolved timed conditions"
    );
    assert_eq!(
        judgement.reasons(),
        [
            "no property of the conditions separates all outcomes more clearly than chance",
            "a against x: holds in stream w0, stream w1, stream w2, stream w3, stream w4 and stream w5; \
             contradicts in stream w0",
            "b against x: contradicts in replay w1 and replay w2",
        ]
    );
}

#[test]
fn a_comparison_whose_outcomes_a_property_separates_names_it() {
    use Outcome::{Contradicts, Holds};
    use RegimeKind::{Replay, Stream};
    let claim = claim();
    let mut conditions = Vec::new();
    for n in 0..8 {
        let name = format!("w{n}");
        conditions.push(between("a", condition(Stream, &name, Holds)));
        conditions.push(between("a", condition(Replay, &name, Contradicts)));
        // The same places, and the other outcomes: nothing separates those of both comparisons but both together.
        let outcome = if n % 2 == 0 { Holds } else { Contradicts };
        conditions.push(between("b", condition(Stream, "w", outcome)));
    }
    let found = judgement(&claim, conditions);
    assert_eq!(
        found.verdict(),
        "depends: holds in 12, contradicts in 12 of 24 resolved timed conditions"
    );
    assert_eq!(
        found.reasons(),
        [
            "no property of the conditions separates all outcomes more clearly than chance",
            "a against x, by the regime: holds: stream; contradicts: replay",
            "b against x: holds in stream w; contradicts in stream w",
        ]
    );
}

#[test]
fn of_two_properties_the_one_with_fewer_values_comes_first() {
    use Outcome::{Contradicts, Holds};
    use RegimeKind::{Cold, Replay, Stream};
    let claim = claim();
    let conditions = [Stream, Replay, Cold].into_iter().flat_map(|regime| {
        let outcome = |name: &str| match regime {
            Stream if name == "w0" => Contradicts,
            Replay if name != "w0" => Contradicts,
            _ => Holds,
        };
        let names = ["w0", "w1"].repeat(6).into_iter();
        names.map(|name| condition(regime, name, outcome(name))).collect::<Vec<_>>()
    });
    let found = judgement(&claim, conditions.collect());
    assert_eq!(found.verdict(), "depends on the regime and the workload together");
    assert_eq!(
        found.reasons(),
        [
            "w0: holds with cold, replay; contradicts with stream",
            "w1: holds with cold, stream; contradicts with replay",
        ]
    );
}

#[test]
fn a_group_with_one_outcome_is_told_as_such_unless_it_has_exceptions() {
    use Outcome::{Contradicts, Holds};
    use RegimeKind::{Cold, Replay, Stream};
    let claim = claim();
    let of = |exception: bool| {
        let mut conditions = Vec::new();
        for _ in 0..8 {
            for regime in [Stream, Replay, Cold] {
                let outcome = if regime == Stream { Contradicts } else { Holds };
                conditions.push(condition(regime, "w0", outcome));
                conditions.push(condition(regime, "w1", Holds));
            }
        }
        if exception {
            conditions.push(condition(Cold, "w1", Contradicts));
        }
        judgement(&claim, conditions).reasons()
    };
    let first = "w0: holds with cold, replay; contradicts with stream";
    assert_eq!(of(false), [first, "w1: holds throughout"]);
    let with = of(true);
    assert_eq!(with[..2], [first, "w1: holds with cold, replay, stream"]);
    assert!(with[2].starts_with("otherwise in 1 of 49 conditions: contradicts: "), "{with:?}");
}
