//! Intervals on numbers that can be checked by hand, and their coverage on simulated sessions.

use raywalk_results::fixture::Noise as Random;

use super::*;

fn pair(process: u64, root: u64, blocks: &[(f64, f64)]) -> Pair {
    Pair {
        layout: None,
        process,
        root,
        batch: root,
        positions: blocks.len() as u64,
        disturbed: false,
        blocks: blocks.iter().copied().map(Some).collect(),
    }
}

fn ratio(pairs: &[Pair]) -> f64 {
    Estimate::of(pairs).expect("blocks").log.exp()
}

#[test]
fn the_ratio_is_that_of_the_totals_and_not_a_mean_of_ratios() {
    // (10 + 400) ÷ (20 + 100): the mean of the ratios would be 2.25, their median too.
    let pairs = [pair(0, 0, &[(10.0, 20.0)]), pair(0, 1, &[(400.0, 100.0)])];
    assert!((ratio(&pairs) - 410.0 / 120.0).abs() < 1e-12);
}

#[test]
fn a_block_counts_once_however_often_it_was_measured() {
    let pairs = [
        pair(0, 0, &[(10.0, 20.0)]),
        pair(1, 0, &[(12.0, 20.0)]),
        pair(2, 0, &[(14.0, 20.0)]),
        pair(0, 1, &[(400.0, 100.0)]),
    ];
    assert!((ratio(&pairs) - 412.0 / 120.0).abs() < 1e-12);
}

#[test]
fn a_spoilt_block_counts_for_neither_design() {
    let mut pairs = vec![pair(0, 0, &[(10.0, 20.0), (90.0, 20.0)]), pair(1, 0, &[(12.0, 20.0); 2])];
    pairs[0].blocks[1] = None;
    // The first block was measured twice, the second once.
    assert!((ratio(&pairs) - (11.0 + 12.0) / 40.0).abs() < 1e-12);
    pairs[1].blocks[1] = None;
    assert!((ratio(&pairs) - 11.0 / 20.0).abs() < 1e-12);
    pairs.iter_mut().for_each(|pair| pair.blocks.fill(None));
    assert_eq!(Estimate::of(&pairs), None);
}

#[test]
fn a_disturbed_round_counts_only_where_no_other_measured_the_batch() {
    let mut pairs = vec![pair(0, 0, &[(10.0, 10.0)]), pair(1, 0, &[(30.0, 10.0)])];
    pairs[1].disturbed = true;
    assert_eq!(ratio(&pairs), 1.0);
    pairs[0].disturbed = true;
    assert_eq!(ratio(&pairs), 2.0);
}

#[test]
fn equal_clusters_give_the_textbook_interval_of_a_mean() {
    // Six roots of one process with equal other times: the interval of the mean of six numbers, 1.0 to
    // 2.0, whose standard error is √(0.14 ÷ 6). Student's quantile at 5 degrees of freedom, 97.5 %, is
    // 2.57058 in every table. In ln: the error divided by the mean, 1.5.
    let pairs: Vec<Pair> = [1.0, 1.2, 1.4, 1.6, 1.8, 2.0]
        .iter()
        .enumerate()
        .map(|(root, &one)| pair(0, root as u64, &[(one, 1.0)]))
        .collect();
    let estimate = Estimate::of(&pairs).expect("blocks");
    let interval = estimate.interval(Confidence::NINETY_FIVE).expect("six roots");
    let half = 2.570_582 * (0.14f64 / 6.0).sqrt() / 1.5;
    assert!((interval.high - estimate.log - half).abs() < 1e-5, "{interval:?} {half}");
    assert!((estimate.log - interval.low - half).abs() < 1e-5);
}

#[test]
fn five_roots_in_five_processes_have_no_interval() {
    let of = |count: u64| {
        let pairs: Vec<Pair> = (0..count).map(|n| pair(n, n, &[(1.0, 2.0)])).collect();
        Estimate::of(&pairs).expect("blocks").interval(Confidence::NINETY_FIVE)
    };
    assert_eq!(of(5), Err(TooFew { found: 5, needed: 6 }));
    assert!(of(6).is_ok());
}

#[test]
fn a_change_between_sessions_is_not_widened_by_differences_between_roots() {
    let session = |process: u64, factor: f64| -> Vec<Pair> {
        (0..16)
            .map(|root| pair(process + root % 4, root, &[(factor * (1.0 + root as f64), 1.0)]))
            .collect()
    };
    let (a, b) = (Estimate::of(&session(0, 1.0)), Estimate::of(&session(0, 1.1)));
    let change = b.expect("blocks").since(&a.expect("blocks"));
    let interval = change.interval(Confidence::NINETY_FIVE).expect("many roots");
    assert!((interval.middle - 1.1f64.ln()).abs() < 1e-12);
    let of_time = Estimate::of_time(&session(0, 1.0), &session(7, 1.1)).expect("blocks");
    assert!((of_time.log - 1.1f64.ln()).abs() < 1e-12);
    let interval = of_time.interval(Confidence::NINETY_FIVE).expect("many roots");
    assert!(interval.high - interval.low < 1e-9);
}

/// Standard deviations of a simulated session, in ln.
struct Noise {
    root: f64,
    process: f64,
    round: f64,
}

/// A workload of 64 roots, and a session of twelve processes that take the first `visited` of them in turn.
struct Simulation {
    noise: Noise,
    visited: u64,
    rounds: u64,
}

impl Simulation {
    /// Estimates the log ratio, and tells the true one: that of the total times over all roots, on average
    /// over processes and rounds.
    fn run(&self, random: &mut Random) -> (Estimate, f64) {
        const ROOTS: u64 = 64;
        const PROCESSES: u64 = 12;
        let Simulation { noise, visited, rounds } = self;
        let mut normal = || {
            // The sum of twelve uniform numbers has a variance of 1.
            (0..12).map(|_| random.below(1 << 30) as f64 / f64::from(1 << 30)).sum::<f64>() - 6.0
        };
        let of_roots: Vec<f64> = (0..ROOTS).map(|_| noise.root * normal()).collect();
        let of_processes: Vec<f64> = (0..PROCESSES).map(|_| noise.process * normal()).collect();
        // Trees have 400 to 4,000 positions in eight blocks.
        let size = |root: u64| 50.0 + 450.0 * ((root * 37 % ROOTS) as f64 / ROOTS as f64);
        let pairs = (0..*rounds).map(|round| {
            let process = round * PROCESSES / rounds;
            // Another order in each pass.
            let root = (round * if round / visited % 2 == 0 { 1 } else { 5 }) % visited;
            let of_round = noise.round * normal();
            let blocks = (0..8).map(|_| {
                let log = of_roots[root as usize] + of_processes[process as usize] + of_round;
                (size(root) * (log + 0.02 * normal()).exp(), size(root))
            });
            pair(process, root, &blocks.collect::<Vec<_>>())
        });
        let pairs: Vec<Pair> = pairs.collect();
        let all: f64 = (0..ROOTS).map(size).sum();
        let times = (0..ROOTS).map(|root| size(root) * of_roots[root as usize].exp());
        let part = (0..*visited).map(size).sum::<f64>() / all;
        let estimate = Estimate::of(&pairs).expect("blocks");
        (Estimate { visited: Some(part), ..estimate }, (times.sum::<f64>() / all).ln())
    }

    /// How many of `sessions` intervals hold the truth.
    fn covered(&self, confidence: Confidence, sessions: u64) -> u64 {
        let mut random = Random(7);
        let holds = |_: &u64| {
            let (estimate, truth) = self.run(&mut random);
            let interval = estimate.interval(confidence).expect("many roots");
            interval.low <= truth && truth <= interval.high
        };
        (0..sessions).filter(holds).count() as u64
    }
}

#[test]
fn intervals_cover_the_truth_over_all_roots_as_often_as_they_say() {
    for round in [0.01, 0.03, 0.06] {
        for process in [0.005, 0.02] {
            for (visited, rounds) in [(64, 132), (16, 36)] {
                let noise = Noise { root: 0.033, process, round };
                let simulation = Simulation { noise, visited, rounds };
                // 99.44 % is the confidence of one of nine comparisons that share 95 %.
                let at_95 = simulation.covered(Confidence::NINETY_FIVE, 400);
                let at_99 = simulation.covered(Confidence::NINETY_FIVE.shared_by(9), 400);
                let what = format!("round {round}, process {process}, {rounds} rounds");
                assert!((368..=398).contains(&at_95), "{what}: {at_95} of 400");
                assert!((392..=400).contains(&at_99), "{what}: {at_99} of 400");
            }
        }
    }
}
