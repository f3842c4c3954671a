//! Traces the designs of a session, so that its page has the *why* beside the times: what each design executes, and
//! which branches a predictor would miss.
//!
//! The trace is short and comes before the first round. It changes no measurement, because the rounds run in other
//! processes. A machine without a tracer has a session without traces; the session says why.

use anyhow::Result;
use raywalk_measure::design::Design;
use raywalk_measure::plan::Plan;
use raywalk_measure::progress::{Progress, Step};
use raywalk_measure::session::{SessionError, Workloads};
use raywalk_results::journal::Journal;
use raywalk_results::schema::{Absent, Facility, Reason, Record, RegimeKind, Stage};
use raywalk_trace::program_file;

use crate::console::note;
use crate::registry::DESIGNS;
use crate::trace::{Names, Subject, Windows, entry_of, journalled};

/// Positions of a run of the learnt replay: the point of the memorisation curve that the memory-matched control has.
const REPLAY: usize = 256;

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

/// Traces all designs that the journal has no trace of. Designs without a registry entry, such as copies of others,
/// are left out, and so is one that cannot be traced, with a note.
pub(crate) fn explain(
    plan: &Plan,
    designs: &mut [Box<dyn Design>],
    sources: &mut dyn Workloads,
    journal: &mut Journal,
    progress: &mut dyn Progress,
) -> Result<()> {
    if plan.trace == 0 || absent().is_some() {
        return Ok(());
    }
    let program = program_file()?;
    let names = Names::new(&program).map_err(anyhow::Error::msg)?;
    let workloads = workloads(plan);
    let total = (workloads.len() * designs.len()) as u64;
    for (turn, workload) in workloads.iter().enumerate() {
        let positions = sources
            .positions(workload)
            .map_err(|why| SessionError::Workload { workload: workload.clone(), why })?;
        let windows = Windows::of(&positions.positions, plan.trace, REPLAY);
        let subject = Subject { workload, stage: Stage::All, windows: &windows };
        for (number, design) in designs.iter_mut().enumerate() {
            let done = (turn * total as usize / workloads.len().max(1) + number) as u64;
            let step = Step { done, total, panel: workload, message: "tracing", left: None };
            progress.step(&step);
            let id = design.id().to_owned();
            let known = journal.contents().trace(&id, workload, Stage::All).is_some();
            let Some(entry) = DESIGNS.iter().find(|entry| entry.card.id == id && !known) else {
                continue;
            };
            match journalled(&id, entry_of(entry, Stage::All), &mut **design, &subject, &names) {
                Ok(trace) => journal.append(Record::Trace(trace))?,
                Err(error) => note!("{id} has no trace: {error}"),
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_cycle_and_the_headline_are_traced() {
        assert_eq!(workloads(&Plan::quick()), ["cycle-65536", "ab4"]);
        assert_eq!(workloads(&Plan::full()), ["cycle-65536", "ab4"]);
    }
}
