//! The ranked table of a session in the terminal.

use raywalk_judge::Judged;
use raywalk_page::terminal::{self, Screen};
use raywalk_results::fixture::{self, Recipe};
use raywalk_results::journal::Results;

fn written(results: &Results) -> String {
    written_at(160, results)
}

fn written_at(width: usize, results: &Results) -> String {
    let mut screen = Screen::new(width, false);
    let judged = Judged::of(results);
    for summary in &judged.panels {
        terminal::session::write(&mut screen, &judged, summary);
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
fn a_design_of_spoilt_samples_stands_last_without_a_rank_and_says_why() {
    let mut results = Recipe { rounds: 24, shares: 12, ..Recipe::SMALL }.results();
    let rounds = results.panels[0].rounds.iter_mut().filter(|round| round.process >= 2);
    let samples = rounds.flat_map(|round| &mut round.samples);
    for sample in samples.filter(|sample| sample.design == "synthetic-beta") {
        (sample.ticks, sample.blocks) = (0, Vec::new());
    }
    let text = written(&results);
    let panel = text.split("A/A control: floor").next().expect("the first table");
    let last = panel.trim_end().lines().last().expect("a row");
    assert!(last.trim_start().starts_with("–  synthetic-beta "), "{last}");
    assert!(last.ends_with("20 of 24 samples were left out as spoilt"), "{last}");
    assert!(!text.contains("too few rounds"));
}

#[test]
fn designs_whose_boards_exceed_the_second_level_cache_are_marked_in_terminal_and_page() {
    let mut results = Recipe::SMALL.results();
    let panel = &mut results.panels[0].panel;
    (panel.regime, panel.positions) = (fixture::replay(1_024), 1_024);
    for design in &mut results.designs {
        design.board_bytes = Some(if design.id == "synthetic-beta" { 2_432 } else { 72 });
    }
    let text = written(&results);
    let marked: Vec<&str> =
        text.lines().filter(|line| line.ends_with(", boards beyond L2")).collect();
    assert!(!marked.is_empty(), "no row is marked");
    assert!(marked.iter().all(|row| row.contains(" synthetic-beta ")), "{marked:?}");
    let page = raywalk_page::page(&[Judged::of(&results)]);
    assert_eq!(page.matches(" · boards beyond L2").count(), marked.len());
    for text in [text, page] {
        assert!(text.contains("exceed the second-level cache of 1 MiB"));
    }
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
        "ab4, all moves, a stream in search-tree order, perturbed by 16384 branches",
        "ab4, all moves, a stream in search-tree order, perturbed by 262144 bytes",
        "ab4, all moves of the sliders, a stream in search-tree order",
        "not in this table, because they generate the moves of all pieces at once: Synthetic lambda",
    ] {
        assert_eq!(text.matches(sentence).count(), 1, "{sentence}\n{text}");
    }
}

#[test]
fn designs_are_marked_as_memorised_by_their_own_curves() {
    let mut results = Recipe { rounds: 7, ..Recipe::FULL }.results();
    // One branchy design costs the same everywhere, so it has memorised nothing.
    for round in results.panels.iter_mut().flat_map(|panel| &mut panel.rounds) {
        for sample in round.samples.iter_mut().filter(|sample| sample.design == "synthetic-theta") {
            sample.ticks = sample.positions * 400;
        }
    }
    let judged = Judged::of(&results);
    for summary in &judged.panels {
        let mut screen = Screen::new(400, false);
        terminal::session::write(&mut screen, &judged, summary);
        // The curves of the fixture pass their middle near K = 700.
        let is_short = summary.panel.regime.period.is_some_and(|k| k < 300);
        for line in screen.as_str().lines().filter(|line| line.contains("synthetic-")) {
            let expected = is_short && !line.contains("synthetic-theta");
            assert_eq!(line.ends_with(", memorised"), expected, "{line}");
        }
        let note = "the branch predictor has memorised them";
        assert_eq!(screen.as_str().contains(note), is_short, "{}", summary.panel.id);
    }
}

#[test]
fn a_session_without_a_curve_says_that_it_cannot_tell() {
    let results = Recipe { rounds: 7, ..Recipe::SMALL }.results();
    let judged = Judged::of(&results);
    for summary in &judged.panels {
        let mut screen = Screen::new(400, false);
        terminal::session::write(&mut screen, &judged, summary);
        let is_replay = summary.panel.regime.period.is_some();
        let note = "This session has no memorisation curve";
        assert_eq!(screen.as_str().contains(note), is_replay, "{}", summary.panel.id);
        assert!(!screen.as_str().contains(", memorised"));
    }
}
