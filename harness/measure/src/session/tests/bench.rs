//! A virtual machine with designs and a journal, and the plans that run on it.

use std::path::PathBuf;
use std::time::Duration;

use raywalk_results::schema::{
    self, Call, ClockSource, Order, Record, Regime, Round, SchemaVersion, Stage,
};

use super::*;
use crate::design::Design;
use crate::fake::{
    Calls, FakeClock, FakeCounters, FakeDesign, FakeEnvironment, FakePerturbations, FakeWorkloads,
    Time,
};
use crate::machine::placement::Placement;
use crate::plan::Rounds;
use crate::regime::{self, rules};

pub(crate) fn header() -> schema::Session {
    schema::Session {
        schema: SchemaVersion::CURRENT,
        started: String::new(),
        plan: "test".to_owned(),
        seed: 3,
        command: String::new(),
        machine: schema::Machine::default(),
        build: Build::default(),
        clock: schema::Clock {
            source: ClockSource::Fake,
            hertz: 1e9,
            quantum: 10,
            overhead: 0,
            invariant: true,
        },
        corpora: Vec::new(),
        absent: Vec::new(),
        processor: None,
        siblings: Vec::new(),
        load: None,
        shares: 1,
        layouts: Vec::new(),
        shard: None,
        merged: None,
        margin: Plan::MARGIN,
        headline: String::new(),
        plan_file: String::new(),
    }
}

pub(crate) fn stream(workload: &str) -> PanelPlan {
    PanelPlan {
        workload: workload.to_owned(),
        file: None,
        regime: Regime::stream(Order::Tree),
        call: Call::generate(Stage::All),
        headline: false,
    }
}

pub(crate) fn replay(workload: &str, k: u64) -> PanelPlan {
    stream(workload).in_regime(regime::replay(k, Order::Shuffled))
}

/// A panel in a regime, with its parameter as in a plan file.
pub(crate) fn perturbed(workload: &str, kind: schema::RegimeKind, parameter: &str) -> PanelPlan {
    let value = toml::Value::from(parameter);
    let parameter = (!parameter.is_empty()).then_some(&value);
    let mut regimes = rules(kind).parse(parameter, Order::Tree).expect("a regime");
    stream(workload).in_regime(regimes.remove(0))
}

pub(crate) fn cold(workload: &str) -> PanelPlan {
    perturbed(workload, schema::RegimeKind::Cold, "")
}

pub(crate) fn pressed(workload: &str, size: &str) -> PanelPlan {
    perturbed(workload, schema::RegimeKind::Pressure, size)
}

pub(crate) fn plan(panels: Vec<PanelPlan>, rounds: Rounds) -> Plan {
    let batch = Duration::from_micros(100);
    let name = "test".to_owned();
    Plan { name, seed: Some(3), batch, rounds, panels, processes: 1, ..Plan::quick() }
}

pub(crate) fn record(id: &str) -> schema::Design {
    let status = schema::Status::Verified { checks: 1 };
    schema::Design::bare(id, schema::Control::Branchy, status)
}

/// A virtual machine, a journal, and three designs of 30, 100 and 400 ns per position.
pub(crate) struct Bench {
    pub now: Time,
    pub calls: Calls,
    pub clock: FakeClock,
    pub counters: FakeCounters,
    pub perturbations: FakePerturbations,
    pub designs: Vec<FakeDesign>,
    pub steps: Vec<(u64, u64, String, Option<Duration>)>,
    pub jobs: Vec<Job>,
    pub environment: FakeEnvironment,
    pub shard: Option<schema::Shard>,
    pub spent: Duration,
    pub folder: tempfile::TempDir,
}

pub(crate) fn boxed(designs: &[FakeDesign]) -> Vec<Box<dyn Design>> {
    designs.iter().map(|design| Box::new(design.clone()) as Box<dyn Design>).collect()
}

/// Runs jobs in the process of the test and records them.
pub(crate) struct Here<'a> {
    pub designs: Vec<Box<dyn Design>>,
    pub clock: &'a FakeClock,
    pub counters: &'a mut FakeCounters,
    pub perturbations: &'a FakePerturbations,
    pub jobs: &'a mut Vec<Job>,
    pub environment: &'a mut FakeEnvironment,
}

impl Workers for Here<'_> {
    fn run(&mut self, job: &Job, receive: &mut Receive<'_>) -> Result<(), SessionError> {
        self.jobs.push(job.clone());
        let mut instruments = Instruments {
            designs: &mut self.designs,
            workloads: &mut FakeWorkloads,
            clock: self.clock,
            counters: self.counters,
            perturbations: self.perturbations,
        };
        instruments.run(job, Placement::default(), &mut *self.environment, receive)
    }
}

impl Progress for Vec<(u64, u64, String, Option<Duration>)> {
    fn step(&mut self, step: &Step<'_>) {
        self.push((step.done, step.total, step.activity.name().to_owned(), step.left));
    }
}

impl Bench {
    pub(crate) fn new() -> Bench {
        let (now, calls) = (Time::default(), Calls::default());
        let design = |id: &str, cost| FakeDesign::new(id, cost, &now).recording(&calls);
        let designs = vec![design("slow", 400), design("fast", 30), design("legal", 100).legal()];
        Bench {
            clock: FakeClock::new(&now),
            perturbations: FakePerturbations { now: now.clone(), ..FakePerturbations::default() },
            now,
            calls,
            counters: FakeCounters::default(),
            designs,
            steps: Vec::new(),
            jobs: Vec::new(),
            environment: FakeEnvironment::default(),
            shard: None,
            spent: Duration::ZERO,
            folder: tempfile::tempdir().expect("a folder"),
        }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("journal.jsonl")
    }

    /// Creates or resumes the journal, with a record of each design.
    pub(crate) fn journal(&self) -> Journal {
        let open = if self.path().exists() { Journal::resume } else { Journal::create };
        let header = schema::Session { shard: self.shard, ..header() };
        let mut journal = open(&self.path(), &header).expect("a journal");
        for design in &self.designs {
            let plugin = schema::Plugin { file: "fake.so".to_owned(), digest: String::new() };
            let plugin = design.is_plugin().then_some(plugin);
            let record = schema::Design { plugin, ..record(design.id()) };
            journal.design(&record).expect("a design");
        }
        journal
    }

    pub(crate) fn run(&mut self, plan: &Plan) -> Result<Outcome, SessionError> {
        let mut journal = self.journal();
        let [mut designs, workers] = [(); 2].map(|()| boxed(&self.designs));
        let mut workers = Here {
            designs: workers,
            clock: &self.clock,
            counters: &mut self.counters,
            perturbations: &self.perturbations,
            jobs: &mut self.jobs,
            environment: &mut self.environment,
        };
        Session {
            plan,
            instruments: Instruments {
                designs: &mut designs,
                workloads: &mut FakeWorkloads,
                clock: &self.clock,
                counters: &mut FakeCounters::default(),
                perturbations: &self.perturbations,
            },
            workers: &mut workers,
            build: Build::default(),
            spent: self.spent,
            journal: &mut journal,
            progress: &mut self.steps,
        }
        .run()
    }

    pub(crate) fn records(&self) -> Vec<Record> {
        let text = std::fs::read_to_string(self.path()).expect("a journal");
        text.lines().map(|line| Record::parse(line.as_bytes()).expect("a record")).collect()
    }

    pub(crate) fn panels(&self) -> Vec<Panel> {
        let panel = |record| match record {
            Record::Panel(panel) => Some(panel),
            _ => None,
        };
        self.records().into_iter().filter_map(panel).collect()
    }

    pub(crate) fn rounds(&self) -> Vec<Round> {
        let round = |record| match record {
            Record::Round(round) => Some(round),
            _ => None,
        };
        self.records().into_iter().filter_map(round).collect()
    }
}
