//! The panels that differ in what the branch predictor has learnt.

use crate::Judged;
use crate::summary::PanelSummary;

/// The panels that differ most in what the branch predictor has learnt: the ends of the memorisation curve,
/// the headline panel, a stream of another order, the headline's workload with an overwritten predictor, the
/// middle of the curve; then the others of the plan. A panel of the stage of each node counts like one with
/// all moves, and the memory-matched control of the curve not at all: it differs in memory.
pub fn contrasting<'a>(judged: &'a Judged<'_>, most: usize) -> Vec<&'a PanelSummary> {
    let whole = || {
        let measured = judged.panels.iter().filter(|panel| !panel.rows.is_empty());
        measured
            .filter(|panel| panel.panel.call.is_complete() && panel.panel.regime.boards.is_none())
    };
    let plain = || whole().filter(|panel| panel.panel.is_plain());
    // A walk of the headline is one of its kind, so the plain panel of its workload takes its place.
    let of_headline = |panel: &&PanelSummary| {
        judged.headline().is_some_and(|headline| {
            let (one, other) = (&panel.panel, &headline.panel);
            one.id == other.id || (other.call.is_walk() && one.workload == other.workload)
        })
    };
    let overwritten = |plain: &PanelSummary| {
        let (workload, call) = (plain.panel.workload.clone(), plain.panel.call);
        whole().find(move |panel| {
            let panel = &panel.panel;
            panel.regime.overwrites_predictor() && panel.workload == workload && panel.call == call
        })
    };
    // A session may have both all moves and the stage of each node, but an overwritten predictor with one.
    let first = plain()
        .filter(of_headline)
        .find(|panel| overwritten(panel).is_some())
        .or_else(|| plain().find(of_headline));
    let other_order = |panel: &&PanelSummary| {
        let regime = &panel.panel.regime;
        regime.period.is_none()
            && first.is_some_and(|first| first.panel.regime.order != regime.order)
    };
    let curve = judged.memorisation();
    let point = |place: usize| curve.get(place).map(|&(_, panel)| panel);
    let wanted = [
        first,
        point(0),
        // Without a curve the place wraps to one that no panel has.
        point(curve.len().wrapping_sub(1)),
        first.and_then(overwritten),
        plain().find(other_order),
        point(curve.len() / 2),
    ];
    let mut chosen: Vec<&PanelSummary> = Vec::new();
    for panel in wanted.into_iter().flatten().chain(plain()) {
        if chosen.len() < most && !chosen.iter().any(|other| other.panel.id == panel.panel.id) {
            chosen.push(panel);
        }
    }
    // From known to unknown positions, the headline behind other streams, perturbed panels last.
    chosen.sort_by_key(|panel| {
        let regime = &panel.panel.regime;
        let is_headline = first.is_some_and(|first| first.panel.id == panel.panel.id);
        (regime.is_perturbed(), regime.period.unwrap_or(u64::MAX), is_headline)
    });
    chosen
}
