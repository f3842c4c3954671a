//! Comparisons of two synthetic sessions: which changes are found and which are not.

use raywalk_judge::compare::{Comparison, Question, compare, format_difference, unlike};
use raywalk_results::fixture::Recipe;
use raywalk_results::journal::Results;
use raywalk_results::schema::{Legality, Sample};
use raywalk_results::statistics::Verdict;

const BETA: &str = "synthetic-beta";

/// A session of the same machine and build; the seed decides its noise.
fn session(seed: u64) -> Results {
    Recipe { seed, designs: 5, rounds: 60, ..Recipe::SMALL }.on_one_machine()
}

/// The session with the ticks of some samples stretched.
fn stretched(mut results: Results, by: f64, whose: impl Fn(&str) -> bool) -> Results {
    let rounds = results.panels.iter_mut().flat_map(|panel| &mut panel.rounds);
    for sample in rounds.flat_map(|round| &mut round.samples).filter(|s| whose(&s.design)) {
        sample.ticks = (sample.ticks as f64 * by) as u64;
    }
    results
}

fn compared(a: &Results, b: &Results, margin: f64) -> Comparison {
    compare(a, b, &Question { selects: &|_| true, baseline: None, margin })
}

fn verdicts(comparison: &Comparison, id: &str) -> Vec<Verdict> {
    let rows = comparison.panels.iter().flat_map(|panel| &panel.rows);
    rows.filter(|row| row.id == id).filter_map(|row| row.verdict).collect()
}

fn regressions(comparison: &Comparison) -> Vec<&str> {
    comparison.regressions().map(|(_, row)| row.id.as_str()).collect()
}

#[test]
fn a_session_and_its_repetition_show_no_difference() {
    for seed in 10..20 {
        let (a, b) = (session(seed), session(seed + 100));
        assert_eq!(unlike(&a, &b), []);
        let comparison = compared(&a, &b, 0.01);
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
fn a_change_is_resolved_exactly_if_its_significance_is_above_one() {
    let mut resolved = 0;
    for factor in [0.97, 1.0, 1.001, 1.01, 1.1] {
        let (a, b) = (session(10), stretched(session(110), factor, |id| id == BETA));
        let comparison = compared(&a, &b, 0.0);
        for row in comparison.panels.iter().flat_map(|panel| &panel.rows) {
            let Some((verdict, significance)) = row.verdict.zip(row.significance) else { continue };
            let is_resolved = matches!(verdict, Verdict::Faster(_) | Verdict::Slower(_));
            assert_eq!(significance > 1.0, is_resolved, "{row:?}");
            resolved += usize::from(is_resolved);
        }
    }
    assert!(resolved >= 4, "{resolved}");
}

#[test]
fn only_the_design_that_is_one_per_cent_slower_is_found() {
    let (mut found, mut held, mut faster) = (0, 0, 0);
    for seed in 10..50 {
        let (a, b) = (session(seed), stretched(session(seed + 100), 1.01, |id| id == BETA));
        let comparison = compared(&a, &b, 0.002);
        let slower = regressions(&comparison);
        assert!(slower.iter().all(|id| *id == BETA), "seed {seed}: {slower:?}");
        for verdict in verdicts(&comparison, BETA) {
            if let Verdict::Slower(by) = verdict {
                assert!(by.low > 1.002, "seed {seed}: {by:?}");
                found += 1;
                held += u32::from(by.low <= 1.01 && 1.01 <= by.high);
            }
        }
        // In the other direction it is faster, which is no regression; a margin of 2 % allows it.
        let back = compared(&b, &a, 0.002);
        for verdict in verdicts(&back, BETA) {
            assert!(!matches!(verdict, Verdict::Slower(_)), "seed {seed}: {verdict:?}");
            faster += u32::from(matches!(verdict, Verdict::Faster(_)));
        }
        assert_eq!(regressions(&back), [""; 0]);
        assert_eq!(regressions(&compared(&a, &b, 0.02)), [""; 0]);
    }
    assert!(found >= 76 && held >= 74, "found {found} of 80, {held} intervals hold 1 %");
    assert!(faster >= 76, "{faster} of 80");
}

#[test]
fn a_slower_machine_is_no_regression_but_shows_in_the_times() {
    let (a, b) = (session(3), stretched(session(4), 1.9, |_| true));
    let comparison = compared(&a, &b, 0.01);
    assert_eq!(regressions(&comparison), [""; 0]);
    for row in comparison.panels.iter().flat_map(|panel| &panel.rows) {
        let time = row.time.expect("an interval");
        assert!(time.low > 1.8 && time.high < 2.0, "{time:?}");
        if let Some(relative) = row.relative {
            assert!((relative.expect("an interval").middle - 1.0).abs() < 0.003);
        }
    }
}

#[test]
fn times_do_not_depend_on_the_rate_of_the_clock() {
    let (a, mut b) = (session(1), stretched(session(2), 2.0, |_| true));
    b.session.clock.hertz *= 2.0;
    let comparison = compared(&a, &b, 0.01);
    let time = comparison.panels[0].rows[0].time.expect("an interval");
    assert!((time.middle - 1.0).abs() < 0.005, "{time:?}");
}

#[test]
fn a_changed_baseline_does_not_make_the_others_change() {
    let alpha = "synthetic-alpha";
    let (a, b) = (session(1), stretched(session(2), 1.1, |id| id == alpha || id == "A/A control"));
    let comparison = compared(&a, &b, 0.01);
    assert_eq!(regressions(&comparison), [alpha; 2]);
    assert!(comparison.panels.iter().all(|panel| panel.replaced.as_deref() == Some(alpha)));
    assert!(verdicts(&comparison, BETA).iter().all(|v| matches!(v, Verdict::Equal { .. })));
    // Compared with the changed baseline anyway, the others seem to become faster.
    let against = Question { selects: &|_| true, baseline: Some(alpha), margin: 0.01 };
    let comparison = compare(&a, &b, &against);
    assert_eq!(regressions(&comparison), [""; 0]);
    assert!(verdicts(&comparison, BETA).iter().all(|v| matches!(v, Verdict::Faster(_))));
    assert!(comparison.panels[0].rows[0].relative.is_none());
}

/// A session of several processes, each of which takes alpha and its A/A control a little longer or
/// shorter, as another placement of the code does.
fn placed(seed: u64) -> Results {
    let recipe = Recipe { seed, designs: 5, small: true, ..Recipe::FULL };
    let mut results = recipe.on_one_machine();
    for (place, panel) in results.panels.iter_mut().enumerate() {
        for round in &mut panel.rounds {
            let by = 1.0 + 0.03 * ((round.process + seed * place as u64) % 3) as f64;
            let alpha = |sample: &&mut Sample| {
                ["synthetic-alpha", "A/A control"].contains(&sample.design.as_str())
            };
            for sample in round.samples.iter_mut().filter(alpha) {
                sample.ticks = (sample.ticks as f64 * by) as u64;
                sample.blocks.iter_mut().for_each(|b| *b = (*b as f64 * by) as u64);
            }
        }
    }
    results
}

#[test]
fn a_baseline_is_replaced_only_if_its_change_is_resolved() {
    let alpha = "synthetic-alpha";
    for seed in 1..8 {
        // The median of alpha moves by more than the margin, and by less than its spread.
        let is_alpha = |id: &str| id == alpha || id == "A/A control";
        let (a, b) = (placed(seed), stretched(placed(seed + 50), 1.02, is_alpha));
        for panel in compared(&a, &b, 0.01).panels {
            assert_eq!(panel.replaced, None, "seed {seed}, {}", panel.panel.id);
        }
        // A change that the table shows as a verdict. The replacement is the same in all panels.
        let b = stretched(placed(seed + 50), 1.5, is_alpha);
        let panels = compared(&a, &b, 0.01).panels;
        for panel in &panels {
            assert_eq!(panel.replaced.as_deref(), Some(alpha), "seed {seed}");
            assert_eq!(panel.baseline, panels[0].baseline, "seed {seed}");
            let row = panel.rows.iter().find(|row| row.id == alpha).expect("a row");
            assert!(matches!(row.verdict, Some(Verdict::Slower(_))), "seed {seed}: {row:?}");
        }
    }
}

#[test]
fn one_of_two_designs_never_replaces_the_other() {
    let of = |seed| Recipe { seed, designs: 2, rounds: 60, ..Recipe::SMALL }.results();
    let (a, b) = (of(1), stretched(of(2), 1.3, |id| id == "synthetic-alpha"));
    assert!(compared(&a, &b, 0.01).panels.iter().all(|panel| panel.replaced.is_none()));
}

#[test]
fn unlike_sessions_are_named_with_what_differs() {
    let found = |change: &dyn Fn(&mut Results)| {
        let (a, mut b) = (session(1), session(2));
        change(&mut b);
        let unlike = unlike(&a, &b);
        assert_eq!(unlike.len(), 1, "{unlike:?}");
        format_difference(&unlike[0])
    };
    let cpu = found(&|b| b.session.machine.cpu = "Another".to_owned());
    assert_eq!(
        cpu,
        "CPU is `Synthetic processor, family 0 model 0 stepping 0` in A and \
         `Another, family 0 model 0 stepping 0` in B"
    );
    assert!(found(&|b| b.session.build.flags = "-C opt".to_owned()).starts_with("flags is"));
    assert!(found(&|b| b.session.build.rustc = "rustc 2".to_owned()).starts_with("compiler is"));
    assert!(found(&|b| b.session.machine.hypervisor = None).contains("`none` in B"));
    let digest = found(&|b| b.session.corpora[0].digest = "f".repeat(16));
    assert!(digest.starts_with("digest of corpus tree-ab4 is `0000"), "{digest}");
    assert!(found(&|b| b.panels[1].panel.positions += 1).contains("65537 positions"));
    let size = found(&|b| {
        let rounds = b.panels[1].rounds.iter_mut().flat_map(|round| &mut round.samples);
        rounds.for_each(|sample| sample.positions *= 2);
    });
    assert!(
        size.starts_with("a batch of panel ") && size.contains(" positions` in A and "),
        "{size}"
    );
}

/// Sessions draw their batches.
#[test]
fn sessions_without_a_batch_in_common_are_alike_and_have_no_verdict_there() {
    let (a, mut b) = (session(1), session(2));
    b.panels[1].rounds.iter_mut().for_each(|round| round.first += 1_000_000);
    assert_eq!(unlike(&a, &b), []);
    let panels = compared(&a, &b, 0.01).panels;
    assert_eq!(panels[1].rounds, [0, 0]);
    assert!(panels[1].rows.iter().all(|row| row.verdict.is_none()), "{:?}", panels[1].rows);
    assert!(panels[0].rows.iter().any(|row| row.verdict.is_some()));
}

#[test]
fn panels_and_designs_of_one_session_only_are_not_compared() {
    let (a, mut b) = (session(1), session(2));
    b.panels.remove(0);
    let design = b.designs.iter_mut().find(|design| design.id == BETA).expect("a design");
    design.legality = Legality::Legal;
    let comparison = compared(&a, &b, 0.01);
    assert_eq!(comparison.panels.len(), 1);
    assert_eq!(comparison.left_out, ["repeat-1/replay-1/all"]);
    assert!(comparison.panels[0].rows.iter().all(|row| row.id != BETA));
    let question =
        Question { selects: &|id| id == "synthetic-gamma", baseline: None, margin: 0.01 };
    let only = compare(&a, &b, &question);
    assert_eq!(only.panels[0].rows.len(), 1);
    assert_eq!(only.comparisons, 2);
}

#[test]
fn a_change_below_the_spreads_of_both_sessions_is_not_resolved() {
    let of = |seed| {
        let recipe =
            Recipe { seed, designs: 5, rounds: 80, small: true, layouts: 0, ..Recipe::FULL };
        recipe.on_one_machine()
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
    let (a, b) = (of(1), stretched(of(2), 1.1, |id| id == BETA));
    assert_eq!(regressions(&compared(&a, &b, 0.01)), [BETA; 2]);
    let (a, b) = (placed(of(1)), placed(stretched(of(2), 1.05, |id| id == BETA)));
    let comparison = compared(&a, &b, 0.01);
    assert_eq!(regressions(&comparison), [""; 0]);
    assert_eq!(verdicts(&comparison, BETA), [Verdict::NotResolved; 2]);
    let rows = comparison.panels.iter().flat_map(|panel| &panel.rows);
    for row in rows.filter(|row| row.id == BETA) {
        // Two deviations of 0 and 4 % at their upper bounds, of both sessions.
        assert!(row.spread.is_some_and(|spread| (0.06..0.25).contains(&spread)), "{row:?}");
    }
}

#[test]
fn too_few_rounds_have_no_verdict() {
    let few = |seed| Recipe { seed, designs: 3, rounds: 3, ..Recipe::SMALL }.results();
    let (a, b) = (few(1), stretched(few(2), 2.0, |id| id == BETA));
    let comparison = compared(&a, &b, 0.01);
    assert_eq!(regressions(&comparison), [""; 0]);
    assert!(
        comparison.panels.iter().flat_map(|panel| &panel.rows).all(|row| row.verdict.is_none())
    );
}
