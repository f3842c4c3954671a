//! A session with everything that is computed from it.

use std::sync::atomic::{AtomicUsize, Ordering};

use raywalk_results::journal::{PanelRounds, Results};
use raywalk_results::schema::Panel;

use crate::memorisation::{self, Curve, Matched};
use crate::ratios::Times;
use crate::summary::PanelSummary;
use crate::trust::{Trust, trust};

/// A session with its summaries. Made once; page, terminal, ranking and comparison read it.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged<'a> {
    /// The journal.
    pub results: &'a Results,
    /// One summary per panel, in the order of the plan.
    pub panels: Vec<PanelSummary>,
    /// The times of the panels, in the same order.
    pub times: Vec<Times>,
    /// How far the session can be trusted.
    pub trust: Trust,
}

impl<'a> Judged<'a> {
    /// Summarises every panel, and the session as a whole.
    pub fn of(results: &'a Results) -> Judged<'a> {
        let judge = |rounds: &PanelRounds| {
            let times = Times::of(results, rounds);
            (PanelSummary::of(results, rounds, &times), times)
        };
        let (panels, times): (Vec<_>, Vec<_>) =
            in_parallel(&results.panels, judge).into_iter().unzip();
        let trust = trust(results, &times, &panels, headline(results, &panels));
        Judged { results, panels, times, trust }
    }

    /// The panel that stands for the session: the one that the plan names, or else the first plain
    /// one, or else the first. Panels without rounds are passed over; `None` if there are no others.
    pub fn headline(&self) -> Option<&PanelSummary> {
        headline(self.results, &self.panels)
    }

    /// The summary of a panel.
    pub fn panel(&self, id: &str) -> Option<&PanelSummary> {
        self.panels.iter().find(|summary| summary.panel.id == id)
    }

    /// The panels that are points of the memorisation curve and have rounds, each with its K, by
    /// rising K. Of two with the same K the first of the plan is kept.
    pub fn memorisation(&self) -> Vec<(u64, &PanelSummary)> {
        memorisation::points(&self.panels)
    }

    /// The memory-matched control of the memorisation curve, if the session has it and the points that it
    /// separates.
    pub fn matched(&self) -> Option<Matched<'_>> {
        memorisation::matched(&self.panels)
    }

    /// Whether a design has the positions of a panel by heart, by its own memorisation curve. `None` if
    /// the session has no curve that can tell.
    pub fn has_by_heart(&self, panel: &Panel, id: &str) -> Option<bool> {
        let Some(k) = memorisation::returns_after(panel) else { return Some(false) };
        let cost = |&(k, summary): &(u64, &PanelSummary)| Some((k, summary.row(id)?.ns_move?));
        let costs: Vec<_> = self.memorisation().iter().filter_map(cost).collect();
        memorisation::has_by_heart(&costs, k)
    }

    /// The memorisation curves of the designs that all points have, in the order of the registry.
    /// Empty below two points.
    pub fn curves(&self) -> Vec<Curve> {
        memorisation::curves(&self.panels)
    }
}

/// Maps a list on all processors; a full session has more than a hundred panels.
pub(crate) fn in_parallel<T: Sync, U: Send>(list: &[T], map: impl Fn(&T) -> U + Sync) -> Vec<U> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            match list.get(place) {
                Some(one) => done.push((place, map(one))),
                None => return done,
            }
        }
    };
    let mut done = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut done = work();
        for other in others {
            match other.join() {
                Ok(part) => done.extend(part),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_by_key(|&(place, _)| place);
    done.into_iter().map(|(_, one)| one).collect()
}

fn headline<'a>(results: &Results, panels: &'a [PanelSummary]) -> Option<&'a PanelSummary> {
    let measured = || panels.iter().filter(|summary| !summary.rows.is_empty());
    measured()
        .find(|summary| summary.panel.id == results.session.headline)
        .or_else(|| measured().find(|summary| summary.panel.is_plain()))
        .or_else(|| measured().next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_that_is_mapped_in_parallel_keeps_its_order() {
        let list: Vec<u64> = (0..1_000).collect();
        let squares = in_parallel(&list, |n| n * n);
        assert!(squares.iter().zip(&list).all(|(square, n)| *square == n * n));
        assert_eq!(squares.len(), list.len());
        assert!(in_parallel(&[], |n: &u64| *n).is_empty());
    }
}
