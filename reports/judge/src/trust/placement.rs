//! Problems of placement: addresses, layouts, and the spread over them.

use std::collections::BTreeSet;

use raywalk_results::journal::Results;
use raywalk_results::schema::{Control, Process};

use super::reason::{Reason, Severity};
use super::warning::Warning;
use crate::summary::PanelSummary;

/// Warns of wide spreads, of addresses that are the same in all processes, and of a single layout.
pub(crate) fn reasons(results: &Results, panels: &[PanelSummary]) -> Vec<Reason> {
    let mut reasons = Vec::new();
    reasons.extend(wide(results, panels));
    if same_addresses(&results.processes) {
        let processes = results.processes.len();
        reasons.push(Reason::new(Severity::Limit, Warning::SameAddresses { processes }));
    }
    let layouts: BTreeSet<_> = results.processes.iter().map(|process| process.layout).collect();
    let branchy = |panel: &PanelSummary| {
        panel.rows.len() > 1 && panel.rows.iter().any(|row| row.control == Control::Branchy)
    };
    if layouts.len() < 2 && panels.iter().any(branchy) {
        reasons.push(Reason::new(Severity::Limit, Warning::OneLayout));
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

/// The widest spread, if it exceeds the equality margin.
fn wide(results: &Results, panels: &[PanelSummary]) -> Option<Reason> {
    let bounds = panels
        .iter()
        .filter(|panel| !panel.panel.regime.is_disturbed())
        .flat_map(|panel| panel.rows.iter().map(move |row| (panel, row)))
        .filter_map(|(panel, row)| Some((row.spread.bound()?, panel, row)));
    let (bound, panel, row) =
        bounds.max_by(|(one, ..), (other, ..)| one.log.total_cmp(&other.log))?;
    let (over, worst) = (bound.over, bound.fraction());
    let warning =
        Warning::Spread { over, worst, design: row.id.clone(), panel: panel.panel.id.clone() };
    (worst > results.session.margin).then(|| Reason::new(Severity::Limit, warning))
}
