//! Spreads of synthetic data with known components.

#![allow(clippy::unwrap_used)]

use super::*;
use proptest::prelude::*;
use raywalk_results::statistics::{
    Confidence, Floor, Interval, Verdict, median_interval, quantile,
};

/// SplitMix64, and a normal variable derived from it.
struct Noise(u64);

impl Noise {
    /// Uniform in [0, 1).
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ z >> 31) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Sum of twelve uniform variables minus six: normal up to three standard deviations.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }
}

/// Standard deviations of the effects that a table is generated from.
#[derive(Clone, Copy)]
struct Effects {
    layout: f64,
    process: f64,
    position: f64,
    round: f64,
}

const ROUNDS_ONLY: Effects = Effects { layout: 0.0, process: 0.0, position: 0.0, round: 0.01 };

/// `shape`: layouts, processes of each, positions, repetitions.
fn table(effects: Effects, shape: [u64; 4], seed: u64) -> Vec<Observation> {
    let [a, b, c, m] = shape;
    let mut noise = Noise(seed);
    let positions: Vec<f64> = (0..c).map(|_| effects.position * noise.normal()).collect();
    let mut observations = Vec::new();
    for layout in 0..a {
        let of_layout = effects.layout * noise.normal();
        for process in 0..b {
            let of_process = of_layout + effects.process * noise.normal();
            for (position, of_position) in positions.iter().enumerate() {
                for _ in 0..m {
                    observations.push(Observation {
                        layout: (a > 1).then_some(layout),
                        process: layout * b + process,
                        position: position as u64,
                        value: of_process + of_position + effects.round * noise.normal(),
                    });
                }
            }
        }
    }
    observations
}

/// Root mean square of the estimates in many tables: a component is unbiased as a variance.
fn found(effects: Effects, shape: [u64; 4], what: impl Fn(Components) -> Option<f64>) -> f64 {
    const TABLES: u64 = 200;
    let squares = (0..TABLES)
        .map(|seed| what(components(&table(effects, shape, 7 + seed)).unwrap()).unwrap().powi(2));
    (squares.sum::<f64>() / TABLES as f64).sqrt()
}

fn verdict_on(observations: &[Observation], spread: &Spread) -> Verdict {
    let values: Vec<f64> = observations.iter().map(|one| one.value).collect();
    let interval = median_interval(&values, Confidence::NINETY_FIVE).unwrap();
    let quiet = Interval { low: -0.002, middle: 0.0, high: 0.002 };
    let floor = Floor::of(quiet).widened(spread.bound().map_or(0.0, |bound| bound.log));
    Verdict::of(interval, floor, 0.01)
}

fn shifted(observations: &[Observation], by: f64) -> Vec<Observation> {
    observations.iter().map(|&one| Observation { value: one.value + by, ..one }).collect()
}

#[test]
fn the_components_of_a_table_in_whole_numbers_are_those_of_the_textbook_formulae() {
    // Two processes, three positions, once each. Process means 2 and 5, position means 2, 3 and 5.5;
    // residuals ±0.5, 0 and ∓0.5 by position. Worked out by hand.
    let values = [[1.0, 1.5, 3.5], [3.0, 4.5, 7.5]];
    let observations: Vec<Observation> = (0..6)
        .map(|i| Observation {
            layout: None,
            process: i / 3,
            position: i % 3,
            value: values[i as usize / 3][i as usize % 3],
        })
        .collect();
    // Means: processes 2 and 5, positions 2, 3, 5.5, whole 3.5. Squares: processes 3 · 2 · 1.5² =
    // 13.5 of 1 degree; positions 2 · (1.5² + 0.5² + 2²) = 13 of 2; rest 2 · (0.5² + 0² + 0.5²) = 1
    // of 2, so the round has 0.5, the process (13.5 − 0.5) ÷ 3, the position (6.5 − 0.5) ÷ 2.
    let split = components(&observations).unwrap();
    assert!((split.round.powi(2) - 0.5).abs() < 1e-12, "{split:?}");
    assert!((split.process.unwrap().powi(2) - 13.0 / 3.0).abs() < 1e-12);
    assert!((split.position.unwrap().powi(2) - 3.0).abs() < 1e-12);
    assert_eq!(split.layout, None);
}

#[test]
fn components_are_found_as_large_as_they_were_made() {
    let effects = Effects { layout: 0.03, process: 0.02, position: 0.04, round: 0.01 };
    let shape = [4, 3, 8, 1];
    for (what, found) in [
        (effects.layout, found(effects, shape, |split| split.layout)),
        (effects.process, found(effects, shape, |split| split.process)),
        (effects.position, found(effects, shape, |split| split.position)),
        (effects.round, found(effects, shape, |split| Some(split.round))),
    ] {
        // 200 tables with three degrees of freedom for the layouts: 6 % is one deviation.
        assert!((found / what - 1.0).abs() < 0.15, "{what}: {found}");
    }
}

#[test]
fn noisy_rounds_without_an_effect_of_placement_hardly_raise_the_floor() {
    // A quick plan: four processes of four rounds; and one of fifteen rounds.
    for (rounds, most) in [(4, 1.5), (15, 1.5)] {
        let effects = Effects { position: 0.02, ..ROUNDS_ONLY };
        let bounds: Vec<f64> = (0..200)
            .map(|seed| Spread::of(&table(effects, [1, 4, rounds, 1], seed)).bound().unwrap().log)
            .collect();
        let alone = ROUNDS_ONLY.round / (rounds as f64).sqrt();
        // In units of the chance error of the median of one process.
        assert!(median(&bounds).unwrap() < 0.8 * alone, "{:?}", median(&bounds));
        let tenth = quantile(&bounds, 0.9).unwrap();
        assert!(tenth < 2.0 * most * alone, "{tenth} against {alone}");
        assert!(bounds.iter().filter(|&&bound| bound == 0.0).count() > 80);
    }
}

#[test]
fn an_effect_below_the_spread_of_processes_or_layouts_is_not_resolved() {
    // Every second process, or layout, is 3 % slower; rounds differ by 0.3 %.
    for layouts in [false, true] {
        for seed in 0..20 {
            let still = Effects { round: 0.003, ..ROUNDS_ONLY };
            let shape = if layouts { [4, 2, 6, 1] } else { [1, 4, 6, 1] };
            let slower = |one: &Observation| match layouts {
                true => one.layout.unwrap().is_multiple_of(2),
                false => one.process.is_multiple_of(2),
            };
            let placed: Vec<Observation> = table(still, shape, seed)
                .into_iter()
                .map(|one| {
                    let by = if slower(&one) { 0.03 } else { 0.0 };
                    Observation { value: one.value + by, ..one }
                })
                .collect();
            let spread = Spread::of(&placed);
            let bound = spread.bound().unwrap();
            let over = if layouts { Over::Layouts } else { Over::Processes };
            // The deviation of 0, 3, 0 and 3 is √3 = 1.7; two of them are 3.5.
            assert!(bound.over == over && (0.03..0.04).contains(&bound.log), "{bound:?}");
            assert!((0.013..0.032).contains(&spread.processes.unwrap()), "{spread:?}");
            let values: Vec<f64> = placed.iter().map(|one| one.value).collect();
            let effect = |by: f64| shifted(&placed, by - median(&values).unwrap());
            assert_eq!(verdict_on(&effect(0.02), &spread), Verdict::NotResolved);
            assert!(matches!(verdict_on(&effect(0.08), &spread), Verdict::Slower(_)));
            // Without the spread the same effect is found.
            let plain = shifted(&table(still, shape, seed), 0.02);
            let found = verdict_on(&plain, &Spread::of(&plain));
            assert!(matches!(found, Verdict::Slower(_)), "{found:?}");
        }
    }
}

/// Number of 300 sessions of a design against itself in which it is called different.
fn called_different(process: f64) -> usize {
    let effects = Effects { process, round: 0.004, ..ROUNDS_ONLY };
    let verdict = |seed| {
        let observations = table(effects, [1, 4, 6, 1], seed);
        verdict_on(&observations, &Spread::of(&observations))
    };
    let different = |verdict: &Verdict| matches!(verdict, Verdict::Slower(_) | Verdict::Faster(_));
    (0..300).map(verdict).filter(different).count()
}

#[test]
fn identical_subjects_are_not_called_different() {
    assert_eq!(called_different(0.0), 0);
    // Processes that spread by more than twice as much as the rounds. Four draws exceed twice their own
    // deviation together in 2.8 of 100 cases (t of 3 degrees beyond 4); by the rounds alone most
    // sessions would be called different.
    assert!(called_different(0.01) <= 9, "{}", called_different(0.01));
}

#[test]
fn one_interruption_is_no_spread() {
    for seed in 0..20 {
        let quiet = table(ROUNDS_ONLY, [1, 4, 8, 1], seed);
        let mut interrupted = quiet.clone();
        interrupted[5].value += 2.0;
        let [before, after] = [&quiet, &interrupted].map(|table| components(table).unwrap());
        // Without winsorising the round would be 2 ÷ √21 = 0.44.
        assert!(after.round < 2.0 * ROUNDS_ONLY.round, "{after:?}");
        assert!((after.process.unwrap() - before.process.unwrap()).abs() < 0.006, "{after:?}");
    }
}

#[test]
fn components_that_cannot_be_separated_are_absent() {
    let effects = Effects { process: 0.01, ..ROUNDS_ONLY };
    let of = |shape| Spread::of(&table(effects, shape, 1));
    // One process; one position and one round of it.
    assert_eq!(of([1, 1, 8, 1]), Spread::default());
    assert_eq!(of([1, 4, 1, 1]).split, None);
    assert!(of([1, 4, 1, 1]).processes.is_some());
    // One process for each layout, and one position for all.
    let split = of([4, 1, 8, 1]).split.unwrap();
    assert!(split.layout.is_some() && split.process.is_none());
    let split = of([1, 4, 1, 8]).split.unwrap();
    assert!(split.process.is_some() && split.position.is_none() && split.layout.is_none());
    // Processes without a common position.
    let mut apart = table(effects, [1, 2, 8, 1], 1);
    apart.iter_mut().for_each(|one| one.position += 100 * one.process);
    let spread = Spread::of(&apart);
    assert!(spread.split.is_none() && spread.bound().is_none() && spread.processes.is_some());
    assert_eq!(Spread::of(&[]), Spread::default());
}

#[test]
fn values_that_unbalance_a_table_are_dropped() {
    let even = table(ROUNDS_ONLY, [2, 2, 6, 1], 3);
    let expected = components(&even);
    // A round that only one process has, and a process that only one layout has.
    let more = Observation { position: 99, ..even[0] };
    let lone = Observation { process: 77, layout: Some(0), ..even[1] };
    let uneven: Vec<Observation> = even.iter().copied().chain([more, lone]).collect();
    assert_eq!(components(&uneven), expected);
}

proptest! {
    #[test]
    fn a_constant_leaves_the_components_and_a_factor_scales_them(
        seed in any::<u64>(), by in -1.0f64..1.0, times in 0.1f64..10.0,
    ) {
        let effects = Effects { layout: 0.01, process: 0.02, position: 0.03, round: 0.01 };
        let plain = table(effects, [2, 2, 5, 2], seed);
        let of = |list: &[Observation]| components(list).unwrap();
        let stretched: Vec<Observation> =
            plain.iter().map(|&one| Observation { value: by + times * one.value, ..one }).collect();
        let (one, other) = (of(&plain), of(&stretched));
        let parts = |split: Components| {
            [split.layout.unwrap(), split.process.unwrap(), split.position.unwrap(), split.round]
        };
        for (part, stretched) in parts(one).iter().zip(parts(other)) {
            prop_assert!((part * times - stretched).abs() < 1e-6 * (1.0 + stretched));
        }
    }

    #[test]
    fn the_order_of_the_rounds_does_not_matter(seed in any::<u64>(), turn in 0usize..48) {
        let effects = Effects { process: 0.02, ..ROUNDS_ONLY };
        let plain = table(effects, [2, 3, 8, 1], seed);
        let mut turned = plain.clone();
        turned.rotate_left(turn);
        prop_assert_eq!(components(&plain), components(&turned));
    }
}
