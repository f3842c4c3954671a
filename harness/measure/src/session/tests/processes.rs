//! Tests of shares, processes and layouts, and of resuming.

use raywalk_results::schema;

use super::*;
use crate::environment::Reached;
use crate::fake::Calls;

#[test]
fn a_stopped_session_resumes_to_the_same_rounds() {
    let panels = vec![stream("trees-9-5000"), replay("w-16", 16)];
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
        // Every round belongs to the last process that started before it.
        let mut started = Vec::new();
        for record in bench.records() {
            match record {
                Record::Process(process) => started.push(process.number),
                Record::Round(round) => assert_eq!(started.last(), Some(&round.process)),
                _ => {}
            }
        }
        assert!(started.is_sorted() && (2..=3).contains(&started.len()), "{started:?}");
    }
}

#[test]
fn the_shares_take_turns_and_each_has_a_process_of_its_own() {
    let mut bench = Bench::new();
    let panels = vec![stream("trees-5-5000"), replay("w-16", 16)];
    bench.run(&Plan { processes: 3, ..plan(panels, Rounds::Fixed(7)) }).expect("a session");
    let rounds = bench.rounds();
    let of = |process: u64, panel: &str| -> Vec<u64> {
        let mine = rounds.iter().filter(|r| r.process == process && r.panel.starts_with(panel));
        mine.map(|round| round.round).collect()
    };
    assert_eq!([of(0, "trees"), of(1, "trees")], [[0, 1], [2, 3]]);
    assert_eq!(of(2, "trees"), [4, 5, 6]);
    assert_eq!(of(2, "w-16").len(), 3);
    let roots: BTreeSet<_> = rounds.iter().take(2).chain(&rounds[4..6]).map(|r| r.root).collect();
    assert_eq!(roots.len(), 4, "two shares of a pass have no root in common");
    let paddings: BTreeSet<_> = bench.jobs.iter().map(|job| job.padding).collect();
    assert!(paddings.len() == 3 && paddings.iter().all(|&padding| padding < PAGE));
    let paddings: BTreeSet<_> = bench.jobs.iter().map(|job| job.heap_padding).collect();
    let fits = |&padding: &u64| padding < PAGE && padding.is_multiple_of(16);
    assert!(paddings.len() == 3 && paddings.iter().all(fits));
}

#[test]
fn only_the_first_panel_of_a_process_warms_up() {
    let mut bench = Bench::new();
    let panels = vec![stream("trees-9-5000"), replay("w-16", 16), stream("w-900")];
    bench.run(&Plan { processes: 2, ..plan(panels, Rounds::Fixed(4)) }).expect("a session");
    let warm_ups = bench.records().into_iter().filter_map(|record| match record {
        Record::WarmUp(warm_up) => Some((warm_up.process, warm_up.levels.len())),
        _ => None,
    });
    assert_eq!(warm_ups.collect::<Vec<_>>(), [(0, 2), (1, 2)]);
}

#[test]
fn layouts_take_turns_and_each_has_at_least_two_processes() {
    let mut bench = Bench::new();
    let mut plan = plan(vec![stream("w-900")], Rounds::Fixed(6));
    plan.draw_layouts(3);
    let seeds = plan.layouts.clone();
    assert!(seeds.iter().all(|&seed| (1..u64::from(u32::MAX)).contains(&seed)));
    bench.run(&plan).expect("a session");
    let layouts: Vec<_> = bench.jobs.iter().map(|job| job.layout).collect();
    let [a, b, c] = [0, 1, 2].map(|n| Some(seeds[n]));
    assert_eq!(layouts, [a, b, c, a, b, c]);
    assert_eq!(Plan { processes: 7, ..plan }.shares(), 9);
}

#[test]
fn a_round_records_its_conditions_and_the_next_process_starts_with_the_best_levels() {
    let mut bench = Bench::new();
    bench.environment.best = best();
    bench.environment.delays = [50].into();
    let marks = vec![Mark::BusyNeighbour, Mark::Steal];
    let conditions = Conditions { delayed: 7, stolen: Some(10), marks };
    bench.environment.conditions = [conditions].into();
    let plan = Plan { processes: 2, ..plan(vec![stream("w-900")], Rounds::Fixed(4)) };
    bench.run(&plan).expect("a session");
    let rounds = bench.rounds();
    assert_eq!((rounds[0].delayed_ms, rounds[0].steal_ms), (57, Some(10)));
    assert_eq!(rounds[0].marks, [Mark::BusyNeighbour, Mark::Steal]);
    assert_eq!((rounds[1].delayed_ms, rounds[1].steal_ms, rounds[1].marks.len()), (0, None, 0));
    assert_eq!(bench.environment.rounds, [4, 4], "warm-ups are not delayed");
    assert_eq!(bench.environment.designs, 16, "three designs and the A/A control in each round");
    assert_eq!(bench.environment.panels, [1, 1]);
    let known: Vec<_> = bench.jobs.iter().map(|job| job.best.clone()).collect();
    assert_eq!(known, [Best::default(), best()]);
}

/// Levels of a process, the first of which is half a minute old.
fn best() -> Best {
    let reached = |rate, seconds_ago| Reached { rate, seconds_ago };
    Best { clock: vec![reached(1.6, 30.0), reached(1.5, 0.0)], throughput: vec![reached(4.6, 2.0)] }
}

/// Returns without a message.
struct Idle;

impl Workers for Idle {
    fn run(&mut self, _: &Job, _: &mut Receive<'_>) -> Result<(), SessionError> {
        Ok(())
    }
}

#[test]
fn a_process_that_ends_before_its_rounds_are_made_is_an_error() {
    let bench = Bench::new();
    let plan = plan(vec![stream("w-900")], Rounds::Fixed(2));
    let mut designs = boxed(&bench.designs);
    let error = Session {
        plan: &plan,
        instruments: Instruments {
            designs: &mut designs,
            workloads: &mut FakeWorkloads,
            clock: &bench.clock,
            counters: &mut FakeCounters::default(),
            perturbations: &bench.perturbations,
        },
        workers: &mut Idle,
        build: Build::default(),
        spent: Duration::ZERO,
        journal: &mut bench.journal(),
        progress: &mut Vec::new(),
    }
    .run()
    .expect_err("no rounds");
    let sentence = "a process ended before its rounds of panel `w-900/stream-tree/all` were made";
    assert_eq!(error.to_string(), sentence);
}

/// Runs jobs until a plug-in is called in the second one, where it crashes.
struct Crashing<'a>(Here<'a>);

impl Workers for Crashing<'_> {
    fn run(&mut self, job: &Job, receive: &mut Receive<'_>) -> Result<(), SessionError> {
        let mut rounds = 0;
        self.0.run(job, &mut |message| match message {
            Message::Calling { design, .. } if job.process == 1 && rounds == 1 => {
                Err(SessionError::Plugin(Dropped { design, why: "crashed".to_owned() }))
            }
            message => {
                rounds += u64::from(matches!(message, Message::Round(_)));
                receive(message)
            }
        })
    }
}

#[test]
fn a_plugin_that_fails_is_dropped_and_all_rounds_are_made_without_it() {
    let mut bench = Bench::new();
    bench
        .designs
        .insert(0, FakeDesign::new("plug", 50, &bench.now).recording(&bench.calls).plugin());
    let plan = Plan { processes: 3, ..plan(vec![stream("w-900")], Rounds::Fixed(9)) };
    let mut journal = bench.journal();
    let [mut designs, workers] = [(); 2].map(|()| boxed(&bench.designs));
    bench.environment.best = best();
    let workers = Here {
        designs: workers,
        clock: &bench.clock,
        counters: &mut bench.counters,
        perturbations: &bench.perturbations,
        jobs: &mut bench.jobs,
        environment: &mut bench.environment,
    };
    let outcome = Session {
        plan: &plan,
        instruments: Instruments {
            designs: &mut designs,
            workloads: &mut FakeWorkloads,
            clock: &bench.clock,
            counters: &mut FakeCounters::default(),
            perturbations: &bench.perturbations,
        },
        workers: &mut Crashing(workers),
        build: Build::default(),
        spent: Duration::ZERO,
        journal: &mut journal,
        progress: &mut Vec::new(),
    }
    .run()
    .expect("a session");
    let dropped = Dropped { design: "plug".to_owned(), why: "crashed".to_owned() };
    assert_eq!((outcome.rounds, &outcome.dropped), (9, &vec![dropped]));
    let results = journal.contents();
    let panel = &results.panels[0];
    assert_eq!((panel.rounds.len(), panel.panel.baseline.as_str()), (9, "slow"));
    assert_eq!(panel.panel.designs, ["slow", "fast", "legal"]);
    assert_eq!(panel.samples("plug").count(), 0);
    assert!(
        matches!(&results.designs[0].status, schema::Status::Wrong { why } if why == "crashed")
    );
    // A share that was stopped is finished by another process.
    let shares: Vec<_> = bench.jobs.iter().map(|job| (job.process, job.share)).collect();
    assert_eq!(shares, [(0, 0), (1, 1), (2, 1), (3, 2)]);
    // The one that was stopped has reported no levels, and those of the process before it are older by its time.
    let age = bench.jobs[2].best.clock[1].seconds_ago;
    assert!(age > 0.0);
    let known = [1, 2, 3].map(|job| bench.jobs[job].best.clone());
    assert_eq!(known, [best(), best().later(age), best()]);
    // What is read again is the same.
    drop(journal);
    let again = raywalk_results::journal::read(&std::fs::read(bench.path()).expect("a file")[..]);
    assert_eq!(again.expect("a journal").panels[0].samples("plug").count(), 0);
}

#[test]
fn the_answer_of_a_plugin_does_not_outvote_that_of_a_verified_design() {
    let mut bench = Bench::new();
    let plug = |id| FakeDesign::new(id, 50, &bench.now).legal().wrong_at(3).plugin();
    let plugs = [plug("one"), plug("other")];
    bench.designs.extend(plugs);
    let error =
        bench.run(&plan(vec![stream("w-900")], Rounds::Fixed(2))).expect_err("a wrong answer");
    assert!(error.to_string().contains("where `legal` found"), "{error}");
}

#[test]
fn a_plugin_is_never_called_in_the_first_process() {
    let mut bench = Bench::new();
    let calls = Calls::default();
    bench.designs.push(FakeDesign::new("plug", 50, &bench.now).recording(&calls).plugin());
    let mut journal = bench.journal();
    let mut designs = boxed(&bench.designs);
    let plan = plan(vec![replay("w-16", 16)], Rounds::Fixed(2));
    let session = Session {
        plan: &plan,
        instruments: Instruments {
            designs: &mut designs,
            workloads: &mut FakeWorkloads,
            clock: &bench.clock,
            counters: &mut FakeCounters::default(),
            perturbations: &bench.perturbations,
        },
        workers: &mut Idle,
        build: Build::default(),
        spent: Duration::ZERO,
        journal: &mut journal,
        progress: &mut Vec::new(),
    };
    session.run().expect_err("no rounds");
    assert!(calls.lock().expect("calls").is_empty());
    assert_eq!(journal.contents().panels[0].panel.designs.len(), 4);
}
