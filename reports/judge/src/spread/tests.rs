//! Spreads of synthetic parts with known deviations.

use raywalk_core::random::SplitMix as Random;

use super::*;
use crate::crossed::Part;
use crate::estimate::Offered;

/// Deviations of a session: of layouts, processes, roots, turns and rounds.
#[derive(Clone, Copy)]
struct Deviations {
    layout: f64,
    process: f64,
    root: f64,
    turn: f64,
    round: f64,
}

const QUIET: Deviations =
    Deviations { layout: 0.0, process: 0.0, root: 0.02, turn: 0.0, round: 0.01 };

/// Process, turn and root of each round.
type Rounds = Vec<[u64; 3]>;

/// Rounds of `processes` processes that take 64 roots in turn, twice. Each is a turn.
fn single(processes: u64) -> Rounds {
    let root = |round| if round < 64 { round } else { round * 5 % 64 };
    (0..128).map(|round| [round * processes / 128, round, root(round)]).collect()
}

/// Five rounds of each of twelve processes on sixteen roots. The first three are one turn.
fn five_each() -> Rounds {
    // Another order in every pass.
    let root = |round: u64| (round * [1, 5, 7, 3][round as usize / 16] + 5 * (round / 16)) % 16;
    (0..60).map(|round| [round / 5, round / 5 * 2 + round % 5 / 3, root(round)]).collect()
}

/// One round of each of twelve processes, two on each of six roots.
fn one_each() -> Rounds {
    (0..12).map(|round| [round, round, round % 6]).collect()
}

fn estimate(
    random: &mut Random,
    rounds: &Rounds,
    layouts: Option<u64>,
    deviations: Deviations,
) -> Estimate {
    let mut normal = || random.normal();
    let mut draw = |by: f64| (0..128).map(|_| by * normal()).collect::<Vec<f64>>();
    let by_layout = draw(deviations.layout);
    let by_process = draw(deviations.process);
    let by_root = draw(deviations.root);
    let by_turn = draw(deviations.turn);
    let by_round = draw(deviations.round);
    let weight = 1.0 / rounds.len() as f64;
    let part = |(&[process, turn, root], of_round): (&[u64; 3], f64)| {
        let layout = layouts.map(|layouts| process % layouts);
        let log = by_layout[layout.unwrap_or(0) as usize]
            + by_process[process as usize]
            + by_root[root as usize]
            + by_turn[turn as usize]
            + of_round;
        let influence = weight * log;
        Part { session: 0, layout, process, turn, root, influence, of_process: influence, weight }
    };
    let parts = rounds.iter().zip(by_round).map(part).collect();
    let offered = Offered { enough: false, samples: 0, left_out: 0 };
    Estimate { log: 0.0, parts, time: 1.0, known_roots: None, offered }
}

/// The deviations between processes in so many sessions: the root of the mean square of the estimates, the mean upper
/// bound, and the share of the bounds that hold.
fn sessions(rounds: &Rounds, deviations: Deviations) -> [f64; 3] {
    sessions_with(rounds, deviations, |_| ())
}

/// The same, with a change to the parts of each session.
fn sessions_with(
    rounds: &Rounds,
    deviations: Deviations,
    change: impl Fn(&mut [Part]),
) -> [f64; 3] {
    const SESSIONS: u32 = 400;
    let mut random = Random(3);
    let of = |_| {
        let mut estimate = estimate(&mut random, rounds, None, deviations);
        change(&mut estimate.parts);
        Spread::of(&estimate).processes.expect("several processes")
    };
    let found: Vec<Deviation> = (0..SESSIONS).map(of).collect();
    let mean =
        |of: &dyn Fn(&Deviation) -> f64| found.iter().map(of).sum::<f64>() / f64::from(SESSIONS);
    let holds = |one: &Deviation| f64::from(u8::from(one.upper >= deviations.process));
    [mean(&|one| one.estimate.powi(2)).sqrt(), mean(&|one| one.upper), mean(&holds)]
}

#[test]
fn processes_of_one_round_are_compared_on_their_common_root_only() {
    // The roots deviate by 15 %. Rounds are part of the spread, because each process has one.
    let deviations = Deviations { process: 0.02, root: 0.15, round: 0.0, ..QUIET };
    // Blocks may be left out, so the weights of a pair differ.
    let uneven = |parts: &mut [Part]| {
        for part in parts.iter_mut().filter(|part| part.process % 5 < 2) {
            let factor = if part.process % 5 == 0 { 1.5 } else { 0.5 };
            part.weight *= factor;
            part.of_process *= factor;
        }
    };
    let [uneven, ..] = sessions_with(&one_each(), deviations, uneven);
    assert!((0.0185..0.0215).contains(&uneven), "{uneven}");
    let [two_percent, upper, held] = sessions(&one_each(), deviations);
    assert!((0.0185..0.0215).contains(&two_percent), "{two_percent}");
    assert!((0.024..0.034).contains(&upper), "{upper}");
    assert!((0.75..0.85).contains(&held), "{held}");
}

#[test]
fn effects_of_processes_are_told_from_those_of_roots() {
    // The roots deviate by 3 %, which the estimate must not contain.
    let [none, ..] = sessions(&single(12), Deviations { root: 0.03, ..QUIET });
    assert!(none < 0.004, "{none}");
    let deviations = Deviations { process: 0.01, root: 0.03, ..QUIET };
    let [one_percent, upper, held] = sessions(&single(12), deviations);
    assert!((0.009..0.0125).contains(&one_percent), "{one_percent}");
    // Nominally four of five.
    assert!(held > 0.77 && upper < 0.02, "{held} {upper}");
}

#[test]
fn a_disturbed_turn_is_no_process() {
    let deviations = Deviations { turn: 0.04, round: 0.02, root: 0.03, ..QUIET };
    // As if the rounds of a turn were independent.
    let apart = |parts: &mut [Part]| (0..).zip(parts).for_each(|(turn, part)| part.turn = turn);
    let [none, upper, _] = sessions(&five_each(), deviations);
    let [taken_for_processes, higher, _] = sessions_with(&five_each(), deviations, apart);
    assert!(none < 0.015 && taken_for_processes > 0.02, "{none} {taken_for_processes}");
    assert!(upper < 0.85 * higher, "{upper} {higher}");
}

#[test]
fn the_bound_holds_in_four_of_five_sessions_and_stays_below_twice_the_truth() {
    let mut all = Vec::new();
    for process in [0.02, 0.03, 0.06] {
        for turn in [0.0, 0.02, 0.03] {
            let deviations = Deviations { process, turn, round: 0.02, root: 0.03, layout: 0.0 };
            let [_, upper, held] = sessions(&five_each(), deviations);
            assert!(held > 0.75, "{process} {turn}: {held}");
            assert!(upper < 2.0 * process, "{process} {turn}: {upper}");
            all.push(held);
        }
    }
    let mean = mean(&all);
    assert!(mean > 0.785, "{mean}: {all:?}");
}

#[test]
fn the_turn_of_a_process_that_has_one_is_part_of_its_effect() {
    let one_each: Rounds =
        single(12).into_iter().map(|[process, _, root]| [process, process, root]).collect();
    let [both, _, held] = sessions(&one_each, Deviations { process: 0.01, turn: 0.03, ..QUIET });
    assert!((0.028..0.035).contains(&both) && held > 0.99, "{both} {held}");
}

#[test]
fn the_bound_is_positive_even_if_no_process_differs() {
    let mut random = Random(9);
    for _ in 0..50 {
        let spread = Spread::of(&estimate(&mut random, &single(12), None, QUIET));
        let bound = spread.bound().expect("twelve processes");
        assert!(bound.log > 0.0 && bound.over == Over::Processes, "{bound:?}");
    }
}

#[test]
fn layouts_and_processes_add_up_as_squares() {
    let mut random = Random(4);
    let deviations = Deviations { layout: 0.02, process: 0.005, ..QUIET };
    let spread = Spread::of(&estimate(&mut random, &single(12), Some(4), deviations));
    let (layouts, processes) = (spread.layouts.expect("four"), spread.processes.expect("twelve"));
    assert_eq!((layouts.count, processes.count, spread.effects.len()), (4, 12, 12));
    let bound = spread.bound().expect("both are known");
    assert!((bound.log - 2.0 * layouts.upper.hypot(processes.upper)).abs() < 1e-12);
    assert!(bound.log > 2.0 * layouts.upper && bound.over == Over::Layouts);
    assert!(layouts.upper >= layouts.estimate && processes.upper >= processes.estimate);
}

#[test]
fn one_process_has_no_spread() {
    let spread = Spread::of(&estimate(&mut Random(1), &single(1), None, QUIET));
    assert_eq!((spread.layouts, spread.processes, spread.bound()), (None, None, None));
}
