//! Intervals on numbers that can be checked by hand. Their coverage is tested in `simulation`.

use raywalk_results::statistics::{Confidence, TooFew};

use super::*;
use crate::no_interval::{NoInterval, why_no_verdict};

fn pair(process: u64, root: u64, blocks: &[(f64, f64)]) -> Pair {
    Pair {
        layout: None,
        process,
        turn: 1_000 * process + root,
        root,
        batch: root,
        positions: blocks.len() as u64,
        passes: 1,
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
    // The cheaper half of three times: 10 and half of 12.
    assert!((ratio(&pairs) - (16.0 / 1.5 + 400.0) / 120.0).abs() < 1e-12);
}

#[test]
fn a_spoilt_block_counts_for_neither_design() {
    let mut pairs = vec![pair(0, 0, &[(10.0, 20.0), (90.0, 20.0)]), pair(1, 0, &[(12.0, 20.0); 2])];
    pairs[0].blocks[1] = None;
    // The first block was measured twice, the second once.
    assert!((ratio(&pairs) - (10.0 + 12.0) / 40.0).abs() < 1e-12);
    pairs[1].blocks[1] = None;
    assert!((ratio(&pairs) - 10.0 / 20.0).abs() < 1e-12);
    pairs.iter_mut().for_each(|pair| pair.blocks.fill(None));
    assert_eq!(Estimate::of(&pairs), None);
}

#[test]
fn a_disturbed_round_counts_only_where_no_other_measured_the_batch() {
    let mut pairs = vec![pair(0, 0, &[(20.0, 10.0)]), pair(1, 0, &[(10.0, 10.0)])];
    pairs[1].disturbed = true;
    assert_eq!(ratio(&pairs), 2.0);
    pairs[0].disturbed = true;
    assert_eq!(ratio(&pairs), 1.0, "the cheaper one");
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
    assert_eq!(of(5), Err(TooFew { found: 5, needed: 6 }.into()));
    assert!(of(6).is_ok());
}

#[test]
fn processes_whose_samples_are_spoilt_are_no_lack_of_rounds() {
    // Two rounds of one root in each of twelve processes.
    let of = |clean: u64| {
        let mut pairs: Vec<Pair> =
            (0..24).map(|n| pair(n % 12, 0, &[(1.0 + (n % 5) as f64, 2.0)])).collect();
        let spoilt = pairs.iter_mut().filter(|pair| pair.process >= clean);
        spoilt.for_each(|pair| pair.blocks.fill(None));
        Estimate::of(&pairs).expect("blocks").interval(Confidence::NINETY_FIVE)
    };
    assert_eq!(of(5), Err(NoInterval::Spoilt { left_out: 14, samples: 24 }));
    let why = of(1).expect_err("one process");
    assert_eq!(why_no_verdict(Some(why)), "22 of 24 samples were left out as spoilt");
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

#[test]
fn the_interval_of_a_change_contains_the_placements_of_both_sessions_whatever_their_layouts() {
    // One root. The six processes of a session differ by up to 10 %.
    let session = |layout: Option<u64>| -> Vec<Pair> {
        let time = |process: u64| 1.0 + 0.02 * process as f64;
        (0..6).map(|process| Pair { layout, ..pair(process, 0, &[(time(process), 1.0)]) }).collect()
    };
    let half = |layouts: [Option<u64>; 2]| {
        let [before, after] = layouts.map(session);
        let estimates = [&before, &after].map(|pairs| Estimate::of(pairs).expect("blocks"));
        let change = estimates[1].since(&estimates[0]);
        let of_time = Estimate::of_time(&before, &after).expect("blocks");
        [change, of_time].map(|one| {
            let interval = one.interval(Confidence::NINETY_FIVE).expect("six processes each");
            interval.high - interval.middle
        })
    };
    let plain = half([None, None]);
    assert_eq!(half([None, Some(1)]), plain);
    assert_eq!(half([Some(1), Some(2)]), plain);
    assert_eq!(half([Some(1), Some(1)]), plain);
    // The mean of the cheaper half of six numbers, 1.00 to 1.10, is 1.02. Limited to the median, they are 1.00, 1.02,
    // 1.04 and three times 1.05, with squares of 0.00215 around their mean; 36 ÷ 35 is for the small number, and each
    // counts twice. In ln. Student's quantile at 10 degrees of freedom, 97.5 %, is 2.22814 in every table.
    let variance = 4.0 * 36.0 / 35.0 * 0.00215 / 5.0 / 6.0 / 1.02f64.powi(2);
    assert!((plain[1] - 2.228_139 * (2.0 * variance).sqrt()).abs() < 1e-5, "{plain:?}");
}

#[test]
fn each_session_of_a_change_has_the_degrees_of_freedom_of_its_own_processes() {
    // One root, twelve processes. Those of the second session are spread over six layouts and do not differ.
    let time = |process: u64| 1.0 + 0.01 * (process * 5 % 12) as f64;
    let plain: Vec<Pair> =
        (0..12).map(|process| pair(process, 0, &[(time(process), 1.0)])).collect();
    let relinked =
        |process: u64| Pair { layout: Some(process % 6), ..pair(process, 0, &[(1.0, 1.0)]) };
    let relinked: Vec<Pair> = (0..12).map(relinked).collect();
    let [before, after] = [&plain, &relinked].map(|pairs| Estimate::of(pairs).expect("blocks"));
    let half = |estimate: &Estimate| {
        let interval = estimate.interval(Confidence::NINETY_FIVE).expect("twelve processes");
        interval.high - interval.middle
    };
    let change = after.since(&before);
    assert!((half(&change) - half(&before)).abs() < 1e-12, "{} {}", half(&change), half(&before));
}

#[test]
fn a_change_of_one_root_needs_six_processes_in_each_session() {
    let session = |count: u64| -> Vec<Pair> {
        (0..count).map(|process| pair(process, 0, &[(1.0 + process as f64, 1.0)])).collect()
    };
    let change = |count: u64| {
        let change = Estimate::of_time(&session(count), &session(8)).expect("blocks");
        change.interval(Confidence::NINETY_FIVE)
    };
    assert_eq!(change(5), Err(TooFew { found: 5, needed: 6 }.into()));
    assert!(change(6).is_ok());
}

#[test]
fn times_of_sessions_with_blocks_of_other_lengths_are_compared_over_the_same_positions() {
    let session = |process: u64, blocks: &[(f64, f64)]| -> Vec<Pair> {
        (0..8).map(|root| pair(process + root % 4, root, blocks)).collect()
    };
    let long = session(0, &[(3.0, 1.0), (7.0, 1.0)]);
    let mut short = session(7, &[(1.0, 1.0), (2.0, 1.0), (4.0, 1.0), (3.0, 1.0)]);
    let change = |short: &[Pair]| Estimate::of_time(&long, short).expect("blocks").log;
    assert!(change(&short).abs() < 1e-12);
    // A spoilt block leaves out the long block that it belongs to, in both.
    short.iter_mut().for_each(|pair| pair.blocks[1] = None);
    assert!(change(&short).abs() < 1e-12);
    // Blocks of two passes are those of other positions: only whole batches are compared.
    let twice = |pair: &Pair| Pair { passes: 2, ..pair.clone() };
    let other = session(7, &[(7.0, 1.0), (3.0, 1.0)]);
    let mut twice: Vec<Pair> = other.iter().map(twice).collect();
    assert!(change(&twice).abs() < 1e-12);
    twice[0].blocks[0] = None;
    assert!(change(&twice).abs() < 1e-12);
    // A batch of one block does not make the blocks of another batch longer.
    let mut mixed = session(7, &[(3.0, 1.0), (7.0, 1.0)]);
    mixed[0].blocks = vec![Some((10.0, 2.0))];
    mixed[1].blocks[0] = None;
    assert!(change(&mixed).abs() < 1e-12);
}

#[test]
fn roots_and_turns_may_have_the_greatest_numbers_of_a_journal() {
    let mut pairs: Vec<Pair> =
        (0..8).map(|root| pair(root % 4, root, &[(2.0, 1.0), (3.0, 1.5)])).collect();
    let small = Estimate::of(&pairs).expect("an estimate");
    for pair in &mut pairs {
        (pair.root, pair.turn) = (u64::MAX - pair.root, u64::MAX - pair.turn);
    }
    let large = Estimate::of(&pairs).expect("an estimate");
    let parts = small.parts.len() + large.parts.len();
    let both = Estimate::mean(&[large, small.clone()]).expect("a mean");
    assert!((both.log - small.log).abs() < 1e-12);
    let different = |of: fn(&Part) -> u64| both.parts.iter().map(of).collect::<BTreeSet<_>>().len();
    assert_eq!([different(|part| part.root), different(|part| part.turn)], [16, 16]);
    assert_eq!(both.parts.len(), parts);
}
