//! The gap between two designs and its parts, and what layouts change.

use raywalk_judge::Judged;
use raywalk_judge::gap::{Cause, Side, breakdown};
use raywalk_judge::layouts::{Point, in_layouts};
use raywalk_judge::summary::Row;
use raywalk_results::fixture::{Recipe, explained};
use raywalk_results::schema::CriticalPath;

#[test]
fn the_parts_add_up_to_the_gap() {
    let results = explained(22.0);
    let judged = Judged::of(&results);
    let parts = breakdown(&judged).expect("parts");
    let gap = parts.of_classes().expect("a gap");
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
        let parts = breakdown(&judged).expect("parts");
        let gap = parts.of_classes().expect("a gap");
        let part = |cause| gap.parts.iter().find(|it| it.cause == cause).expect("a part").cycles;
        (part(Cause::Remainder) / gap.cycles(), part(Cause::Mispredictions))
    };
    let (right, misses) = remainder(22.0);
    assert!(right.abs() < 0.25, "{right}");
    let (wrong, twice) = remainder(44.0);
    assert!((twice / misses - 2.0).abs() < 1e-9 && wrong < -0.5, "{wrong}");
}

#[test]
fn a_remainder_keeps_its_sign_in_words() {
    let finding = |penalty: f64| {
        let results = explained(penalty);
        let judged = Judged::of(&results);
        let parts = breakdown(&judged).expect("parts");
        let gap = parts.of_classes().expect("a gap");
        let remainder = gap.parts.last().expect("a part").cycles;
        (remainder, parts.finding(&judged, &gap))
    };
    let (left, text) = finding(5.0);
    assert!(left > 0.0 && text.contains("No model explains"), "{text}");
    let (left, text) = finding(44.0);
    assert!(left < 0.0 && text.contains("more than was measured"), "{text}");
    assert!(!text.contains("No model explains"), "{text}");
}

#[test]
fn the_digits_of_a_gap_end_where_its_interval_begins() {
    let results = explained(22.0);
    let judged = Judged::of(&results);
    let exact = breakdown(&judged).expect("parts");
    let shown = |half_width| -> (f64, f64) {
        let row = |side: &Side<'_>| Row { half_width, ..side.row.clone() };
        let rows: Vec<Row> = exact.sides.iter().map(row).collect();
        let mut parts = exact.clone();
        for (side, row) in parts.sides.iter_mut().zip(&rows) {
            side.row = row;
        }
        let gap = parts.of_classes().expect("a gap");
        let text = parts.finding(&judged, &gap);
        let (_, number) = text.split_once(" takes ").expect("the gap");
        let (number, _) = number.split_once(' ').expect("a number");
        (number.parse().expect("digits"), gap.cycles())
    };
    let (number, cycles) = shown(None);
    assert!((number - cycles).abs() <= 0.5 && number % 10.0 != 0.0, "{number} {cycles}");
    // Five per cent of the slower design are some eighty cycles: tens are the first digit in doubt.
    let (number, cycles) = shown(Some(0.05));
    assert!((number - cycles).abs() <= 5.0 && number % 10.0 == 0.0, "{number} {cycles}");
}

#[test]
fn the_parts_of_every_design_add_up_and_any_two_designs_have_a_gap() {
    let results = explained(22.0);
    let judged = Judged::of(&results);
    let parts = breakdown(&judged).expect("parts");
    assert!(parts.sides.len() > 2);
    for side in &parts.sides {
        let sum: f64 = side.parts.iter().map(|part| part.cycles).sum();
        assert!((sum - side.stream).abs() < 1e-9, "{side:?}");
    }
    let id = |place: usize| parts.sides[place].row.id.as_str();
    let gap = |one, other| parts.between(one, other).expect("a gap");
    let (first, second) = (gap(id(0), id(1)), gap(id(1), id(2)));
    let whole = gap(id(2), id(0));
    assert_eq!((whole.slower.row.id.as_str(), whole.faster.row.id.as_str()), (id(2), id(0)));
    for place in 0..whole.parts.len() {
        let sum = first.parts[place].cycles + second.parts[place].cycles;
        assert!((whole.parts[place].cycles - sum).abs() < 1e-9, "{whole:?}");
    }
    assert_eq!(parts.between(id(0), "none").expect_err("no such design"), "none");
}

#[test]
fn memory_is_what_the_control_adds() {
    let results = explained(22.0);
    let judged = Judged::of(&results);
    let parts = breakdown(&judged).expect("parts");
    let gap = parts.of_classes().expect("a gap");
    let memory = gap.parts.iter().find(|it| it.cause == Cause::Memory).expect("a part").cycles;
    let expected = 0.05 * (gap.slower.learnt - gap.faster.learnt);
    assert!((memory - expected).abs() < 0.01 * gap.slower.learnt, "{memory} {expected}");
}

#[test]
fn what_a_critical_path_takes_beyond_the_instructions_is_the_chain() {
    let parts = |cycles: Option<f64>| -> Vec<(Cause, f64)> {
        let mut results = explained(22.0);
        let path = cycles.map(|cycles| CriticalPath { window: 256, cycles, assumed: 0.0 });
        results.traces.iter_mut().for_each(|trace| trace.critical_path = path);
        let judged = Judged::of(&results);
        let parts = breakdown(&judged).expect("parts");
        let side = &parts.sides[0];
        assert_eq!(side.critical_path, cycles);
        side.parts.iter().map(|part| (part.cause, part.cycles)).collect()
    };
    let unknown = parts(None);
    let (instructions, rest) = (unknown[0].1, unknown[1].1);
    assert_eq!((unknown[1].0, unknown.len()), (Cause::ChainAndWaits, 5));
    let long = parts(Some(instructions + 50.0));
    assert_eq!([long[1].0, long[2].0], [Cause::Chain, Cause::Waits]);
    assert!((long[1].1 - 50.0).abs() < 1e-9 && (long[2].1 - (rest - 50.0)).abs() < 1e-9);
    // A path that is shorter than the instructions delays nothing.
    let short = parts(Some(1.0));
    assert_eq!([short[1].1, short[2].1], [0.0, rest]);
    assert_eq!(short[3..], unknown[2..]);
}

#[test]
fn one_design_without_a_critical_path_takes_the_chain_from_all() {
    let mut results = explained(22.0);
    results.traces[0].critical_path = None;
    let judged = Judged::of(&results);
    let parts = breakdown(&judged).expect("parts");
    assert!(parts.sides.iter().all(|side| side.critical_path.is_none() && side.parts.len() == 5));
}

#[test]
fn a_session_without_its_parts_has_no_gap() {
    let mut results = explained(22.0);
    results.selftest.clear();
    assert_eq!(breakdown(&Judged::of(&results)), None, "no cost of a misprediction");
    let mut results = explained(22.0);
    results.traces.clear();
    assert_eq!(breakdown(&Judged::of(&results)), None, "no trace");
    let mut results = explained(22.0);
    results.panels.pop();
    assert_eq!(breakdown(&Judged::of(&results)), None, "no control");
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
