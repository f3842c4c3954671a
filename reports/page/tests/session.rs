//! The ranked table of a session in the terminal.

use raywalk_judge::Judged;
use raywalk_page::terminal::{self, Screen};
use raywalk_results::fixture::Recipe;
use raywalk_results::journal::Results;
use raywalk_results::schema::Control;

fn written(results: &Results) -> String {
    written_at(160, results)
}

fn written_at(width: usize, results: &Results) -> String {
    let mut screen = Screen::new(width, false);
    for summary in &Judged::of(results).panels {
        terminal::session::write(&mut screen, results, summary);
        screen.blank();
    }
    screen.as_str().to_owned()
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
fn every_table_names_its_call_and_its_regime() {
    let text = written(&Recipe { rounds: 7, ..Recipe::FULL }.results());
    for sentence in [
        "ab4, all moves, a stream in search-tree order, disturbed by 16384 branches",
        "ab4, all moves, a stream in search-tree order, disturbed by 262144 bytes",
        "ab4, all moves of the sliders, a stream in search-tree order",
        "not in this table, because they generate the moves of all pieces at once: Synthetic lambda",
    ] {
        assert_eq!(text.matches(sentence).count(), 1, "{sentence}\n{text}");
    }
}

#[test]
fn only_branchy_designs_are_marked_as_memorised() {
    let results = Recipe { rounds: 7, ..Recipe::FULL }.results();
    for summary in &Judged::of(&results).panels {
        let mut screen = Screen::new(400, false);
        terminal::session::write(&mut screen, &results, summary);
        let text = screen.as_str();
        let branchy = summary.rows.iter().filter(|row| row.control == Control::Branchy).count();
        let marks = text.matches(", memorised\n").count();
        assert_eq!(marks, if summary.panel.memorised { branchy } else { 0 }, "{text}");
        assert_eq!(text.contains("has memorised their branches"), summary.panel.memorised);
    }
}
