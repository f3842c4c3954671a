//! Tests of perturbed calls, of panels for sliders only, and of learnt replays.

use super::*;

#[test]
fn a_perturbed_sample_excludes_the_clock_and_the_perturbation() {
    let mut bench = Bench::new();
    bench.clock = FakeClock::new(&bench.now).with_overhead(52);
    // The perturbations take widely varying times, as with interruptions.
    bench.perturbations.costs.borrow_mut().extend((0..9_000).map(|n| n * 7919 % 50_000));
    let panels = vec![cold("w-5000"), pressed("w-5000", "1 MiB")];
    bench.run(&plan(panels, Rounds::Fixed(4))).expect("a session");
    let panels = bench.panels();
    assert_eq!(panels[0].id, "w-5000/cold-tree/all");
    assert_eq!(panels[1].id, "w-5000/pressure-1048576-tree/all");
    assert_eq!(panels[0].batch, 16, "320 windows of 15 or 16 calls");
    for sample in bench.rounds().iter().flat_map(|round| &round.samples) {
        let cost = match sample.design.as_str() {
            "fast" => 30,
            "legal" => 100,
            _ => 400,
        };
        assert_eq!(sample.ticks, cost * sample.positions, "{}", sample.design);
        assert_eq!(sample.empty_calls, Some(52 * sample.positions));
        assert_eq!((sample.moves, sample.marks.len()), (sample.positions, 0));
    }
}

#[test]
fn blocks_with_calls_and_with_empty_calls_alternate_in_order() {
    let mut bench = Bench::new();
    bench.run(&plan(vec![pressed("w-6400", "1 MiB")], Rounds::Fixed(1))).expect("a session");
    let calls = bench.calls.lock().expect("no panic");
    let fast: Vec<_> = calls.iter().filter(|(id, _)| id == "fast").map(|(_, c)| c).collect();
    let (check, fast) = fast.split_last().expect("calls");
    assert_eq!(*check, &Recorded::Check(6_384..6_400));
    let blocks: Vec<_> = fast[fast.len() - 32..]
        .iter()
        .map(|call| match call {
            Recorded::Perturbed(range, called) => (range.start, range.len(), *called),
            other => panic!("{other:?}"),
        })
        .collect();
    // The warm-up prefix runs unperturbed, then its last 64 positions run perturbed.
    let before = &fast[fast.len() - 34..fast.len() - 32];
    assert_eq!(before, [&Recorded::Pass(0..6_384), &Recorded::Perturbed(6_320..6_384, true)]);
    assert_eq!(
        blocks[..5],
        [
            (6_384, 1, true),
            (6_384, 1, false),
            (6_385, 1, false),
            (6_385, 1, true),
            (6_386, 1, true)
        ]
    );
}

#[test]
fn calls_no_slower_than_empty_ones_are_marked_and_kept_positive() {
    let mut bench = Bench::new();
    bench.designs[1] = FakeDesign::new("fast", 0, &bench.now);
    bench.run(&plan(vec![cold("w-900")], Rounds::Fixed(1))).expect("a session");
    for sample in &bench.rounds()[0].samples {
        let lost = sample.design == "fast";
        assert_eq!((sample.ticks == 1, sample.marks == [Mark::NoDifference]), (lost, lost));
    }
}

#[test]
fn a_perturbed_answer_is_compared_with_the_others_too() {
    let plan = plan(vec![cold("w-160")], Rounds::Fixed(10));
    let first = firsts(&plan)[2];
    let mut bench = Bench::new();
    bench.designs[1] = FakeDesign::new("fast", 30, &bench.now).wrong_at(first as u16 + 9);
    let error = bench.run(&plan).expect_err("wrong");
    let SessionError::Wrong(wrong) = error else { panic!("{error}") };
    assert_eq!((wrong.round, wrong.first, wrong.positions), (2, first, 16));
}

#[test]
fn events_of_the_perturbation_are_subtracted() {
    let mut bench = Bench::new();
    let reading = |misses, switches| EventCounts {
        values: [(Event::BranchMisses, misses), (Event::ContextSwitches, switches)].into(),
        partial: false,
    };
    // A block with calls has 500 misses, one with empty calls 450. One block of each sample has a
    // context switch.
    let of_sample = |_| {
        (0..16).flat_map(|block| {
            let pair = [reading(500, u64::from(block == 3)), reading(450, 0)];
            if block % 2 == 0 { pair } else { [pair[1].clone(), pair[0].clone()] }
        })
    };
    bench.counters.readings = (0..12).flat_map(of_sample).collect();
    // Its windows have sixteen calls.
    bench.run(&plan(vec![cold("w-6400")], Rounds::Fixed(1))).expect("a session");
    for sample in &bench.rounds()[0].samples {
        assert_eq!(
            (sample.events[&Event::BranchMisses], sample.events[&Event::ContextSwitches]),
            (800, 1)
        );
        assert_eq!(sample.marks, [Mark::ContextSwitch]);
    }
}

#[test]
fn a_regime_that_this_machine_lacks_is_an_error() {
    let mut bench = Bench::new();
    let mut panel = cold("w-900");
    if let Some(intensity) = &mut panel.regime.intensity {
        intensity.amount = 0;
    }
    let error = bench.run(&plan(vec![panel], Rounds::Fixed(1))).expect_err("no flusher");
    let sentence = "panel `w-900/cold-0-tree/all`: is not written for this machine";
    assert_eq!(error.to_string(), sentence);
}

#[test]
fn only_designs_that_offer_the_sliders_scope_take_part_in_it() {
    let mut bench = Bench::new();
    bench.designs[0] = FakeDesign::new("slow", 400, &bench.now).whole_only();
    let panels = vec![stream("w-900").sliders(), stream("w-900")];
    bench.run(&plan(panels, Rounds::Fixed(2))).expect("a session");
    let panels = bench.panels();
    assert_eq!(panels[0].id, "w-900/stream-tree/all-sliders");
    assert_eq!(panels[0].call, Call::Generate { stage: Stage::All, scope: Scope::Sliders });
    assert_eq!(panels[0].designs, ["fast", "legal"]);
    assert_eq!(panels[0].baseline, "fast");
    assert_eq!(panels[0].aa_control, "fast (again)");
    assert_eq!((panels[1].call.is_whole(), panels[1].designs.len()), (true, 3));
    let samples: Vec<_> = bench.rounds().iter().map(|round| round.samples.len()).collect();
    assert_eq!(samples, [3, 3, 4, 4]);
    bench.designs.drain(1..);
    let other = plan(vec![replay("w-900", 16).sliders()], Rounds::Fixed(1));
    std::fs::remove_file(bench.path()).expect("the journal");
    let error = bench.run(&other).expect_err("no design offers the scope").to_string();
    assert!(error.contains("no design that takes part offers this call"), "{error}");
}

#[test]
fn only_designs_that_offer_a_call_take_part_in_its_panel() {
    let mut bench = Bench::new();
    bench.designs[0] = FakeDesign::new("slow", 400, &bench.now).whole_only();
    let panels = [Operation::PieceAttacks, Operation::InCheck, Operation::Perft];
    let panels = panels.map(|operation| stream("w-900").asking(operation)).to_vec();
    bench.run(&plan(panels, Rounds::Fixed(2))).expect("a session");
    let panels = bench.panels();
    assert_eq!(panels[0].id, "w-900/stream-tree/piece-attacks");
    assert_eq!(panels[0].designs, ["fast", "legal"]);
    assert_eq!((panels[1].call, panels[1].designs.len()), (Operation::InCheck.into(), 3));
    assert_eq!((panels[1].batch, panels[2].batch), (900, 15), "a perft takes long");
}

#[test]
fn the_learning_of_a_replay_is_decided_once_and_kept_on_resume() {
    let mut bench = Bench::new();
    // The slow design becomes 2 % faster with each of its first forty passes over 256 boards.
    bench.designs[0] = FakeDesign::new("slow", 400, &bench.now).learning(40 * 256);
    let panels = vec![replay("w-256", 256), stream("w-5000"), replay("w-16", 16)];
    let plan = plan(panels, Rounds::Fixed(2));
    bench.run(&plan).expect("a session");
    let learning = |bench: &Bench| -> Vec<_> {
        let of =
            |panel: Panel| panel.learning.map(|learning| (learning.passes, learning.unsettled));
        bench.panels().into_iter().map(of).collect()
    };
    let expected = [Some((64, vec![])), None, Some((512, vec![]))];
    assert_eq!(learning(&bench), expected);
    // A journal that ends behind the first panel: its decision stays, though nothing is learnt now.
    let text = std::fs::read_to_string(bench.path()).expect("a journal");
    let panel = text.lines().position(|line| line.contains(r#""record":"panel""#));
    let first: Vec<_> = text.lines().take(panel.expect("a panel") + 1).collect();
    std::fs::write(bench.path(), first.join("\n") + "\n").expect("a file");
    bench.designs[0] = FakeDesign::new("slow", 400, &bench.now);
    bench.run(&plan).expect("the rest of the session");
    assert_eq!(learning(&bench), expected);
}

#[test]
fn all_designs_make_the_same_passes_before_each_sample() {
    let mut bench = Bench::new();
    let mut slow = FakeDesign::new("slow", 400, &bench.now).learning(40 * 256);
    slow = slow.recording(&bench.calls);
    bench.designs[0] = slow;
    bench.run(&plan(vec![replay("w-256", 256)], Rounds::Fixed(1))).expect("a session");
    let calls = bench.calls.lock().expect("no panic");
    for id in ["slow", "fast", "legal"] {
        let of = |(_, call): &&(String, Recorded)| *call == Recorded::Pass(0..256);
        let passes = calls.iter().filter(|(name, _)| name == id).filter(of).count();
        // To learn: 64 and 32, or 32 twice for the designs that settle at once. To size the panel: 64 passes
        // and two timed ones, three times. Then four rounds, one of them to time a round and two to warm
        // up, each of 64 passes, and two timed ones in halves; the slow design is also the A/A control.
        let samples = if id == "slow" { 8 } else { 4 };
        let learning = if id == "slow" { 64 + 32 } else { 32 + 32 };
        assert_eq!(passes, learning + 3 * 66 + samples * 64, "{id}");
    }
}
