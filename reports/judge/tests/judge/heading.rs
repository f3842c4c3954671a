//! The heading of a session in which no class wins: the classes are equal, or nothing is resolved.

use raywalk_judge::Judged;
use raywalk_judge::classes::classes;
use raywalk_judge::finding::finding;
use raywalk_results::fixture::{self, Recipe};
use raywalk_results::journal::Results;
use raywalk_results::statistics::Verdict;

/// A session in which a branchless design takes `noise` times as long as a branchy one in every second round, and
/// 1 ÷ `noise` times as long in the others.
fn session(noise: f64) -> Results {
    let ratio = |round: usize| if round.is_multiple_of(2) { noise } else { 1.0 / noise };
    fixture::with_classes(Recipe::FULL.results(), ratio)
}

#[test]
fn classes_that_are_equal_are_called_equal() {
    let results = session(1.0);
    let judged = Judged::of(&results);
    let found = &classes(&judged)[0];
    assert!(found.points.iter().any(|it| matches!(it.verdict, Verdict::Equal { .. })));
    assert_eq!(found.equal_within(), Some(0.01), "the margin of the fixture");
    assert_eq!(
        finding(&judged).heading,
        "Branchy and branchless designs are equal within 1.0 % wherever a comparison is resolved."
    );
}

#[test]
fn classes_that_are_not_resolved_are_not_called_equal() {
    let results = session(1.25);
    let judged = Judged::of(&results);
    let found = &classes(&judged)[0];
    assert!(found.points.len() > 3);
    assert!(found.points.iter().all(|it| it.verdict == Verdict::NotResolved), "{found:#?}");
    assert_eq!(found.equal_within(), None);
    assert_eq!(
        finding(&judged).heading,
        "Branchy or branchless? No difference between the classes is resolved."
    );
}
