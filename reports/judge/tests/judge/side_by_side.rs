//! The panels of synthetic sessions side by side: which designs are marked, and which sessions are kept apart.

use raywalk_judge::Judged;
use raywalk_judge::compare::side_by_side::{Apart, Beside, SideBySide, side_by_side};
use raywalk_results::fixture::Recipe;
use raywalk_results::journal::Results;
use raywalk_results::schema::{Call, Stage};
use raywalk_results::statistics::Verdict;

const BETA: &str = "synthetic-beta";

/// A session in which one design takes so many times as long; the seed decides its noise.
fn session(seed: u64, beta: f64) -> Results {
    let mut results = Recipe { seed, designs: 5, rounds: 60, ..Recipe::SMALL }.on_one_machine();
    let rounds = results.panels.iter_mut().flat_map(|panel| &mut panel.rounds);
    for sample in rounds.flat_map(|round| &mut round.samples).filter(|it| it.design == BETA) {
        sample.ticks = (sample.ticks as f64 * beta) as u64;
    }
    results
}

fn all(sessions: &[Results]) -> SideBySide {
    side_by_side(&sessions.iter().map(Judged::of).collect::<Vec<_>>(), 0.01)
}

fn compared(sessions: &[Results]) -> Result<Beside, Apart> {
    all(sessions).headline
}

/// Design and sessions of each significant difference.
fn significant(found: &Beside) -> Vec<(&str, [usize; 2])> {
    let changes = found
        .differing()
        .flat_map(|design| design.changes.iter().map(move |change| (design.id.as_str(), change)));
    let found = changes.filter(|(_, change)| change.row.is_change());
    found.map(|(id, change)| (id, change.sessions)).collect()
}

#[test]
fn two_equal_sessions_do_not_differ() {
    for seed in 10..20 {
        let sessions = [session(seed, 1.0), session(seed + 100, 1.0)];
        let found = compared(&sessions).expect("the same panel");
        assert_eq!(significant(&found), []);
        assert_eq!(found.designs.len(), 4, "all but the baseline");
        for design in &found.designs {
            for (session, ratio) in sessions.iter().zip(&design.ratios) {
                let judged = Judged::of(session);
                let row = judged.headline().and_then(|panel| panel.row(&design.id));
                assert_eq!(row.map(|row| (row.ratio, row.interval)), Some(*ratio));
            }
            assert!(design.changes.iter().all(|change| change.row.verdict.is_some()));
        }
    }
}

#[test]
fn only_the_design_that_is_slower_is_marked() {
    for seed in 10..20 {
        let found = compared(&[session(seed, 1.0), session(seed + 100, 1.05)]).expect("one panel");
        assert_eq!(significant(&found), [(BETA, [0, 1])], "seed {seed}");
        let beta = found.designs.iter().find(|design| design.id == BETA).expect("a design");
        let verdict = beta.changes[0].row.verdict;
        assert!(matches!(verdict, Some(Verdict::Slower(_))), "{verdict:?}");
    }
}

#[test]
fn every_two_of_three_sessions_are_compared() {
    let found = compared(&[session(1, 1.0), session(2, 1.0), session(3, 1.05)]).expect("one panel");
    assert_eq!(significant(&found), [(BETA, [0, 2]), (BETA, [1, 2])]);
    assert!(found.designs.iter().all(|design| design.ratios.len() == 3));
}

#[test]
fn a_design_that_one_session_lacks_is_left_out() {
    let mut other = session(2, 1.0);
    for panel in &mut other.panels {
        panel.panel.designs.retain(|id| id != BETA);
        for round in &mut panel.rounds {
            round.samples.retain(|sample| sample.design != BETA);
        }
    }
    let found = compared(&[session(1, 1.0), other]).expect("one panel");
    assert_eq!(found.designs.len(), 3);
    assert!(found.designs.iter().all(|design| design.id != BETA));
}

#[test]
fn other_positions_and_another_baseline_keep_sessions_apart() {
    let changed = |change: &dyn Fn(&mut Results)| {
        let mut other = session(2, 1.0);
        change(&mut other);
        match compared(&[session(1, 1.0), other]) {
            Err(Apart::Unlike(1, found)) => found.into_iter().map(|it| it.what).collect(),
            found => panic!("{found:?}"),
        }
    };
    let digest: Vec<String> = changed(&|other| {
        other.session.corpora.iter_mut().for_each(|it| it.digest = "another".to_owned());
    });
    assert_eq!(digest, ["corpora of the panel"]);
    let baseline: Vec<String> = changed(&|other| {
        other.panels.iter_mut().for_each(|it| it.panel.baseline = BETA.to_owned());
    });
    assert_eq!(baseline, ["baseline of the panel"]);
    let work: Vec<String> = changed(&|other| {
        other.panels.iter_mut().for_each(|it| it.panel.positions += 1);
    });
    assert_eq!(work, ["panel"]);
    assert_eq!(compared(&[session(1, 1.0)]), Err(Apart::NothingToCompare));
}

/// Sessions with the same three panels.
fn with_panels(seed: u64, beta: f64) -> Results {
    let mut results = session(seed, beta);
    // What remains is the headline.
    results.panels.remove(0);
    for (number, stage) in [(1, Stage::Captures), (2, Stage::Quiets)] {
        let mut panel = results.panels[0].clone();
        panel.panel.call = Call::generate(stage);
        panel.panel.id = format!("panel-{number}");
        results.panels.push(panel);
    }
    results
}

#[test]
fn every_panel_that_all_sessions_measured_alike_stands_side_by_side() {
    let sessions = [with_panels(1, 1.0), with_panels(2, 1.0), with_panels(3, 1.05)];
    let found = all(&sessions);
    let ids =
        |found: &SideBySide| found.others.iter().map(|it| it.panel.id.clone()).collect::<Vec<_>>();
    assert_eq!(ids(&found), ["panel-1", "panel-2"]);
    assert_eq!(found.left_out, [""; 0]);
    for panel in found.panels() {
        assert_eq!(significant(panel), [(BETA, [0, 2]), (BETA, [1, 2])], "{}", panel.panel.id);
    }
    // One session has other positions in one panel, and lacks another.
    let mut other = with_panels(2, 1.0);
    other.panels[1].panel.positions += 1;
    other.panels.pop();
    let found = all(&[other, sessions[0].clone(), sessions[2].clone()]);
    assert!(found.headline.is_ok());
    assert_eq!(
        (ids(&found), found.left_out),
        (vec![], vec!["panel-1".to_owned(), "panel-2".to_owned()])
    );
}

#[test]
fn panels_stand_side_by_side_where_the_headlines_differ() {
    let mut other = with_panels(2, 1.05);
    other.panels[0].panel.positions += 1;
    let found = all(&[with_panels(1, 1.0), other]);
    assert!(matches!(found.headline, Err(Apart::Unlike(1, _))));
    assert_eq!(found.panels().count(), 2);
}
