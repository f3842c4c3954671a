//! How far a session can be trusted: the smallest difference that it resolves, panel by panel, and its limits, with
//! remedies.
//!
//! It is about machine and session, not about designs. It is computed from the journal alone, so a page made on
//! another machine shows the same. A journal does not contain the activity of other guests of the host.

use std::collections::HashMap;

use raywalk_core::parallel;
use raywalk_results::journal::{PanelRounds, Results};
use raywalk_results::schema::{ClockSource, Event, Facility, Instrument, Mark};

use crate::aa_control::AaControl;
use crate::format::{percent, plural};
use crate::ratios::Times;
use crate::summary::PanelSummary;

mod placement;
mod reason;
mod rounds;
mod warning;
pub use reason::{Reason, Severity};
pub use warning::Warning;

/// Resolution of a session, and the problems that limit it.
#[derive(Clone, Debug, PartialEq)]
pub struct Trust {
    /// The smallest difference that the headline panel resolves, as a fraction; absent if it resolves none.
    pub headline: Option<f64>,
    /// The smallest and the largest of these values over the other panels.
    pub others: Option<(f64, f64)>,
    /// Number of the other panels that resolve nothing, though they have rounds.
    pub blind: usize,
    /// The problems that limit the trust in the session, the most serious first.
    pub reasons: Vec<Reason>,
    /// The A/A control over all unperturbed panels; absent without an interval.
    pub aa_control: Option<AaControl>,
}

impl Trust {
    /// Severity of the worst problem; `Note` if there is none.
    pub fn severity(&self) -> Severity {
        self.reasons.first().map_or(Severity::Note, |reason| reason.severity)
    }

    /// Resolution of the headline panel, in a few words.
    pub fn resolves(&self) -> String {
        match self.headline {
            Some(headline) => format!("resolves differences of {}", percent(headline)),
            None => "resolves nothing in its headline panel".to_owned(),
        }
    }

    /// States the resolution of the session in one sentence without a full stop.
    pub fn sentence(&self) -> String {
        let start = match self.severity() {
            Severity::Fatal => "This session must not be quoted. It would resolve",
            _ => "This session resolves",
        };
        // What stands before and after the range of the other panels, and what ends the sentence.
        let (headline, before, after, why) = match self.headline {
            Some(headline) => {
                let headline =
                    format!("differences of {} in the headline panel", percent(headline));
                (headline, ", and of ", " in the others", "")
            }
            None => (
                "nothing in its headline panel".to_owned(),
                ", and differences of ",
                " in others",
                "; the headline panel has too few rounds, or they differ too much",
            ),
        };
        let others = self.others.map(|(low, high)| match (percent(low), percent(high)) {
            (low, high) if low == high => format!("{before}{low}{after}"),
            (low, high) => format!("{before}{low} to {high}{after}"),
        });
        let others = others.unwrap_or_default();
        let blind = match self.blind {
            0 => String::new(),
            count => format!(", and nothing below a factor of two in {}", plural(count, "panel")),
        };
        format!("{start} {headline}{others}{blind}{why}")
    }

    /// The A/A control of the session in one line, without a full stop.
    pub fn aa_control_text(&self) -> String {
        match self.aa_control {
            Some(control) => format!(
                "A/A control of the session: ratio {:.4} to {:.4} at 95 %",
                control.ratio.low, control.ratio.high,
            ),
            None => "A/A control of the session: too few rounds".to_owned(),
        }
    }
}

/// `times` and `panels` are those of the session; `headline` is the panel that stands for it.
pub(crate) fn trust(
    results: &Results,
    times: &[Times],
    panels: &[PanelSummary],
    headline: Option<&PanelSummary>,
) -> Trust {
    let mut reasons = Vec::new();
    reasons.extend(build_reasons(results));
    reasons.extend(floor_reasons(panels));
    reasons.extend(headline.and_then(|panel| unresolved(panel.resolution?)));
    reasons.extend(samples_reasons(results));
    reasons.extend(rounds::reasons(results));
    reasons.extend(placement::reasons(results, panels));
    reasons.extend(clock_reason(results));
    reasons.extend(machine_reasons(results));
    // The sort is stable: problems of equal weight keep the order above.
    reasons.sort_by_key(|reason| std::cmp::Reverse(reason.severity));
    let others =
        panels.iter().filter(|panel| headline.is_none_or(|head| head.panel.id != panel.panel.id));
    let blind = others.clone().filter(|it| !it.rows.is_empty() && it.resolution.is_none()).count();
    let others = others.filter_map(|panel| panel.resolution);
    Trust {
        blind,
        headline: headline.and_then(|panel| panel.resolution),
        others: others.fold(None, |range, value| {
            let (low, high) = range.unwrap_or((value, value));
            Some((value.min(low), value.max(high)))
        }),
        reasons,
        aa_control: AaControl::of_session(results, times),
    }
}

fn build_reasons(results: &Results) -> Vec<Reason> {
    let build = &results.session.build;
    let mut reasons = Vec::new();
    if !build.is_optimised() {
        let profile = build.profile.clone();
        reasons.push(Reason::new(Severity::Fatal, Warning::Unoptimised { profile }));
    }
    let missing = build.missing_flags();
    if !missing.is_empty() {
        reasons.push(Reason::new(Severity::Serious, Warning::Flags { missing }));
    }
    reasons.extend(build.dirty.then_some(Reason::new(Severity::Note, Warning::Dirty)));
    reasons.extend(results.end.is_none().then_some(Reason::new(Severity::Limit, Warning::Stopped)));
    let shard = results.session.shard;
    reasons.extend(shard.map(|shard| Reason::new(Severity::Limit, Warning::Shard { shard })));
    reasons
}

/// A headline panel that resolves large differences only.
fn unresolved(fraction: f64) -> Option<Reason> {
    let severity = match fraction {
        fraction if fraction > 0.1 => Severity::Serious,
        fraction if fraction > 0.05 => Severity::Limit,
        _ => Severity::Note,
    };
    Reason::if_limiting(severity, Warning::Unresolved { fraction })
}

/// Panels whose noise is not known resolve nothing.
fn floor_reasons(panels: &[PanelSummary]) -> Option<Reason> {
    let unknown = panels.iter().filter(|panel| panel.aa_control.is_none()).count();
    let severity = if unknown == panels.len() { Severity::Fatal } else { Severity::Limit };
    (unknown > 0 || panels.is_empty())
        .then(|| Reason::new(severity, Warning::NoFloor { panels: unknown }))
}

fn samples_reasons(results: &Results) -> Vec<Reason> {
    // A full session has a million samples.
    let panels = parallel::map(&results.panels, Samples::of);
    let readings = panels.iter().filter_map(|panel| panel.reading);
    let Some((shortest, reading)) = readings.min_by_key(|&(_, reading)| reading) else {
        return Vec::new();
    };
    let total = |of: fn(&Samples) -> usize| panels.iter().map(of).sum::<usize>() as f64;
    let all = total(|panel| panel.all);
    // An interruption spoils a block of a sample, which is left out; many of them leave too few.
    let switched = total(|panel| panel.switched) / all;
    let beside = total(|panel| panel.beside) / all;
    let steps = total(|panel| panel.steps) / all;
    let shared = total(|panel| panel.shared) / all;
    let quantum = results.session.clock.quantum;
    [
        (Severity::of(switched, [0.02, 0.1, 0.3]), Warning::Switched { fraction: switched }),
        // They are left out, so only the number of samples falls.
        (Severity::of(beside, [0.02, 0.2, 0.5]), Warning::Neighbour { fraction: beside }),
        (Severity::of(steps, [0.02, 0.1, 0.3]), Warning::ClockSteps { fraction: steps }),
        // Shared counters cost events and no times, so no fraction is more than a limit.
        (Severity::of(shared, [0.0, 1.0, 1.0]), Warning::CountersShared { fraction: shared }),
        (
            if reading >= quantum.saturating_mul(1_000) {
                Severity::Note
            } else {
                Severity::Serious
            },
            Warning::Coarse { quantum, shortest },
        ),
    ]
    .into_iter()
    .filter_map(|(severity, warning)| Reason::if_limiting(severity, warning))
    .collect()
}

/// The samples of a panel, and how many of them carry a mark.
struct Samples {
    all: usize,
    switched: usize,
    /// Beside another thread on the core.
    beside: usize,
    steps: usize,
    shared: usize,
    /// Of the design with the coarsest readings of the clock.
    reading: Option<(u64, u64)>,
}

impl Samples {
    fn of(panel: &PanelRounds) -> Samples {
        let samples = || panel.rounds.iter().flat_map(|round| &round.samples);
        let marked = |mark: Mark| samples().filter(|sample| sample.marks.contains(&mark)).count();
        Samples {
            all: samples().count(),
            switched: marked(Mark::ContextSwitch),
            beside: marked(Mark::BusyNeighbour),
            steps: marked(Mark::ClockStep),
            shared: marked(Mark::CountersShared),
            reading: reading(panel),
        }
    }
}

/// The design of a panel with the coarsest readings of the clock: the mean ticks of its samples, and the ticks that
/// one reading would have to show to be as exact as all of them together. Batches of a perturbed regime have few
/// calls, so their readings are coarse in every session; how far that blurs them is in their intervals.
fn reading(panel: &PanelRounds) -> Option<(u64, u64)> {
    if panel.panel.regime.is_perturbed() {
        return None;
    }
    // Sums, because a sum of journals from elsewhere may exceed 64 bits.
    let mut ticks: HashMap<&str, (f64, u64)> = HashMap::new();
    for sample in panel.rounds.iter().flat_map(|round| &round.samples) {
        let (sum, count) = ticks.entry(&sample.design).or_default();
        *sum += sample.ticks as f64;
        *count += 1;
    }
    let of = |id: &String| {
        let &(sum, count) = ticks.get(id.as_str())?;
        let count = count as f64;
        Some(((sum / count) as u64, (sum / count.sqrt()) as u64))
    };
    panel.panel.designs.iter().filter_map(of).min_by_key(|&(_, reading)| reading)
}

fn clock_reason(results: &Results) -> Option<Reason> {
    let clock = &results.session.clock;
    if !clock.invariant {
        return Some(Reason::new(Severity::Serious, Warning::ClockNotConstant));
    }
    let clock = clock.source;
    (clock == ClockSource::Monotonic)
        .then(|| Reason::new(Severity::Limit, Warning::NoCounterClock { clock }))
}

/// So many ready processes, read before the session added its own, leave the machine quiet: a quarter of the
/// processors, and wherever there are two, one busy processor, because another is free for the measuring process. The
/// load is an average, which one process that is always ready may exceed a little.
fn quiet(processors: usize) -> f64 {
    let quarter = processors as f64 / 4.0;
    if processors > 1 { quarter.max(1.25) } else { quarter }
}

fn machine_reasons(results: &Results) -> Vec<Reason> {
    let (session, machine) = (&results.session, &results.session.machine);
    let absent = |instrument: Instrument| {
        session.absent.iter().find(|absent| absent.instrument == instrument)
    };
    let mut reasons = Vec::new();
    if let Some(pinning) = absent(Instrument::Facility(Facility::Pinning)) {
        reasons.push(Reason::new(
            Severity::Serious,
            Warning::Unpinned { reason: pinning.reason.clone() },
        ));
    }
    if let Some([load, ..]) = session.load {
        let processors = machine.processors.max(1);
        let severity = Severity::of(load, [quiet(processors), processors as f64, f64::INFINITY]);
        reasons.extend(Reason::if_limiting(severity, Warning::Load { load, processors }));
    }
    if let Some(hypervisor) = machine.hypervisor.clone() {
        reasons.push(Reason::new(Severity::Limit, Warning::Guest { hypervisor }));
    }
    // The first counter counts cycles: without them, or without instructions, nothing is counted.
    let first = [Event::Cycles, Event::Instructions].map(Instrument::Event);
    if let Some(counter) = first.into_iter().find_map(absent) {
        let warning = Warning::NoEvents { absent: counter.clone() };
        reasons.push(Reason::new(Severity::Limit, warning));
    }
    if let Some(governor) = machine.slowing_governor() {
        let governor = governor.to_owned();
        reasons.push(Reason::new(Severity::Limit, Warning::Governor { governor }));
    }
    let settings = [(machine.turbo, Warning::Turbo), (machine.smt, Warning::Smt)];
    let on = settings.into_iter().filter(|(setting, _)| *setting == Some(true));
    reasons.extend(on.map(|(_, warning)| Reason::new(Severity::Note, warning)));
    reasons
}
