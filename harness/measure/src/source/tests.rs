use std::collections::BTreeSet;

use super::*;
use raywalk_results::schema::Operation;

/// The trees of a workload of 100,000 positions: 40 of 2,500 each.
fn roots() -> Vec<usize> {
    (0..40).map(|tree| tree * 2_500).collect()
}

fn batches(source: PositionSource, roots: &[usize]) -> Batches {
    Batches::new(source, roots, share(7))
}

fn share(seed: u64) -> Share {
    Share { seed, start: 0, length: None, rounds: None }
}

fn stream(len: usize) -> Batches {
    batches(PositionSource::stream(len), &[])
}

fn replay(k: usize, len: usize) -> Batches {
    batches(PositionSource::replay(k, len), &[])
}

fn of_round(batches: &Batches, round: u64, passes: u64, blocks: usize) -> Batch {
    let turn = batches.turn(round).rounds;
    batches.of_turn(turn.clone(), passes, blocks).swap_remove((round - turn.start) as usize)
}

fn pass(batches: &Batches, rounds: u64) -> Vec<Batch> {
    (0..rounds).map(|round| of_round(batches, round, 1, 16)).collect()
}

/// The positions of a span of a workload of `len`, as numbers.
fn numbers(span: &Span, len: u16) -> Vec<usize> {
    let workload: Vec<_> = (0..len).map(crate::fake::position).collect();
    let positions = span.positions(&workload);
    positions.iter().map(|position| usize::from(position.state().fullmove) - 1).collect()
}

#[test]
fn a_pass_over_a_stream_times_every_position_once_and_one_root_per_batch() {
    for (source, roots, count, most) in [
        (PositionSource::stream(100_000), roots(), 40, 2_500),
        (PositionSource::stream(100_000), Vec::new(), 25, 4_000),
        (PositionSource::perturbed(100_000), roots(), 6_280, 16),
        (PositionSource::stream(300), vec![0, 10, 10, 290], 3, 280),
    ] {
        let batches = batches(source, &roots);
        assert_eq!(batches.largest(), most);
        let all = pass(&batches, count);
        let mut timed: Vec<usize> =
            all.iter().flat_map(|batch| batch.first..batch.first + batch.timed.len()).collect();
        timed.sort_unstable();
        assert!(timed.into_iter().eq(0..if count == 3 { 300 } else { 100_000 }));
        for batch in &all {
            let root = roots.iter().rposition(|&root| root <= batch.first);
            let expected = root.map_or(batch.first as u64 / 4_000, |root| root as u64);
            assert_eq!(batch.root, expected);
            assert_eq!(batch.fresh.first, batch.first);
            assert_eq!(batch.positions(), batch.fresh.boards as u64);
        }
        let firsts: Vec<_> = all.iter().map(|batch| batch.first).collect();
        assert!(!firsts.is_sorted(), "the order is random");
    }
}

#[test]
fn a_perturbed_stream_visits_every_root_before_it_returns_to_one() {
    let batches = batches(PositionSource::perturbed(100_000), &roots());
    for turn in pass(&batches, 80).chunks(40) {
        let roots: BTreeSet<_> = turn.iter().map(|batch| batch.root).collect();
        assert_eq!(roots.len(), 40);
    }
}

#[test]
fn blocks_are_equal_and_depend_on_the_batch_alone() {
    let batch = of_round(&stream(8_192), 0, 1, 16);
    assert_eq!(batch.blocks.len(), 16);
    assert!(batch.blocks.iter().all(|(block, repeats)| block.len() == 256 && *repeats == 1));
    for (len, count) in [(4_096, 16), (2_000, 7), (511, 1), (10, 1)] {
        for wanted in [1, 99] {
            let batch = of_round(&stream(len), 0, 5, wanted);
            assert_eq!((batch.blocks.len(), batch.repeats), (count, 1));
            let lengths: Vec<_> = batch.blocks.iter().map(|(block, _)| block.len()).collect();
            let [least, most] =
                [lengths.iter().min(), lengths.iter().max()].map(|end| *end.expect("a block"));
            assert!(most - least <= 1 && lengths.iter().sum::<usize>() == len);
        }
    }
    let perturbed = of_round(&batches(PositionSource::perturbed(8_192), &[]), 3, 1, 1);
    assert_eq!(perturbed.blocks.len(), CALLS, "each call is timed by itself");
    assert!(perturbed.blocks.iter().all(|(block, _)| block.len() == 1));
}

#[test]
fn the_prefix_of_a_turn_rarely_changes_and_never_contains_a_batch() {
    let batches = stream(100_000);
    let mut prefixes = BTreeSet::new();
    for round in (0..24).step_by(TURN) {
        assert_eq!(batches.turn(round + 1).rounds, round..round + TURN as u64);
        let turn = batches.of_turn(batches.turn(round).rounds, 1, 16);
        let preparations: Vec<_> = turn.iter().map(|batch| batch.preparation.clone()).collect();
        let mut expected = vec![Preparation::Done; TURN];
        expected[0] = Preparation::Prefix(0..PREFIX);
        assert_eq!(preparations, expected);
        for batch in &turn {
            assert_eq!(batch.timed, PREFIX..PREFIX + 4_000);
            assert_eq!(batch.kept, turn[0].kept);
            let timed: BTreeSet<_> = (batch.first..batch.first + batch.fresh.boards).collect();
            let prefix = (0..PREFIX).map(|place| (batch.kept.first + place) % 100_000);
            assert!(prefix.into_iter().all(|position| !timed.contains(&position)));
        }
        prefixes.insert(turn[0].kept.first);
    }
    assert!(prefixes.len() <= TURN, "{prefixes:?}");
    let other = Share { seed: 7, start: 25, length: Some(5), rounds: None };
    let other = Batches::new(PositionSource::stream(100_000), &[], other);
    assert_eq!(other.turn(25).rounds, 25..28, "turns begin with the share");
    assert!(!prefixes.contains(&of_round(&other, 25, 1, 1).kept.first), "another share");
}

#[test]
fn the_turns_of_a_share_are_as_few_and_as_equal_as_they_can_be() {
    let turns = |length: u64, source| {
        let share = Share { length: Some(length), start: 60, ..share(7) };
        let batches = Batches::new(source, &[], share);
        let mut next = 60;
        let mut lengths = Vec::new();
        while next < 60 + length {
            let turn = batches.turn(next);
            let rounds = turn.rounds.clone();
            assert_eq!((turn.number, rounds.start), (lengths.len() as u64, next));
            assert!(rounds.clone().all(|round| batches.turn(round) == turn));
            lengths.push(rounds.end - rounds.start);
            next = rounds.end;
        }
        assert_eq!((next, batches.turns(length)), (60 + length, lengths.len() as u64));
        lengths
    };
    for (length, expected) in
        [(1, vec![1]), (4, vec![4]), (5, vec![3, 2]), (9, vec![3; 3]), (13, vec![4, 3, 3, 3])]
    {
        assert_eq!(turns(length, PositionSource::stream(100_000)), expected);
    }
    assert_eq!(turns(3, PositionSource::stream(300)), [1; 3], "a short stream has no turns");
}

#[test]
fn the_prefix_in_a_short_stream_is_what_lies_before_the_batch() {
    let batches = stream(10_000);
    for batch in pass(&batches, 3) {
        let (prefix, timed) = (numbers(&batch.kept, 10_000), numbers(&batch.fresh, 10_000));
        assert_eq!((prefix.len() + timed.len(), timed[0]), (10_000, batch.first));
        assert_eq!((prefix.last().expect("a prefix") + 1) % 10_000, batch.first);
        let all: BTreeSet<_> = prefix.into_iter().chain(timed).collect();
        assert_eq!(all.len(), 10_000);
    }
    // Where there is nothing else, the batch itself has to do.
    let batch = of_round(&stream(10), 1, 1, 1);
    assert_eq!((batch.first, batch.kept.boards), (0, LEAST_PREFIX));
    assert_eq!(numbers(&batch.kept, 10).len(), LEAST_PREFIX);
}

#[test]
fn a_small_replay_is_timed_in_whole_passes() {
    let batch = of_round(&replay(16, 16), 5, 62, 16);
    assert_eq!((batch.first, batch.kept.boards, batch.fresh.boards), (0, 16, 0));
    assert_eq!((batch.timed.clone(), batch.repeats, batch.positions()), (0..16, 62, 62 * 16));
    assert_eq!(batch.preparation, Preparation::Learn(0..16));
}

#[test]
fn one_position_is_laid_out_sixteen_times_and_the_stretches_take_turns() {
    let batches = replay(1, 8);
    assert_eq!((batches.pass(), batches.largest()), (Some(16), 16));
    let stretches: BTreeSet<_> = pass(&batches, 8).iter().map(|batch| batch.root).collect();
    assert_eq!(stretches, (0..8).collect());
    let batch = of_round(&batches, 11, 1, 1);
    assert_eq!(numbers(&batch.kept, 8), vec![batch.first; 16]);
}

#[test]
fn a_large_replay_is_timed_in_whole_passes_too() {
    for k in [4_096, RESIDENT] {
        let batches = replay(k, 65_536);
        let batch = of_round(&batches, 16, 0, 16);
        assert_eq!((batch.timed.clone(), batch.repeats, batch.blocks.len()), (0..k, 1, 16));
        assert_eq!(batch.first as u64, batch.root * k as u64);
        let stretches: BTreeSet<_> =
            pass(&batches, 65_536 / k as u64).iter().map(|batch| batch.first).collect();
        assert_eq!(stretches.len(), 65_536 / k);
    }
}

#[test]
fn a_replay_too_long_to_stay_loaded_is_a_stream() {
    assert_eq!(PositionSource::replay(65_536, 70_000), PositionSource::stream(65_536));
}

#[test]
fn the_blocks_of_a_replay_are_its_passes_in_order() {
    for (k, passes) in [(1, 1_000), (16, 7), (100, 10), (4_096, 1), (4_096, 3)] {
        let batches = replay(k, 5_000);
        let boards = batches.pass().expect("a replay");
        for wanted in [1, 3, 16] {
            let batch = of_round(&batches, 0, passes, wanted);
            assert!(batch.blocks.len() <= 2 * wanted.max(passes as usize));
            let timed = batch
                .blocks
                .into_iter()
                .flat_map(|(range, repeats)| (0..repeats).flat_map(move |_| range.clone()));
            assert!(timed.eq((0..passes).flat_map(|_| 0..boards)), "{k}, {passes}, {wanted}");
        }
    }
    assert_eq!(of_round(&replay(16, 5_000), 0, 400, 16).blocks, vec![(0..16, 25); 16]);
}

#[test]
fn copies_are_a_long_replay_in_which_the_same_positions_come_again() {
    let positions: Vec<_> = (0..300).map(crate::fake::position).collect();
    for k in [1, 7, 256] {
        let copies = batches(PositionSource::copies(k, 65_536), &[]);
        let long = replay(65_536, 65_536);
        assert_eq!(copies.largest(), long.largest());
        for round in 0..20 {
            let (batch, like) = (of_round(&copies, round, 1, 16), of_round(&long, round, 1, 16));
            assert_eq!((batch.timed.len(), &batch.blocks), (like.timed.len(), &like.blocks));
            assert_eq!(batch.preparation, like.preparation);
            assert_eq!((batch.root, batch.first < k), (0, true));
            for (span, like) in [(&batch.kept, &like.kept), (&batch.fresh, &like.fresh)] {
                let loaded = span.positions(&positions);
                assert_eq!((loaded.len(), loaded[0]), (like.boards, positions[span.first]));
                let mut next = loaded.iter().zip(loaded.iter().skip(k));
                assert!(next.all(|(one, next)| one == next), "K = {k}");
            }
        }
    }
}

#[test]
fn whole_trees_are_warmed_up_by_other_whole_trees() {
    // Trees of 2,000 to 4,000 positions.
    let mut roots = vec![0];
    for tree in 1..20 {
        roots.push(roots[tree - 1] + 2_000 + 100 * tree);
    }
    let len = roots[19] + 4_000;
    for seed in 0..20 {
        let batches = Batches::of_trees(len, &roots, share(seed));
        let mut prefixes = BTreeSet::new();
        for batch in pass(&batches, 20) {
            assert_eq!(batch.first, roots[batch.root as usize], "a whole tree");
            let begin = roots.binary_search(&batch.kept.first).expect("the beginning of a tree");
            let end = (batch.kept.first + batch.kept.boards) % len;
            assert!(roots.contains(&end), "the end of a tree");
            assert!((MOST_POSITIONS..2 * MOST_POSITIONS).contains(&batch.kept.boards));
            let timed = batch.first..batch.first + batch.fresh.boards;
            let kept = (0..batch.kept.boards).map(|place| (roots[begin] + place) % len);
            assert!(kept.into_iter().all(|position| !timed.contains(&position)));
            assert_eq!(batch.timed.len(), batch.fresh.boards);
            prefixes.insert(batch.kept.first);
        }
        assert!(prefixes.len() <= 4, "{prefixes:?}");
    }
    // Of few trees, all others are the prefix. A single one has none.
    let batches = Batches::of_trees(900, &[0, 300, 500], share(1));
    for batch in pass(&batches, 3) {
        assert_eq!(batch.kept.boards + batch.timed.len(), 900);
        assert_eq!(batch.kept.first, (batch.first + batch.timed.len()) % 900);
    }
    let batch = of_round(&Batches::of_trees(300, &[0], share(1)), 0, 1, 1);
    assert_eq!((batch.kept.boards, batch.timed), (0, 0..300));
}

#[test]
fn a_stream_of_long_calls_has_short_batches_and_a_short_prefix() {
    let long = PositionSource::stream(65_536).of_call(Operation::Perft.into());
    let batches = Batches::new(long, &[], share(1));
    assert_eq!(batches.largest(), CALLS);
    let batch = of_round(&batches, 0, 1, 1);
    assert_eq!((batch.kept.boards, batch.timed.len()), (LEAST_PREFIX, CALLS));
    let short = PositionSource::stream(100_000);
    assert_eq!(short.clone().of_call(Operation::InCheck.into()), short);
}

#[test]
fn a_replay_of_long_calls_is_passed_over_once_before_a_short_batch_of_it_is_timed() {
    let of = |k| {
        let source = PositionSource::replay(k, 256).of_call(Operation::PerftBulk.into());
        let batches = Batches::new(source, &[], share(1));
        assert_eq!(
            batches.pass(),
            None,
            "learning {k} positions by thousands of calls takes seconds"
        );
        of_round(&batches, 0, 1, 1)
    };
    let one = of(1);
    assert_eq!((one.kept.boards, one.timed.clone(), one.positions()), (1, 1..2, 1));
    assert_eq!(one.preparation, Preparation::Prefix(0..1));
    assert_eq!(numbers(&one.kept, 1), numbers(&one.fresh, 1), "the same position twice");
    let many = of(256);
    assert_eq!((many.kept.boards, many.timed.len()), (256, CALLS));
    assert_eq!(many.kept.first, many.first);
}
