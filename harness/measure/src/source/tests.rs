use super::*;

fn stream(len: usize) -> PositionSource {
    PositionSource::stream(len)
}

fn cold(len: usize) -> PositionSource {
    PositionSource::disturbed(len)
}

fn replay(k: usize, len: usize) -> PositionSource {
    PositionSource::replay(k, len)
}

#[test]
fn a_stream_continues_where_it_ended_and_wraps_around() {
    let source = stream(100_000);
    let firsts: Vec<_> = (0..4).map(|round| source.batch(round, 40_000).first).collect();
    assert_eq!(firsts, [0, 40_000, 80_000, 20_000]);
    let batch = source.batch(0, 40_000);
    assert_eq!((batch.load_from, batch.boards), (100_000 - PREFIX, PREFIX + 40_000));
    assert_eq!((batch.timed[0].clone(), batch.repeats), (PREFIX..PREFIX + 40_000, 1));
    assert_eq!(source.fit(500_000, 500_000), 100_000);
}

#[test]
fn the_prefix_never_contains_the_batch_unless_there_is_nothing_else() {
    let batch = stream(1_000).batch(1, 400);
    assert_eq!((batch.first, batch.load_from, batch.boards), (400, 800, 1_000));
    let batch = stream(10).batch(1, 4);
    assert_eq!((batch.first, batch.load_from, batch.boards), (4, 8, 260));
    let positions = vec![crate::fake::position(0); 10];
    assert_eq!(batch.positions_to_load(&positions).len(), 260);
}

#[test]
fn a_batch_without_its_prefix_has_the_same_positions() {
    let positions: Vec<_> = (0..1_000).map(crate::fake::position).collect();
    let batches =
        [stream(1_000).batch(2, 400), cold(1_000).batch(2, 64), replay(100, 250).batch(3, 50)]
            .into_iter()
            .chain([PositionSource::copies(7, 1_000).batch(3, 400)]);
    for batch in batches {
        let timed = |batch: &Batch| {
            let loaded = batch.positions_to_load(&positions).into_owned();
            batch.timed.iter().flat_map(|r| loaded[r.clone()].to_vec()).collect::<Vec<_>>()
        };
        let bare = batch.without_prefix();
        assert_eq!(timed(&bare), timed(&batch));
        assert_eq!(bare.positions(), batch.positions());
    }
}

#[test]
fn a_disturbed_batch_is_a_stream_in_blocks_of_equal_length() {
    let source = cold(100_000);
    let size = source.fit(120, 120);
    assert_eq!(size, 128, "whole blocks");
    let batch = source.batch(3, size);
    let plain = stream(100_000).batch(3, size);
    assert_eq!((batch.first, batch.boards), (plain.first, plain.boards));
    assert_eq!((batch.timed.len(), batch.positions()), (BLOCKS, 128));
    let prefix = plain.timed[0].start;
    assert_eq!(batch.timed[..2], [prefix..prefix + 8, prefix + 8..prefix + 16]);
    assert_eq!(source.fit(1, 1), BLOCKS, "a block is not empty");
}

#[test]
fn a_small_replay_is_timed_in_whole_passes() {
    let source = replay(16, 16);
    assert_eq!(source.fit(1_000, 2_000), 62 * 16);
    let batch = source.batch(5, 62 * 16);
    assert_eq!((batch.first, batch.boards, batch.repeats), (0, 16, 62));
    assert_eq!((batch.timed.len(), batch.timed[0].clone()), (1, 0..16));
    assert_eq!(batch.positions(), 62 * 16);
}

#[test]
fn one_position_is_laid_out_sixteen_times_and_each_round_takes_the_next_one() {
    let source = replay(1, 8);
    let batch = source.fit(1_000, 2_000);
    let batch = source.batch(11, batch);
    assert_eq!((batch.first, batch.stretch, batch.boards), (3, Some(3), 16));
    let positions: Vec<_> = (0..8).map(crate::fake::position).collect();
    let loaded = batch.positions_to_load(&positions);
    assert_eq!(*loaded, vec![positions[3]; 16]);
}

#[test]
fn a_large_replay_is_timed_in_parts_that_continue() {
    let source = replay(4_096, 65_536);
    assert_eq!(source.fit(3_000, 3_500), 3_000, "no whole pass within the limit");
    assert_eq!(source.fit(3_000, 5_000), 4_096, "one whole pass within the limit");
    let second = source.batch(16, 3_000); // the second round of the first stretch
    assert_eq!(second.first, 3_000);
    assert_eq!(second.timed, [3_000..4_096, 0..1_904]);
    assert_eq!(second.preparation, Preparation::Learn { all: 0..4_096, then: 0..3_000 });
    assert_eq!((second.positions(), second.repeats), (3_000, 1));
}

#[test]
fn a_replay_too_long_to_stay_loaded_is_a_window() {
    let source = replay(65_536, 70_000);
    assert_eq!(source, PositionSource::Window { period: 65_536, blocks: 1 });
    assert_eq!(source.batch(0, 4_000).load_from, 65_536 - PREFIX);
}

#[test]
fn copies_are_a_long_replay_in_which_the_same_positions_come_again() {
    let positions: Vec<_> = (0..300).map(crate::fake::position).collect();
    for k in [1, 7, 256] {
        let (copies, long) = (PositionSource::copies(k, 65_536), replay(65_536, 65_536));
        for wanted in [1, 5_000, 80_000] {
            let size = copies.fit(wanted, wanted);
            assert_eq!(size, long.fit(wanted, wanted));
            for round in 0..20 {
                let (batch, like) = (copies.batch(round, size), long.batch(round, size));
                assert_eq!((batch.boards, &batch.timed), (like.boards, &like.timed));
                assert_eq!((batch.stretch, &batch.preparation), (None, &like.preparation));
                let loaded = batch.positions_to_load(&positions);
                assert_eq!(loaded.len(), like.boards);
                assert_eq!(loaded[batch.timed[0].start], positions[batch.first]);
                let period = loaded.iter().zip(loaded.iter().skip(k));
                assert!(period.into_iter().all(|(one, next)| one == next), "K = {k}");
            }
        }
    }
}

#[test]
fn fitting_a_fitted_size_changes_nothing() {
    let copies = PositionSource::copies(16, 700);
    for source in [stream(700), cold(700), cold(5), replay(1, 8), replay(100, 250), copies]
        .into_iter()
        .chain([replay(4_096, 4_096)])
    {
        for wanted in [0, 1, 99, 1_000, 5_000, 1 << 40] {
            for most in [1, 300, 4_096, 10_000] {
                let fitted = source.fit(wanted, most);
                assert_eq!(source.fit(fitted, fitted), fitted, "{source:?} {wanted} {most}");
                assert_eq!(source.batch(3, fitted).positions(), fitted as u64, "{source:?}");
            }
        }
    }
}

#[test]
fn blocks_are_the_timed_passes_in_order() {
    let all = |batch: &Batch, wanted: usize| -> Vec<usize> {
        let blocks = batch.blocks(wanted);
        assert!(blocks.len() <= 2 * wanted.max(batch.repeats as usize), "{}", blocks.len());
        blocks
            .into_iter()
            .flat_map(|(range, repeats)| (0..repeats).flat_map(move |_| range.clone()))
            .collect()
    };
    for (source, size) in [
        (stream(5_000), 1_000),
        (replay(1, 5_000), 16 * 1_000),
        (replay(16, 5_000), 16 * 7),
        (replay(100, 5_000), 1_000),
        (replay(4_096, 5_000), 1_500),
    ] {
        for round in 0..4 {
            let batch = source.batch(round, size);
            let whole: Vec<usize> =
                (0..batch.repeats).flat_map(|_| batch.timed.iter().cloned().flatten()).collect();
            for wanted in [1, 3, 16] {
                assert_eq!(all(&batch, wanted), whole, "{source:?}, round {round}");
            }
        }
    }
    let batch = replay(16, 5_000).batch(0, 16 * 400);
    assert_eq!(batch.blocks(16), vec![(0..16, 25); 16]);
}
