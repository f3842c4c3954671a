//! The comparison of two synthetic sessions as text.

use raywalk_judge::Judged;
use raywalk_judge::compare::{Question, compare, unlike};
use raywalk_page::terminal::{self, Screen};
use raywalk_results::fixture::Recipe;
use raywalk_results::journal::Results;

const BETA: &str = "synthetic-beta";

/// A session of the same machine and build; the seed decides its noise.
fn session(recipe: Recipe) -> Results {
    Recipe { designs: 5, ..recipe }.on_one_machine()
}

fn small(seed: u64) -> Results {
    session(Recipe { seed, rounds: 60, ..Recipe::SMALL })
}

/// The session with the ticks of some samples multiplied.
fn stretched(mut results: Results, by: f64, selects: impl Fn(&str) -> bool) -> Results {
    let rounds = results.panels.iter_mut().flat_map(|panel| &mut panel.rounds);
    for sample in rounds.flat_map(|round| &mut round.samples).filter(|s| selects(&s.design)) {
        sample.ticks = (sample.ticks as f64 * by) as u64;
    }
    results
}

fn text(a: &Results, b: &Results) -> String {
    text_at(160, a, b)
}

fn text_at(width: usize, a: &Results, b: &Results) -> String {
    let question = Question { selects: &|_| true, baseline: None, margin: 0.01 };
    let comparison = compare(a, b, &question);
    let sessions = [&Judged::of(a), &Judged::of(b)];
    let mut screen = Screen::new(width, false);
    terminal::compare::write(&mut screen, sessions, &unlike(a, b), &comparison);
    screen.as_str().to_owned()
}

#[test]
fn a_forced_comparison_is_marked_on_every_line() {
    let (a, mut b) = (small(1), small(2));
    assert!(!text(&a, &b).contains("forced"));
    b.session.machine.cpu = "Another".to_owned();
    let forced = text(&a, &b);
    assert!(forced.lines().count() > 15);
    assert!(forced.lines().all(|line| line.starts_with("forced |")), "{forced}");
    assert!(forced.contains("unlike: CPU is"), "{forced}");
}

#[test]
fn the_table_names_sessions_verdicts_and_the_outcome() {
    let (a, b) = (small(1), stretched(small(2), 1.03, |id| id == BETA));
    insta::assert_snapshot!(text(&a, &b));
}

#[test]
fn a_replaced_baseline_is_named() {
    let alpha = "synthetic-alpha";
    let changed = |id: &str| id == alpha || id == "A/A control";
    let text = text(&small(1), &stretched(small(2), 1.1, changed));
    assert!(text.contains(", because synthetic-alpha changed"), "{text}");
}

#[test]
fn the_spread_is_explained_where_it_is_known() {
    let of = |seed| session(Recipe { seed, small: true, ..Recipe::FULL });
    let known = text(&of(1), &of(2));
    assert!(known.contains("Spread: two standard deviations"), "{known}");
    assert!(!text(&small(1), &small(2)).contains("Spread: two standard deviations"));
}

#[test]
fn too_few_rounds_are_named() {
    let few = |seed| Recipe { seed, designs: 3, rounds: 3, ..Recipe::SMALL }.results();
    assert!(text(&few(1), &few(2)).contains("too few rounds"));
}
