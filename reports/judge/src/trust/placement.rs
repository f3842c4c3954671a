//! Problems of placement: addresses, layouts, and the spread over them.

use std::collections::BTreeSet;

use raywalk_results::journal::Results;
use raywalk_results::schema::{Control, Process};

use super::reason::{Reason, Severity};
use super::warning::Warning;
use crate::boards::Boards;
use crate::spread::Bound;
use crate::summary::{PanelSummary, Row};

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

/// The widest spread, if it exceeds the equality margin. If the boards of its design exceed the second-level cache and
/// it is far wider than any of designs whose boards fit, memory is the cause, and the widest of the others is named as
/// well.
fn wide(results: &Results, panels: &[PanelSummary]) -> Vec<Reason> {
    let bounds = panels
        .iter()
        .filter(|panel| !panel.panel.regime.is_perturbed())
        .flat_map(|panel| panel.rows.iter().map(move |row| (panel, row)))
        .filter_map(|(panel, row)| {
            let boards = Boards::beyond_second_level(results, &panel.panel, &row.id);
            Some((row.spread.bound()?, panel, row, boards))
        });
    let bounds: Vec<_> = bounds.collect();
    let fits = |bound: &&Wide<'_>| bound.3.is_none();
    let (all, fitting) = (widest(bounds.iter()), widest(bounds.iter().filter(fits)));
    let found = match (all, fitting) {
        (Some((bound, panel, row, Some(boards))), fitting)
            if fitting.is_none_or(|it| bound.log > BY_MEMORY * it.0.log) =>
        {
            let (over, worst) = (bound.over, bound.fraction());
            let (design, panel) = (row.id.clone(), panel.panel.id.clone());
            let warning = Warning::SpreadOfMemory { over, worst, design, panel, boards: *boards };
            [Some((worst, warning)), fitting.map(ordinary)]
        }
        (all, _) => [all.map(ordinary), None],
    };
    let found = found.into_iter().flatten();
    let found = found.filter(|(worst, _)| *worst > results.session.margin);
    found.map(|(_, warning)| Reason::new(Severity::Limit, warning)).collect()
}

/// A spread that is so many times as wide as that of any design whose boards fit is not one of placement.
const BY_MEMORY: f64 = 2.0;

/// The spread of a design in a panel, with its boards if they do not fit.
type Wide<'a> = (Bound, &'a PanelSummary, &'a Row, Option<Boards>);

fn widest<'w, 'a>(bounds: impl Iterator<Item = &'w Wide<'a>>) -> Option<&'w Wide<'a>> {
    bounds.max_by(|(one, ..), (other, ..)| one.log.total_cmp(&other.log))
}

fn ordinary((bound, panel, row, _): &Wide<'_>) -> (f64, Warning) {
    let (over, worst) = (bound.over, bound.fraction());
    let (design, panel) = (row.id.clone(), panel.panel.id.clone());
    (worst, Warning::Spread { over, worst, design, panel })
}
