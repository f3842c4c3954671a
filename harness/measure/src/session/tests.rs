use std::collections::BTreeSet;
use std::time::Duration;

use raywalk_results::schema::{Call, Event, Mark, Operation, Record, Round, Sample, Scope, Stage};

use super::*;
use crate::counters::EventCounts;
use crate::design::Design;
use crate::environment::Conditions;
use crate::fake::{FakeClock, FakeCounters, FakeDesign, FakeWorkloads, Recorded};
use crate::plan::Rounds;
use bench::*;

mod bench;
mod processes;
mod regimes;
mod searches;
mod shards;
mod turns;

#[test]
fn each_round_holds_every_design_and_the_aa_control_on_the_same_positions() {
    let mut bench = Bench::new();
    let plan = plan(vec![stream("w-5000"), replay("w-16", 16)], Rounds::Fixed(8));
    let outcome = bench.run(&plan).expect("a session");
    assert_eq!(outcome, Outcome { rounds: 16, ..Outcome::default() });
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
fn the_passes_of_a_replay_suit_the_median_design_and_a_stream_has_fixed_batches() {
    let mut bench = Bench::new();
    let panels = vec![stream("trees-9-20000"), replay("w-64", 64), cold("trees-9-20000")];
    bench.run(&plan(panels.clone(), Rounds::Fixed(7))).expect("a session");
    // 100 µs for the design of 100 ns; 400 µs for the slowest is within its limit.
    let sizes = |bench: &Bench| -> Vec<_> {
        bench.panels().iter().map(|panel| (panel.batch, panel.blocks)).collect()
    };
    assert_eq!(sizes(&bench)[1], (512, 3));
    // Slower designs make fewer passes of a replay, and the same batches of a stream.
    let mut slower = Bench::new();
    slower.clock = FakeClock::new(&slower.now).with_overhead(900);
    let design = |id, cost| FakeDesign::new(id, cost, &slower.now);
    slower.designs =
        vec![design("slow", 4_000), design("fast", 300), design("legal", 1_000).legal()];
    slower.run(&plan(panels, Rounds::Fixed(7))).expect("a session");
    assert_eq!(sizes(&slower)[1], (64, 3));
    let streams = |bench: &Bench| -> Vec<(u64, u64, Vec<usize>)> {
        let rounds = bench.rounds().into_iter().filter(|round| round.panel.starts_with("trees"));
        let blocks = |round: &Round| round.samples.iter().map(|s| s.blocks.len()).collect();
        rounds.map(|round| (round.first, round.samples[0].positions, blocks(&round))).collect()
    };
    assert_eq!(streams(&bench), streams(&slower));
    assert_eq!((sizes(&bench)[0], sizes(&bench)[2]), (sizes(&slower)[0], sizes(&slower)[2]));
}

#[test]
fn no_design_sees_a_batch_before_it_is_timed() {
    let mut bench = Bench::new();
    bench.run(&plan(vec![stream("w-5000")], Rounds::Fixed(1))).expect("a session");
    let first = bench.rounds()[0].first;
    let others = 2_500 - first;
    let calls = bench.calls.lock().expect("no panic");
    for id in ["slow", "fast", "legal"] {
        let calls: Vec<_> =
            calls.iter().filter(|(one, _)| one == id).map(|(_, call)| call).collect();
        // All positions but those of the batch, the batch, the prefix, nine blocks, the check.
        let [first, others] = [first, others].map(|number| number as u16);
        let loads = [Recorded::Load(others, 2_500), Recorded::Load(first, 2_500)];
        let blocks =
            (0..9).map(|n| Recorded::Pass(2_500 + 2_500 * n / 9..2_500 + 2_500 * (n + 1) / 9));
        let check = Recorded::Check(2_500..5_000);
        let sample: Vec<_> =
            [Recorded::Pass(0..2_500)].into_iter().chain(blocks).chain([check]).collect();
        // The baseline runs twice and keeps the prefix.
        let again: Vec<_> = [&loads[1..], &sample].concat();
        let mut expected = [&loads[..], &sample].concat();
        if id == "slow" {
            expected.extend(again);
        }
        assert!(calls[calls.len() - expected.len()..].iter().copied().eq(&expected), "{id}");
    }
}

#[test]
fn every_root_takes_part_and_no_share_returns_to_a_batch() {
    let mut bench = Bench::new();
    let panels = vec![stream("trees-12-9000"), cold("trees-12-9000")];
    let plan = Plan { processes: 4, ..plan(panels, Rounds::Fixed(24)) };
    bench.run(&plan).expect("a session");
    for panel in bench.panels() {
        let rounds = bench.rounds().into_iter().filter(|round| round.panel == panel.id);
        let rounds: Vec<Round> = rounds.collect();
        // The smallest tree has fifteen windows of the cold panel, and the others 47.
        for pass in rounds.chunks(12) {
            let roots: BTreeSet<_> = pass.iter().map(|round| round.root).collect();
            assert_eq!(roots, (0..12).collect(), "{}", panel.id);
        }
        let process = |number| rounds.iter().filter(move |round| round.process == number);
        let firsts = |number| process(number).map(|round| round.first).collect::<BTreeSet<_>>();
        assert!((0..4).all(|number| firsts(number).len() == 6), "{}", panel.id);
        assert!(firsts(0) != firsts(2) && firsts(1) != firsts(3), "{}", panel.id);
        // Two windows of each tree of the cold panel; the trees of the stream are too small for two batches.
        let all: BTreeSet<_> = (0..4).flat_map(firsts).collect();
        let is_cold = panel.regime.is_perturbed();
        assert_eq!((panel.roots, all.len()), (12, if is_cold { 24 } else { 12 }), "{}", panel.id);
        // The tree of root r begins at 9,000 r² / 144.
        let tree = |root: u64| 9_000 * root * root / 144..9_000 * (root + 1) * (root + 1) / 144;
        for round in &rounds {
            let (tree, positions) = (tree(round.root), round.samples[0].positions);
            let last = round.first + positions - 1;
            assert!(tree.contains(&round.first) && tree.contains(&last), "{}", panel.id);
        }
    }
}

#[test]
fn a_replay_is_loaded_once_and_learnt_before_it_is_timed() {
    let mut bench = Bench::new();
    bench.run(&plan(vec![replay("w-64", 64)], Rounds::Fixed(3))).expect("a session");
    let calls = bench.calls.lock().expect("no panic");
    let loads = calls.iter().filter(|(_, call)| matches!(call, Recorded::Load(..)));
    assert_eq!(loads.count(), 6, "once for each design, to be sized and to be measured");
    // 128 passes to learn, which is 8,192 positions, and eight timed passes.
    assert_eq!(bench.panels()[0].batch, 512);
    let fast: Vec<_> = calls.iter().filter(|(id, _)| id == "fast").map(|(_, c)| c).collect();
    let (check, before) = fast.split_last().expect("calls");
    assert_eq!(*check, &Recorded::Check(0..64), "once, however often it is timed");
    let sample = &before[before.len() - 136..];
    assert!(sample.iter().all(|call| **call == Recorded::Pass(0..64)));
    assert!(matches!(before[before.len() - 137], Recorded::Check(_)));
}

/// The batches that the rounds of a plan visit.
fn firsts(plan: &Plan) -> Vec<u64> {
    let mut bench = Bench::new();
    bench.run(plan).expect("a session");
    bench.rounds().iter().map(|round| round.first).collect()
}

#[test]
fn a_wrong_answer_stops_the_session_and_its_round_is_not_kept() {
    let plan = plan(vec![stream("w-20000")], Rounds::Fixed(5));
    let first = firsts(&plan)[3];
    let mut bench = Bench::new();
    bench.designs[1] = FakeDesign::new("fast", 30, &bench.now).wrong_at(first as u16 + 500);
    let error = bench.run(&plan).expect_err("wrong");
    let SessionError::Wrong(wrong) = &error else { panic!("{error}") };
    assert_eq!((wrong.design.as_str(), wrong.referee.as_str()), ("fast", "slow"));
    assert_eq!(wrong.panel, "w-20000/stream-tree/all");
    assert_eq!((wrong.round, wrong.first, wrong.positions), (3, first, 4_000));
    let sentence = format!("round 3, positions {first} to {}", first + 3_999);
    assert!(error.to_string().contains(&sentence), "{error}");
    assert_eq!(bench.rounds().len(), 3, "the rounds before it are kept");
}

#[test]
fn a_wrong_baseline_is_outvoted() {
    let mut bench = Bench::new();
    bench.designs[0] = FakeDesign::new("slow", 400, &bench.now).wrong_at(7);
    bench.designs.push(FakeDesign::new("other", 50, &bench.now));
    let error = bench.run(&plan(vec![stream("w-900")], Rounds::Fixed(1))).expect_err("wrong");
    let SessionError::Wrong(wrong) = &error else { panic!("{error}") };
    assert_eq!((wrong.design.as_str(), wrong.referee.as_str()), ("slow", "fast"));
    assert!(bench.rounds().is_empty());
}

#[test]
fn a_move_missed_only_in_timed_passes_stops_the_session_too() {
    for panel in [stream("w-900"), replay("w-16", 16), cold("w-16")] {
        for id in ["fast", "legal"] {
            let mut bench = Bench::new();
            let place = bench.designs.iter().position(|design| design.id() == id).expect("it");
            bench.designs[place] = bench.designs[place].clone().missing_at(3);
            let plan = plan(vec![panel.clone()], Rounds::Fixed(1));
            let error = bench.run(&plan).expect_err("too few moves");
            let SessionError::Wrong(wrong) = &error else { panic!("{error}") };
            assert_eq!((wrong.design.as_str(), wrong.round), (id, 0));
            // The only legal design is compared with its own check.
            assert_eq!(wrong.referee, if id == "legal" { "legal" } else { "slow" });
            assert!(wrong.found.moves < wrong.expected.moves);
            assert_eq!(wrong.found.word, wrong.expected.word, "the check finds it");
        }
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
    // calibrations; the first two samples of the round take four more.
    let switched = EventCounts { values: [(Event::ContextSwitches, 2)].into(), partial: false };
    let partial = EventCounts { partial: true, ..FakeCounters::quiet() };
    bench.counters.readings =
        [vec![FakeCounters::quiet(); 8], vec![switched, partial]].concat().into();
    let mut rates = vec![2.0; 28];
    rates.extend([2.0, 2.0625, 2.0, 2.015625]);
    bench.clock = FakeClock::new(&bench.now).with_rates(&rates);
    // Each sample has a reading at either end.
    bench.environment.neighbours = [false, false, true, false, false, false, false, true].into();
    bench.run(&plan).expect("a session");
    let round = bench.rounds().remove(0);
    let marks: Vec<_> = round.samples.iter().map(|sample| sample.marks.clone()).collect();
    let expected = [
        vec![Mark::ContextSwitch],
        vec![Mark::CountersShared, Mark::BusyNeighbour],
        vec![Mark::ClockStep],
        vec![Mark::BusyNeighbour],
    ];
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
fn a_panel_that_was_edited_is_not_resumed() {
    let panels = vec![stream("w-5000"), replay("w-16", 16)];
    let plan = plan(panels, Rounds::Fixed(2));
    let mut whole = Bench::new();
    whole.run(&plan).expect("a session");
    let text = std::fs::read_to_string(whole.path()).expect("a journal");
    // Without the last round.
    let begun = text.trim_end().rsplit_once('\n').expect("lines").0.to_owned() + "\n";
    let replayed = whole.panels().pop().expect("the replay");
    let passes = replayed.learning.expect("a replay").passes;
    let edits = [
        ("\"rounds\":2".to_owned(), "\"rounds\":3"),
        ("\"rounds\":2".to_owned(), "\"rounds\":18446744073709551615"),
        (format!("\"batch\":{}", replayed.batch), "\"batch\":16"),
        (format!("\"batch\":{}", replayed.batch), "\"batch\":4294967296"),
        (format!("\"batch\":{}", replayed.batch), "\"batch\":17"),
        (format!("\"passes\":{passes}"), "\"passes\":1000000"),
        (format!("\"blocks\":{}", replayed.blocks), "\"blocks\":0"),
    ];
    for (before, after) in edits {
        assert!(begun.contains(&before), "{before}");
        let mut bench = Bench::new();
        std::fs::write(bench.path(), begun.replace(&before, after)).expect("a file");
        let error = bench.run(&plan).expect_err(after).to_string();
        assert!(error.contains(" has changed since the journal was begun"), "{after}: {error}");
    }
}

#[test]
fn a_budget_is_shared_among_the_panels_and_spent() {
    let mut bench = Bench::new();
    let time = Duration::from_millis(600);
    let rounds = Rounds::Budget { time, total: None, least: 2, most: 1_000 };
    bench.run(&plan(vec![stream("w-5000"), replay("w-16", 16)], rounds)).expect("a session");
    let spent = bench.now.get() as f64 / 1e6;
    // To find out how long the replay has to be learnt takes 60 ms more.
    assert!((600.0..=680.0).contains(&spent), "{spent} ms");
    assert!(bench.panels().iter().all(|panel| panel.rounds > 10), "{:?}", bench.panels());
}

#[test]
fn what_was_spent_before_the_session_is_taken_from_its_rounds() {
    let spent = |spent: u64| {
        let mut bench = Bench { spent: Duration::from_millis(spent), ..Bench::new() };
        // 0.3 s are kept for the start of the one process.
        let [time, total] = [600, 1_300].map(Duration::from_millis);
        let rounds = Rounds::Budget { time, total: Some(total), least: 2, most: 1_000 };
        bench.run(&plan(vec![stream("w-5000"), replay("w-16", 16)], rounds)).expect("a session");
        bench.now.get() as f64 / 1e6
    };
    let early = spent(0);
    assert!((600.0..=680.0).contains(&early), "{early} ms: the rounds have all of their time");
    let late = spent(700);
    // 0.3 s are left, sizing included, and a fifth of the rounds' time is kept for delays.
    assert!((200.0..=300.0).contains(&late), "{late} ms");
}

#[test]
fn a_budget_that_is_too_small_still_gives_the_minimum_of_rounds() {
    let mut bench = Bench::new();
    let rounds =
        Rounds::Budget { time: Duration::from_nanos(1), total: None, least: 5, most: 1_000 };
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
