//! Traces the designs of a session, so that its page explains the times: the instructions that each design executes,
//! and the branches that a predictor would miss.
//!
//! The trace is short and comes before the first round. It changes no measurement, because the rounds run in other
//! processes. On a machine without a tracer the session has no traces and records the reason.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use raywalk_core::parallel::{self, Beside};
use raywalk_measure::clock::HardwareClock;
use raywalk_measure::design::Design;
use raywalk_measure::machine::affinity::Pinned;
use raywalk_measure::plan::Plan;
use raywalk_measure::progress::{Progress, Silent};
use raywalk_measure::session::{SessionError, Workloads};
use raywalk_results::journal::Journal;
use raywalk_results::schema::{Absent, Facility, Reason, Record, RegimeKind, Stage};
use raywalk_trace::program_file;

use crate::audit;
use crate::console::note;
use crate::latencies;
use crate::registry::Entry;
use crate::trace::{
    Executed, Images, Layout, Names, Replayed, Subject, Windows, entry_of, quiescence_of, window,
};

/// Why this machine has no traces.
pub(crate) fn absent() -> Option<Absent> {
    let error = raywalk_trace::check().err()?;
    let reason = match cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        true => Reason::Refused { error: error.to_string() },
        false => Reason::X86Only,
    };
    Some(Absent::facility(Facility::Trace, reason))
}

/// The workloads of a plan that are traced: the longest cycle of the memorisation curve, on which a stream, a replay
/// and their control are compared, and the workload of the headline.
fn workloads(plan: &Plan) -> Vec<String> {
    let replays = plan.panels.iter().filter(|panel| panel.regime.kind == RegimeKind::Replay);
    let cycle = replays.max_by_key(|panel| panel.regime.period).map(|panel| &panel.workload);
    let headline = plan.headline();
    let headline = plan.panels.iter().find(|panel| panel.id() == headline).map(|it| &it.workload);
    let mut names: Vec<String> = Vec::new();
    for name in cycle.into_iter().chain(headline) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

/// A design whose branches a thread replays.
struct Pending<'scope> {
    id: String,
    is_plugin: bool,
    executed: Arc<Executed>,
    models: Beside<'scope, Replayed>,
}

/// Receives the progress of a session, and of the tracing before it, which does not count towards the session.
pub(crate) trait Watcher: Progress {
    /// Called before each design is traced on this workload, after `done` of `total`.
    fn tracing(&mut self, workload: &str, done: u64, total: u64);
}

impl Watcher for Silent {
    fn tracing(&mut self, _: &str, _: u64, _: u64) {}
}

/// The designs of a session.
pub(crate) struct TakingPart<'a> {
    /// The entries of all that may take part, plug-ins too.
    pub(crate) entries: &'a [&'static Entry],
    pub(crate) designs: &'a mut [Box<dyn Design>],
}

/// Traces all designs that the journal has no trace of. While one is traced, the models replay the one before on
/// another processor, at its own addresses and at those of each relinked program. Designs without an entry, such as
/// copies of others, are left out, and so is one that cannot be traced, with a note.
pub(crate) fn explain(
    plan: &Plan,
    relinked: &[(u64, PathBuf)],
    taking_part: TakingPart<'_>,
    sources: &mut dyn Workloads,
    journal: &mut Journal,
    pinned: Option<&Pinned>,
    progress: &mut dyn Watcher,
) -> Result<()> {
    // What a design executes is the same in every shard, so the first one traces for all.
    let is_later = plan.shard.is_some_and(|shard| shard.number() > 1);
    if plan.trace == 0 || is_later || absent().is_some() {
        return Ok(());
    }
    let TakingPart { entries, designs } = taking_part;
    record_code(entries, designs, journal)?;
    let program = program_file()?;
    let names = Names::new(&program).map_err(anyhow::Error::msg)?;
    let images = (!relinked.is_empty()).then(|| Images::read(relinked)).transpose()?;
    let programs = images.as_ref().map(Images::parse).transpose()?;
    let layouts = programs.as_ref().map_or_else(Vec::new, |programs| programs.layouts());
    let latencies = latencies::measured(&HardwareClock::measure());
    let workloads = workloads(plan);
    let total = (workloads.len() * designs.len()) as u64;
    let mut done = 0;
    for workload in &workloads {
        // A workload without a recorded search has no types of nodes.
        let trees = sources.recording(workload).ok();
        let positions = sources
            .positions(workload)
            .map_err(|why| SessionError::Workload { workload: workload.clone(), why })?;
        let positions = &positions.positions;
        let quiescence = quiescence_of(trees.as_deref().unwrap_or_default(), positions.len());
        // A run of the learnt replay is a window: in long traces the K of the memory-matched control.
        let replay = window(plan.trace.min(positions.len()));
        let windows = Windows::of(positions, &quiescence, plan.trace, replay);
        let subject = Subject {
            workload,
            stage: Stage::All,
            windows: &windows,
            latencies: latencies.as_ref(),
        };
        std::thread::scope(|scope| -> Result<()> {
            let mut before: Option<Pending<'_>> = None;
            for design in designs.iter_mut() {
                progress.tracing(workload, done, total);
                done += 1;
                let id = design.id().to_owned();
                let known = journal.contents().trace(&id, workload, Stage::All).is_some();
                let Some(entry) = entries.iter().find(|entry| entry.card.id == id && !known) else {
                    continue;
                };
                match executed(entry, &mut **design, &subject) {
                    Ok(executed) => {
                        let executed = Arc::new(executed);
                        let shared = Arc::clone(&executed);
                        let (windows, layouts) = (&windows, &layouts[..]);
                        let models = parallel::beside(scope, move || {
                            // The thread inherits the one processor of this one.
                            pinned.inspect(|pinned| pinned.step_aside());
                            shared.replayed(windows, layouts)
                        });
                        let is_plugin = entry.plugin().is_some();
                        let this = Pending { id, is_plugin, executed, models };
                        write(before.replace(this), &subject, &names, layouts, journal)?;
                    }
                    Err(error) => note!("{id} has no trace: {error}"),
                }
            }
            write(before, &subject, &names, &layouts, journal)
        })?;
    }
    Ok(())
}

/// Traces one design. A plug-in is tried in another process first, and loaded into this one if it answers there.
fn executed(
    entry: &'static Entry,
    design: &mut dyn Design,
    subject: &Subject<'_>,
) -> Result<Executed> {
    let address = entry_of(entry, Stage::All);
    let found = match entry.plugin() {
        None => Executed::of(address, design, subject),
        Some(plugin) => {
            let positions = subject.windows.positions.iter();
            Executed::of(address, &mut *plugin.tried(&[Stage::All], positions)?, subject)
        }
    };
    Ok(found?)
}

/// Appends the audited code of the built-in designs that the journal has none of. Without it a session
/// continues, with a note.
fn record_code(
    entries: &[&'static Entry],
    designs: &[Box<dyn Design>],
    journal: &mut Journal,
) -> Result<()> {
    let is_new = |entry: &&Entry| {
        let id = entry.card.id;
        let takes_part = designs.iter().any(|design| design.id() == id);
        // The code of a plug-in is in its library and not in this program.
        takes_part && entry.plugin().is_none() && journal.contents().code(id).is_none()
    };
    let entries: Vec<&Entry> = entries.iter().copied().filter(is_new).collect();
    let found = match entries.is_empty() {
        true => Ok(Vec::new()),
        false => audit::codes(&entries),
    };
    match found {
        Ok(codes) => codes.into_iter().try_for_each(|code| Ok(journal.append(Record::Code(code))?)),
        Err(error) => {
            note!("the code of the designs is not shown: {error}");
            Ok(())
        }
    }
}

/// Waits for the models of a design and appends its record.
fn write(
    pending: Option<Pending<'_>>,
    subject: &Subject<'_>,
    names: &Names<'_>,
    layouts: &[Layout<'_>],
    journal: &mut Journal,
) -> Result<()> {
    let Some(Pending { id, is_plugin, executed, models }) = pending else { return Ok(()) };
    let replayed = models.join();
    // The code of a plug-in is in its library, which no layout moves.
    for layout in if is_plugin { &[] } else { layouts } {
        if replayed.layouts.iter().all(|found| found.layout != layout.seed) {
            note!("{id} has no model of layout {}: its code is not found there", layout.seed);
        }
    }
    let record = executed.record(&id, subject, &replayed, names);
    Ok(journal.append(Record::Trace(record))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_cycle_and_the_headline_are_traced() {
        assert_eq!(workloads(&Plan::quick()), ["cycle-65536", "ab4"]);
        assert_eq!(workloads(&Plan::full(160)), ["cycle-65536", "ab4"]);
    }
}
