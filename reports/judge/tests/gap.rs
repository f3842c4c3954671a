//! The gap between two designs and its parts, and what layouts change.

use raywalk_judge::Judged;
use raywalk_judge::gap::{Cause, gap};
use raywalk_judge::layouts::{Point, in_layouts};
use raywalk_results::fixture::Recipe;
use raywalk_results::journal::Results;
use raywalk_results::schema::{Band, Found, Grade, Per, Quantity, Selftest, Trial, Unit};

/// The fixture with a memory-matched control that costs 5 % more than the replay, and a misprediction cost.
fn explained(penalty: f64) -> Results {
    let mut results = Recipe::FULL.results();
    let short = results.panels.iter().find(|it| it.panel.id.starts_with("cycle-256/"));
    let mut control = short.expect("a replay of 256").clone();
    control.panel.id = "cycle-256/matched-256/all".to_owned();
    control.panel.memorisation_curve = false;
    control.panel.regime.boards = Some(65_536);
    for round in &mut control.rounds {
        round.panel = control.panel.id.clone();
        round.samples.iter_mut().for_each(|it| it.ticks = (it.ticks as f64 * 1.05) as u64);
    }
    results.panels.push(control);
    let cost = Found {
        value: penalty,
        low: penalty,
        high: penalty,
        unit: Unit { quantity: Quantity::Cycles, per: Some(Per::Miss) },
    };
    results.selftest.push(Selftest {
        seconds: 1.0,
        trials: vec![Trial {
            instrument: "misprediction cost".to_owned(),
            kernel: "random bits".to_owned(),
            expected: Band::between(5.0, 60.0),
            found: vec![cost],
            grade: Grade::Usable,
            why: String::new(),
        }],
        knee: None,
        width: None,
    });
    results
}

#[test]
fn the_parts_add_up_to_the_gap() {
    let results = explained(22.0);
    let judged = Judged::of(&results);
    let gap = gap(&judged).expect("a gap");
    let sum: f64 = gap.parts.iter().map(|part| part.cycles).sum();
    assert!((sum - gap.cycles()).abs() < 1e-9 && sum > 0.0, "{gap:?}");
    assert_eq!(gap.slower.row.control, raywalk_results::schema::Control::Branchy);
}

#[test]
fn misses_at_the_right_cost_leave_a_small_remainder() {
    // The rounds of the fixture cost 22 cycles per misprediction of its traces; those of K = 256 are not zero.
    let remainder = |penalty: f64| {
        let results = explained(penalty);
        let judged = Judged::of(&results);
        let gap = gap(&judged).expect("a gap");
        let part = |cause| gap.parts.iter().find(|it| it.cause == cause).expect("a part").cycles;
        (part(Cause::Remainder) / gap.cycles(), part(Cause::Mispredictions))
    };
    let (right, misses) = remainder(22.0);
    assert!(right.abs() < 0.25, "{right}");
    let (wrong, twice) = remainder(44.0);
    assert!((twice / misses - 2.0).abs() < 1e-9 && wrong < -0.5, "{wrong}");
}

#[test]
fn memory_is_what_the_control_adds() {
    let results = explained(22.0);
    let judged = Judged::of(&results);
    let gap = gap(&judged).expect("a gap");
    let memory = gap.parts.iter().find(|it| it.cause == Cause::Memory).expect("a part").cycles;
    let expected = 0.05 * (gap.slower.learnt - gap.faster.learnt);
    assert!((memory - expected).abs() < 0.01 * gap.slower.learnt, "{memory} {expected}");
}

#[test]
fn a_session_without_its_parts_has_no_gap() {
    let mut results = explained(22.0);
    results.selftest.clear();
    assert_eq!(gap(&Judged::of(&results)), None, "no cost of a misprediction");
    let mut results = explained(22.0);
    results.traces.clear();
    assert_eq!(gap(&Judged::of(&results)), None, "no trace");
    let mut results = explained(22.0);
    results.panels.pop();
    assert_eq!(gap(&Judged::of(&results)), None, "no control");
}

#[test]
fn the_predictor_explains_half_of_each_layout_of_the_fixture() {
    let results = explained(22.0);
    let judged = Judged::of(&results);
    let found = in_layouts(&judged);
    let tree = &judged.headline().expect("a headline").panel.id;
    let in_tree = found.iter().filter(|it| it.panel.panel.id == *tree);
    let points: Vec<Point> = in_tree.clone().flat_map(|it| it.points.iter().copied()).collect();
    let sum = |of: fn(&Point) -> f64| points.iter().map(of).sum::<f64>();
    let slope = sum(|it| it.measured * it.predicted) / sum(|it| it.predicted.powi(2));
    assert!((1.7..2.3).contains(&slope), "{slope}: {points:?}");
    assert!(in_tree.clone().all(|it| it.correlation.is_some()), "{points:?}");
    for it in in_tree {
        let sum: f64 = it.points.iter().map(|point| point.measured).sum();
        assert!(sum.abs() < 1e-9, "{it:#?}");
    }
}

#[test]
fn a_session_without_layouts_or_without_a_cost_explains_none() {
    let mut results = explained(22.0);
    results.traces.iter_mut().for_each(|trace| trace.layouts.clear());
    assert_eq!(in_layouts(&Judged::of(&results)), []);
    assert_eq!(in_layouts(&Judged::of(&Recipe::FULL.results())), []);
}
