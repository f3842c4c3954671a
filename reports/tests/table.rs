//! The terminal table of the fixture.

mod fixture;
use fixture::Recipe;
use raywalk_reports::journal::Results;
use raywalk_reports::summary::summarise;
use raywalk_reports::table;

fn written(results: &Results) -> String {
    let mut text = String::new();
    for summary in summarise(results) {
        table::write(&mut text, results, &summary).expect("a string takes everything");
        text.push('\n');
    }
    text
}

#[test]
fn the_table_ranks_the_designs_and_names_the_floor() {
    insta::assert_snapshot!(written(&Recipe::SMALL.results()));
}

#[test]
fn a_table_of_too_few_rounds_shows_costs_and_withholds_verdicts() {
    let recipe = Recipe { rounds: 4, designs: 3, instruments: false, ..Recipe::SMALL };
    insta::assert_snapshot!(written(&recipe.results()));
}

#[test]
fn a_session_of_several_processes_shows_the_spread_beside_each_ratio() {
    let recipe = Recipe { designs: 5, small: true, ..Recipe::FULL };
    insta::assert_snapshot!(written(&recipe.results()));
    let processes = written(&Recipe { layouts: 0, ..recipe }.results());
    assert!(processes.contains(" % processes  ") && !processes.contains(" % layouts"));
}

#[test]
fn a_panel_without_a_round_says_so() {
    let recipe = Recipe { rounds: 0, ..Recipe::SMALL };
    assert!(written(&recipe.results()).contains("no round yet"));
}

#[test]
fn no_line_ends_in_blanks_and_all_columns_are_aligned() {
    let text = written(&Recipe::SMALL.results());
    assert!(text.lines().all(|line| line == line.trim_end()));
    // The ratio has three decimals below ten, so its decimal points stand in one column.
    let first = text.split("\n\n").nth(1).expect("the rows of the first panel");
    let ratio = first.lines().next().and_then(|head| head.find("ratio")).expect("a heading");
    for row in first.lines().skip(1) {
        assert_eq!(row.chars().nth(ratio + 1), Some('.'), "{row}");
    }
}

#[test]
fn a_number_is_never_printed_without_what_was_done_to_get_it() {
    let text = written(&Recipe { rounds: 7, ..Recipe::FULL }.results());
    for sentence in [
        "a stream in search-tree order, the branch predictor overwritten by 16,384 random branches \
         before each call (difference of two timed runs)",
        "64 cache lines of a ring of 256 KiB read before each call (difference of two timed runs)",
        "ab4, all moves of the sliders, a stream in search-tree order",
        "without sliders apart, and so not here: Synthetic lambda with a long display name",
    ] {
        assert_eq!(text.matches(sentence).count(), 1, "{sentence}\n{text}");
    }
}

#[test]
fn only_branchy_designs_are_marked_where_the_predictor_knows_all_by_heart() {
    let results = Recipe { rounds: 7, ..Recipe::FULL }.results();
    for summary in summarise(&results) {
        let mut text = String::new();
        table::write(&mut text, &results, &summary).expect("a string takes everything");
        let branchy = summary.rows.iter().filter(|row| row.control == "branchy").count();
        let marks = text.matches(", memorised\n").count();
        assert_eq!(marks, if summary.panel.memorised { branchy } else { 0 }, "{text}");
        assert_eq!(text.contains("knows their branches by heart"), summary.panel.memorised);
    }
}
