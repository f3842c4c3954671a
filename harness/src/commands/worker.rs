//! `raywalk worker`: one short process of a session, started by `raywalk run`.
//!
//! It reads an errand from its input and writes what it does to its output, a line of JSON for each
//! message. It writes no file, so whatever becomes of it, the journal is whole.

use std::io::{Read, Write};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use super::positions::Positions;
use crate::machine::{affinity::Pinned, built, memory::Locked, placement};
use crate::measure::clock::HardwareClock;
use crate::measure::counters;
use crate::measure::disturb::OfThisMachine;
use crate::measure::quiet::Watch;
use crate::measure::session::{Errand, Instruments, Message, SessionError};
use crate::measure::subject::Subject;
use crate::selftest::known;

/// Carry out one errand of a session; for `raywalk run` only
#[derive(clap::Args)]
pub struct Worker {
    /// The processor to stay on
    #[arg(long)]
    processor: Option<usize>,
}

impl Worker {
    pub fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).context("no errand can be read")?;
        let errand: Errand = serde_json::from_str(&text).context("this is no errand")?;
        match work(&errand, self.processor, out) {
            // The session is gone, and nobody is left who could be told.
            Err(error) if error.downcast_ref::<Gone>().is_some() => {}
            Err(error) => say(out, &Message::Failed(format!("{error:#}")))?,
            Ok(()) => {}
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Nobody listens any more.
#[derive(Debug, thiserror::Error)]
#[error("the session is gone")]
struct Gone;

fn work(errand: &Errand, processor: Option<usize>, out: &mut dyn Write) -> Result<()> {
    // The session may have been killed, and must not find its machine busy when it is gone on with.
    placement::end_with_the_parent();
    if errand.build != built::build() {
        bail!(
            "the program was built anew from other sources while the session ran, so these rounds \
             could not stand beside the others; start a new session"
        );
    }
    let mut subjects: Vec<Box<dyn Subject>> = Vec::new();
    for id in errand.tasks.iter().flat_map(|task| &task.panel.designs) {
        if subjects.iter().all(|subject| subject.id() != id) {
            subjects.push(known::subject(id)?);
        }
    }
    // Without these two a session is noisier, and the first process of it has said so.
    let pinned = processor.map_or_else(Pinned::to_one_processor, Pinned::to);
    let _locked = Locked::all();
    let clock = HardwareClock::measure();
    let mut instruments = Instruments {
        subjects: &mut subjects,
        workloads: &mut Positions::new(),
        clock: &clock,
        counters: &mut counters::of_this_machine(),
        disturbances: &OfThisMachine,
    };
    let processor = pinned.as_ref().ok().map(|pinned| pinned.processor);
    let mut watch = Watch::of_this_machine(&clock, processor, errand.patience).knowing(errand.best);
    let mut gone = false;
    let done = instruments.carry_out(errand, placement::here(), &mut watch, &mut |message| {
        say(out, &message).map_err(|error| {
            gone = true;
            SessionError::Process(error.to_string())
        })
    });
    if gone { Err(Gone.into()) } else { Ok(done?) }
}

fn say(out: &mut dyn Write, message: &Message) -> Result<()> {
    let line = serde_json::to_string(message)?;
    writeln!(out, "{line}")?;
    Ok(out.flush()?)
}
