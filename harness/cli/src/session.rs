//! Runs one measuring session: opens the journal, runs the self-test, sends jobs to short-lived
//! processes.
//!
//! `raywalk run` and `raywalk selftest --sessions` share this code, so the results of the self-test
//! apply to the sessions of users.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Result;
use raywalk_measure::design::Design;
use raywalk_measure::plan::Plan;
use raywalk_measure::regime::RealPerturbations;
use raywalk_measure::session::{Instruments, Session, SessionError};
use raywalk_measure::utc;
use raywalk_results::journal::{Journal, JournalError, Problem};
use raywalk_results::schema::{self, Dropped, Record};

use crate::console::External;
use crate::corpora::Corpora;
use crate::explain::{TakingPart, Watcher, explain};
use crate::folders;
use crate::host::Host;
use crate::processes::FreshProcesses;
use crate::registry::Entry;
use crate::selftest::before_session;

/// The inputs of a session.
pub(crate) struct Assembly<'a> {
    /// Panels, designs, rounds and seed.
    pub plan: &'a Plan,
    /// The entries of all designs that may take part, plug-ins too.
    pub entries: &'a [&'static Entry],
    /// The designs that take part, verified, in registry order.
    pub designs: Vec<Box<dyn Design>>,
    /// Journal records of all designs, including those that do not take part.
    pub records: Vec<schema::Design>,
    /// Source of the positions of the plan's workloads.
    pub corpora: &'a mut Corpora,
    /// Programs with the seeds of their section orders; this program if absent.
    pub programs: Option<Vec<(Option<u64>, PathBuf)>>,
    pub journal: &'a Path,
    /// Whether to resume the journal.
    pub resume: bool,
    /// Whether to run the self-test first.
    pub selftest: bool,
    /// When the time of the plan began: after peers were built.
    pub begun: Instant,
    /// Upper bound on the time that a plug-in takes for its part of a turn: a warm-up and up to four
    /// rounds.
    pub plugin_timeout: Duration,
    /// Load averages, read before this process adds load.
    pub load: Option<[f64; 3]>,
    pub progress: &'a mut dyn Watcher,
}

impl Assembly<'_> {
    /// Runs the session to its end, and returns the plug-ins that were dropped, also before it was resumed. Everything
    /// measured before an error is in the journal. A finished journal is left unchanged.
    pub(crate) fn run(mut self) -> Result<Vec<Dropped>> {
        let loading = Instant::now();
        let corpora = self.corpora.load(self.plan)?;
        // Corpora are generated once for all sessions of a machine.
        let begun = self.begun + loading.elapsed();
        let mut host = Host::open(self.load);
        let session = host.session(self.plan, corpora);
        let mut journal = match self.resume {
            true => match Journal::resume(self.journal, &session) {
                Err(JournalError { problem: Problem::Finished(_), .. }) => {
                    return Ok(folders::read_journal(self.journal)?.dropped);
                }
                journal => journal?,
            },
            false => Journal::create(self.journal, &session)?,
        };
        // Those of a session that is resumed stay out.
        let mut dropped = journal.contents().dropped.clone();
        let is_out = |id: &str| dropped.iter().any(|one| one.design == id);
        for record in self.records.iter().filter(|record| !is_out(&record.id)) {
            journal.design(record)?;
        }
        self.designs.retain(|design| !is_out(design.id()));
        // A resumed journal contains the self-test that ran before its first round.
        if self.selftest && journal.contents().selftest.is_empty() {
            let Host { clock, counters, machine, .. } = &mut host;
            let found = before_session(clock, &mut **counters, &machine.caches, self.plan.seed());
            journal.append(Record::Selftest(found))?;
        }
        let Assembly { plan, entries, designs, corpora, programs, progress, .. } = &mut self;
        let pinned = host.pinned.ok();
        let relinked: Vec<(u64, PathBuf)> = programs
            .iter()
            .flatten()
            .filter_map(|(seed, path)| Some(((*seed)?, path.clone())))
            .collect();
        let taking_part = TakingPart { entries, designs };
        explain(plan, &relinked, taking_part, *corpora, &mut journal, pinned.as_ref(), *progress)?;
        let mut workers = match self.programs.take() {
            Some(programs) => FreshProcesses::new(programs, pinned, self.plugin_timeout),
            None => FreshProcesses::of_this_program(pinned, self.plugin_timeout)?,
        };
        let outcome = Session {
            plan: self.plan,
            instruments: Instruments {
                designs: &mut self.designs,
                workloads: self.corpora,
                clock: &host.clock,
                counters: &mut *host.counters,
                perturbations: &RealPerturbations,
            },
            workers: &mut workers,
            build: session.build,
            spent: begun.elapsed(),
            journal: &mut journal,
            progress: self.progress,
        }
        .run()
        .map_err(|error| match error {
            SessionError::Process(why) => anyhow::Error::new(External(why)),
            other => other.into(),
        })?;
        journal.end(utc::now())?;
        dropped.extend(outcome.dropped);
        Ok(dropped)
    }
}
