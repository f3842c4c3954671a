//! Disturbed calls, sliders only, memorised panels.

use super::*;

#[test]
fn a_disturbed_sample_is_the_calls_without_the_clock_and_what_happens_before_them() {
    let mut bench = Bench::new();
    bench.clock = FakeClock::new(&bench.now).with_overhead(52);
    // Whatever it takes, even with an interruption.
    bench.disturbances.costs.borrow_mut().extend((0..9_000).map(|n| n * 7919 % 50_000));
    let panels = vec![cold("w-5000"), stream("w-5000").pressed(1 << 20)];
    bench.run(&plan(panels, Rounds::Fixed(4))).expect("a session");
    let panels = bench.panels();
    assert_eq!(panels[0].id, "w-5000/cold-tree/all");
    assert_eq!(panels[1].id, "w-5000/pressure-1048576-tree/all");
    // A step of the fake clock is 10 ns, so the design of 30 ns has to be called 334 times.
    assert_eq!(panels[0].batch, 336, "whole blocks");
    for sample in bench.rounds().iter().flat_map(|round| &round.samples) {
        let cost = match sample.design.as_str() {
            "fast" => 30,
            "legal" => 100,
            _ => 400,
        };
        assert_eq!(sample.ticks, cost * sample.positions, "{}", sample.design);
        assert_eq!(sample.control, Some(52 * sample.positions));
        assert_eq!((sample.moves, sample.marks.len()), (sample.positions, 0));
    }
}

#[test]
fn the_block_with_calls_and_the_block_without_take_turns_to_be_first() {
    let mut bench = Bench::new();
    bench.run(&plan(vec![cold("w-5000")], Rounds::Fixed(1))).expect("a session");
    let calls = bench.calls.borrow();
    let fast: Vec<_> = calls.iter().filter(|(id, _)| id == "fast").map(|(_, c)| c).collect();
    let (fast, checks) = fast.split_at(fast.len() - 16);
    assert_eq!(checks[0], &Call::Check(4_664..4_685));
    assert!(checks.iter().all(|call| matches!(call, Call::Check(_))), "{checks:?}");
    let blocks: Vec<_> = fast[fast.len() - 32..]
        .iter()
        .map(|call| match call {
            Call::Disturbed(range, called) => (range.start, range.len(), *called),
            other => panic!("{other:?}"),
        })
        .collect();
    // The positions before the batch lead to it, undisturbed, and 64 of them are disturbed again.
    let before = &fast[fast.len() - 34..fast.len() - 32];
    assert_eq!(before, [&Call::Pass(0..4_664), &Call::Disturbed(4_600..4_664, true)]);
    assert_eq!(
        blocks[..5],
        [
            (4_664, 21, true),
            (4_664, 21, false),
            (4_685, 21, false),
            (4_685, 21, true),
            (4_706, 21, true)
        ]
    );
}

#[test]
fn calls_that_took_no_longer_than_nothing_are_marked_and_kept_positive() {
    let mut bench = Bench::new();
    bench.subjects[1] = FakeSubject::new("fast", 0, &bench.now);
    bench.run(&plan(vec![cold("w-900")], Rounds::Fixed(1))).expect("a session");
    for sample in &bench.rounds()[0].samples {
        let lost = sample.design == "fast";
        assert_eq!((sample.ticks == 1, sample.marks.join(" ") == "no-difference"), (lost, lost));
    }
}

#[test]
fn a_disturbed_answer_is_held_to_the_referee_too() {
    let mut bench = Bench::new();
    bench.subjects[1] = FakeSubject::new("fast", 30, &bench.now).wrong_at(700);
    let error = bench.run(&plan(vec![cold("w-5000")], Rounds::Fixed(5))).expect_err("wrong");
    let SessionError::Wrong(wrong) = error else { panic!("{error}") };
    assert_eq!((wrong.round, wrong.first, wrong.positions), (2, 672, 336));
}

#[test]
fn events_of_the_disturbance_are_not_those_of_the_design() {
    let mut bench = Bench::new();
    let reading = |misses, switches| Reading {
        values: [(Event::BranchMisses, misses), (Event::ContextSwitches, switches)].into(),
        partial: false,
    };
    // A block with calls reads 500 misses, one without 450; a switch in one block of each sample.
    let of_sample = |_| {
        (0..16).flat_map(|block| {
            let pair = [reading(500, u64::from(block == 3)), reading(450, 0)];
            if block % 2 == 0 { pair } else { [pair[1].clone(), pair[0].clone()] }
        })
    };
    bench.counters.readings = (0..12).flat_map(of_sample).collect();
    bench.run(&plan(vec![cold("w-5000")], Rounds::Fixed(1))).expect("a session");
    for sample in &bench.rounds()[0].samples {
        assert_eq!((sample.events["branch-misses"], sample.events["context-switches"]), (800, 1));
        assert_eq!(sample.marks, ["context-switch"]);
    }
}

#[test]
fn a_disturbance_that_this_machine_lacks_is_a_sentence() {
    let mut bench = Bench::new();
    let regime = Regime::Cold { order: "tree".to_owned(), branches: 0 };
    let panel = PanelPlan { regime, ..stream("w-900") };
    let error = bench.run(&plan(vec![panel], Rounds::Fixed(1))).expect_err("no flusher");
    let sentence = "panel `w-900/cold-0-tree/all`: is not written for this machine";
    assert_eq!(error.to_string(), sentence);
}

#[test]
fn only_designs_with_sliders_apart_take_part_where_those_are_wanted() {
    let mut bench = Bench::new();
    bench.subjects[0] = FakeSubject::new("slow", 400, &bench.now).whole_only();
    let panels = vec![stream("w-900").sliders(), stream("w-900")];
    bench.run(&plan(panels, Rounds::Fixed(2))).expect("a session");
    let panels = bench.panels();
    assert_eq!(panels[0].id, "w-900/stream-tree/all-sliders");
    assert_eq!(panels[0].scope.as_deref(), Some("sliders"));
    assert_eq!(panels[0].designs, ["fast", "legal"]);
    assert_eq!((panels[0].baseline.as_str(), panels[0].twin.as_str()), ("fast", "fast (again)"));
    assert_eq!((panels[1].scope.as_deref(), panels[1].designs.len()), (None, 3));
    let samples: Vec<_> = bench.rounds().iter().map(|round| round.samples.len()).collect();
    assert_eq!(samples, [3, 3, 4, 4]);
    bench.subjects.drain(1..);
    let other = plan(vec![replay("w-900", 16).sliders()], Rounds::Fixed(1));
    std::fs::remove_file(bench.path()).expect("the journal");
    let error = bench.run(&other).expect_err("nobody has the scope").to_string();
    assert!(error.contains("no design that takes part has sliders apart"), "{error}");
}

#[test]
fn a_panel_is_memorised_below_the_knee_of_this_machine() {
    let mut bench = Bench::new();
    bench.knee = Some(30_000.0);
    let panels = vec![
        replay("w-5000", 256),
        replay("w-5000", 1_024),
        stream("w-200"),
        stream("w-200").pressed(0),
        stream("w-5000"),
        cold("w-200"),
    ];
    let plan = plan(panels, Rounds::Fixed(1));
    bench.run(&plan).expect("a session");
    let memorised: Vec<_> = bench.panels().iter().map(|panel| panel.memorised).collect();
    assert_eq!(memorised, [true, false, true, true, false, false]);
    // Gone on with after another self-test, a panel keeps the mark that it began with.
    let text = std::fs::read_to_string(bench.path()).expect("a journal");
    let first: Vec<_> = text.lines().take(2).collect();
    std::fs::write(bench.path(), first.join("\n") + "\n").expect("a file");
    bench.knee = None;
    bench.run(&plan).expect("the rest of the session");
    let memorised: Vec<_> = bench.panels().iter().map(|panel| panel.memorised).collect();
    assert_eq!(memorised, [true, false, false, false, false, false]);
}
