//! Rankings of synthetic sessions: what is stable, what only changes places, what contradicts.

mod fixture;
use fixture::Recipe;
use raywalk_reports::journal::Results;
use raywalk_reports::ranking::{Rankings, rank, write};

fn session(seed: u64) -> Results {
    let mut results = Recipe { seed, designs: 5, ..Recipe::SMALL }.results();
    results.session.machine.cpu = "Synthetic processor".to_owned();
    results
}

/// Makes these designs as fast as alpha times a factor, round by round, in all panels.
fn with(mut results: Results, factors: &[(&str, f64)]) -> Results {
    for round in results.panels.iter_mut().flat_map(|panel| &mut panel.rounds) {
        let alpha = round.samples.iter().find(|sample| sample.design == "synthetic-alpha");
        let ticks = alpha.expect("a sample").ticks as f64;
        for (id, factor) in factors {
            let sample = round.samples.iter_mut().find(|sample| sample.design == *id);
            sample.expect("a sample").ticks = (ticks * factor) as u64;
        }
    }
    results
}

fn text(sessions: &[Results], rankings: &Rankings) -> String {
    let mut text = String::new();
    write(&mut text, sessions, rankings).expect("a string takes everything");
    text
}

#[test]
fn five_sessions_of_the_same_designs_are_stable() {
    let sessions: Vec<Results> = (1..=5).map(session).collect();
    let rankings = rank(&sessions);
    assert!(rankings.is_stable());
    for panel in &rankings.panels {
        // Ten pairs, of which even the closest differ by 2 %.
        assert_eq!((panel.pairs(), panel.moved.len(), panel.resolved), (10, 0, 10));
        for (place, design) in panel.designs.iter().enumerate() {
            assert_eq!(design.ranks, [place + 1; 5]);
        }
    }
}

#[test]
fn equal_designs_that_change_places_are_no_contradiction() {
    let (beta, gamma) = ("synthetic-beta", "synthetic-gamma");
    let sessions = [
        with(session(1), &[(beta, 0.800), (gamma, 0.802)]),
        with(session(2), &[(beta, 0.802), (gamma, 0.800)]),
    ];
    let rankings = rank(&sessions);
    assert!(rankings.is_stable());
    for panel in &rankings.panels {
        let [moved] = &panel.moved[..] else { panic!("{:?}", panel.moved) };
        assert_eq!((moved.one.as_str(), moved.other.as_str()), (beta, gamma));
        assert_eq!(panel.resolved, 9);
    }
    let text = text(&sessions, &rankings);
    let line = "synthetic-beta against synthetic-gamma, which change places: 1 equal within 1.0 %, \
                2 equal within 1.0 %";
    assert_eq!(text.matches(line).count(), 2, "{text}");
    assert!(text.ends_with("\nstable: no two sessions contradict each other (2 panels)\n"));
}

#[test]
fn sessions_that_prove_opposite_signs_contradict_each_other() {
    let (beta, gamma) = ("synthetic-beta", "synthetic-gamma");
    let sessions = [
        with(session(1), &[(beta, 0.80), (gamma, 0.84)]),
        session(3),
        with(session(2), &[(beta, 0.84), (gamma, 0.80)]),
    ];
    let rankings = rank(&sessions);
    assert!(!rankings.is_stable());
    for panel in &rankings.panels {
        let found: Vec<_> = panel.contradictions().collect();
        let [moved] = found[..] else { panic!("{found:?}") };
        assert_eq!((moved.one.as_str(), moved.other.as_str()), (beta, gamma));
        let (faster, slower) = moved.contradiction().expect("one");
        assert_eq!(faster, 0);
        assert!(slower > 0);
    }
    let text = text(&sessions, &rankings);
    assert!(text.contains("session 1 says that synthetic-beta is faster than synthetic-gamma"));
    assert!(
        text.lines().last().is_some_and(|line| line.starts_with("not stable: 2 contradictions"))
    );
}

#[test]
fn too_few_rounds_contradict_nobody_and_resolve_nothing() {
    let few = |seed, by| {
        let results = Recipe { seed, designs: 3, rounds: 4, ..Recipe::SMALL }.results();
        with(results, &[("synthetic-beta", by)])
    };
    let sessions = [few(1, 0.5), few(2, 2.0)];
    let rankings = rank(&sessions);
    assert!(rankings.is_stable());
    assert!(rankings.panels.iter().all(|panel| panel.resolved == 0 && !panel.moved.is_empty()));
    assert!(text(&sessions, &rankings).contains("0 of 3 pairs resolved in two sessions or more"));
}

#[test]
fn what_not_all_have_is_left_out_and_unlike_sessions_are_named() {
    let (a, mut b) = (session(1), session(2));
    b.panels[1].rounds.clear();
    b.panels[0].panel.positions += 1;
    b.session.machine.cpu = "Another".to_owned();
    let sessions = [a, b];
    let rankings = rank(&sessions);
    assert_eq!(rankings.left_out, ["ab4/stream-tree/all"]);
    assert_eq!(rankings.panels.len(), 1);
    let text = text(&sessions, &rankings);
    assert!(text.contains("unlike: 1 and 2 differ in the CPU and panel repeat-1/replay-1/all\n"));
    assert!(text.contains("Not in all sessions: ab4/stream-tree/all.\n"), "{text}");
}

#[test]
fn the_text_ranks_shows_the_curves_and_ends_with_a_sentence() {
    let of = |seed| Recipe { seed, designs: 5, rounds: 24, ..Recipe::FULL }.results();
    let mut sessions = [of(1), of(2)];
    for results in &mut sessions {
        results.session.machine.cpu = "Synthetic processor".to_owned();
        let keep =
            |id: &str| id.starts_with("ab4/cold") || id.contains("replay") && id.ends_with("all");
        results.panels.retain(|panel| keep(&panel.panel.id));
    }
    insta::assert_snapshot!(text(&sessions, &rank(&sessions)));
}
