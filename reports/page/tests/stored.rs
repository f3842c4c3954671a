//! A measured session gives the same numbers as when it was stored.
//!
//! `data/session.jsonl` is a session of four designs in four panels, and `data/numbers.csv` what the program of commit
//! f8bb1a6 printed of it (`raywalk show RESULT --workload '*' --format csv`). A change that is meant to change numbers, such
//! as one of the estimator, replaces both files and says so.

use raywalk_judge::Judged;
use raywalk_page::export::summary_csv;
use raywalk_results::journal::read;

#[test]
fn the_numbers_of_a_stored_session_are_those_of_the_day_when_it_was_stored() {
    let source: &[u8] = include_bytes!("data/session.jsonl");
    let results = read(source).expect("a journal of this schema");
    let judged = Judged::of(&results);
    let panels: Vec<_> = judged.panels.iter().collect();
    let found = summary_csv(&judged, &panels);
    for (found, stored) in found.lines().zip(include_str!("data/numbers.csv").lines()) {
        assert_eq!(found, stored);
    }
    assert_eq!(found.lines().count(), 17, "a head, and four designs in four panels");
}
