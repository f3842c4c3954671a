//! How far a session is to be trusted: a grade from A to D, the reasons, and what would help.
//!
//! A session is as good as the worst thing known about it. The grade judges machine and session,
//! not designs; it is made from the journal alone, so that a page made elsewhere says the same. What
//! it cannot see is in no journal: what other guests of the host did.

use std::fmt::{self, Write};

use crate::journal::Results;
use crate::schema::Sample;
use crate::summary::{AgainstItself, PanelSummary, session_floor};
use crate::wording::percent;

mod placement;
mod rounds;
mod warning;
pub use warning::Warning;

/// The grade of a session, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Letter {
    /// Nothing that is known stands against its numbers.
    A,
    /// Sound, with limits that are named.
    B,
    /// Large differences only.
    C,
    /// Not to be quoted.
    D,
}

impl fmt::Display for Letter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl Letter {
    /// What numbers of such a session are good for.
    pub fn meaning(self) -> &'static str {
        match self {
            Letter::A => "nothing that is known stands against these numbers",
            Letter::B => "sound, within the limits named",
            Letter::C => "good for large differences only",
            Letter::D => "not to be quoted",
        }
    }

    /// The letter of a share that should be small: at most the first limit is an A.
    fn of(share: f64, limits: [f64; 3]) -> Letter {
        match limits.iter().position(|&limit| share <= limit) {
            Some(0) => Letter::A,
            Some(1) => Letter::B,
            Some(_) => Letter::C,
            None => Letter::D,
        }
    }
}

/// A grade and why it is not better.
#[derive(Clone, Debug, PartialEq)]
pub struct Graded {
    /// The worst of the reasons; A if there is none.
    pub letter: Letter,
    /// Worst first.
    pub reasons: Vec<Reason>,
    /// The baseline against itself over the session; absent below six rounds.
    pub floor: Option<AgainstItself>,
}

/// Something that stands against a session, and how much.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// The best grade that a session with this can have.
    pub letter: Letter,
    /// What it is.
    pub warning: Warning,
}

impl Graded {
    /// The A/A result of the session, in a sentence.
    pub fn against_itself(&self) -> String {
        match self.floor {
            Some(itself) => format!(
                "A/A of the session: all baselines against themselves {:.4} to {:.4}, within ±{} at \
                 95 %",
                itself.ratio.low,
                itself.ratio.high,
                percent(itself.half_width()),
            ),
            None => "A/A of the session: too few rounds".to_owned(),
        }
    }
}

/// Writes the grade, the A/A result, and each reason with its advice.
///
/// # Errors
/// Only those of `out`.
pub fn write(out: &mut dyn Write, graded: &Graded) -> fmt::Result {
    writeln!(out, "session grade {}: {}", graded.letter, graded.letter.meaning())?;
    writeln!(out, "{}", graded.against_itself())?;
    for Reason { letter, warning } in &graded.reasons {
        writeln!(out, "  {letter}  {warning} {}", warning.advice())?;
    }
    Ok(())
}

/// Grades a session by its journal and the panels made from it.
pub fn grade(results: &Results, panels: &[PanelSummary]) -> Graded {
    let mut reasons = Vec::new();
    reasons.extend(of_build(results));
    reasons.extend(of_floor(panels));
    reasons.extend(of_samples(results));
    reasons.extend(rounds::reasons(results));
    reasons.extend(placement::reasons(results, panels));
    reasons.extend(of_clock(results));
    reasons.extend(of_machine(results));
    // Equally bad ones keep the order in which a reader would want them.
    reasons.sort_by_key(|reason| std::cmp::Reverse(reason.letter));
    let letter = reasons.first().map_or(Letter::A, |reason| reason.letter);
    Graded { letter, reasons, floor: session_floor(results) }
}

fn reason(letter: Letter, warning: Warning) -> Reason {
    Reason { letter, warning }
}

fn of_build(results: &Results) -> Vec<Reason> {
    let build = &results.session.build;
    let mut reasons = Vec::new();
    if build.profile.contains("opt-level 0") || build.profile.contains("assertions on") {
        let profile = build.profile.clone();
        reasons.push(reason(Letter::D, Warning::Unoptimised { profile }));
    }
    if build.dirty {
        reasons.push(reason(Letter::A, Warning::Dirty));
    }
    if results.end.is_none() {
        reasons.push(reason(Letter::B, Warning::Stopped));
    }
    reasons
}

/// By the middle panel: of ten panels one is off by chance, and each carries its own floor anyway.
/// The limits: half a per cent is what a quiet session of the quick plan reaches; one is the band
/// of indifference; beyond three, designs of one family can no longer be told apart.
fn of_floor(panels: &[PanelSummary]) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let unknown = panels.iter().filter(|panel| panel.itself.is_none()).count();
    if unknown > 0 || panels.is_empty() {
        let letter = if unknown == panels.len() { Letter::D } else { Letter::B };
        reasons.push(reason(letter, Warning::NoFloor { panels: unknown }));
    }
    let mut floors: Vec<(f64, &str)> = panels
        .iter()
        .filter_map(|panel| Some((panel.itself?.floor.share(), panel.panel.id.as_str())))
        .collect();
    floors.sort_by(|one, other| one.0.total_cmp(&other.0));
    if let (Some(&(share, _)), Some(&(worst, panel))) =
        (floors.get(floors.len() / 2), floors.last())
    {
        let letter =
            Letter::of(share, [0.005, 0.01, 0.03]).max(Letter::of(worst, [0.02, 0.1, 0.5]));
        if letter > Letter::A {
            let panel = panel.to_owned();
            reasons.push(reason(letter, Warning::Floor { share, worst, panel }));
        }
    }
    reasons
}

fn of_samples(results: &Results) -> Vec<Reason> {
    let samples: Vec<&Sample> = results
        .panels
        .iter()
        .flat_map(|panel| &panel.rounds)
        .flat_map(|round| &round.samples)
        .collect();
    let Some(shortest) = samples.iter().map(|sample| sample.ticks).min() else { return Vec::new() };
    let share = |mark: &str| {
        let marked = samples.iter().filter(|sample| sample.marks.iter().any(|m| m == mark));
        marked.count() as f64 / samples.len() as f64
    };
    // A median bears a third of its sample being wrong, but not much more.
    let switched = share("context-switch");
    let steps = share("clock-step");
    let shared = share("counters-shared");
    let quantum = results.session.clock.quantum;
    [
        (Letter::of(switched, [0.02, 0.1, 0.3]), Warning::Switched { share: switched }),
        (Letter::of(steps, [0.02, 0.1, 0.3]), Warning::ClockSteps { share: steps }),
        (Letter::of(shared, [0.0, 1.0, 1.0]), Warning::CountersShared { share: shared }),
        (
            if shortest / 1_000 >= quantum { Letter::A } else { Letter::C },
            Warning::Coarse { quantum, shortest },
        ),
    ]
    .into_iter()
    .filter(|(letter, _)| *letter > Letter::A)
    .map(|(letter, warning)| reason(letter, warning))
    .collect()
}

fn of_clock(results: &Results) -> Option<Reason> {
    let clock = &results.session.clock;
    if !clock.invariant {
        return Some(reason(Letter::C, Warning::ClockNotConstant));
    }
    let source = clock.source.clone();
    (source == "monotonic").then(|| reason(Letter::B, Warning::NoCounterClock { source }))
}

fn of_machine(results: &Results) -> Vec<Reason> {
    let (session, machine) = (&results.session, &results.session.machine);
    let absent = |what: &str| session.absent.iter().find(|absent| absent.what == what);
    let mut reasons = Vec::new();
    if let Some(pinning) = absent("pinning") {
        reasons.push(reason(Letter::C, Warning::Unpinned { why: pinning.why.clone() }));
    }
    if let Some([load, ..]) = session.load {
        let processors = machine.processors.max(1);
        let letter = Letter::of(load / processors as f64, [0.25, 1.0, f64::INFINITY]);
        if letter > Letter::A {
            reasons.push(reason(letter, Warning::Load { load, processors }));
        }
    }
    if let Some(hypervisor) = machine.hypervisor.clone() {
        reasons.push(reason(Letter::B, Warning::Guest { hypervisor }));
    }
    // Cycles are what the first counter counts: without them there is none.
    if let Some(cycles) = absent("cycles").or_else(|| absent("instructions")) {
        let (why, cure) = (cycles.why.clone(), cycles.cure.clone());
        reasons.push(reason(Letter::B, Warning::NoEvents { why, cure }));
    }
    if let Some(governor) = machine.governor.clone().filter(|governor| governor != "performance") {
        reasons.push(reason(Letter::B, Warning::Governor { governor }));
    }
    if machine.turbo == Some(true) {
        reasons.push(reason(Letter::A, Warning::Turbo));
    }
    if machine.smt == Some(true) {
        reasons.push(reason(Letter::A, Warning::Smt));
    }
    reasons
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_graded_by_its_limits() {
        let of = |share| Letter::of(share, [0.1, 0.2, 0.3]);
        assert_eq!(
            [0.0, 0.1, 0.2, 0.25, 0.31].map(of).map(|l| l.to_string()),
            ["A", "A", "B", "C", "D"]
        );
    }
}
