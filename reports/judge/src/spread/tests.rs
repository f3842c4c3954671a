//! Spreads of synthetic parts with known deviations.

use raywalk_results::fixture::Noise as Random;

use super::*;
use crate::crossed::Part;

/// Parts of `processes` processes in `layouts` layouts that take 64 roots in turn, twice.
fn estimate(
    random: &mut Random,
    processes: u64,
    layouts: Option<u64>,
    deviations: [f64; 4],
) -> Estimate {
    let [of_layout, of_process, of_root, of_round] = deviations;
    let mut normal =
        || (0..12).map(|_| random.below(1 << 30) as f64 / f64::from(1 << 30)).sum::<f64>() - 6.0;
    let mut draw = |count: u64, by: f64| (0..count).map(|_| by * normal()).collect::<Vec<_>>();
    let by_layout = draw(layouts.unwrap_or(1), of_layout);
    let by_process = draw(processes, of_process);
    let by_root = draw(64, of_root);
    let by_round = draw(128, of_round);
    let parts = (0..128).map(|round| {
        let process = round * processes / 128;
        let root = if round < 64 { round } else { round * 5 % 64 };
        let layout = layouts.map(|layouts| process % layouts);
        let log = by_layout[layout.unwrap_or(0) as usize]
            + by_process[process as usize]
            + by_root[root as usize]
            + by_round[round as usize];
        let influence = log / 128.0;
        Part { layout, process, root, influence, limited: influence, weight: 1.0 / 128.0 }
    });
    Estimate { log: 0.0, parts: parts.collect(), time: 1.0, visited: None, is_limited: false }
}

#[test]
fn effects_of_processes_are_told_from_those_of_roots() {
    let mut random = Random(3);
    let of = |random: &mut Random, of_process: f64| -> (f64, f64) {
        let spreads: Vec<Deviation> = (0..200)
            .map(|_| {
                let estimate = estimate(random, 12, None, [0.0, of_process, 0.03, 0.01]);
                Spread::of(&estimate).processes.expect("twelve processes")
            })
            .collect();
        let rms = (spreads.iter().map(|one| one.estimate.powi(2)).sum::<f64>() / 200.0).sqrt();
        let held = spreads.iter().filter(|one| one.upper >= of_process).count();
        (rms, held as f64 / 200.0)
    };
    // The roots deviate by 3 %, which the estimate must not contain.
    let (none, _) = of(&mut random, 0.0);
    assert!(none < 0.004, "{none}");
    let (one_percent, held) = of(&mut random, 0.01);
    assert!((0.009..0.0125).contains(&one_percent), "{one_percent}");
    // Nominally four of five.
    assert!(held > 0.76, "{held}");
}

#[test]
fn the_bound_is_positive_even_if_no_process_differs() {
    let mut random = Random(9);
    for _ in 0..50 {
        let spread = Spread::of(&estimate(&mut random, 12, None, [0.0, 0.0, 0.02, 0.01]));
        let bound = spread.bound().expect("twelve processes");
        assert!(bound.log > 0.0 && bound.over == Over::Processes, "{bound:?}");
    }
}

#[test]
fn layouts_and_processes_add_up_as_squares() {
    let mut random = Random(4);
    let spread = Spread::of(&estimate(&mut random, 12, Some(4), [0.02, 0.005, 0.02, 0.01]));
    let (layouts, processes) = (spread.layouts.expect("four"), spread.processes.expect("twelve"));
    assert_eq!((layouts.count, processes.count, spread.effects.len()), (4, 12, 12));
    let bound = spread.bound().expect("both are known");
    assert!((bound.log - 2.0 * layouts.upper.hypot(processes.upper)).abs() < 1e-12);
    assert!(bound.log > 2.0 * layouts.upper && bound.over == Over::Layouts);
    assert!(layouts.upper >= layouts.estimate && processes.upper >= processes.estimate);
}

#[test]
fn one_process_has_no_spread() {
    let spread = Spread::of(&estimate(&mut Random(1), 1, None, [0.0, 0.0, 0.02, 0.01]));
    assert_eq!((spread.layouts, spread.processes, spread.bound()), (None, None, None));
}
