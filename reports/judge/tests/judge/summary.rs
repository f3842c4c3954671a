//! Summaries of panels, on numbers that can be checked by hand.

use raywalk_judge::Judged;
use raywalk_judge::no_interval::NoInterval;
use raywalk_judge::spread::Over;
use raywalk_judge::summary::PanelSummary;
use raywalk_results::fixture::{self, Recipe};
use raywalk_results::journal::Results;
use raywalk_results::schema::{Call, Search, Stage};
use raywalk_results::statistics::Verdict;

const AA_CONTROL: &str = "A/A control";

fn summarise(results: &Results) -> Vec<PanelSummary> {
    Judged::of(results).panels
}

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
fn a_drift_that_affects_all_designs_leaves_the_ratios_unchanged() {
    let results = with_ticks(Recipe::SMALL.results(), |design, round| {
        let work = match design {
            "synthetic-alpha" | AA_CONTROL => 1000,
            "synthetic-beta" => 2000,
            _ => 500,
        };
        // The machine becomes almost three times slower during the session.
        work * (10 + round)
    });
    let panel = &summarise(&results)[0];
    let beta = panel.row("synthetic-beta").expect("a row");
    assert!((beta.ratio - 2.0).abs() < 1e-12);
    assert!(matches!(beta.verdict, Some(Verdict::Slower(by)) if (by.middle - 2.0).abs() < 1e-12));
    assert_eq!(panel.rank("synthetic-beta"), Some(8));
    let alpha = panel.row("synthetic-alpha").expect("a row");
    assert_eq!((alpha.ratio, alpha.verdict), (1.0, None));
    assert!(panel.aa_control.is_some_and(|control| control.floor.fraction() == 0.0));
}

#[test]
fn costs_are_ticks_over_rate_and_positions() {
    let results = with_ticks(Recipe::SMALL.results(), |_, round| 2_600_000 + 1024 * round);
    // 2.6 GHz, 20 batches of 1024 positions with 0 to 19 ticks per position more.
    let panel = &summarise(&results)[0];
    assert!((panel.rows[0].ns_position - (1e6 / 1024.0 + 9.5 / 2.6)).abs() < 1e-6);
}

#[test]
fn a_noisy_baseline_raises_the_floor_and_withholds_verdicts() {
    let results = with_ticks(Recipe::SMALL.results(), |design, round| match design {
        // The A/A control is off by a tenth in turn above and below.
        AA_CONTROL => {
            if round % 2 == 0 {
                1100
            } else {
                900
            }
        }
        "synthetic-alpha" => 1000,
        _ => {
            if round % 4 == 0 {
                1060
            } else {
                1010
            }
        }
    });
    let panel = &summarise(&results)[0];
    assert!(panel.aa_control.is_some_and(|control| control.floor.fraction() > 0.03));
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
    let expected: Vec<&str> = if design == AA_CONTROL { vec![] } else { vec![&design] };
    assert_eq!(missing, expected);
}

#[test]
fn positions_without_moves_have_no_cost_per_move() {
    let mut results = Recipe::SMALL.results();
    let samples = results.panels[0].rounds.iter_mut().flat_map(|round| &mut round.samples);
    samples.for_each(|sample| sample.moves = 0);
    let panel = &summarise(&results)[0];
    assert!(panel.rows.iter().all(|row| row.ns_move.is_none() && row.cycles_move.is_none()));
    assert!(panel.rows.iter().all(|row| row.ns_position > 0.0));
}

#[test]
fn only_a_replay_that_is_passed_over_as_a_whole_is_visited_in_every_round() {
    let told = |k: u64, positions: u64, batch: u64| {
        let mut results = Recipe::SMALL.results();
        let panel = &mut results.panels[0].panel;
        panel.regime = fixture::replay(k);
        (panel.positions, panel.batch) = (positions, batch);
        summarise(&results)[0].positions(&results)
    };
    assert!(told(256, 256, 2_304).ends_with("every round visited"));
    // A long replay, and one of eight stretches.
    for [k, positions, batch] in [[65_536, 65_536, 4_096], [1, 8, 3_152]] {
        let text = told(k, positions, batch);
        assert!(text.contains(" the rounds visited ") && text.contains(" in "), "{text}");
    }
}

#[test]
fn the_headline_is_the_panel_that_the_plan_names() {
    let mut results = Recipe { rounds: 7, ..Recipe::FULL }.results();
    results.panels.reverse();
    let headline =
        |results: &Results| Judged::of(results).headline().expect("a panel").panel.id.clone();
    assert_eq!(headline(&results), "ab4/stream-tree/all");
    "game/stream-game/all".clone_into(&mut results.session.headline);
    assert_eq!(headline(&results), "game/stream-game/all");
    // Without it, the first panel that is neither perturbed nor a part.
    "elsewhere".clone_into(&mut results.session.headline);
    assert!(!results.panels[0].panel.is_plain());
    assert_eq!(headline(&results), "perft3/stream-tree/all");
    // A panel without rounds cannot stand for a session.
    "ab4/stream-tree/all".clone_into(&mut results.session.headline);
    let panels = &mut results.panels;
    panels.retain(|rounds| !rounds.panel.is_plain() || rounds.panel.id == "ab4/stream-tree/all");
    let named = panels.iter_mut().find(|rounds| rounds.panel.is_plain()).expect("a panel");
    named.rounds.clear();
    assert_eq!(headline(&results), results.panels[0].panel.id);
    results.panels.iter_mut().for_each(|rounds| rounds.rounds.clear());
    assert_eq!(Judged::of(&results).headline(), None);
}

#[test]
fn the_memorisation_curve_has_its_panels_by_rising_k() {
    let mut results = Recipe { rounds: 7, ..Recipe::FULL }.results();
    results.panels.reverse();
    let ks = |results: &Results| -> Vec<u64> {
        Judged::of(results).memorisation().iter().map(|(k, _)| *k).collect()
    };
    assert_eq!(ks(&results), [1, 16, 256, 1024, 4096, 65_536]);
    let judged = Judged::of(&results);
    for (k, summary) in judged.memorisation() {
        assert!(summary.panel.regime.period == Some(k) && summary.panel.call.is_whole());
    }
    let curves = judged.curves();
    assert!(curves.len() == 12 && curves.iter().all(|curve| curve.costs.len() == 6));
    // Only panels that the plan marks as points take part.
    let point = results.panels.iter_mut().find(|rounds| rounds.panel.regime.period == Some(256));
    point.expect("a panel").panel.memorisation_curve = false;
    assert_eq!(ks(&results), [1, 16, 1024, 4096, 65_536]);
}

#[test]
fn designs_that_do_not_offer_the_call_are_named() {
    let results = Recipe { rounds: 7, ..Recipe::FULL }.results();
    let panels = summarise(&results);
    let sliders =
        panels.iter().find(|panel| !panel.panel.call.is_offered_by_all()).expect("a panel");
    assert_eq!(sliders.left_out(&results), ["Synthetic lambda with a long display name"]);
    assert!(panels[0].left_out(&results).is_empty());
}

#[test]
fn legal_and_pseudo_legal_generators_meet_where_a_search_is_walked_and_nowhere_else() {
    let mut results = Recipe { rounds: 7, ..Recipe::FULL }.results();
    let call = |results: &mut Results, call: Call| {
        results.panels[0].panel.call = call;
        summarise(results).remove(0)
    };
    for (search, meet) in [(Search::Tree, true), (Search::BareTree, true), (Search::Node, false)] {
        let panel = call(&mut results, search.into());
        assert!(panel.mixes_legality());
        assert_eq!(panel.separates_legality(), !meet, "{search}");
        let note = panel.note_on_search().expect("a note");
        assert!(note.starts_with(search.explained()));
        assert_eq!(note.contains("ranked together here and only here"), meet, "{search}");
    }
    let panel = call(&mut results, Call::generate(Stage::All));
    assert!(panel.separates_legality() && panel.note_on_search().is_none());
}

/// Alpha and the A/A control take 100,000 ticks, every other design 1 % more, and `placed` ticks more
/// than that in every second layout or process.
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
            let is_baseline = ["synthetic-alpha", AA_CONTROL].contains(&sample.design.as_str());
            // A small difference from round to round and from position to position.
            let noise = (round.round * 37 + round.first / 1024 * 11) % 100;
            sample.ticks = if is_baseline { 100_000 } else { 101_000 + by + noise };
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
        let bound = row.spread.bound().expect("more than one process");
        assert_eq!((bound.over, row.verdict), (over, Some(Verdict::NotResolved)), "{bound:?}");
        assert!(bound.fraction() > 0.025, "{bound:?}");
        // The halves differ by 3 %, so each deviates from the others by 1.5 to 3 %.
        assert_eq!(row.spread.effects.len(), 8);
        assert!(row.spread.effects.iter().all(|effect| effect.log.abs() < 0.035), "{row:?}");
        // Without a spread the same effect is found.
        assert!(beta(0).spread.bound().is_some_and(|bound| bound.fraction() < 0.005));
        let mut unknown = placed(recipe, 0);
        let rounds = unknown.panels.iter_mut().flat_map(|panel| &mut panel.rounds);
        rounds.for_each(|round| round.process = 0);
        let row = summarise(&unknown)[0].row("synthetic-beta").expect("a row").clone();
        assert_eq!(row.spread.bound(), None);
        assert!(matches!(row.verdict, Some(Verdict::Slower(_))), "{row:?}");
    }
}

#[test]
fn the_aa_control_of_a_session_is_the_mean_of_the_unperturbed_panels() {
    let session = |results: &Results| Judged::of(results).trust.aa_control;
    let mut results = Recipe { designs: 2, ..Recipe::FULL }.results();
    let before = session(&results).expect("many rounds");
    for panel in results.panels.iter_mut().filter(|panel| panel.panel.regime.is_perturbed()) {
        let samples = panel.rounds.iter_mut().flat_map(|round| &mut round.samples);
        samples.filter(|sample| sample.design == AA_CONTROL).for_each(|sample| sample.ticks *= 3);
    }
    assert_eq!(session(&results), Some(before));
    // It is narrower than the interval of most panels.
    let panels = summarise(&results);
    let widths = panels.iter().filter_map(|panel| Some(panel.aa_control?.half_width()));
    let widths: Vec<f64> = widths.collect();
    let wider = widths.iter().filter(|&&width| width > before.half_width()).count();
    assert!(2 * wider > widths.len(), "{widths:?} {before:?}");
    assert!(session(&Recipe { rounds: 1, ..Recipe::SMALL }.results()).is_none());
}

#[test]
fn a_design_whose_samples_are_mostly_spoilt_stands_last_and_has_no_rank() {
    let mut results = Recipe { rounds: 24, shares: 12, ..Recipe::SMALL }.results();
    // The fastest design has a time in two of twelve processes only.
    let fastest = summarise(&results)[0].rows[0].id.clone();
    let rounds = results.panels[0].rounds.iter_mut().filter(|round| round.process >= 2);
    for sample in rounds.flat_map(|round| &mut round.samples).filter(|it| it.design == fastest) {
        (sample.ticks, sample.blocks) = (0, Vec::new());
    }
    let judged = Judged::of(&results);
    let panel = &judged.panels[0];
    let last = panel.rows.last().expect("a row");
    assert_eq!((&last.id, last.verdict, last.is_ranked()), (&fastest, None, false));
    let why = NoInterval::Spoilt { left_out: 20, samples: 24 };
    assert_eq!((last.interval, panel.rank(&fastest)), (Err(why), None));
    assert!(last.ratio < panel.rows[0].ratio, "by its few samples it would be the first");
    let lead = judged.lead(panel, &panel.rows).expect("rows");
    let named = format!("{} or one other (not compared with it)", panel.rows[0].name);
    assert_eq!(lead.named(), named);
    assert_eq!(panel.rank(&panel.rows[0].id), Some(1));
    let others = &panel.rows[..panel.rows.len() - 1];
    assert!(others.iter().all(|row| row.is_ranked() && row.interval.is_ok()));
}
