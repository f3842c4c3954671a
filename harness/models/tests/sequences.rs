//! Sequences whose misprediction rate follows from theory, through every model of conditional branches.
//!
//! Each row of a table states the lowest rate that any predictor can reach, and the rate expected of each model,
//! in percent of the second half of 200,000 branches. An expectation follows from the model's history length or
//! from the chain of its counters, and agrees with an independent implementation of the same models.

use raywalk_core::random::SplitMix;
use raywalk_models::branch::ConditionalModel::{self, Bimodal, Callgrind, Gshare, Tage, TageScL};
use raywalk_models::branch::{IndirectModel, Replay};

const BRANCHES: usize = 200_000;

type Stream = Vec<(u64, bool)>;

/// Mispredictions in percent of the second half.
fn rate(model: ConditionalModel, stream: &[(u64, bool)]) -> f64 {
    let mut model = model.build();
    let (first, second) = stream.split_at(stream.len() / 2);
    model.count_misses(first);
    100.0 * model.count_misses(second) as f64 / second.len() as f64
}

/// Compares all models with their expected rates: least and greatest, in percent.
#[track_caller]
fn expect(stream: &[(u64, bool)], ranges: [(ConditionalModel, f64, f64); 5]) {
    assert_eq!(ranges.map(|(model, ..)| model), ConditionalModel::ALL, "a range for each model");
    let rates = ranges.map(|(model, ..)| rate(model, stream));
    for ((model, least, greatest), found) in ranges.into_iter().zip(rates) {
        let within = (least..=greatest).contains(&found);
        assert!(
            within,
            "{}: {found:.3} % is not in {least} to {greatest}; all: {rates:.3?}",
            model.id()
        );
    }
}

/// One branch that repeats a pattern.
fn pattern(outcomes: &[bool]) -> Stream {
    outcomes.iter().cycle().take(BRANCHES).map(|&taken| (0x1040, taken)).collect()
}

/// A loop of `iterations` iterations: taken, except for the last.
fn iterations(iterations: usize) -> Stream {
    let outcomes: Vec<bool> = (1..=iterations).map(|iteration| iteration != iterations).collect();
    pattern(&outcomes)
}

fn random_pattern(period: usize) -> Stream {
    let mut random = SplitMix(period as u64);
    let outcomes: Vec<bool> = (0..period).map(|_| random.below(2) == 1).collect();
    pattern(&outcomes)
}

/// One branch that is taken in `percent` of 100 cases at random.
fn coin(percent: usize) -> Stream {
    let mut random = SplitMix(77);
    (0..BRANCHES).map(|_| (0x1040, random.below(100) < percent)).collect()
}

/// Rounds of branches at different addresses, whose outcomes depend on fresh coins.
fn rounds(mut round: impl FnMut(&mut SplitMix) -> Stream) -> Stream {
    let mut random = SplitMix(123);
    let mut stream = Vec::new();
    while stream.len() < BRANCHES {
        stream.extend(round(&mut random));
    }
    stream
}

/// A coin, then branches that are always taken, then a branch that repeats the coin.
fn distant_copy(between: u64) -> Stream {
    rounds(move |random| {
        let coin = random.below(2) == 1;
        let constant = (0..between).map(|n| (0x2000 + 7 * n, true));
        std::iter::once((0x1000, coin)).chain(constant).chain([(0x3001, coin)]).collect()
    })
}

#[test]
fn constant_and_alternating_branches() {
    expect(
        &iterations(BRANCHES + 1),
        [Bimodal, Callgrind, Gshare, Tage, TageScL].map(|model| (model, 0.0, 0.0)),
    );
    expect(
        &pattern(&[false, true]),
        [
            (Bimodal, 50.0, 50.0),
            (Callgrind, 0.0, 0.0),
            (Gshare, 0.0, 0.0),
            (Tage, 0.0, 0.0),
            (TageScL, 0.0, 0.0),
        ],
    );
}

/// Without a history that covers the loop, exactly the exits miss: one branch in n. Seven outcomes cover 8 iterations
/// and 17 cover 18. TAGE covers fewer than its 640: a table sees only at which age the last exit is, and its index of
/// 11 bits and its tags of 12 and 11 repeat every 132 places, so that the exit of a loop of 400 looks like an earlier
/// iteration. The loop predictor counts to 16,382.
#[test]
fn loops_up_to_the_length_of_the_history() {
    let exits = |n: usize| (100.0 / n as f64 - 0.002, 100.0 / n as f64 + 0.002);
    for (length, learnt_by) in [
        (8, &[Callgrind, Gshare, Tage, TageScL][..]),
        (30, &[Tage, TageScL][..]),
        (120, &[Tage, TageScL][..]),
        (400, &[TageScL][..]),
        (2000, &[TageScL][..]),
    ] {
        let ranges = ConditionalModel::ALL.map(|model| {
            let (least, greatest) =
                if learnt_by.contains(&model) { (0.0, 0.0) } else { exits(length) };
            (model, least, greatest)
        });
        expect(&iterations(length), ranges);
    }
}

/// A pattern without structure is learnt if each of its places can be told by the outcomes before it and
/// has an entry. 7 outcomes tell 127 places apart only in part.
#[test]
fn random_patterns_that_repeat() {
    expect(
        &random_pattern(127),
        [
            (Bimodal, 40.0, 60.0),
            (Callgrind, 8.0, 35.0),
            (Gshare, 0.0, 1.0),
            (Tage, 0.0, 0.0),
            (TageScL, 0.0, 0.1),
        ],
    );
    // 17 outcomes have 131,072 values, so some of 5,000 places share one: about 5000 ÷ 2^17 = 4 %, half of
    // which contradict each other.
    expect(
        &random_pattern(5000),
        [
            (Bimodal, 45.0, 55.0),
            (Callgrind, 43.0, 53.0),
            (Gshare, 0.3, 3.0),
            (Tage, 0.0, 0.1),
            (TageScL, 0.0, 1.0),
        ],
    );
}

/// No predictor can be better than the rarer outcome. A two-bit counter reaches 10.98 % at nine to one. gshare
/// scatters the branch over 2^17 counters that start at "not taken": 1.6 % of the second half meet a new one,
/// and nine of ten of these miss.
#[test]
fn coins_miss_at_least_as_often_as_their_rarer_outcome() {
    let fair = ConditionalModel::ALL.map(|model| (model, 49.0, 51.0));
    expect(&coin(50), fair);
    let biased = [
        (Bimodal, 10.7, 11.5),
        (Callgrind, 10.7, 11.7),
        (Gshare, 11.9, 12.9),
        (Tage, 9.8, 11.2),
        (TageScL, 9.8, 10.6),
    ];
    expect(&coin(90), biased);
}

/// Of two branches, the second repeats the coin of the first: half of the first miss, none of the second.
#[test]
fn a_copy_of_the_last_branch_is_learnt_by_every_history() {
    let stream = rounds(|random| {
        let coin = random.below(2) == 1;
        vec![(0x1000, coin), (0x1013, coin)]
    });
    expect(
        &stream,
        [
            (Bimodal, 48.5, 51.5),
            (Callgrind, 24.5, 25.6),
            (Gshare, 24.5, 25.6),
            (Tage, 24.5, 25.6),
            (TageScL, 24.5, 25.6),
        ],
    );
}

/// Two coins and their exclusive or. Tables learn it, sums of weights cannot: the corrector must not spoil
/// what TAGE has learnt.
#[test]
fn the_exclusive_or_of_the_last_two_branches_is_learnt_by_tables() {
    let stream = rounds(|random| {
        let (one, other) = (random.below(2) == 1, random.below(2) == 1);
        vec![(0x1000, one), (0x1013, other), (0x1022, one != other)]
    });
    expect(
        &stream,
        [
            (Bimodal, 48.5, 51.5),
            (Callgrind, 32.8, 34.0),
            (Gshare, 32.8, 34.0),
            (Tage, 32.8, 34.0),
            (TageScL, 32.8, 34.0),
        ],
    );
}

/// The least rate is half a miss per round of n + 2 branches: the coin. A model that cannot see n outcomes
/// back misses half of the copies as well.
#[test]
fn a_distant_copy_is_seen_within_the_history_only() {
    let coin = |between: usize| 50.0 / (between + 2) as f64;
    let near = coin(50);
    expect(
        &distant_copy(50),
        [
            (Bimodal, 1.85 * near, 2.15 * near),
            (Callgrind, 1.85 * near, 2.3 * near),
            (Gshare, 1.85 * near, 2.15 * near),
            (Tage, 0.93 * near, 1.15 * near),
            (TageScL, 0.93 * near, 1.15 * near),
        ],
    );
    let far = coin(400);
    expect(
        &distant_copy(400),
        [
            (Bimodal, 1.75 * far, 2.25 * far),
            (Callgrind, 1.75 * far, 2.3 * far),
            (Gshare, 1.75 * far, 2.25 * far),
            (Tage, 0.85 * far, 1.35 * far),
            (TageScL, 0.85 * far, 1.35 * far),
        ],
    );
}

#[test]
fn a_replay_repeats_itself_exactly() {
    for conditional in ConditionalModel::ALL {
        for indirect in IndirectModel::ALL {
            let run = || {
                let (mut random, mut replay) = (SplitMix(4), Replay::new(conditional, indirect));
                (0..20_000)
                    .map(|_| {
                        let (site, value) = (random.below(50) as u64, random.below(3) as u64);
                        if site < 45 {
                            replay.branch(0x1000 + 5 * site, value > 0)
                        } else {
                            replay.jump(0x1000 + 5 * site, 0x2000 + 16 * value)
                        }
                    })
                    .collect::<Vec<bool>>()
            };
            assert_eq!(run(), run(), "{} {}", conditional.id(), indirect.id());
        }
    }
}

/// The target of a jump is a part of the history: the branch after it goes the way of the arm.
#[test]
fn the_arm_of_a_switch_decides_the_branch_after_it() {
    let late_misses = |model| {
        let mut replay = Replay::new(model, IndirectModel::Ittage);
        let mut random = SplitMix(11);
        (0..4000)
            .filter(|round| {
                let arm = random.below(2) as u64;
                replay.jump(0x5000, 0x6000 + 4 * arm);
                replay.branch(0x7000, arm == 1) && *round >= 2000
            })
            .count()
    };
    assert!((900..1100).contains(&late_misses(Bimodal)), "{}", late_misses(Bimodal));
    for model in [Gshare, Tage, TageScL] {
        assert!(late_misses(model) <= 20, "{} {}", model.id(), late_misses(model));
    }
}

#[test]
fn every_model_states_its_storage_and_parameters() {
    let kib = ConditionalModel::ALL.map(|model| {
        let description = model.build().description();
        assert!(!description.parameters.is_empty(), "{}", model.id());
        description.kib().round() as u64
    });
    assert_eq!(kib, [16, 4, 32, 48, 57], "bimodal, callgrind, gshare, TAGE, TAGE-SC-L");
}
