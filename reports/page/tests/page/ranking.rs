//! Rankings of synthetic sessions as text.

use raywalk_judge::Judged;
use raywalk_judge::ranking::rank;
use raywalk_page::terminal::{self, Screen};
use raywalk_results::fixture::{Recipe, with_times};
use raywalk_results::journal::Results;

fn session(seed: u64) -> Results {
    Recipe { seed, designs: 5, ..Recipe::SMALL }.on_one_machine()
}

fn text(sessions: &[Results]) -> String {
    let judged: Vec<Judged<'_>> = sessions.iter().map(Judged::of).collect();
    let mut screen = Screen::new(300, false);
    terminal::ranking::write(&mut screen, &judged, &rank(&judged));
    screen.as_str().to_owned()
}

#[test]
fn equal_designs_that_change_places_are_stable() {
    let (beta, gamma) = ("synthetic-beta", "synthetic-gamma");
    let text = text(&[
        with_times(session(1), &[(beta, 0.800), (gamma, 0.802)]),
        with_times(session(2), &[(beta, 0.802), (gamma, 0.800)]),
    ]);
    let line = "synthetic-beta against synthetic-gamma, which change order: 1 equal within 1.0 %, \
                2 equal within 1.0 %";
    assert_eq!(text.matches(line).count(), 2, "{text}");
    assert!(text.ends_with("\nstable: no two sessions contradict each other (2 panels)\n"));
}

#[test]
fn a_contradiction_names_both_sessions() {
    let (beta, gamma) = ("synthetic-beta", "synthetic-gamma");
    let text = text(&[
        with_times(session(1), &[(beta, 0.80), (gamma, 0.84)]),
        session(3),
        with_times(session(2), &[(beta, 0.84), (gamma, 0.80)]),
    ]);
    let sentence =
        "synthetic-beta is faster than synthetic-gamma in session 1 and slower in session";
    assert!(text.contains(sentence), "{text}");
    let last = text.lines().last();
    assert!(last.is_some_and(|line| line.starts_with("not stable: 2 contradictions")), "{text}");
}

#[test]
fn the_number_of_resolved_pairs_is_shown() {
    let few = |seed, by| {
        let results = Recipe { seed, designs: 3, rounds: 4, ..Recipe::SMALL }.results();
        with_times(results, &[("synthetic-beta", by)])
    };
    let text = text(&[few(1, 0.5), few(2, 2.0)]);
    assert!(text.contains("0 of 3 pairs resolved in two sessions or more"), "{text}");
}

#[test]
fn differences_between_sessions_and_missing_panels_are_named() {
    let (a, mut b) = (session(1), session(2));
    b.panels[1].rounds.clear();
    b.panels[0].panel.positions += 1;
    b.session.machine.cpu = "Another".to_owned();
    let text = text(&[a, b]);
    assert!(text.contains("unlike: 1 and 2 differ in CPU and panel repeat-1/replay-1/all\n"));
    assert!(text.contains("Not in all sessions: ab4/stream-tree/all.\n"), "{text}");
}

#[test]
fn the_text_ranks_shows_the_curves_and_ends_with_a_sentence() {
    let of = |seed| Recipe { seed, designs: 5, rounds: 24, ..Recipe::FULL }.on_one_machine();
    let mut sessions = [of(1), of(2)];
    for results in &mut sessions {
        let keep =
            |id: &str| id.starts_with("ab4/cold") || id.contains("replay") && id.ends_with("all");
        results.panels.retain(|panel| keep(&panel.panel.id));
    }
    insta::assert_snapshot!(text(&sessions));
}
