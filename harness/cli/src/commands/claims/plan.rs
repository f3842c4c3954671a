//! The plan that claims need: the designs that they name, in the panels that they require.
//!
//! A comparison that names a workload or a regime gets these. Others concern every condition, so they get a few that
//! differ as much as possible: replays that are learnt and replays that are not, games and search trees, an
//! overwritten predictor and other data in the caches.

use std::collections::BTreeSet;
use std::time::Duration;

use anyhow::{Result, ensure};
use raywalk_judge::claims::{Asked, Claim, Needs};
use raywalk_measure::plan::{PanelPlan, Plan, Rounds};
use raywalk_positions::workload;
use raywalk_results::pattern::is_match;
use raywalk_results::schema::{Call, RegimeKind, Scope, Stage};

use crate::registry;

pub(super) const NAME: &str = "claims";

/// The generation of all moves.
const WHOLE: Call = Call::Generate { stage: Stage::All, scope: Scope::Whole };
/// Seconds for each design in each panel: about 250 samples of a millisecond with what is around them.
const SECONDS: f64 = 0.3;
/// Positions of each traced workload, as many as in the full plan.
const TRACE: u64 = 2048;
/// Points of the memorisation curve, which shows in which replays a design has memorised the positions.
const CURVE: [&str; 6] =
    ["repeat-1", "cycle-16", "cycle-256", "cycle-1024", "cycle-4096", "cycle-65536"];
/// Sizes of the data that compete for the caches: none, and beyond the first-level and the second-level cache of most
/// machines.
const PRESSURE: [&str; 3] = ["0", "256 KiB", "8 MiB"];

/// A panel: workload, regime, call. No regime stands for that of the workload.
type Panel = (&'static str, Option<RegimeKind>, Call);

/// The plan of these claims.
///
/// # Errors
/// A sentence if no session can decide them.
pub(super) fn of(claims: &[Claim]) -> Result<Plan> {
    let needs = Needs::of(claims);
    ensure!(
        !needs.designs.is_empty(),
        "no measurement is needed for these claims; `raywalk claims --list` says what is known about them"
    );
    let mut plan = Plan::parse(&text(&needs), NAME, "made from the claims")?;
    let is_asked = |panel: &PanelPlan| {
        let PanelPlan { workload, regime, call, .. } = panel;
        needs.panels.iter().any(|one| one.accepts(*call, regime, workload))
    };
    let has_replay =
        plan.panels.iter().any(|panel| is_asked(panel) && panel.regime.kind == RegimeKind::Replay);
    let is_point = |panel: &PanelPlan| CURVE.contains(&&*panel.workload) && panel.call == WHOLE;
    let is_kept = |panel: &PanelPlan| is_asked(panel) || has_replay && is_point(panel);
    // Traces and sizes alone need a panel too, which is the last one.
    if plan.panels.iter().any(is_kept) {
        plan.panels.retain(is_kept);
    } else {
        plan.panels.drain(..plan.panels.len() - 1);
    }
    let designs = registry::matching(&plan.designs)?.len();
    // The A/A control is one more.
    let seconds = (SECONDS * ((designs + 1) * plan.panels.len()) as f64).ceil();
    plan.rounds = Rounds::Budget {
        time: Duration::from_secs_f64(seconds),
        total: None,
        least: 12,
        most: 400,
    };
    Ok(plan)
}

/// A plan file with every panel that might be asked for.
fn text(needs: &Needs) -> String {
    let asked: BTreeSet<Panel> = needs.panels.iter().flat_map(asked).collect();
    let curve = CURVE.map(|name| (name, None, WHOLE));
    // Cheap panels first, because the first of a process warms up longest.
    let mut panels = curve.to_vec();
    panels.extend(asked.into_iter().filter(|panel| !curve.contains(panel)));
    let fallback = ("ab4", None, WHOLE);
    panels.retain(|panel| *panel != fallback);
    let traces = if needs.traces { TRACE } else { 0 };
    let designs: Vec<&String> = needs.designs.iter().collect();
    let panels: String = panels.into_iter().map(panel).collect();
    // The search tree is the headline: no design can memorise it, and traces use its positions.
    let headline = panel(fallback);
    format!("trace = {traces}\ndesigns = {designs:?}\n{panels}{headline}headline = true\n")
}

/// The panels that might answer a comparison for one of its calls.
fn asked(asked: &Asked) -> Vec<Panel> {
    let matching = |pattern: &String| {
        let all = workload::ALL.iter().map(|row| row.name);
        let found = all.filter(|name| is_match(pattern, name));
        found.map(|name| (name, None)).collect::<Vec<_>>()
    };
    let named = asked.place.workloads.iter().flat_map(matching);
    named.chain(usual(asked.call)).map(|(name, regime)| (name, regime, asked.call)).collect()
}

/// Workloads and regimes of a comparison that names none.
fn usual(call: Call) -> Vec<(&'static str, Option<RegimeKind>)> {
    use RegimeKind::{Cold, Pressure};
    let streams = [("game", None), ("ab4", None)];
    let perturbed = [("ab4", Some(Cold)), ("ab4", Some(Pressure))];
    match call {
        WHOLE => {
            CURVE.map(|name| (name, None)).into_iter().chain(streams).chain(perturbed).collect()
        }
        Call::Generate { .. } => {
            let replays = [("cycle-256", None), ("cycle-65536", None)];
            replays.into_iter().chain(streams).chain(perturbed).collect()
        }
        // A search is recorded for this workload only.
        Call::Search { .. } => vec![("ab4", None)],
        Call::Operation { .. } => streams.to_vec(),
    }
}

/// A panel as a table of a plan file. Lists of plain texts are spelt alike in TOML and by `Debug`.
fn panel((workload, regime, call): Panel) -> String {
    let call = match call {
        Call::Generate { stage, scope } => format!("stages = [\"{stage}\"]\nscope = \"{scope}\""),
        other => format!("calls = [\"{}\"]", other.id()),
    };
    let regime = match regime {
        None => String::new(),
        Some(RegimeKind::Pressure) => format!("regime = {{ pressure = {PRESSURE:?} }}\n"),
        Some(other) => format!("regime = \"{other}\"\n"),
    };
    format!("[[panels]]\nworkload = \"{workload}\"\n{call}\n{regime}")
}
