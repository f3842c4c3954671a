use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use raywalk_core::StageId;
use raywalk_reports::schema::{self, Record, Regime, Round, SCHEMA, Sample};

use super::*;
use crate::measure::counters::{Event, Reading};
use crate::measure::fake::{
    Call, Calls, FakeClock, FakeCounters, FakeDisturbances, FakeSubject, FakeWorkloads, Time,
};
use crate::measure::plan::Rounds;
use crate::measure::quiet::{Disturbed, FakeSurroundings, Look, Mark, Waited};

mod processes;
mod regimes;

fn header() -> schema::Session {
    schema::Session {
        schema: SCHEMA.to_owned(),
        started: String::new(),
        plan: "test".to_owned(),
        seed: 3,
        command: String::new(),
        machine: schema::Machine::default(),
        build: Build::default(),
        clock: schema::Clock::default(),
        corpora: Vec::new(),
        absent: Vec::new(),
        processor: None,
        siblings: Vec::new(),
        load: None,
        shares: 1,
        layouts: Vec::new(),
        margin: None,
    }
}

fn stream(workload: &str) -> PanelPlan {
    let regime = Regime::Stream { order: "tree".to_owned() };
    let workload = workload.to_owned();
    PanelPlan { workload, regime, stage: StageId::All, scope: Scope::Whole }
}

fn replay(workload: &str, k: u64) -> PanelPlan {
    PanelPlan { regime: Regime::Replay { k }, ..stream(workload) }
}

fn cold(workload: &str) -> PanelPlan {
    stream(workload).cold()
}

fn plan(panels: Vec<PanelPlan>, rounds: Rounds) -> Plan {
    let batch = Duration::from_micros(100);
    let name = "test".to_owned();
    Plan { name, seed: 3, batch, rounds, panels, processes: 1, ..Plan::quick() }
}

/// A machine, a journal and three designs of 30, 100 and 400 ns per position.
struct Bench {
    now: Time,
    calls: Calls,
    clock: FakeClock,
    counters: FakeCounters,
    disturbances: FakeDisturbances,
    knee: Option<f64>,
    subjects: Vec<FakeSubject>,
    steps: Vec<(u64, u64, String, Option<Duration>)>,
    errands: Vec<Errand>,
    surroundings: FakeSurroundings,
    folder: tempfile::TempDir,
}

fn boxed(subjects: &[FakeSubject]) -> Vec<Box<dyn Subject>> {
    subjects.iter().map(|subject| Box::new(subject.clone()) as Box<dyn Subject>).collect()
}

/// Carries errands out in the process of the test, and keeps them.
struct Here<'a> {
    subjects: Vec<Box<dyn Subject>>,
    clock: &'a FakeClock,
    counters: &'a mut FakeCounters,
    disturbances: &'a FakeDisturbances,
    errands: &'a mut Vec<Errand>,
    surroundings: &'a mut FakeSurroundings,
}

impl Workers for Here<'_> {
    fn carry_out(&mut self, errand: &Errand, hear: &mut Hear<'_>) -> Result<(), SessionError> {
        self.errands.push(errand.clone());
        let mut instruments = Instruments {
            subjects: &mut self.subjects,
            workloads: &mut FakeWorkloads,
            clock: self.clock,
            counters: self.counters,
            disturbances: self.disturbances,
        };
        instruments.carry_out(errand, Placement::default(), &mut *self.surroundings, hear)
    }
}

impl Progress for Vec<(u64, u64, String, Option<Duration>)> {
    fn step(&mut self, step: &Step<'_>) {
        self.push((step.done, step.total, step.message.to_owned(), step.left));
    }
}

impl Bench {
    fn new() -> Bench {
        let (now, calls) = (Rc::new(Cell::new(0)), Rc::new(RefCell::new(Vec::new())));
        let design = |id: &str, cost| FakeSubject::new(id, cost, &now).telling(&calls);
        let subjects = vec![design("slow", 400), design("fast", 30), design("legal", 100).legal()];
        Bench {
            clock: FakeClock::new(&now),
            disturbances: FakeDisturbances { now: Rc::clone(&now), ..FakeDisturbances::default() },
            knee: None,
            now,
            calls,
            counters: FakeCounters::default(),
            subjects,
            steps: Vec::new(),
            errands: Vec::new(),
            surroundings: FakeSurroundings::default(),
            folder: tempfile::tempdir().expect("a folder"),
        }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("journal.jsonl")
    }

    fn journal(&self) -> Journal {
        if self.path().exists() {
            Journal::resume(&self.path(), &header()).expect("a journal")
        } else {
            Journal::create(&self.path(), &header()).expect("a journal")
        }
    }

    fn run(&mut self, plan: &Plan) -> Result<Outcome, SessionError> {
        let mut journal = self.journal();
        let [mut subjects, workers] = [(); 2].map(|()| boxed(&self.subjects));
        let mut workers = Here {
            subjects: workers,
            clock: &self.clock,
            counters: &mut self.counters,
            disturbances: &self.disturbances,
            errands: &mut self.errands,
            surroundings: &mut self.surroundings,
        };
        Session {
            plan,
            instruments: Instruments {
                subjects: &mut subjects,
                workloads: &mut FakeWorkloads,
                clock: &self.clock,
                counters: &mut FakeCounters::default(),
                disturbances: &self.disturbances,
            },
            workers: &mut workers,
            build: Build::default(),
            knee: self.knee,
            best: Look::default(),
            journal: &mut journal,
            progress: &mut self.steps,
        }
        .run()
    }

    fn records(&self) -> Vec<Record> {
        let text = std::fs::read_to_string(self.path()).expect("a journal");
        text.lines().map(|line| serde_json::from_str(line).expect("a record")).collect()
    }

    fn panels(&self) -> Vec<Panel> {
        let panel = |record| match record {
            Record::Panel(panel) => Some(panel),
            _ => None,
        };
        self.records().into_iter().filter_map(panel).collect()
    }

    fn rounds(&self) -> Vec<Round> {
        let round = |record| match record {
            Record::Round(round) => Some(round),
            _ => None,
        };
        self.records().into_iter().filter_map(round).collect()
    }
}

#[test]
fn each_round_holds_every_design_and_the_twin_on_the_same_positions() {
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
    assert_eq!(first.len(), 4, "over four rounds each of the four goes first once");
}

#[test]
fn a_batch_suits_the_middling_design_and_a_stream_goes_on_where_it_ended() {
    let mut bench = Bench::new();
    bench.run(&plan(vec![stream("w-5000")], Rounds::Fixed(7))).expect("a session");
    // 100 µs for the design of 100 ns; 400 µs for the slowest is within its limit.
    assert_eq!(bench.panels()[0].batch, 1_000);
    let firsts: Vec<_> = bench.rounds().iter().map(|round| round.first).collect();
    assert_eq!(firsts, [0, 1_000, 2_000, 3_000, 4_000, 0, 1_000]);
}

#[test]
fn a_stream_is_led_in_untimed_by_the_positions_before_the_batch() {
    let mut bench = Bench::new();
    bench.run(&plan(vec![stream("w-5000")], Rounds::Fixed(1))).expect("a session");
    let calls = bench.calls.borrow();
    let fast: Vec<_> = calls.iter().filter(|(id, _)| id == "fast").map(|(_, c)| c).collect();
    // All 5,000 positions but those of the batch lead to it; the batch is cut into three blocks.
    let expected = [
        Call::Load(1_000, 5_000),
        Call::Pass(0..4_000),
        Call::Pass(4_000..4_333),
        Call::Pass(4_333..4_666),
        Call::Pass(4_666..5_000),
        Call::Check(4_000..5_000),
    ];
    assert!(fast[fast.len() - expected.len()..].iter().copied().eq(&expected));
    assert_eq!(bench.panels()[0].blocks, 3);
    let slow: Vec<_> = calls.iter().filter(|(id, _)| id == "slow").map(|(_, c)| c).collect();
    assert!(slow.contains(&&Call::Load(0, 1_000)), "the referee loads the batch alone");
}

#[test]
fn a_replay_is_loaded_once_and_learnt_before_it_is_timed() {
    let mut bench = Bench::new();
    bench.run(&plan(vec![replay("w-64", 64)], Rounds::Fixed(3))).expect("a session");
    let calls = bench.calls.borrow();
    let loads = calls.iter().filter(|(_, call)| matches!(call, Call::Load(..)));
    assert_eq!(loads.count(), 6, "once for each design, to be sized and to be measured");
    // 64 positions of the fast design take 1,920 ns: 131 passes until a quarter of a millisecond
    // has gone, one empty pass up to the beginning of the batch, fifteen timed passes.
    let batch = bench.panels()[0].batch;
    assert_eq!(batch, 960);
    let fast: Vec<_> = calls.iter().filter(|(id, _)| id == "fast").map(|(_, c)| c).collect();
    let (check, before) = fast.split_last().expect("calls");
    assert_eq!(*check, &Call::Check(0..64), "once, however often it is timed");
    let sample = &before[before.len() - 147..];
    assert_eq!(sample[131], &Call::Pass(0..0));
    assert_eq!(sample.iter().filter(|call| **call == &Call::Pass(0..64)).count(), 146);
}

#[test]
fn a_wrong_answer_stops_the_session_and_has_no_time() {
    let mut bench = Bench::new();
    bench.subjects[1] = FakeSubject::new("fast", 30, &bench.now).wrong_at(2_500);
    let error = bench.run(&plan(vec![stream("w-5000")], Rounds::Fixed(5))).expect_err("wrong");
    let SessionError::Wrong(wrong) = &error else { panic!("{error}") };
    assert_eq!((wrong.design.as_str(), wrong.referee.as_str()), ("fast", "slow"));
    assert_eq!(wrong.panel, "w-5000/stream-tree/all");
    assert_eq!((wrong.round, wrong.first, wrong.positions), (2, 2_000, 1_000));
    assert!(error.to_string().contains("round 2, positions 2000 to 2999"), "{error}");
    assert_eq!(bench.rounds().len(), 2, "the rounds before it are kept");
}

#[test]
fn a_move_that_is_missed_only_while_it_is_timed_stops_the_session_too() {
    for panel in [stream("w-5000"), replay("w-16", 16), cold("w-5000")] {
        let mut bench = Bench::new();
        bench.subjects[1] = FakeSubject::new("fast", 30, &bench.now).missing_at(3);
        let error = bench.run(&plan(vec![panel], Rounds::Fixed(1))).expect_err("too few moves");
        let SessionError::Wrong(wrong) = &error else { panic!("{error}") };
        assert_eq!((wrong.design.as_str(), wrong.round), ("fast", 0));
        assert!(wrong.found.moves < wrong.expected.moves);
        assert_eq!(wrong.found.word, wrong.expected.word, "the check finds it");
    }
}

#[test]
fn designs_of_another_promise_are_held_to_another_answer() {
    let mut bench = Bench::new();
    let legal = FakeSubject::new("wrong-legal", 90, &bench.now).legal().wrong_at(0);
    bench.subjects.push(legal);
    let error = bench.run(&plan(vec![replay("w-16", 16)], Rounds::Fixed(1))).expect_err("wrong");
    let SessionError::Wrong(wrong) = error else { panic!("{error}") };
    assert_eq!((wrong.design.as_str(), wrong.referee.as_str()), ("wrong-legal", "legal"));
}

#[test]
fn disturbed_samples_are_marked_and_kept() {
    let mut bench = Bench::new();
    let plan = plan(vec![stream("w-5000")], Rounds::Fixed(1));
    // Two rounds warm up, of four readings each; they and the one of sizing take 24 calibrations.
    let switched = Reading { values: [(Event::ContextSwitches, 2)].into(), partial: false };
    let partial = Reading { partial: true, ..FakeCounters::quiet() };
    bench.counters.readings =
        [vec![FakeCounters::quiet(); 8], vec![switched, partial]].concat().into();
    let mut rates = vec![2.0; 28];
    rates.extend([2.0, 2.0625, 2.0, 2.015625]);
    bench.clock = FakeClock::new(&bench.now).with_rates(&rates);
    bench.run(&plan).expect("a session");
    let round = bench.rounds().remove(0);
    let marks: Vec<_> = round.samples.iter().map(|sample| sample.marks.join(" ")).collect();
    assert_eq!(marks, ["context-switch", "counters-shared", "clock-step", ""]);
    assert_eq!(round.samples[0].events["context-switches"], 2);
    assert_eq!(round.samples[2].cycles_per_tick, Some(2.03125));
    assert_eq!(round.samples[3].cycles_per_tick, Some(2.0078125));
}

#[test]
fn the_overhead_of_the_clock_is_taken_off() {
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
fn a_journal_with_other_designs_is_not_gone_on_with() {
    let mut bench = Bench::new();
    let plan = plan(vec![stream("w-5000")], Rounds::Fixed(2));
    bench.run(&plan).expect("a session");
    bench.subjects.pop();
    let error = bench.run(&plan).expect_err("other designs").to_string();
    assert!(error.contains("panel `w-5000/stream-tree/all` is not what it was"), "{error}");
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
fn a_budget_that_is_too_small_still_gives_the_least_rounds() {
    let mut bench = Bench::new();
    let rounds = Rounds::Budget { time: Duration::from_nanos(1), least: 5, most: 1_000 };
    bench.run(&plan(vec![stream("w-5000")], rounds)).expect("a session");
    assert_eq!(bench.rounds().len(), 5);
}

#[test]
fn progress_ends_where_it_said_it_would_and_with_no_time_left() {
    let mut bench = Bench::new();
    bench.run(&plan(vec![stream("w-5000"), stream("w-900")], Rounds::Fixed(4))).expect("a session");
    let done: Vec<_> = bench.steps.iter().map(|step| step.0).collect();
    assert!(done.is_sorted(), "{done:?}");
    assert_eq!(bench.steps[0], (0, 1, "sizing".to_owned(), None));
    let last = bench.steps.last().expect("steps");
    assert_eq!(last, &(1_000, 1_000, "measuring".to_owned(), Some(Duration::ZERO)));
}

#[test]
fn what_cannot_be_measured_is_a_sentence() {
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
    assert_eq!(error, "the baseline `nobody` is none of the designs that take part");
    bench.subjects.clear();
    assert!(matches!(bench.run(&plan(vec![stream("w-9")], fixed)), Err(SessionError::NoDesigns)));
}

#[test]
fn the_baseline_may_be_any_design_and_brings_its_twin() {
    let mut bench = Bench::new();
    let baseline = Some("fast".to_owned());
    bench
        .run(&Plan { baseline, ..plan(vec![stream("w-900")], Rounds::Fixed(1)) })
        .expect("a session");
    let panel = bench.panels().remove(0);
    assert_eq!((panel.baseline.as_str(), panel.twin.as_str()), ("fast", "fast (again)"));
    assert_eq!(panel.designs, ["slow", "fast", "legal"]);
}
