//! Moves per cycle against what the machine writes one by one.

use raywalk_judge::Judged;
use raywalk_judge::limit::WriteLimit;
use raywalk_results::fixture::explained;
use raywalk_results::journal::Results;
use raywalk_results::schema::{Feature, Found, Per, Quantity, Unit};

/// A session whose self-test needs so many cycles for a move, and for one in a vector.
fn session(cycles: f64, in_vector: f64) -> Results {
    let mut results = explained(22.0);
    for (per, cycles) in [(Per::Move, cycles), (Per::MoveInVector, in_vector)] {
        let unit = Unit::per(Quantity::Cycles, per);
        let found = Found { value: cycles, low: cycles, high: cycles, unit };
        results.selftest[0].trials[0].found.push(found);
    }
    results
}

#[test]
fn moves_per_cycle_are_those_of_the_panel_and_the_most_come_first() {
    let results = session(2.0, 0.05);
    let judged = Judged::of(&results);
    let limit = WriteLimit::of(&judged).expect("a limit");
    assert!((limit.one_by_one - 0.5).abs() < 1e-12);
    for pair in limit.designs.windows(2) {
        assert!(pair[0].moves >= pair[1].moves, "{pair:?}");
    }
    let first = limit.designs[0];
    assert!((first.moves * first.row.cycles_move.expect("cycles") - 1.0).abs() < 1e-12);
    let finding = limit.finding(&judged);
    assert!(finding.contains("0.50") && finding.contains(&first.row.name), "{finding}");
    assert!(!finding.contains("store whole vectors"), "no design does: {finding}");
}

#[test]
fn a_design_that_stores_whole_vectors_is_held_against_the_limit_of_vectors() {
    let mut results = session(2.0, 0.05);
    let id = results.designs[0].id.clone();
    // Vector instructions alone do not say how the moves are stored.
    results.designs[1].needs = vec![Feature::Avx2];
    results.designs[0].whole_vectors = Some(true);
    let judged = Judged::of(&results);
    let limit = WriteLimit::of(&judged).expect("a limit");
    for it in &limit.designs {
        let expected = if it.row.id == id { 20.0 } else { 0.5 };
        assert!((it.limit.expect("measured") / expected - 1.0).abs() < 1e-12, "{}", it.row.id);
    }
    let vectors = limit.designs.iter().find(|it| it.row.id == id).expect("the design");
    let finding = limit.finding(&judged);
    assert!(finding.contains(&format!("store whole vectors is {}", vectors.row.name)), "{finding}");
}

#[test]
fn a_session_without_a_measured_write_has_no_limit() {
    assert_eq!(WriteLimit::of(&Judged::of(&explained(22.0))), None);
}

#[test]
fn a_design_of_which_nobody_says_how_it_stores_has_no_limit() {
    let mut results = session(2.0, 0.05);
    let id = results.designs[0].id.clone();
    results.designs[0].whole_vectors = None;
    let judged = Judged::of(&results);
    let limit = WriteLimit::of(&judged).expect("a limit");
    let silent = limit.designs.iter().find(|it| it.row.id == id).expect("the design");
    assert_eq!((silent.limit, silent.fraction()), (None, None));
}
