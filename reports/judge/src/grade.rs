//! How far a session can be trusted: a grade from A to D, with the reasons and their remedies.
//!
//! The worst known problem decides the grade. It judges machine and session, not designs. It is
//! computed from the journal alone, so a page made on another machine shows the same grade. What the
//! other guests of the host did is not in a journal and not in the grade.

use raywalk_results::journal::Results;
use raywalk_results::schema::{ClockSource, Event, Facility, Instrument, Mark, Sample};

use crate::aa_control::AaControl;
use crate::format::percent;
use crate::summary::PanelSummary;

mod placement;
mod reason;
mod rounds;
mod warning;
pub use reason::{Letter, Reason};
pub use warning::Warning;

/// A grade with its reasons.
#[derive(Clone, Debug, PartialEq)]
pub struct Graded {
    /// The worst of the reasons; A if there is none.
    pub letter: Letter,
    /// Worst first.
    pub reasons: Vec<Reason>,
    /// The A/A control over all undisturbed panels; absent below six rounds.
    pub aa_control: Option<AaControl>,
}

impl Graded {
    /// The A/A control of the session in one line, without a full stop.
    pub fn aa_control_text(&self) -> String {
        match self.aa_control {
            Some(control) => format!(
                "A/A control of the session: ratio {:.4} to {:.4}, within ±{} at 95 %",
                control.ratio.low,
                control.ratio.high,
                percent(control.half_width()),
            ),
            None => "A/A control of the session: too few rounds".to_owned(),
        }
    }
}

pub(crate) fn grade(results: &Results, panels: &[PanelSummary]) -> Graded {
    let mut reasons = Vec::new();
    reasons.extend(build_reasons(results));
    reasons.extend(floor_reasons(panels));
    reasons.extend(samples_reasons(results));
    reasons.extend(rounds::reasons(results));
    reasons.extend(placement::reasons(results, panels));
    reasons.extend(clock_reason(results));
    reasons.extend(machine_reasons(results));
    // The sort is stable: problems of equal weight keep the order above.
    reasons.sort_by_key(|reason| std::cmp::Reverse(reason.letter));
    let letter = reasons.first().map_or(Letter::A, |reason| reason.letter);
    Graded { letter, reasons, aa_control: AaControl::of_session(results) }
}

fn build_reasons(results: &Results) -> Vec<Reason> {
    let build = &results.session.build;
    let mut reasons = Vec::new();
    if !build.is_optimised() {
        let profile = build.profile.clone();
        reasons.push(Reason::new(Letter::D, Warning::Unoptimised { profile }));
    }
    let missing = build.missing_flags();
    if !missing.is_empty() {
        reasons.push(Reason::new(Letter::C, Warning::Flags { missing }));
    }
    reasons.extend(build.dirty.then_some(Reason::new(Letter::A, Warning::Dirty)));
    reasons.extend(results.end.is_none().then_some(Reason::new(Letter::B, Warning::Stopped)));
    reasons
}

/// Grades the floor of the median panel: one of ten panels is off by chance, and each has its own
/// floor anyway. The limits: a quiet session of the quick plan reaches 0.5 %; 1 % is the usual
/// equality margin; above 3 %, designs of one family cannot be told apart.
fn floor_reasons(panels: &[PanelSummary]) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let unknown = panels.iter().filter(|panel| panel.aa_control.is_none()).count();
    if unknown > 0 || panels.is_empty() {
        let letter = if unknown == panels.len() { Letter::D } else { Letter::B };
        reasons.push(Reason::new(letter, Warning::NoFloor { panels: unknown }));
    }
    let mut floors: Vec<(f64, &str)> = panels
        .iter()
        .filter_map(|panel| Some((panel.aa_control?.floor.share(), panel.panel.id.as_str())))
        .collect();
    floors.sort_by(|one, other| one.0.total_cmp(&other.0));
    if let (Some(&(median, _)), Some(&(worst, panel))) =
        (floors.get(floors.len() / 2), floors.last())
    {
        let letter =
            Letter::of(median, [0.005, 0.01, 0.03]).max(Letter::of(worst, [0.02, 0.1, 0.5]));
        let warning = Warning::Floor { median, worst, panel: panel.to_owned() };
        reasons.extend(Reason::below_a(letter, warning));
    }
    reasons
}

fn samples_reasons(results: &Results) -> Vec<Reason> {
    let samples: Vec<&Sample> = results
        .panels
        .iter()
        .flat_map(|panel| &panel.rounds)
        .flat_map(|round| &round.samples)
        .collect();
    let Some(shortest) = samples.iter().map(|sample| sample.ticks).min() else { return Vec::new() };
    let fraction = |mark: Mark| {
        let marked = samples.iter().filter(|sample| sample.marks.contains(&mark));
        marked.count() as f64 / samples.len() as f64
    };
    // A median withstands a third of its samples being wrong, but not much more.
    let switched = fraction(Mark::ContextSwitch);
    let steps = fraction(Mark::ClockStep);
    let shared = fraction(Mark::CountersShared);
    let quantum = results.session.clock.quantum;
    [
        (Letter::of(switched, [0.02, 0.1, 0.3]), Warning::Switched { fraction: switched }),
        (Letter::of(steps, [0.02, 0.1, 0.3]), Warning::ClockSteps { fraction: steps }),
        (Letter::of(shared, [0.0, 1.0, 1.0]), Warning::CountersShared { fraction: shared }),
        (
            if shortest / 1_000 >= quantum { Letter::A } else { Letter::C },
            Warning::Coarse { quantum, shortest },
        ),
    ]
    .into_iter()
    .filter_map(|(letter, warning)| Reason::below_a(letter, warning))
    .collect()
}

fn clock_reason(results: &Results) -> Option<Reason> {
    let clock = &results.session.clock;
    if !clock.invariant {
        return Some(Reason::new(Letter::C, Warning::ClockNotConstant));
    }
    let clock = clock.source;
    (clock == ClockSource::Monotonic)
        .then(|| Reason::new(Letter::B, Warning::NoCounterClock { clock }))
}

fn machine_reasons(results: &Results) -> Vec<Reason> {
    let (session, machine) = (&results.session, &results.session.machine);
    let absent = |instrument: Instrument| {
        session.absent.iter().find(|absent| absent.instrument == instrument)
    };
    let mut reasons = Vec::new();
    if let Some(pinning) = absent(Instrument::Facility(Facility::Pinning)) {
        reasons.push(Reason::new(Letter::C, Warning::Unpinned { reason: pinning.reason.clone() }));
    }
    if let Some([load, ..]) = session.load {
        let processors = machine.processors.max(1);
        let letter = Letter::of(load / processors as f64, [0.25, 1.0, f64::INFINITY]);
        reasons.extend(Reason::below_a(letter, Warning::Load { load, processors }));
    }
    if let Some(hypervisor) = machine.hypervisor.clone() {
        reasons.push(Reason::new(Letter::B, Warning::Guest { hypervisor }));
    }
    // The first counter counts cycles: without them, or without instructions, nothing is counted.
    let first = [Event::Cycles, Event::Instructions].map(Instrument::Event);
    if let Some(counter) = first.into_iter().find_map(absent) {
        let warning = Warning::NoEvents { absent: counter.clone() };
        reasons.push(Reason::new(Letter::B, warning));
    }
    if let Some(governor) = machine.governor.clone().filter(|governor| governor != "performance") {
        reasons.push(Reason::new(Letter::B, Warning::Governor { governor }));
    }
    let settings = [(machine.turbo, Warning::Turbo), (machine.smt, Warning::Smt)];
    let on = settings.into_iter().filter(|(setting, _)| *setting == Some(true));
    reasons.extend(on.map(|(_, warning)| Reason::new(Letter::A, warning)));
    reasons
}
