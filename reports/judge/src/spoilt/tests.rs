//! Rounds in which known blocks and samples are spoilt.

use super::*;

/// Eight batches of one process.
const VISITS: [Visit; 8] = [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (0, 6), (0, 7)];
const NAMES: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];

/// A round of ten designs and eight blocks. Design n costs 100 + 10n, block b a part b more of a tenth.
fn round() -> Vec<Blocks<'static>> {
    let sample = |n: u64| Blocks {
        design: NAMES[n as usize],
        times: (0..8).map(|block| Some(time(n, block))).collect(),
        beside_neighbour: Vec::new(),
    };
    (0..10).map(sample).collect()
}

/// Neighbouring cells differ by up to 2 % for no reason.
fn time(design: u64, block: u64) -> f64 {
    let noise = (design * 7 + block * 5) % 11;
    (100 + 10 * design) as f64 * (10 + block) as f64 * (1.0 + 0.002 * noise as f64)
}

fn spoil(round: &mut [Blocks<'_>], design: usize, blocks: std::ops::Range<usize>, factor: f64) {
    for time in &mut round[design].times[blocks] {
        *time = time.map(|time| time * factor);
    }
}

fn left(round: &[Blocks<'_>]) -> Vec<usize> {
    round.iter().map(|blocks| blocks.times.iter().flatten().count()).collect()
}

/// How many blocks of a design are left in each round.
fn kept(mut rounds: Vec<Vec<Blocks<'_>>>, visits: &[Visit], design: usize) -> Vec<usize> {
    remove(&mut rounds, visits);
    rounds.iter().map(|round| left(round)[design]).collect()
}

#[test]
fn a_quiet_round_keeps_all_blocks_though_they_differ_in_cost() {
    let mut rounds = vec![round(); 8];
    remove(&mut rounds, &VISITS);
    assert!(rounds.iter().all(|kept| *kept == round()));
}

#[test]
fn disturbed_blocks_are_removed_even_if_a_third_of_all_is_disturbed() {
    let mut rounds = vec![round()];
    for design in 1..10 {
        for block in [0, 3, 5].map(|place| (design + place) % 8) {
            spoil(&mut rounds[0], design, block..block + 1, 1.6);
        }
    }
    spoil(&mut rounds[0], 0, 2..3, 0.5);
    remove(&mut rounds, &VISITS);
    assert_eq!(left(&rounds[0]), [7, 5, 5, 5, 5, 5, 5, 5, 5, 5]);
    assert_eq!(rounds[0][0].times[2], None, "too short is as wrong as too long");
}

#[test]
fn five_per_cent_are_a_property_of_the_design() {
    let mut rounds = vec![round(); 8];
    rounds.iter_mut().for_each(|round| spoil(round, 4, 0..4, 1.05));
    let before = rounds.clone();
    remove(&mut rounds, &VISITS);
    assert_eq!(rounds, before);
}

#[test]
fn a_sample_that_is_disturbed_as_a_whole_is_compared_with_other_rounds() {
    let mut rounds = vec![round(); 8];
    spoil(&mut rounds[3], 6, 0..8, 1.3);
    // A slow phase of the machine that lasts for the round slows all designs.
    (0..10).for_each(|design| spoil(&mut rounds[5], design, 0..8, 1.9));
    remove(&mut rounds, &VISITS);
    let expected = |number| match number {
        3 => vec![8, 8, 8, 8, 8, 8, 0, 8, 8, 8],
        _ => vec![8; 10],
    };
    for (number, round) in rounds.iter().enumerate() {
        assert_eq!(left(round), expected(number), "round {number}");
    }
}

#[test]
fn a_process_in_which_a_design_is_slow_throughout_keeps_its_samples() {
    let mut rounds = vec![round(); 12];
    rounds[4..8].iter_mut().for_each(|round| spoil(round, 6, 0..8, 1.3));
    // One round of another process is slow too, which its other rounds do not explain.
    spoil(&mut rounds[9], 6, 0..8, 1.3);
    let visits: Vec<Visit> = (0..12).map(|round| (round / 4, round)).collect();
    assert_eq!(kept(rounds, &visits, 6), [8, 8, 8, 8, 8, 8, 8, 8, 8, 0, 8, 8]);
}

#[test]
fn a_batch_that_costs_one_design_more_is_no_disturbance() {
    // Six batches, each visited twice. The second one costs design 3 twice as much, and one visit to the third one is
    // disturbed.
    let mut rounds = vec![round(); 12];
    [1, 7].iter().for_each(|&number| spoil(&mut rounds[number], 3, 0..8, 2.0));
    spoil(&mut rounds[8], 3, 0..8, 1.3);
    let visits: Vec<Visit> = (0..12).map(|round| (0, round % 6)).collect();
    assert_eq!(kept(rounds, &visits, 3), [8, 8, 8, 8, 8, 8, 8, 8, 0, 8, 8, 8]);
}

#[test]
fn two_disturbances_of_one_batch_are_removed_if_most_of_its_visits_are_not_disturbed() {
    // One batch, visited twelve times.
    let mut rounds = vec![round(); 12];
    [4, 9].iter().for_each(|&number| spoil(&mut rounds[number], 3, 0..8, 1.3));
    assert_eq!(kept(rounds, &[(0, 0); 12], 3), [8, 8, 8, 8, 0, 8, 8, 8, 8, 0, 8, 8]);
}

#[test]
fn samples_of_one_block_are_compared_with_other_rounds_only() {
    let one = |factor: f64| -> Vec<Blocks<'static>> {
        let sample = |n: u64| Blocks {
            design: NAMES[n as usize],
            times: vec![Some(time(n, 0) * if n == 2 { factor } else { 1.0 })],
            beside_neighbour: Vec::new(),
        };
        (0..4).map(sample).collect()
    };
    let mut rounds: Vec<_> = (0..8).map(|n| one(if n == 6 { 1.5 } else { 1.0 })).collect();
    remove(&mut rounds, &VISITS);
    assert!((0..8).all(|n| rounds[n][2].times[0].is_some() == (n != 6)));
    assert!(rounds.iter().flatten().filter(|blocks| blocks.times[0].is_none()).count() == 1);
    // Five rounds show no deviation.
    let mut few: Vec<_> = (0..5).map(|n| one(if n == 2 { 1.5 } else { 1.0 })).collect();
    remove(&mut few, &VISITS[..5]);
    assert!(few.iter().flatten().all(|blocks| blocks.times[0].is_some()));
}

#[test]
fn a_time_of_zero_is_spoilt() {
    let mut rounds = vec![round()];
    rounds[0][2].times[5] = Some(0.0);
    remove(&mut rounds, &VISITS);
    assert_eq!(left(&rounds[0]), [8, 8, 7, 8, 8, 8, 8, 8, 8, 8]);
    let mut nothing =
        vec![vec![Blocks { design: "", times: vec![Some(0.0)], beside_neighbour: vec![] }]];
    remove(&mut nothing, &VISITS[..1]);
    assert_eq!(left(&nothing[0]), [0]);
}
