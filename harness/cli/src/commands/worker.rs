//! `raywalk worker`: one short process of a session, started by `raywalk run`.
//!
//! A worker reads a job from stdin and writes its messages to stdout, one line of JSON each. It writes no
//! file, so it cannot damage the journal if it crashes or is killed.

use std::io::{Read, Write};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use raywalk_measure::clock::HardwareClock;
use raywalk_measure::counters;
use raywalk_measure::design::Design;
use raywalk_measure::environment::Watch;
use raywalk_measure::machine::{affinity::Pinned, memory::Locked, placement};
use raywalk_measure::regime::RealPerturbations;
use raywalk_measure::session::{Instruments, Job, Message, SessionError};
use raywalk_results::json_error::in_words;
use raywalk_results::schema::Dropped;

use crate::corpora::Corpora;
use crate::registry::Designs;
use crate::{known, manifest};

/// Run one job of a session; internal to `raywalk run`
#[derive(clap::Args)]
pub(super) struct Worker {
    /// Processor to pin the process to
    #[arg(long)]
    processor: Option<usize>,
}

impl Worker {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).context("cannot read a job")?;
        let job: Job = serde_json::from_str(&text)
            .map_err(|error| anyhow!("the input is no job: {}", in_words(&error)))?;
        match work(&job, self.processor, out) {
            // The session has ended, so no process is left to receive an error.
            Err(error) if error.downcast_ref::<SessionEnded>().is_some() => {}
            Err(error) => send(out, &Message::Failed(format!("{error:#}")))?,
            Ok(()) => {}
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The process that receives the messages is gone.
#[derive(Debug, thiserror::Error)]
#[error("the session has ended")]
struct SessionEnded;

fn work(job: &Job, processor: Option<usize>, out: &mut dyn Write) -> Result<()> {
    // Before tables and boards are allocated: only later allocations move.
    placement::move_the_heap(job.heap_padding);
    placement::scatter_pages(job.pages);
    // Ends with its session: a worker that outlives a killed one would disturb the resumed session.
    placement::end_with_the_parent();
    ensure!(
        job.build == manifest::build(),
        "the program was rebuilt during the session, so these rounds would not be comparable with the \
         others; start a new session"
    );
    // The process that started this one ends it if a plug-in does not return.
    let registered = Designs::loaded(&job.plugins, Duration::MAX)?;
    let mut designs: Vec<Box<dyn Design>> = Vec::new();
    for id in job.tasks.iter().flat_map(|task| &task.panel.designs) {
        if designs.iter().all(|design| design.id() != id) {
            let is_plugin = registered.is_plugin(id);
            if is_plugin {
                let place = "the building of its tables".to_owned();
                send(out, &Message::Calling { design: id.clone(), place })?;
            }
            designs.push(known::design(id, &registered)?);
            if is_plugin {
                send(out, &Message::Returned)?;
            }
        }
    }
    // Both may fail, which makes the session noisier. The journal's session record lists the failure.
    let pinned = processor.map_or_else(Pinned::to_one_processor, Pinned::to);
    let processor = pinned.as_ref().ok().map(|pinned| pinned.processor);
    // It has a name, because a bare `_` would drop it here and unlock the memory.
    let _locked = Locked::all();
    let clock = HardwareClock::measure();
    let mut instruments = Instruments {
        designs: &mut designs,
        workloads: &mut Corpora::new(&job.files),
        clock: &clock,
        counters: &mut *counters::of_this_machine(processor),
        perturbations: &RealPerturbations,
    };
    let mut watch = Watch::of_this_machine(&clock, processor, job.patience).knowing(&job.best);
    let mut ended = false;
    let done = instruments.run(job, placement::here(), &mut watch, &mut |message| {
        send(out, &message).map_err(|error| {
            ended = true;
            SessionError::Process(error.to_string())
        })
    });
    match done {
        _ if ended => Err(SessionEnded.into()),
        Err(SessionError::Wrong(wrong)) if is_plugin(&designs, &wrong.design) => {
            let why = wrong.to_string();
            send(out, &Message::Unfit(Dropped { design: wrong.design, why }))
        }
        done => Ok(done?),
    }
}

fn is_plugin(designs: &[Box<dyn Design>], id: &str) -> bool {
    designs.iter().any(|design| design.id() == id && design.is_plugin())
}

fn send(out: &mut dyn Write, message: &Message) -> Result<()> {
    let line = serde_json::to_string(message)?;
    writeln!(out, "{line}")?;
    Ok(out.flush()?)
}
