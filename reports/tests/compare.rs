//! Two synthetic sessions against each other: what is found, what is not, what is refused.

mod fixture;
use fixture::Recipe;
use raywalk_reports::compare::{Comparison, Question, compare, unlike, write};
use raywalk_reports::journal::Results;
use raywalk_reports::statistics::Verdict;

const BETA: &str = "synthetic-beta";

/// A session of the same machine and build; the seed decides its noise.
fn session(seed: u64) -> Results {
    let mut results = Recipe { seed, designs: 5, rounds: 60, ..Recipe::SMALL }.results();
    results.session.machine.cpu = "Synthetic processor".to_owned();
    results
}

/// The session with the ticks of some samples stretched.
fn stretched(mut results: Results, by: f64, whose: impl Fn(&str) -> bool) -> Results {
    let rounds = results.panels.iter_mut().flat_map(|panel| &mut panel.rounds);
    for sample in rounds.flat_map(|round| &mut round.samples).filter(|s| whose(&s.design)) {
        sample.ticks = (sample.ticks as f64 * by) as u64;
    }
    results
}

fn asked(a: &Results, b: &Results, gate: f64) -> Comparison {
    compare(a, b, &Question { wanted: &|_| true, baseline: None, gate })
}

fn verdicts(comparison: &Comparison, id: &str) -> Vec<Verdict> {
    let rows = comparison.panels.iter().flat_map(|panel| &panel.rows);
    rows.filter(|row| row.id == id).filter_map(|row| row.verdict).collect()
}

fn regressions(comparison: &Comparison) -> Vec<&str> {
    comparison.regressions().map(|(_, row)| row.id.as_str()).collect()
}

fn text(a: &Results, b: &Results, gate: f64) -> String {
    let mut text = String::new();
    let comparison = asked(a, b, gate);
    write(&mut text, [a, b], &unlike(a, b), &comparison).expect("a string takes everything");
    text
}

#[test]
fn a_session_and_its_repetition_show_no_difference() {
    for seed in 10..20 {
        let (a, b) = (session(seed), session(seed + 100));
        assert_eq!(unlike(&a, &b), []);
        let comparison = asked(&a, &b, 0.01);
        assert_eq!(comparison.panels.len(), 2);
        // Two panels of one baseline and four others.
        assert_eq!(comparison.comparisons, 2 * (1 + 2 * 4));
        assert_eq!(regressions(&comparison), [""; 0]);
        for row in comparison.panels.iter().flat_map(|panel| &panel.rows) {
            assert!(
                !matches!(row.verdict, Some(Verdict::Slower(_) | Verdict::Faster(_))),
                "{row:?}"
            );
        }
    }
}

#[test]
fn a_design_one_per_cent_slower_is_found_and_no_other() {
    for seed in 10..20 {
        let (a, b) = (session(seed), stretched(session(seed + 100), 1.01, |id| id == BETA));
        let comparison = asked(&a, &b, 0.002);
        assert_eq!(regressions(&comparison), [BETA; 2], "seed {seed}");
        for verdict in verdicts(&comparison, BETA) {
            let Verdict::Slower(by) = verdict else { panic!("seed {seed}: {verdict:?}") };
            assert!(by.low > 1.002 && by.low <= 1.01 && 1.01 <= by.high, "seed {seed}: {by:?}");
        }
        // The other way round it is faster, which is no regression; and 2 % forgive it.
        let back = asked(&b, &a, 0.002);
        assert!(verdicts(&back, BETA).iter().all(|v| matches!(v, Verdict::Faster(_))));
        assert_eq!(regressions(&back), [""; 0]);
        assert_eq!(regressions(&asked(&a, &b, 0.02)), [""; 0]);
    }
}

#[test]
fn a_machine_that_is_slower_for_all_is_no_regression_but_shows_in_the_times() {
    let (a, b) = (session(1), stretched(session(2), 1.9, |_| true));
    let comparison = asked(&a, &b, 0.01);
    assert_eq!(regressions(&comparison), [""; 0]);
    for row in comparison.panels.iter().flat_map(|panel| &panel.rows) {
        let time = row.time.expect("an interval");
        assert!(time.low > 1.85 && time.high < 1.95, "{time:?}");
        if let Some(relative) = row.relative {
            assert!((relative.expect("an interval").middle - 1.0).abs() < 0.003);
        }
    }
}

#[test]
fn another_rate_of_the_clock_is_not_another_time() {
    let (a, mut b) = (session(1), stretched(session(2), 2.0, |_| true));
    b.session.clock.hertz *= 2.0;
    let comparison = asked(&a, &b, 0.01);
    let time = comparison.panels[0].rows[0].time.expect("an interval");
    assert!((time.middle - 1.0).abs() < 0.005, "{time:?}");
}

#[test]
fn a_baseline_that_changed_does_not_make_the_others_change() {
    let alpha = "synthetic-alpha";
    let (a, b) = (session(1), stretched(session(2), 1.1, |id| id == alpha || id == "twin"));
    let comparison = asked(&a, &b, 0.01);
    assert_eq!(regressions(&comparison), [alpha; 2]);
    assert!(comparison.panels.iter().all(|panel| panel.replaced.as_deref() == Some(alpha)));
    assert!(text(&a, &b, 0.01).contains(", because synthetic-alpha itself changed"));
    assert!(verdicts(&comparison, BETA).iter().all(|v| matches!(v, Verdict::Equal { .. })));
    // Held against that one all the same, it is the others that seem to get faster.
    let against = Question { wanted: &|_| true, baseline: Some(alpha), gate: 0.01 };
    let comparison = compare(&a, &b, &against);
    assert_eq!(regressions(&comparison), [""; 0]);
    assert!(verdicts(&comparison, BETA).iter().all(|v| matches!(v, Verdict::Faster(_))));
    assert!(comparison.panels[0].rows[0].relative.is_none());
}

#[test]
fn unlike_sessions_are_named_with_what_differs() {
    let said = |change: &dyn Fn(&mut Results)| {
        let (a, mut b) = (session(1), session(2));
        change(&mut b);
        let unlike = unlike(&a, &b);
        assert_eq!(unlike.len(), 1, "{unlike:?}");
        unlike[0].to_string()
    };
    let cpu = said(&|b| b.session.machine.cpu = "Another".to_owned());
    assert_eq!(
        cpu,
        "the CPU is `Synthetic processor, family 0, model 0, stepping 0` in A and \
         `Another, family 0, model 0, stepping 0` in B"
    );
    assert!(
        said(&|b| b.session.build.flags = "-C opt".to_owned()).starts_with("the list of flags")
    );
    assert!(said(&|b| b.session.build.rustc = "rustc 2".to_owned()).starts_with("the compiler"));
    assert!(said(&|b| b.session.machine.hypervisor = None).contains("`none` in B"));
    let digest = said(&|b| b.session.corpora[0].digest = "f".repeat(16));
    assert!(digest.starts_with("the digest of corpus tree-ab4 is `0000"), "{digest}");
    assert!(said(&|b| b.panels[1].panel.positions += 1).contains("65537 positions"));
}

#[test]
fn a_forced_comparison_is_marked_on_every_line() {
    let (a, mut b) = (session(1), session(2));
    assert!(!text(&a, &b, 0.01).contains("forced"));
    b.session.machine.cpu = "Another".to_owned();
    let forced = text(&a, &b, 0.01);
    assert!(forced.lines().count() > 15);
    assert!(forced.lines().all(|line| line.starts_with("forced |")), "{forced}");
    assert!(forced.contains("unlike: the CPU is"));
}

#[test]
fn the_table_names_sessions_verdicts_and_the_outcome() {
    let (a, b) = (session(1), stretched(session(2), 1.03, |id| id == BETA));
    insta::assert_snapshot!(text(&a, &b, 0.01));
}

#[test]
fn what_is_not_in_both_is_named_and_not_compared() {
    let (a, mut b) = (session(1), session(2));
    b.panels.remove(0);
    let design = b.designs.iter_mut().find(|design| design.id == BETA).expect("a design");
    design.legality = "legal".to_owned();
    let comparison = asked(&a, &b, 0.01);
    assert_eq!(comparison.panels.len(), 1);
    assert_eq!(comparison.left_out, ["repeat-1/replay-1/all"]);
    assert!(comparison.panels[0].rows.iter().all(|row| row.id != BETA));
    let wanted = Question { wanted: &|id| id == "synthetic-gamma", baseline: None, gate: 0.01 };
    let only = compare(&a, &b, &wanted);
    assert_eq!(only.panels[0].rows.len(), 1);
    assert_eq!(only.comparisons, 2);
}

#[test]
fn a_change_below_the_spreads_of_both_sessions_is_not_proved() {
    let of = |seed| {
        let recipe = Recipe { seed, designs: 5, small: true, ..Recipe::FULL };
        let mut results = recipe.results();
        results.session.machine.cpu = "Synthetic processor".to_owned();
        results
    };
    // Every second process of both takes beta 4 % longer.
    let placed = |mut results: Results| {
        let rounds = results.panels.iter_mut().flat_map(|panel| &mut panel.rounds);
        for round in rounds.filter(|round| round.process.is_multiple_of(2)) {
            for sample in round.samples.iter_mut().filter(|sample| sample.design == BETA) {
                sample.ticks = (sample.ticks as f64 * 1.04) as u64;
            }
        }
        results
    };
    let (a, b) = (of(1), stretched(of(2), 1.05, |id| id == BETA));
    assert_eq!(regressions(&asked(&a, &b, 0.01)), [BETA; 2]);
    let (a, b) = (placed(a), placed(b));
    let comparison = asked(&a, &b, 0.01);
    assert_eq!(regressions(&comparison), [""; 0]);
    assert_eq!(verdicts(&comparison, BETA), [Verdict::NotResolved; 2]);
    let rows = comparison.panels.iter().flat_map(|panel| &panel.rows);
    for row in rows.filter(|row| row.id == BETA) {
        // Twice the deviation of 0 and 4 %, once for each session.
        assert!(row.spread.is_some_and(|spread| (0.06..0.12).contains(&spread)), "{row:?}");
    }
    let text = text(&a, &b, 0.01);
    assert!(text.contains("Spread: two standard deviations") && !text.contains("Where no spread"));
}

#[test]
fn too_few_rounds_prove_nothing() {
    let few = |seed| Recipe { seed, designs: 3, rounds: 3, ..Recipe::SMALL }.results();
    let (a, b) = (few(1), stretched(few(2), 2.0, |id| id == BETA));
    let comparison = asked(&a, &b, 0.01);
    assert_eq!(regressions(&comparison), [""; 0]);
    assert!(
        comparison.panels.iter().flat_map(|panel| &panel.rows).all(|row| row.verdict.is_none())
    );
    assert!(text(&a, &b, 0.01).contains("too few rounds"));
}
