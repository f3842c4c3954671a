//! The matrix: every ratio against the times that it is made of, also with other baselines.

use raywalk_judge::Judged;
use raywalk_judge::matrix::{Against, Baseline, Matrix};
use raywalk_results::fixture::{self, Recipe};
use raywalk_results::journal::Results;
use raywalk_results::schema::{Control, Record, Search};
use raywalk_results::statistics::Verdict;

#[test]
fn ratios_to_any_baseline_agree_with_the_costs() {
    let results = Recipe::FULL.results();
    let judged = Judged::of(&results);
    let matrix = Matrix::of(&judged);
    assert!(matrix.columns.len() > 8 && matrix.designs.len() == 12, "{}", matrix.columns.len());
    for column in &matrix.columns {
        for baseline in Baseline::ALL {
            let against = column.against(baseline).expect("the design takes part in every panel");
            assert_eq!(against.entries.len(), column.panel.rows.len());
            for entry in &against.entries {
                let by_costs = entry.row.ns_position / against.baseline.ns_position;
                assert!((entry.ratio / by_costs - 1.0).abs() < 0.01, "{entry:#?}");
                if let Some(interval) = entry.interval {
                    assert!(interval.low <= entry.ratio && entry.ratio <= interval.high);
                }
                match entry.verdict {
                    Some(Verdict::Faster(_)) => assert!(entry.ratio < 1.0),
                    Some(Verdict::Slower(_)) => assert!(entry.ratio > 1.0),
                    Some(Verdict::Equal { within }) => assert!((entry.ratio - 1.0).abs() <= within),
                    Some(Verdict::NotResolved) | None => {}
                }
            }
            let own = against.entry(&against.baseline.id).expect("its own row");
            assert_eq!((own.ratio, own.verdict), (1.0, None));
        }
    }
}

#[test]
fn a_baseline_that_was_chosen_by_its_result_shares_its_confidence_with_all_pairs() {
    let results = Recipe::FULL.results();
    let judged = Judged::of(&results);
    let panel = judged.headline().expect("rounds");
    let of = |baseline| Against::of(&judged, panel, baseline).expect("a design");
    let (planned, fastest) = (of(Baseline::Planned), of(Baseline::Fastest));
    assert_eq!((planned.comparisons, fastest.comparisons), (11, 66));
    assert_eq!(fastest.baseline.id, panel.rows[0].id);
    // The same two designs, once each way.
    let one = planned.entry(&fastest.baseline.id).and_then(|it| it.interval).expect("an interval");
    let other =
        fastest.entry(&planned.baseline.id).and_then(|it| it.interval).expect("an interval");
    assert!((one.middle * other.middle - 1.0).abs() < 1e-9);
    assert!(other.high / other.low > one.high / one.low, "{one:?} {other:?}");
    for (baseline, control) in
        [(Baseline::Branchy, Control::Branchy), (Baseline::Branchless, Control::Branchless)]
    {
        let first = panel.rows.iter().find(|row| row.control == control).expect("a design");
        assert_eq!(of(baseline).baseline.id, first.id);
    }
}

#[test]
fn columns_are_the_curve_and_then_unperturbed_panels_of_all_pieces() {
    let mut results = Recipe::FULL.results();
    let labels = |results: &Results| {
        let judged = Judged::of(results);
        let matrix = Matrix::of(&judged);
        matrix.columns.iter().map(|column| column.label.clone()).collect::<Vec<_>>()
    };
    let found = labels(&results);
    let first = ["K = 1", "K = 16", "K = 256", "K = 1,024", "K = 4,096", "K = 65,536", "ab4"];
    assert_eq!(found[..7], first);
    assert!(found.contains(&"ab4, captures only".to_owned()), "{found:?}");
    assert!(!found.iter().any(|label| label.contains("cold") || label.contains("sliders")));
    // A walk is a column, the stage of each node is none.
    let place = results.panels.iter().position(|it| it.panel.workload == "perft3").expect("perft3");
    results.panels[place].panel.call = Search::Tree.into();
    assert!(labels(&results).contains(&"perft3, what an engine pays".to_owned()));
    results.panels[place].panel.call = Search::Node.into();
    assert!(!labels(&results).iter().any(|label| label.starts_with("perft3")));
}

#[test]
fn sentences_name_the_fastest_of_each_class_also_where_the_classes_are_exchanged() {
    let sentence = |slower: &str| {
        let mut records = Recipe::FULL.records();
        fixture::stretch(&mut records, slower, 3.0);
        let results = fixture::read(&fixture::text(&records));
        let judged = Judged::of(&results);
        let matrix = Matrix::of(&judged);
        let column = matrix.columns.iter().find(|it| it.label == "ab4").expect("the headline");
        column.sentence().expect("a sentence")
    };
    let one = sentence("synthetic-gamma");
    assert!(
        one.starts_with("On ab4 (all moves, a stream in search-tree order), the fastest of 12")
    );
    assert!(one.contains("is Synthetic iota"), "{one}");
    assert!(one.contains("Of the branchy designs ") && one.contains(" times slower."), "{one}");
    assert!(!one.contains("Of the branchless designs"), "{one}");
    let other = sentence("synthetic-iota");
    assert!(!other.contains("is Synthetic iota"), "{other}");
    assert!(other.contains("Of the branchless designs "), "{other}");
}

#[test]
fn nothing_is_compared_without_rounds() {
    let records: Vec<Record> = Recipe { rounds: 0, ..Recipe::FULL }.records();
    let results = fixture::read(&fixture::text(&records));
    let judged = Judged::of(&results);
    let matrix = Matrix::of(&judged);
    assert!(matrix.columns.is_empty() && matrix.designs.is_empty());
    assert!(Baseline::ALL.iter().all(|baseline| baseline.design(&judged).is_none()));
}
