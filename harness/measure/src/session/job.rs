//! The work of one measuring process.
//!
//! The rounds of each panel are cut into as many shares as the session has processes. Together the
//! shares pass through the batches of the workload, so each visits others, until all were visited. The
//! batches of a second pass meet other processes than those of the first. The cost of a batch and the
//! effect of a process can therefore be separated, and the effect of an unlucky placement shows in one
//! share among several.
//!
//! The first panel of a process warms up until its rounds become no faster, at most
//! [`WarmUp::MOST`] of them. Later panels do not: each sample prepares its design by itself.

use std::ops::Range;
use std::time::Duration;

use raywalk_results::schema::{Build, Panel, Process, Round, WarmUp};
use serde::{Deserialize, Serialize};

use super::error::SessionError;
use super::instruments::Instruments;
use super::message::{Message, Receive};
use super::runner::Measured;
use crate::clock::Clock;
use crate::environment::{Best, Conditions, Environment};
use crate::machine::placement::Placement;
use crate::plan::{PluginFile, WorkloadFile, share_of};

/// The work of one process: a share of the rounds of every panel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// Number of the process in the order they run, from 0.
    pub process: u64,
    /// Number of the share of the rounds that it starts or resumes, from 0.
    pub share: u64,
    /// Number of shares that the rounds of each panel are cut into.
    pub shares: u64,
    /// Seed of the section order that the program must be linked with.
    pub layout: Option<u64>,
    /// Bytes to add to the environment.
    pub padding: u64,
    /// Bytes to move the heap by.
    pub heap_padding: u64,
    /// Seed of the pages of physical memory.
    pub pages: u64,
    /// Upper bound on all delays of rounds because the machine is slow.
    pub patience: Duration,
    /// The best levels of earlier processes, as old as they are when the process starts.
    pub best: Best,
    /// The verified build; a process of another build must not measure.
    pub build: Build,
    /// The files that workloads of the tasks come from.
    pub files: Vec<WorkloadFile>,
    /// The plug-ins that designs of the tasks come from.
    pub plugins: Vec<PluginFile>,
    /// The tasks, in the order of the plan.
    pub tasks: Vec<Task>,
}

/// The rounds of one panel in one share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// The panel, with the size of its batches.
    pub panel: Panel,
    /// Seed of its random orders.
    pub seed: u64,
    /// The first round of the share that is missing.
    pub next: u64,
}

impl Job {
    /// The rounds of a task in the share.
    pub(super) fn rounds(&self, task: &Task) -> Range<u64> {
        share_of(task.panel.rounds, self.shares, self.share)
    }
}

/// Runs jobs. Behind a trait, so that tests need no processes.
pub trait Workers {
    /// Runs one job and passes on all its messages.
    ///
    /// # Errors
    /// [`SessionError`]: that of `receive`, or why the job ended early.
    fn run(&mut self, job: &Job, receive: &mut Receive<'_>) -> Result<(), SessionError>;
}

impl<C: Clock> Instruments<'_, C> {
    /// Runs a job in this process.
    ///
    /// # Errors
    /// [`SessionError`]: that of `send`, or why the job ended early.
    pub fn run(
        &mut self,
        job: &Job,
        placement: Placement,
        environment: &mut dyn Environment,
        send: &mut Receive<'_>,
    ) -> Result<(), SessionError> {
        let process = job.process;
        send(Message::Started(Process {
            number: process,
            share: job.share,
            layout: job.layout,
            padding: job.padding,
            heap_padding: job.heap_padding,
            code: placement.code,
            stack: placement.stack,
            heap: placement.heap,
        }))?;
        for (place, task) in job.tasks.iter().enumerate() {
            environment.before_panel(job.tasks.len() - place);
            let Task { panel, seed, next } = task;
            let rounds = job.rounds(task);
            self.open(panel, *seed, Some([job.share, job.shares]), |runner| {
                let size = [panel.batch as usize, panel.blocks as usize];
                // Each sample prepares its design. What has to warm up is the process.
                if place == 0 {
                    let levels = runner.warm_up(rounds.end - rounds.start, size, send)?;
                    send(Message::WarmUp(WarmUp { panel: panel.id.clone(), process, levels }))?;
                }
                let mut next = *next;
                while next < rounds.end {
                    let turn = next..runner.turn(next).end.min(rounds.end);
                    let mut delay = environment.before_round();
                    let measured =
                        runner.rounds(turn.clone(), size, Some(&mut *environment), send)?;
                    let Conditions { delayed, mut stolen, marks } = environment.after_round();
                    delay += delayed;
                    for (round, Measured { first, root, samples }) in turn.clone().zip(measured) {
                        // Delay and stolen time are those of the turn; its first round has them.
                        send(Message::Round(Box::new(Round {
                            panel: panel.id.clone(),
                            round,
                            process,
                            first,
                            root,
                            delayed_ms: std::mem::take(&mut delay),
                            steal_ms: std::mem::take(&mut stolen),
                            marks: marks.clone(),
                            samples,
                        })))?;
                    }
                    next = turn.end;
                }
                Ok(())
            })?;
        }
        send(Message::Done(environment.best()))
    }
}
