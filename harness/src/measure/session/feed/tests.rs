use super::*;

fn stream(len: usize) -> Feed {
    Feed::new(&Regime::Stream { order: "tree".to_owned() }, len).expect("a feed")
}

fn cold(len: usize) -> Feed {
    let regime = Regime::Cold { order: "tree".to_owned(), branches: 1 };
    Feed::new(&regime, len).expect("a feed")
}

fn replay(k: u64, len: usize) -> Feed {
    Feed::new(&Regime::Replay { k }, len).expect("a feed")
}

#[test]
fn a_stream_goes_on_where_it_ended_and_around_the_end() {
    let feed = stream(100_000);
    let firsts: Vec<_> = (0..4).map(|round| feed.portion(round, 40_000).first).collect();
    assert_eq!(firsts, [0, 40_000, 80_000, 20_000]);
    let portion = feed.portion(0, 40_000);
    assert_eq!((portion.load_from, portion.boards), (100_000 - LEAD, LEAD + 40_000));
    assert_eq!((portion.timed[0].clone(), portion.repeats), (LEAD..LEAD + 40_000, 1));
    assert_eq!(feed.fit(500_000, 500_000), 100_000);
}

#[test]
fn the_lead_never_holds_the_batch_unless_there_is_nothing_else() {
    let portion = stream(1_000).portion(1, 400);
    assert_eq!((portion.first, portion.load_from, portion.boards), (400, 800, 1_000));
    let portion = stream(10).portion(1, 4);
    assert_eq!((portion.first, portion.load_from, portion.boards), (4, 8, 260));
    let positions = vec![crate::measure::fake::position(0); 10];
    assert_eq!(portion.positions_to_load(&positions).len(), 260);
}

#[test]
fn without_its_lead_a_batch_is_the_same_positions() {
    let positions: Vec<_> = (0..1_000).map(crate::measure::fake::position).collect();
    let portions = [
        stream(1_000).portion(2, 400),
        cold(1_000).portion(2, 64),
        replay(100, 250).portion(3, 50),
    ];
    for portion in portions {
        let timed = |portion: &Portion| {
            let loaded = portion.positions_to_load(&positions).into_owned();
            portion.timed.iter().flat_map(|r| loaded[r.clone()].to_vec()).collect::<Vec<_>>()
        };
        let bare = portion.without_lead();
        assert_eq!(timed(&bare), timed(&portion));
        assert_eq!(bare.positions(), portion.positions());
    }
}

#[test]
fn a_disturbed_batch_is_a_stream_in_blocks_of_equal_length() {
    let feed = cold(100_000);
    let batch = feed.fit(120, 120);
    assert_eq!(batch, 128, "whole blocks");
    let portion = feed.portion(3, batch);
    let plain = stream(100_000).portion(3, batch);
    assert_eq!((portion.first, portion.boards), (plain.first, plain.boards));
    assert_eq!((portion.timed.len(), portion.positions()), (BLOCKS, 128));
    let lead = plain.timed[0].start;
    assert_eq!(portion.timed[..2], [lead..lead + 8, lead + 8..lead + 16]);
    assert_eq!(feed.fit(1, 1), BLOCKS, "a block is not empty");
}

#[test]
fn a_small_replay_is_timed_in_whole_passes() {
    let feed = replay(16, 16);
    assert_eq!(feed.fit(1_000, 2_000), 62 * 16);
    let portion = feed.portion(5, 62 * 16);
    assert_eq!((portion.first, portion.boards, portion.repeats), (0, 16, 62));
    assert_eq!((portion.timed.len(), portion.timed[0].clone()), (1, 0..16));
    assert_eq!(portion.positions(), 62 * 16);
}

#[test]
fn one_position_is_laid_out_sixteen_times_and_each_round_takes_the_next() {
    let feed = replay(1, 8);
    let batch = feed.fit(1_000, 2_000);
    let portion = feed.portion(11, batch);
    assert_eq!((portion.first, portion.block, portion.boards), (3, Some(3), 16));
    let positions: Vec<_> = (0..8).map(crate::measure::fake::position).collect();
    let loaded = portion.positions_to_load(&positions);
    assert_eq!(*loaded, vec![positions[3]; 16]);
}

#[test]
fn a_large_replay_is_timed_in_parts_that_go_on() {
    let feed = replay(4_096, 65_536);
    assert_eq!(feed.fit(3_000, 3_500), 3_000, "no whole pass within the limit");
    assert_eq!(feed.fit(3_000, 5_000), 4_096, "one whole pass within the limit");
    let second = feed.portion(16, 3_000); // the second round of block 0
    assert_eq!(second.first, 3_000);
    assert_eq!(second.timed, [3_000..4_096, 0..1_904]);
    assert_eq!(second.warm_up, WarmUp::Learn { all: 0..4_096, then: 0..3_000 });
    assert_eq!((second.positions(), second.repeats), (3_000, 1));
}

#[test]
fn a_replay_beyond_any_predictor_is_fed_like_a_stream() {
    let feed = replay(65_536, 70_000);
    assert_eq!(feed, Feed::Window { period: 65_536, blocks: 1 });
    assert_eq!(feed.portion(0, 4_000).load_from, 65_536 - LEAD);
}

#[test]
fn what_fits_fits_again() {
    for feed in
        [stream(700), cold(700), cold(5), replay(1, 8), replay(100, 250), replay(4_096, 4_096)]
    {
        for wanted in [0, 1, 99, 1_000, 5_000, 1 << 40] {
            for most in [1, 300, 4_096, 10_000] {
                let fitted = feed.fit(wanted, most);
                assert_eq!(feed.fit(fitted, fitted), fitted, "{feed:?} {wanted} {most}");
                assert_eq!(feed.portion(3, fitted).positions(), fitted as u64, "{feed:?}");
            }
        }
    }
}

#[test]
fn too_few_positions_are_refused_with_a_sentence() {
    let replay = Regime::Replay { k: 5 };
    let why = Feed::new(&replay, 4).expect_err("too few");
    assert_eq!(why, "has 4 positions, too few for a replay of 5");
    assert!(Feed::new(&replay, 0).is_err());
}

#[test]
fn blocks_are_the_timed_passes_in_order() {
    let all = |portion: &Portion, wanted: usize| -> Vec<usize> {
        let blocks = portion.blocks(wanted);
        assert!(blocks.len() <= 2 * wanted.max(portion.repeats as usize), "{}", blocks.len());
        blocks
            .into_iter()
            .flat_map(|(range, repeats)| (0..repeats).flat_map(move |_| range.clone()))
            .collect()
    };
    let stream = Feed::new(&Regime::Stream { order: "tree".to_owned() }, 5_000);
    let replay = |k| Feed::new(&Regime::Replay { k }, 5_000);
    for (feed, batch) in [
        (stream, 1_000),
        (replay(1), 16 * 1_000),
        (replay(16), 16 * 7),
        (replay(100), 1_000),
        (replay(4_096), 1_500),
    ] {
        let feed = feed.expect("enough positions");
        for round in 0..4 {
            let portion = feed.portion(round, batch);
            let whole: Vec<usize> = (0..portion.repeats)
                .flat_map(|_| portion.timed.iter().cloned().flatten())
                .collect();
            for wanted in [1, 3, 16] {
                assert_eq!(all(&portion, wanted), whole, "{feed:?}, round {round}");
            }
        }
    }
    let portion = replay(16).expect("enough").portion(0, 16 * 400);
    assert_eq!(portion.blocks(16), vec![(0..16, 25); 16]);
}
