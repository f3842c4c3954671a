use std::collections::BTreeSet;
use std::time::Duration;

use raywalk_results::schema::{Call, Event, Mark, Record, Round, Sample, Scope, Stage};

use super::*;
use crate::counters::EventCounts;
use crate::environment::{Conditions, Delay};
use crate::fake::{FakeClock, FakeCounters, FakeDesign, FakeWorkloads, Recorded};
use crate::plan::Rounds;
use bench::*;

mod bench;
mod processes;
mod regimes;

#[test]
fn each_round_holds_every_design_and_the_aa_control_on_the_same_positions() {
    let mut bench = Bench::new();
    let plan = plan(vec![stream("w-5000"), replay("w-16", 16)], Rounds::Fixed(8));
    let outcome = bench.run(&plan).expect("a session");
    assert_eq!(outcome, Outcome { rounds: 16, resumed: 0 });
    let all: BTreeSet<_> = ["slow", "fast", "legal", "slow (again)"].into();
    for round in bench.rounds() {
        let names: BTreeSet<_> = round.samples.iter().map(|s| s.design.as_str()).collect();
        assert_eq!(names, all);
        assert_eq!(round.samples.len(), 4);
        let positions: BTreeSet<_> = round.samples.iter().map(|s| s.positions).collect();
        assert_eq!(positions.len(), 1);
        for sample in &round.samples {
            let cost = match sample.design.as_str() {
                "fast" => 30,
                "legal" => 100,
                _ => 400,
            };
            assert_eq!(sample.ticks, cost * sample.positions);
            assert_eq!(sample.moves, sample.positions);
        }
    }
}

#[test]
fn the_order_changes_from_round_to_round_and_is_balanced_over_a_square() {
    let mut bench = Bench::new();
    bench.run(&plan(vec![stream("w-5000")], Rounds::Fixed(4))).expect("a session");
    let first: BTreeSet<_> =
        bench.rounds().into_iter().map(|round| round.samples[0].design.clone()).collect();
    assert_eq!(first.len(), 4, "over four rounds each of the four runs first once");
}

#[test]
fn a_batch_suits_the_median_design_and_a_stream_continues_where_it_ended() {
    let mut bench = Bench::new();
    bench.run(&plan(vec![stream("w-5000")], Rounds::Fixed(7))).expect("a session");
    // 100 µs for the design of 100 ns; 400 µs for the slowest is within its limit.
    assert_eq!(bench.panels()[0].batch, 1_000);
    let firsts: Vec<_> = bench.rounds().iter().map(|round| round.first).collect();
    assert_eq!(firsts, [0, 1_000, 2_000, 3_000, 4_000, 0, 1_000]);
}

#[test]
fn a_stream_is_warmed_up_untimed_by_the_positions_before_the_batch() {
    let mut bench = Bench::new();
    bench.run(&plan(vec![stream("w-5000")], Rounds::Fixed(1))).expect("a session");
    let calls = bench.calls.lock().expect("no panic");
    let fast: Vec<_> = calls.iter().filter(|(id, _)| id == "fast").map(|(_, c)| c).collect();
    // The prefix is all 5,000 positions except those of the batch, which is cut into three blocks.
    let expected = [
        Recorded::Load(1_000, 5_000),
        Recorded::Pass(0..4_000),
        Recorded::Pass(4_000..4_333),
        Recorded::Pass(4_333..4_666),
        Recorded::Pass(4_666..5_000),
        Recorded::Check(4_000..5_000),
    ];
    assert!(fast[fast.len() - expected.len()..].iter().copied().eq(&expected));
    assert_eq!(bench.panels()[0].blocks, 3);
    let slow: Vec<_> = calls.iter().filter(|(id, _)| id == "slow").map(|(_, c)| c).collect();
    assert!(slow.contains(&&Recorded::Load(0, 1_000)), "the referee loads the batch alone");
}

#[test]
fn a_replay_is_loaded_once_and_learnt_before_it_is_timed() {
    let mut bench = Bench::new();
    bench.run(&plan(vec![replay("w-64", 64)], Rounds::Fixed(3))).expect("a session");
    let calls = bench.calls.lock().expect("no panic");
    let loads = calls.iter().filter(|(_, call)| matches!(call, Recorded::Load(..)));
    assert_eq!(loads.count(), 6, "once for each design, to be sized and to be measured");
    // 64 passes to learn, which is 4,096 positions, one empty pass up to the start of the batch, and
    // fifteen timed passes.
    let batch = bench.panels()[0].batch;
    assert_eq!(batch, 960);
    let fast: Vec<_> = calls.iter().filter(|(id, _)| id == "fast").map(|(_, c)| c).collect();
    let (check, before) = fast.split_last().expect("calls");
    assert_eq!(*check, &Recorded::Check(0..64), "once, however often it is timed");
    let sample = &before[before.len() - 80..];
    assert_eq!(sample[64], &Recorded::Pass(0..0));
    assert_eq!(sample.iter().filter(|call| **call == &Recorded::Pass(0..64)).count(), 79);
}

#[test]
fn a_wrong_answer_stops_the_session_and_is_not_timed() {
    let mut bench = Bench::new();
    bench.designs[1] = FakeDesign::new("fast", 30, &bench.now).wrong_at(2_500);
    let error = bench.run(&plan(vec![stream("w-5000")], Rounds::Fixed(5))).expect_err("wrong");
    let SessionError::Wrong(wrong) = &error else { panic!("{error}") };
    assert_eq!((wrong.design.as_str(), wrong.referee.as_str()), ("fast", "slow"));
    assert_eq!(wrong.panel, "w-5000/stream-tree/all");
    assert_eq!((wrong.round, wrong.first, wrong.positions), (2, 2_000, 1_000));
    assert!(error.to_string().contains("round 2, positions 2000 to 2999"), "{error}");
    assert_eq!(bench.rounds().len(), 2, "the rounds before it are kept");
}

#[test]
fn a_move_missed_only_in_timed_passes_stops_the_session_too() {
    for panel in [stream("w-5000"), replay("w-16", 16), cold("w-5000")] {
        let mut bench = Bench::new();
        bench.designs[1] = FakeDesign::new("fast", 30, &bench.now).missing_at(3);
        let error = bench.run(&plan(vec![panel], Rounds::Fixed(1))).expect_err("too few moves");
        let SessionError::Wrong(wrong) = &error else { panic!("{error}") };
        assert_eq!((wrong.design.as_str(), wrong.round), ("fast", 0));
        assert!(wrong.found.moves < wrong.expected.moves);
        assert_eq!(wrong.found.word, wrong.expected.word, "the check finds it");
    }
}

#[test]
fn designs_are_compared_within_their_legality() {
    let mut bench = Bench::new();
    let legal = FakeDesign::new("wrong-legal", 90, &bench.now).legal().wrong_at(0);
    bench.designs.push(legal);
    let error = bench.run(&plan(vec![replay("w-16", 16)], Rounds::Fixed(1))).expect_err("wrong");
    let SessionError::Wrong(wrong) = error else { panic!("{error}") };
    assert_eq!((wrong.design.as_str(), wrong.referee.as_str()), ("wrong-legal", "legal"));
}

#[test]
fn disturbed_samples_are_marked_and_kept() {
    let mut bench = Bench::new();
    let plan = plan(vec![stream("w-5000")], Rounds::Fixed(1));
    // Two warm-up rounds take four counter readings each. With the round of sizing they take 24
    // calibrations; the four samples before the round take four more.
    let switched = EventCounts { values: [(Event::ContextSwitches, 2)].into(), partial: false };
    let partial = EventCounts { partial: true, ..FakeCounters::quiet() };
    bench.counters.readings =
        [vec![FakeCounters::quiet(); 8], vec![switched, partial]].concat().into();
    let mut rates = vec![2.0; 28];
    rates.extend([2.0, 2.0625, 2.0, 2.015625]);
    bench.clock = FakeClock::new(&bench.now).with_rates(&rates);
    bench.run(&plan).expect("a session");
    let round = bench.rounds().remove(0);
    let marks: Vec<_> = round.samples.iter().map(|sample| sample.marks.clone()).collect();
    let expected =
        [vec![Mark::ContextSwitch], vec![Mark::CountersShared], vec![Mark::ClockStep], vec![]];
    assert_eq!(marks, expected);
    assert_eq!(round.samples[0].events[&Event::ContextSwitches], 2);
    assert_eq!(round.samples[2].cycles_per_tick, Some(2.03125));
    assert_eq!(round.samples[3].cycles_per_tick, Some(2.0078125));
}

#[test]
fn the_overhead_of_the_clock_is_subtracted() {
    let mut bench = Bench::new();
    bench.clock = FakeClock::new(&bench.now).with_overhead(52);
    bench.run(&plan(vec![stream("w-5000")], Rounds::Fixed(1))).expect("a session");
    let round = bench.rounds().remove(0);
    let of = |id: &str| -> Sample {
        round.samples.iter().find(|sample| sample.design == id).expect("a sample").clone()
    };
    assert_eq!(of("fast").ticks, 30 * of("fast").positions);
}

#[test]
fn a_journal_with_other_designs_is_not_resumed() {
    let mut bench = Bench::new();
    let plan = plan(vec![stream("w-5000")], Rounds::Fixed(2));
    bench.run(&plan).expect("a session");
    bench.designs.pop();
    let error = bench.run(&plan).expect_err("other designs").to_string();
    assert!(error.contains("panel `w-5000/stream-tree/all` has changed"), "{error}");
}

#[test]
fn a_budget_is_shared_among_the_panels_and_spent() {
    let mut bench = Bench::new();
    let time = Duration::from_millis(300);
    let rounds = Rounds::Budget { time, least: 2, most: 1_000 };
    bench.run(&plan(vec![stream("w-5000"), replay("w-16", 16)], rounds)).expect("a session");
    let spent = bench.now.get() as f64 / 1e6;
    assert!((270.0..=330.0).contains(&spent), "{spent} ms");
    assert!(bench.panels().iter().all(|panel| panel.rounds > 10), "{:?}", bench.panels());
}

#[test]
fn a_budget_that_is_too_small_still_gives_the_minimum_of_rounds() {
    let mut bench = Bench::new();
    let rounds = Rounds::Budget { time: Duration::from_nanos(1), least: 5, most: 1_000 };
    bench.run(&plan(vec![stream("w-5000")], rounds)).expect("a session");
    assert_eq!(bench.rounds().len(), 5);
}

#[test]
fn progress_ends_at_its_total_with_no_time_left() {
    let mut bench = Bench::new();
    bench.run(&plan(vec![stream("w-5000"), stream("w-900")], Rounds::Fixed(4))).expect("a session");
    let done: Vec<_> = bench.steps.iter().map(|step| step.0).collect();
    assert!(done.is_sorted(), "{done:?}");
    assert_eq!(bench.steps[0], (0, 1, "sizing".to_owned(), None));
    let last = bench.steps.last().expect("steps");
    assert_eq!(last, &(1_000, 1_000, "measuring".to_owned(), Some(Duration::ZERO)));
}

#[test]
fn errors_of_plans_that_cannot_be_measured_are_sentences() {
    let mut bench = Bench::new();
    let mut sentence = |plan: &Plan| bench.run(plan).expect_err("nothing to measure").to_string();
    let fixed = Rounds::Fixed(1);
    assert_eq!(sentence(&plan(vec![stream("own")], fixed)), "workload `own`: is not known");
    assert_eq!(
        sentence(&plan(vec![replay("w-8", 16)], fixed)),
        "workload `w-8`: has 8 positions, too few for a replay of 16"
    );
    let baseline = Some("nobody".to_owned());
    let error = sentence(&Plan { baseline, ..plan(vec![stream("w-9")], fixed) });
    assert_eq!(error, "the baseline `nobody` is not one of the designs that take part");
    bench.designs.clear();
    assert!(matches!(bench.run(&plan(vec![stream("w-9")], fixed)), Err(SessionError::NoDesigns)));
}

#[test]
fn any_design_may_be_the_baseline_and_the_aa_control() {
    let mut bench = Bench::new();
    let baseline = Some("fast".to_owned());
    bench
        .run(&Plan { baseline, ..plan(vec![stream("w-900")], Rounds::Fixed(1)) })
        .expect("a session");
    let panel = bench.panels().remove(0);
    assert_eq!((panel.baseline.as_str(), panel.aa_control.as_str()), ("fast", "fast (again)"));
    assert_eq!(panel.designs, ["slow", "fast", "legal"]);
}
