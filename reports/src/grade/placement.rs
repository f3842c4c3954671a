//! What the places of a session stand for: its addresses, its layouts, and what they did.

use std::collections::BTreeSet;

use crate::journal::Results;
use crate::schema::Process;
use crate::statistics::quantile;
use crate::summary::{MARGIN, PanelSummary};

use super::{Letter, Reason, Warning, reason};

/// Addresses that did not move, layouts that were not tried, and spreads that are wide.
pub fn reasons(results: &Results, panels: &[PanelSummary]) -> Vec<Reason> {
    let mut reasons = Vec::new();
    reasons.extend(wide(panels));
    if at_one_place(&results.processes) {
        let processes = results.processes.len();
        reasons.push(reason(Letter::B, Warning::SameAddresses { processes }));
    }
    let layouts: BTreeSet<_> = results.processes.iter().map(|process| process.layout).collect();
    let branchy = |panel: &PanelSummary| {
        panel.rows.len() > 1 && panel.rows.iter().any(|row| row.control == "branchy")
    };
    if layouts.len() < 2 && panels.iter().any(branchy) {
        reasons.push(reason(Letter::B, Warning::OneLayout));
    }
    reasons
}

/// Whether code and heap lie where they lay in every other process. With the order of sections a
/// function moves even where the system moves nothing, so the code counts within a layout.
fn at_one_place(processes: &[Process]) -> bool {
    let count = |part: fn(&Process) -> (Option<u64>, &str)| {
        processes.iter().map(part).collect::<BTreeSet<_>>().len()
    };
    let layouts = count(|process| (process.layout, ""));
    let codes = count(|process| (process.layout, &process.code));
    let heaps = count(|process| (None, &process.heap));
    let named = processes.iter().all(|process| !process.code.is_empty());
    processes.len() > 1 && named && codes == layouts && heaps == 1
}

/// The spread that nine of ten comparisons stay below: of a hundred, some are wide by chance. Within
/// the band of indifference it hides nothing that anybody asks for; beyond five times the band,
/// designs of one family can no longer be told apart.
fn wide(panels: &[PanelSummary]) -> Option<Reason> {
    let bounds: Vec<_> = panels
        .iter()
        .filter(|panel| !panel.panel.regime.is_disturbed())
        .flat_map(|panel| panel.rows.iter().map(move |row| (panel, row)))
        .filter_map(|(panel, row)| Some((row.spread.bound()?, panel, row)))
        .collect();
    let shares: Vec<f64> = bounds.iter().map(|(bound, ..)| bound.share()).collect();
    let share = quantile(&shares, 0.9)?;
    let letter = Letter::of(share, [MARGIN, 5.0 * MARGIN, f64::INFINITY]);
    let (bound, panel, row) =
        bounds.iter().max_by(|(one, ..), (other, ..)| one.log.total_cmp(&other.log))?;
    (letter > Letter::A).then(|| {
        let (design, panel) = (row.id.clone(), panel.panel.id.clone());
        let (over, worst) = (bound.over, bound.share());
        reason(letter, Warning::Spread { share, over, worst, design, panel })
    })
}
