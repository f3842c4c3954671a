//! Grades placement: addresses, layouts, and the spread over them.

use std::collections::BTreeSet;

use raywalk_results::journal::Results;
use raywalk_results::schema::{Control, Process};
use raywalk_results::statistics::quantile;

use super::reason::{Letter, Reason};
use super::warning::Warning;
use crate::summary::PanelSummary;

/// Warns of wide spreads, of addresses that are the same in all processes, and of a single layout.
pub fn reasons(results: &Results, panels: &[PanelSummary]) -> Vec<Reason> {
    let mut reasons = Vec::new();
    reasons.extend(wide(results, panels));
    if same_addresses(&results.processes) {
        let processes = results.processes.len();
        reasons.push(Reason::new(Letter::B, Warning::SameAddresses { processes }));
    }
    let layouts: BTreeSet<_> = results.processes.iter().map(|process| process.layout).collect();
    let branchy = |panel: &PanelSummary| {
        panel.rows.len() > 1 && panel.rows.iter().any(|row| row.control == Control::Branchy)
    };
    if layouts.len() < 2 && panels.iter().any(branchy) {
        reasons.push(Reason::new(Letter::B, Warning::OneLayout));
    }
    reasons
}

/// Whether code and heap have the same addresses in all processes. Another order of sections moves
/// functions even without address randomisation, so code addresses are compared within a layout.
fn same_addresses(processes: &[Process]) -> bool {
    let count = |part: fn(&Process) -> (Option<u64>, &str)| {
        processes.iter().map(part).collect::<BTreeSet<_>>().len()
    };
    let layouts = count(|process| (process.layout, ""));
    let codes = count(|process| (process.layout, &process.code));
    let heaps = count(|process| (None, &process.heap));
    let named = processes.iter().all(|process| !process.code.is_empty());
    processes.len() > 1 && named && codes == layouts && heaps == 1
}

/// Grades the spread that nine of ten comparisons stay below: of a hundred, some are wide by chance.
/// A spread within the equality margin hides no difference of interest; above five times the margin,
/// designs of one family cannot be told apart.
fn wide(results: &Results, panels: &[PanelSummary]) -> Option<Reason> {
    let bounds: Vec<_> = panels
        .iter()
        .filter(|panel| !panel.panel.regime.is_disturbed())
        .flat_map(|panel| panel.rows.iter().map(move |row| (panel, row)))
        .filter_map(|(panel, row)| Some((row.spread.bound()?, panel, row)))
        .collect();
    let fractions: Vec<f64> = bounds.iter().map(|(bound, ..)| bound.fraction()).collect();
    let fraction = quantile(&fractions, 0.9)?;
    let margin = results.session.margin;
    let letter = Letter::of(fraction, [margin, 5.0 * margin, f64::INFINITY]);
    let (bound, panel, row) =
        bounds.iter().max_by(|(one, ..), (other, ..)| one.log.total_cmp(&other.log))?;
    let (design, panel) = (row.id.clone(), panel.panel.id.clone());
    let (over, worst) = (bound.over, bound.fraction());
    Reason::below_a(letter, Warning::Spread { fraction, over, worst, design, panel })
}
