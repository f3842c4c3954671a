//! Recordings whose misses follow from theory.

use super::*;
use raywalk_core::random::SplitMix;

/// Positions with `coins` random branches each.
fn coins(positions: usize, coins: u64) -> Recording {
    let (mut random, mut recording) = (SplitMix(2), Recording::default());
    for _ in 0..positions {
        recording.push(
            (0..coins)
                .map(|n| Event::Branch { address: 0x100 + 11 * n, taken: random.below(2) == 1 }),
        );
    }
    recording
}

fn mean(misses: &[Misses]) -> f64 {
    misses.iter().map(|misses| misses.total()).sum::<f64>() / misses.len() as f64
}

#[test]
fn a_recording_returns_what_was_recorded() {
    let branch = |address, taken| Event::Branch { address, taken };
    let jump = Event::Jump { address: 7, target: 70 };
    let positions = [vec![branch(1, true), jump, branch(1, false)], vec![], vec![jump; 3]];
    let mut recording = Recording::default();
    positions.iter().for_each(|position| recording.push(position.iter().copied()));
    let returned = (0..3).map(|index| recording.position(index).collect::<Vec<_>>());
    assert!(returned.eq(positions));
    assert_eq!((recording.positions(), recording.events.len()), (3, 3));
}

#[test]
fn moved_code_executes_the_same_branches_elsewhere() {
    let branch = |address, taken| Event::Branch { address, taken };
    let jump = |address, target| Event::Jump { address, target };
    let mut recording = Recording::default();
    recording.push([branch(10, true), jump(20, 10), branch(10, false)]);
    recording.push([branch(10, true)]);
    let moved = recording.moved(|address| Some(address + 5)).expect("a place for each");
    let events = |position| moved.position(position).collect::<Vec<_>>();
    assert_eq!(events(0), [branch(15, true), jump(25, 15), branch(15, false)]);
    assert_eq!(events(1), [branch(15, true)]);
    assert!(recording.moved(|address| (address != 20).then_some(address)).is_none());
}

/// Positions without branches leave the loop over 64 positions, whose exit misses. A bimodal predictor
/// does not learn it, TAGE does.
#[test]
fn the_loop_over_positions_is_a_branch_as_well() {
    let recording = coins(256, 0);
    let misses = |model| recording.replayed(128, model, IndirectModel::Ittage);
    let expected = Misses { conditional: 1.0 / 64.0, indirect: 0.0 };
    assert_eq!(misses(ConditionalModel::Bimodal), [expected; 4]);
    assert_eq!(misses(ConditionalModel::Tage), [Misses::default(); 4]);
}

#[test]
fn few_positions_are_learnt_and_many_are_not() {
    let recording = coins(8192, 6);
    let tage = |k| mean(&recording.replayed(k, ConditionalModel::Tage, IndirectModel::Ittage));
    assert!(tage(64) < 0.02, "{}", tage(64));
    // Six coins miss three times if nothing is learnt.
    assert!((2.0..3.3).contains(&tage(8192)), "{}", tage(8192));
}

#[test]
fn a_run_shorter_than_a_block_is_repeated_within_it() {
    let recording = coins(70, 6);
    let misses = recording.replayed(16, ConditionalModel::Tage, IndirectModel::Ittage);
    assert_eq!(misses.len(), 4, "the last 6 positions are no run");
    assert!(mean(&misses) < 0.05, "{misses:?}");
}

#[test]
fn a_stream_follows_its_order() {
    // Positions alternate between two outcomes. In this order a short history predicts them; shuffled,
    // the branch is a coin.
    let mut recording = Recording::default();
    for n in 0..16_384 {
        recording.push([Event::Branch { address: 0x100, taken: n % 2 == 0 }]);
    }
    let mut order: Vec<usize> = (0..16_384).collect();
    let misses = |order: &[usize]| {
        mean(&recording.streamed(order, ConditionalModel::Callgrind, IndirectModel::LastTarget))
    };
    assert!(misses(&order) < 0.05, "{}", misses(&order));
    order = SplitMix(5).permutation(16_384);
    assert!((0.3..0.6).contains(&misses(&order)), "{}", misses(&order));
    assert_eq!(
        recording
            .streamed(&order[..100], ConditionalModel::Callgrind, IndirectModel::LastTarget)
            .len(),
        2
    );
}

#[test]
fn repeated_passes_are_learnt_by_a_long_history_only() {
    let recording = coins(500, 6);
    let order = SplitMix(1).permutation(500);
    let curve = |model| {
        let mut replay = Replay::new(model, IndirectModel::Ittage);
        let mut pass = |_| {
            let blocks = order.chunks(BLOCK).map(|block| recording.block(&mut replay, block));
            blocks.map(|counts| counts.conditional).sum::<u64>() as f64 / order.len() as f64
        };
        (0..12).map(&mut pass).collect::<Vec<f64>>()
    };
    let (tage, callgrind) = (curve(ConditionalModel::Tage), curve(ConditionalModel::Callgrind));
    assert!(tage[0] > 2.5 && tage[11] < 0.1, "six coins miss three times at first: {tage:?}");
    assert!(callgrind[11] > 2.0, "seven outcomes do not tell 500 positions apart: {callgrind:?}");
}

#[test]
fn misses_are_counted_for_each_address() {
    let (mut random, mut recording) = (SplitMix(4), Recording::default());
    for _ in 0..2048 {
        recording.push([
            Event::Branch { address: 1, taken: true },
            Event::Branch { address: 2, taken: random.below(2) == 1 },
            Event::Jump { address: 3, target: 0x99 },
            Event::Jump { address: 4, target: random.below(4) as u64 },
        ]);
    }
    let (conditional, indirect) = (ConditionalModel::Bimodal, IndirectModel::LastTarget);
    let missed = recording.missed_once(0..2048, conditional, indirect);
    assert_eq!(missed.sites.keys().copied().collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!((missed.sites[&1], missed.sites[&3]), (1, 1), "both are unknown at first");
    assert!((900..1150).contains(&missed.sites[&2]), "half of 2,048: {missed:?}");
    assert!((1440..1640).contains(&missed.sites[&4]), "three quarters of 2,048: {missed:?}");
    assert_eq!(missed.conditional, missed.sites[&1] + missed.sites[&2]);
    assert_eq!(missed.indirect, missed.sites[&3] + missed.sites[&4]);
    // The loop over positions, whose exits miss, is no branch of the recording.
    assert_eq!(missed.visits, 2048);

    // What was replayed before the counted range has trained the predictor.
    let late = recording.missed_once(64..2048, conditional, indirect);
    assert_eq!(late.sites.keys().copied().collect::<Vec<_>>(), [2, 4]);
    assert_eq!(late.visits, 2048 - 64);
    assert_eq!(late.rate(late.visits), 1.0);
    assert_eq!(late.rate_at(1), 0.0);
}

#[test]
fn a_learnt_replay_misses_only_what_its_runs_cannot_teach() {
    let recording = coins(2048, 6);
    let (tage, ittage) = (ConditionalModel::Tage, IndirectModel::Ittage);
    let once = recording.missed_once(512..2048, tage, ittage);
    let learnt = recording.missed_learnt(512..2048, 64, tage, ittage);
    // Six coins miss three times. The predictor has met each position once, so nothing is memorised.
    assert!((2.7..3.3).contains(&once.rate(once.conditional)), "{once:?}");
    assert!(learnt.rate(learnt.conditional) < 0.02, "{learnt:?}");
    assert_eq!(learnt.visits, 2 * 1536, "the last two passes over 24 runs");
    // A run that is shorter than a block is repeated within it; the last 6 positions are no run.
    let short = recording.missed_learnt(0..70, 16, tage, ittage);
    assert_eq!(short.visits, 2 * 4 * 64);
    // Per block the same as the misses of `replayed`, apart from the loop over positions.
    let callgrind = (ConditionalModel::Callgrind, IndirectModel::LastTarget);
    let by_site = recording.missed_learnt(0..2048, 128, callgrind.0, callgrind.1);
    let blocks = recording.replayed(128, callgrind.0, callgrind.1);
    let difference = mean(&blocks) - by_site.rate(by_site.conditional);
    assert!((0.0..=1.0 / 64.0).contains(&difference), "{difference}");
}

#[test]
fn indirect_branches_are_counted_by_themselves() {
    let (mut random, mut recording) = (SplitMix(3), Recording::default());
    for _ in 0..4096 {
        recording
            .push([Event::Jump { address: 0x50, target: 0x1000 + 8 * random.below(2) as u64 }]);
    }
    let order: Vec<usize> = (0..4096).collect();
    let model = IndirectModel::LastTarget;
    let misses = recording.streamed(&order, ConditionalModel::Bimodal, model);
    let indirect = misses.iter().map(|one| one.indirect).sum::<f64>() / misses.len() as f64;
    assert!((0.46..0.54).contains(&indirect), "{indirect}");
    assert!(misses.iter().all(|one| one.conditional == 1.0 / 64.0), "the loop over positions");
}

#[test]
#[should_panic(expected = "whole blocks")]
fn runs_that_do_not_fill_blocks_are_refused() {
    coins(100, 1).replayed(48, ConditionalModel::Bimodal, IndirectModel::LastTarget);
}

#[test]
fn only_counted_parts_count_and_the_others_train() {
    let recording = coins(256, 8);
    let all: Vec<usize> = (0..256).collect();
    let part = |counted| Part { recording: &recording, positions: &all, counted };
    let misses = |parts: &[Part<'_>]| {
        let parts = parts.iter().copied();
        missed_in_parts(parts, ConditionalModel::Tage, IndirectModel::Ittage).total()
    };
    assert_eq!(misses(&[part(false)]), 0.0);
    let once = misses(&[part(true)]);
    let again = misses(&[part(false), part(false), part(false), part(false), part(true)]);
    assert!(again < 0.5 * once, "{again} after training, {once} without");
    // Three passes, of which the last counts: what `streamed` does.
    let streamed = recording.streamed(&all, ConditionalModel::Tage, IndirectModel::Ittage);
    let third = misses(&[part(false), part(false), part(true)]);
    assert!((mean(&streamed) - third).abs() < 1e-12);
}
