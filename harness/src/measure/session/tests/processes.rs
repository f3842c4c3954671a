//! Shares, processes, layouts, and going on after a stop.

use super::*;

#[test]
fn a_stopped_session_goes_on_to_the_same_rounds() {
    let panels = vec![stream("w-5000"), replay("w-16", 16)];
    let plan = Plan { processes: 2, ..plan(panels, Rounds::Fixed(6)) };
    let mut whole = Bench::new();
    whole.run(&plan).expect("a session");
    let expected = std::fs::read_to_string(whole.path()).expect("a journal");
    let lines: Vec<_> = expected.lines().collect();
    let without_process = |bench: &Bench| -> Vec<Round> {
        bench.rounds().into_iter().map(|round| Round { process: 0, ..round }).collect()
    };
    for kept in 1..=lines.len() {
        let mut bench = Bench::new();
        std::fs::write(bench.path(), lines[..kept].join("\n") + "\n").expect("a file");
        let outcome = bench.run(&plan).expect("the rest of the session");
        assert_eq!(outcome.rounds + outcome.resumed, 12);
        assert_eq!(bench.panels(), whole.panels());
        assert_eq!(without_process(&bench), without_process(&whole), "after {kept} lines");
        // Every round is of a process that began before it, and nobody else's.
        let mut begun = Vec::new();
        for record in bench.records() {
            match record {
                Record::Process(process) => begun.push(process.number),
                Record::Round(round) => assert_eq!(begun.last(), Some(&round.process)),
                _ => {}
            }
        }
        assert!(begun.is_sorted() && (2..=3).contains(&begun.len()), "{begun:?}");
    }
}

#[test]
fn every_share_visits_the_same_positions_in_a_process_of_its_own() {
    let mut bench = Bench::new();
    let panels = vec![stream("w-5000"), replay("w-16", 16)];
    bench.run(&Plan { processes: 3, ..plan(panels, Rounds::Fixed(7)) }).expect("a session");
    let rounds = bench.rounds();
    let of = |process: u64, panel: &str| -> Vec<(u64, u64)> {
        let mine = rounds.iter().filter(|r| r.process == process && r.panel.starts_with(panel));
        mine.map(|round| (round.round, round.first)).collect()
    };
    assert_eq!(of(0, "w-5000"), [(0, 0), (1, 1_000)]);
    assert_eq!(of(1, "w-5000"), [(2, 0), (3, 1_000)]);
    assert_eq!(of(2, "w-5000"), [(4, 0), (5, 1_000), (6, 2_000)]);
    assert_eq!(of(2, "w-16").len(), 3);
    let paddings: BTreeSet<_> = bench.errands.iter().map(|errand| errand.padding).collect();
    assert!(paddings.len() == 3 && paddings.iter().all(|&padding| padding < MOST_PADDING));
}

#[test]
fn layouts_take_turns_and_each_has_two_processes_at_least() {
    let mut bench = Bench::new();
    let mut plan = plan(vec![stream("w-900")], Rounds::Fixed(6));
    plan.draw_layouts(3);
    let seeds = plan.layouts.clone();
    assert!(seeds.iter().all(|&seed| (1..u64::from(u32::MAX)).contains(&seed)));
    bench.run(&plan).expect("a session");
    let layouts: Vec<_> = bench.errands.iter().map(|errand| errand.layout).collect();
    let [a, b, c] = [0, 1, 2].map(|n| Some(seeds[n]));
    assert_eq!(layouts, [a, b, c, a, b, c]);
    assert_eq!(Plan { processes: 7, ..plan }.shares(), 9);
}

#[test]
fn what_goes_on_around_a_round_stands_in_it_and_the_next_process_knows_the_best() {
    let mut bench = Bench::new();
    let best = Look { clock: Some(1.6), throughput: Some(4.6) };
    bench.surroundings.best = best;
    bench.surroundings.waits = [Waited { milliseconds: 50, postponed: 1, gave_up: false }].into();
    let marks = vec![Mark::BusyNeighbour, Mark::Steal];
    bench.surroundings.disturbances =
        [Disturbed { stolen: Some(10), marks, looks: [best; 2] }].into();
    let plan = Plan { processes: 2, ..plan(vec![stream("w-900")], Rounds::Fixed(4)) };
    bench.run(&plan).expect("a session");
    let rounds = bench.rounds();
    assert_eq!((rounds[0].waited_ms, rounds[0].steal_ms), (50, Some(10)));
    assert_eq!(rounds[0].marks, ["busy-neighbour", "steal"]);
    assert_eq!((rounds[1].waited_ms, rounds[1].steal_ms, rounds[1].marks.len()), (0, None, 0));
    assert_eq!(bench.surroundings.rounds, [4, 4], "warm-ups wait for nothing");
    let known: Vec<_> = bench.errands.iter().map(|errand| errand.best).collect();
    assert_eq!(known, [Look::default(), best]);
}

/// Says that it began, and no more.
struct Idle;

impl Workers for Idle {
    fn carry_out(&mut self, _: &Errand, _: &mut Hear<'_>) -> Result<(), SessionError> {
        Ok(())
    }
}

#[test]
fn a_process_that_ends_before_its_rounds_are_made_is_an_error() {
    let bench = Bench::new();
    let plan = plan(vec![stream("w-900")], Rounds::Fixed(2));
    let mut subjects = boxed(&bench.subjects);
    let error = Session {
        plan: &plan,
        instruments: Instruments {
            subjects: &mut subjects,
            workloads: &mut FakeWorkloads,
            clock: &bench.clock,
            counters: &mut FakeCounters::default(),
            disturbances: &bench.disturbances,
        },
        workers: &mut Idle,
        build: Build::default(),
        knee: None,
        best: Look::default(),
        journal: &mut bench.journal(),
        progress: &mut Vec::new(),
    }
    .run()
    .expect_err("no rounds");
    let sentence = "a process ended before its rounds of panel `w-900/stream-tree/all` were made";
    assert_eq!(error.to_string(), sentence);
}
