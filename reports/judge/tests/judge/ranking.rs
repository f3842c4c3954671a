//! Rankings of synthetic sessions: stable ones, changed places, and contradictions.

use raywalk_judge::Judged;
use raywalk_judge::compare::unlike;
use raywalk_judge::ranking::{self, Rankings};
use raywalk_results::fixture::{Recipe, with_times};
use raywalk_results::journal::Results;
use raywalk_results::statistics::Verdict;

fn rank(sessions: &[Results]) -> Rankings {
    let judged: Vec<Judged<'_>> = sessions.iter().map(Judged::of).collect();
    ranking::rank(&judged)
}

fn session(seed: u64) -> Results {
    Recipe { seed, designs: 5, ..Recipe::SMALL }.on_one_machine()
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
        with_times(session(1), &[(beta, 0.800), (gamma, 0.802)]),
        with_times(session(2), &[(beta, 0.802), (gamma, 0.800)]),
    ];
    let rankings = rank(&sessions);
    assert!(rankings.is_stable());
    for panel in &rankings.panels {
        let [moved] = &panel.moved[..] else { panic!("{:?}", panel.moved) };
        assert_eq!((moved.one.as_str(), moved.other.as_str()), (beta, gamma));
        assert_eq!(panel.resolved, 9);
        let equal = |verdict: &Option<Verdict>| matches!(verdict, Some(Verdict::Equal { .. }));
        assert!(moved.verdicts.len() == 2 && moved.verdicts.iter().all(equal));
    }
}

#[test]
fn sessions_with_opposite_verdicts_contradict_each_other() {
    let (beta, gamma) = ("synthetic-beta", "synthetic-gamma");
    let sessions = [
        with_times(session(1), &[(beta, 0.80), (gamma, 0.84)]),
        session(3),
        with_times(session(2), &[(beta, 0.84), (gamma, 0.80)]),
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
}

#[test]
fn too_few_rounds_neither_contradict_nor_resolve() {
    let few = |seed, by| {
        let results = Recipe { seed, designs: 3, rounds: 4, ..Recipe::SMALL }.results();
        with_times(results, &[("synthetic-beta", by)])
    };
    let sessions = [few(1, 0.5), few(2, 2.0)];
    let rankings = rank(&sessions);
    assert!(rankings.is_stable());
    assert!(rankings.panels.iter().all(|panel| panel.resolved == 0 && !panel.moved.is_empty()));
}

#[test]
fn panels_that_not_all_sessions_have_are_left_out() {
    let (a, mut b) = (session(1), session(2));
    b.panels[1].rounds.clear();
    b.panels[0].panel.positions += 1;
    b.session.machine.cpu = "Another".to_owned();
    let sessions = [a, b];
    let rankings = rank(&sessions);
    assert_eq!(rankings.left_out, ["ab4/stream-tree/all"]);
    assert_eq!(rankings.panels.len(), 1);
    let unlike: Vec<String> =
        unlike(&sessions[0], &sessions[1]).into_iter().map(|one| one.what).collect();
    assert_eq!(unlike, ["CPU", "panel repeat-1/replay-1/all"]);
}
