//! What a short process is sent to do, and what it says.
//!
//! The rounds of each panel are cut into as many shares as the session has processes. All shares
//! visit the same positions, from the first one on, each in an order of designs of its own. So what a
//! round costs for its positions and what it costs for its process can be told apart, and a number
//! that one accident of placement made shows as one share among several.

use std::ops::Range;
use std::time::Duration;

use raywalk_reports::schema::{Build, Panel, Process, Round, WarmUp};
use serde::{Deserialize, Serialize};

use super::{Instruments, SessionError};
use crate::measure::clock::Clock;
use crate::measure::counters::Counters;
use crate::measure::quiet::{Disturbed, Look, Surroundings};

/// The work of one process: a share of the rounds of every panel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Errand {
    /// Number of the process.
    pub process: u64,
    /// Number of the share.
    pub share: u64,
    /// Seed of the section order that the program should be linked in.
    pub layout: Option<u64>,
    /// Bytes to be added to the environment.
    pub padding: u64,
    /// How long it may put rounds off, in total, because the machine is slow.
    pub patience: Duration,
    /// The best that an earlier process saw of the machine.
    pub best: Look,
    /// The build that was verified: no other may measure.
    pub build: Build,
    /// In the order of the plan.
    pub tasks: Vec<Task>,
}

/// The rounds of one panel in one share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// The panel, sized.
    pub panel: Panel,
    /// Its random orders come from it.
    pub seed: u64,
    /// The rounds of the share.
    pub rounds: Range<u64>,
    /// The first of them that is missing.
    pub next: u64,
}

/// What a process says, one after another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Message {
    /// It began; always the first.
    Began(Process),
    /// A panel is warm.
    WarmUp(WarmUp),
    /// A round was made.
    Round(Box<Round>),
    /// All is done, and this is the best that was seen of the machine; the last message.
    Ended(Look),
    /// It cannot go on: one sentence, and the last message.
    Failed(String),
}

/// Where the program lies in this process, in hexadecimal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placement {
    /// A function.
    pub code: String,
    /// A local variable.
    pub stack: String,
    /// An allocation.
    pub heap: String,
}

/// Hears what a process says; an error stops the process.
pub type Hear<'a> = dyn FnMut(Message) -> Result<(), SessionError> + 'a;

/// Somebody who carries errands out. Behind a trait, so that tests need no processes.
pub trait Workers {
    /// Carries one out and passes on everything that is said.
    ///
    /// # Errors
    /// [`SessionError`]: that of `hear`, or why the errand was broken off.
    fn carry_out(&mut self, errand: &Errand, hear: &mut Hear<'_>) -> Result<(), SessionError>;
}

impl<C: Clock, K: Counters> Instruments<'_, C, K> {
    /// Carries an errand out in this process.
    ///
    /// # Errors
    /// [`SessionError`]: that of `say`, or why the errand was broken off.
    pub fn carry_out(
        &mut self,
        errand: &Errand,
        placement: Placement,
        surroundings: &mut dyn Surroundings,
        say: &mut Hear<'_>,
    ) -> Result<(), SessionError> {
        let process = errand.process;
        say(Message::Began(Process {
            number: process,
            share: errand.share,
            layout: errand.layout,
            padding: errand.padding,
            code: placement.code,
            stack: placement.stack,
            heap: placement.heap,
        }))?;
        for Task { panel, seed, rounds, next } in &errand.tasks {
            self.open(panel, *seed, |runner| {
                let batch = panel.batch as usize;
                // Positions that this share does not time, unless it goes around the workload.
                let levels = runner.warm_up(rounds.end - rounds.start, batch)?;
                say(Message::WarmUp(WarmUp { panel: panel.id.clone(), process, levels }))?;
                for round in *next..rounds.end {
                    let waited = surroundings.before_round();
                    let (first, samples) = runner.round(round, round - rounds.start, batch)?;
                    let Disturbed { stolen, marks, .. } = surroundings.after_round();
                    say(Message::Round(Box::new(Round {
                        panel: panel.id.clone(),
                        round,
                        process,
                        first,
                        waited_ms: waited.milliseconds,
                        steal_ms: stolen,
                        marks: marks.iter().map(|mark| mark.name().to_owned()).collect(),
                        samples,
                    })))?;
                }
                Ok(())
            })?;
        }
        say(Message::Ended(surroundings.best()))
    }
}
