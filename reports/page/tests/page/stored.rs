//! A measured session gives the same numbers as when it was stored.
//!
//! `data/session.jsonl` is a session of four designs in four panels, and `data/numbers.csv` what `raywalk show RESULT
//! --workload '*' --format csv` printed of it. A change that is meant to change numbers, such as one of the estimator,
//! replaces them and states that. They are those of 29 November 2026, when the cheaper half of the visits of a block
//! began to count; no ratio changed by more than 0.7 %, and no verdict but in its digits.

use raywalk_judge::Judged;
use raywalk_page::export::summary_csv;
use raywalk_results::journal::read;

#[test]
fn the_numbers_of_a_stored_session_are_those_of_the_day_when_it_was_stored() {
    let source: &[u8] = include_bytes!("../data/session.jsonl");
    let results = read(source).expect("a journal of this schema");
    let judged = Judged::of(&results);
    let panels: Vec<_> = judged.panels.iter().collect();
    let found = summary_csv(&judged, &panels);
    for (found, stored) in found.lines().zip(include_str!("../data/numbers.csv").lines()) {
        assert_eq!(found.split(',').count(), stored.split(',').count());
        let mut cells = found.split(',').zip(stored.split(','));
        assert!(cells.all(|(found, stored)| is_same(found, stored)), "{found}\n{stored}");
    }
    assert_eq!(found.lines().count(), 17, "a head, and four designs in four panels");
}

/// Whether two cells have the same text, or the same number to four digits.
fn is_same(found: &str, stored: &str) -> bool {
    let numbers = found.parse::<f64>().ok().zip(stored.parse::<f64>().ok());
    let is_close = |(found, stored): (f64, f64)| (found - stored).abs() <= 0.000_6 * stored.abs();
    found == stored || numbers.is_some_and(is_close)
}
