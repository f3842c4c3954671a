//! What follows from rounds, on numbers a reader can check in the head.

mod fixture;
use fixture::Recipe;
use raywalk_reports::journal::Results;
use raywalk_reports::schema::Regime;
use raywalk_reports::spread::Over;
use raywalk_reports::statistics::Verdict;
use raywalk_reports::summary::{headline, memorisation, session_floor, summarise};

/// Sets the ticks of every sample of the first panel, by design and round.
fn with_ticks(mut results: Results, ticks: impl Fn(&str, u64) -> u64) -> Results {
    for round in &mut results.panels[0].rounds {
        for sample in &mut round.samples {
            sample.ticks = ticks(&sample.design, round.round);
        }
    }
    results
}

#[test]
fn a_drift_that_hits_all_designs_leaves_the_ratios_alone() {
    let results = with_ticks(Recipe::SMALL.results(), |design, round| {
        let work = match design {
            "synthetic-alpha" | "twin" => 1000,
            "synthetic-beta" => 2000,
            _ => 500,
        };
        // The machine gets three times slower in the course of the session.
        work * (10 + round)
    });
    let panel = &summarise(&results)[0];
    let beta = panel.row("synthetic-beta").expect("a row");
    assert!((beta.ratio - 2.0).abs() < 1e-12);
    assert!(matches!(beta.verdict, Some(Verdict::Slower(by)) if (by.middle - 2.0).abs() < 1e-12));
    assert_eq!(panel.rank("synthetic-beta"), Some(8));
    let alpha = panel.row("synthetic-alpha").expect("a row");
    assert_eq!((alpha.ratio, alpha.verdict), (1.0, None));
    assert!(panel.itself.is_some_and(|itself| itself.floor.share() == 0.0));
}

#[test]
fn costs_are_ticks_over_rate_and_positions() {
    let results = with_ticks(Recipe::SMALL.results(), |_, round| 2_600_000 + 1024 * round);
    // 2.6 GHz, batches of 1024 positions, rounds 0 to 19: the median lies at round 9.5.
    let panel = &summarise(&results)[0];
    let cost = panel.rows[0].ns_position;
    assert!((cost.minimum - 1e6 / 1024.0).abs() < 1e-6);
    assert!((cost.median - (1e6 / 1024.0 + 9.5 / 2.6)).abs() < 1e-6);
}

#[test]
fn a_noisy_baseline_raises_the_floor_and_withholds_verdicts() {
    let results = with_ticks(Recipe::SMALL.results(), |design, round| match design {
        // The twin is off by a tenth, now up, now down.
        "twin" => {
            if round % 2 == 0 {
                1100
            } else {
                900
            }
        }
        "synthetic-alpha" => 1000,
        _ => {
            if round % 4 == 0 {
                1150
            } else {
                1040
            }
        }
    });
    let panel = &summarise(&results)[0];
    assert!(panel.itself.is_some_and(|itself| itself.floor.share() > 0.09));
    let beta = panel.row("synthetic-beta").and_then(|row| row.verdict);
    assert!(!matches!(beta, Some(Verdict::Slower(_) | Verdict::Faster(_))), "{beta:?}");
}

#[test]
fn cycles_and_events_are_all_or_nothing() {
    let mut results = Recipe::SMALL.results();
    let sample = &mut results.panels[0].rounds[3].samples[0];
    let design = sample.design.clone();
    sample.cycles_per_tick = None;
    let panel = &summarise(&results)[0];
    let missing: Vec<&str> = panel
        .rows
        .iter()
        .filter(|row| row.cycles_position.is_none())
        .map(|row| row.id.as_str())
        .collect();
    let expected: Vec<&str> = if design == "twin" { vec![] } else { vec![&design] };
    assert_eq!(missing, expected);
}

#[test]
fn a_position_without_moves_has_no_cost_per_move() {
    let mut results = Recipe::SMALL.results();
    results.panels[0].rounds[0].samples.iter_mut().for_each(|sample| sample.moves = 0);
    let panel = &summarise(&results)[0];
    assert!(panel.rows.iter().all(|row| row.ns_move.is_none() && row.cycles_move.is_none()));
    assert!(panel.rows.iter().all(|row| row.ns_position.median > 0.0));
}

#[test]
fn the_headline_is_ab4_with_all_moves_and_the_curve_rises_in_k() {
    let results = Recipe::FULL.results();
    let panels = summarise(&results);
    let headline = headline(&panels).expect("a panel");
    assert_eq!((headline.panel.workload.as_str(), headline.panel.stage.as_str()), ("ab4", "all"));
    let ks: Vec<u64> = memorisation(&panels).iter().map(|(k, _)| *k).collect();
    assert_eq!(ks, [1, 16, 256, 1024, 4096, 65_536]);
    assert!(
        memorisation(&panels)
            .iter()
            .all(|(k, panel)| panel.panel.regime == Regime::Replay { k: *k })
    );
}

#[test]
fn what_is_disturbed_or_a_part_stands_for_nothing_but_itself() {
    let mut results = Recipe::FULL.results();
    results.panels.reverse();
    let panels = summarise(&results);
    assert!(panels[0].panel.scope.is_some() && panels[2].panel.regime.is_disturbed());
    assert_eq!(headline(&panels).expect("a panel").panel.id, "ab4/stream-tree/all");
    assert_eq!(memorisation(&panels).len(), 6);
}

#[test]
fn designs_without_the_scope_are_named() {
    let results = Recipe { rounds: 7, ..Recipe::FULL }.results();
    let panels = summarise(&results);
    let sliders = panels.iter().find(|panel| panel.panel.scope.is_some()).expect("a panel");
    assert_eq!(sliders.left_out(&results), ["Synthetic lambda with a long display name"]);
    assert!(panels[0].left_out(&results).is_empty());
}

/// Alpha and its twin take 100,000 ticks, every other design 2 % more; in every second layout or
/// process by `placed` more than that.
fn placed(recipe: Recipe, placed: u64) -> Results {
    let mut results = Recipe { small: true, ..recipe }.results();
    let odd: Vec<bool> = results
        .processes
        .iter()
        .map(|process| process.layout.unwrap_or(process.number) % 2 == 1)
        .collect();
    let rounds = results.panels.iter_mut().flat_map(|panel| &mut panel.rounds);
    for round in rounds {
        let by = if odd[round.process as usize] { placed } else { 0 };
        for sample in &mut round.samples {
            let itself = ["synthetic-alpha", "twin"].contains(&sample.design.as_str());
            // A little that differs from round to round, and from place to place.
            let little = (round.round * 37 + round.first / 1024 * 11) % 100;
            sample.ticks = if itself { 100_000 } else { 101_000 + by + little };
        }
    }
    results
}

#[test]
fn an_effect_smaller_than_its_spread_is_not_resolved() {
    let processes = Recipe { layouts: 0, ..Recipe::FULL };
    for (recipe, over) in [(Recipe::FULL, Over::Layouts), (processes, Over::Processes)] {
        let beta = |by| {
            let panel = &summarise(&placed(recipe, by))[0];
            panel.row("synthetic-beta").expect("a row").clone()
        };
        // 1 % or 4 %: on the whole 2.5 % slower, and certainly so in every single process.
        let row = beta(3_000);
        let bound = row.spread.bound().expect("processes that can be told apart");
        assert_eq!((bound.over, row.verdict), (over, Some(Verdict::NotResolved)), "{bound:?}");
        assert!(bound.share() > 0.025, "{bound:?}");
        // The farthest median of a half that is 1.5 % off the middle.
        let far = match over {
            Over::Layouts => row.spread.layouts,
            Over::Processes => row.spread.processes,
        };
        assert!((far.expect("two") - 0.015).abs() < 0.001, "{far:?}");
        // Without the spread the same effect is found.
        assert!(beta(0).spread.bound().is_some_and(|bound| bound.share() < 0.001));
        let mut untold = placed(recipe, 0);
        untold.processes.clear();
        let row = summarise(&untold)[0].row("synthetic-beta").expect("a row").clone();
        assert_eq!(row.spread.bound(), None);
        assert!(matches!(row.verdict, Some(Verdict::Slower(_))), "{row:?}");
    }
}

#[test]
fn a_process_that_was_broken_off_says_nothing_of_the_spread() {
    let mut results = placed(Recipe::FULL, 0);
    let last = results.processes.len() as u64 - 1;
    let rounds = &mut results.panels[0].rounds;
    // Two rounds of it are left, and they are far off.
    rounds.retain(|round| round.process < last || round.first < 2048);
    for round in rounds.iter_mut().filter(|round| round.process == last) {
        round.samples.iter_mut().for_each(|sample| {
            if sample.design == "synthetic-beta" {
                sample.ticks *= 2;
            }
        });
    }
    let panel = &summarise(&results)[0];
    let spread = panel.row("synthetic-beta").expect("a row").spread;
    assert!(spread.processes.is_some_and(|far| far < 0.001), "{spread:?}");
    assert_eq!(panel.rounds, 37);
}

#[test]
fn the_floor_of_a_session_pools_what_nothing_disturbs() {
    let mut results = Recipe { designs: 2, ..Recipe::FULL }.results();
    let before = session_floor(&results).expect("many rounds");
    for panel in results.panels.iter_mut().filter(|panel| panel.panel.regime.is_disturbed()) {
        let samples = panel.rounds.iter_mut().flat_map(|round| &mut round.samples);
        samples.filter(|sample| sample.design == "twin").for_each(|sample| sample.ticks *= 3);
    }
    assert_eq!(session_floor(&results), Some(before));
    // More rounds make a narrower interval than any panel has.
    let panels = summarise(&results);
    let widths = panels.iter().filter_map(|panel| Some(panel.itself?.half_width()));
    assert!(widths.fold(f64::INFINITY, f64::min) > before.half_width());
    assert!(session_floor(&Recipe { rounds: 2, ..Recipe::SMALL }.results()).is_none());
}
