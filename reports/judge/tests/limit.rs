//! Moves per cycle against what the machine writes one by one.

use raywalk_judge::Judged;
use raywalk_judge::limit::WriteLimit;
use raywalk_results::fixture::explained;
use raywalk_results::journal::Results;
use raywalk_results::schema::{Found, Per, Quantity, Unit};

/// A session whose self-test needs so many cycles for a move.
fn session(cycles: f64) -> Results {
    let mut results = explained(22.0);
    let unit = Unit { quantity: Quantity::Cycles, per: Some(Per::Move) };
    let found = Found { value: cycles, low: cycles, high: cycles, unit };
    results.selftest[0].trials[0].found.push(found);
    results
}

#[test]
fn moves_per_cycle_are_those_of_the_panel_and_the_most_come_first() {
    let results = session(2.0);
    let judged = Judged::of(&results);
    let limit = WriteLimit::of(&judged).expect("a limit");
    assert!((limit.one_by_one - 0.5).abs() < 1e-12);
    for pair in limit.designs.windows(2) {
        assert!(pair[0].1 >= pair[1].1, "{pair:?}");
    }
    let (row, moves) = limit.designs[0];
    assert!((moves * row.cycles_move.expect("cycles") - 1.0).abs() < 1e-12);
    let nearest = limit.finding();
    assert!(nearest.contains("at most 0.50") && nearest.contains(&row.name), "{nearest}");
    assert!(!nearest.contains("beyond"), "{nearest}");
}

#[test]
fn designs_beyond_the_limit_are_counted() {
    let results = session(1e6);
    let judged = Judged::of(&results);
    let limit = WriteLimit::of(&judged).expect("a limit");
    let expected = format!("{} designs are beyond that", limit.designs.len());
    assert!(limit.finding().contains(&expected), "{}", limit.finding());
}

#[test]
fn a_session_without_a_measured_write_has_no_limit() {
    assert_eq!(WriteLimit::of(&Judged::of(&explained(22.0))), None);
}
